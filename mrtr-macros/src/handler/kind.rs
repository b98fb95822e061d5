//! The kinds of handler: what differs between `#[tool]`, `#[prompt]` and `#[resource]`.

use mrtr_lint::HandlerKind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::names::Krate;

/// What a function becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
}

/// Where a resource is.
#[derive(Clone)]
pub(crate) enum Address {
    Uri(LitStr),
    Template(LitStr),
}

impl Kind {
    /// Every kind, as an attribute on a function or method names it.
    pub(crate) const ALL: [Self; 3] = [Self::Tool, Self::Prompt, Self::Resource];

    /// The attribute's name, which is also the word for it in texts.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    /// What the lint calls it.
    pub(crate) fn judged_as(self) -> HandlerKind {
        match self {
            Self::Tool => HandlerKind::Tool,
            Self::Prompt => HandlerKind::Prompt,
            Self::Resource => HandlerKind::Resource,
        }
    }

    /// The type that the function returns in the end.
    pub(crate) fn ty(self, krate: &Krate) -> TokenStream {
        match self {
            Self::Tool => quote!(#krate::Tool),
            Self::Prompt => quote!(#krate::Prompt),
            Self::Resource => quote!(#krate::Resource),
        }
    }

    /// The same among all handlers of a block.
    pub(crate) fn variant(self) -> TokenStream {
        match self {
            Self::Tool => quote!(Tool),
            Self::Prompt => quote!(Prompt),
            Self::Resource => quote!(Resource),
        }
    }

    /// The function that makes a result of what the body returns.
    pub(crate) fn into_result(self) -> TokenStream {
        match self {
            Self::Tool => quote!(into_tool_result),
            Self::Prompt => quote!(into_prompt_result),
            Self::Resource => quote!(into_resource_result),
        }
    }

    /// What the body may return, for an error that has to give examples.
    pub(crate) fn results(self) -> &'static str {
        match self {
            Self::Tool => "write `String`, `Json<T>`, `ToolResult` or `Result<_, ToolError>`",
            Self::Prompt => {
                "write `String`, `Vec<PromptMessage>`, `PromptResult` or `Result<_, ToolError>`"
            }
            Self::Resource => {
                "write `String`, `Vec<u8>`, `ResourceContents` or `Result<_, ToolError>`"
            }
        }
    }
}

impl Address {
    /// The variables of a template, in the order in which they stand.
    pub(crate) fn variables(&self) -> Vec<String> {
        let Self::Template(text) = self else {
            return Vec::new();
        };
        let text = text.value();
        let mut names = Vec::new();
        for part in text.split('{').skip(1) {
            let Some((expression, _)) = part.split_once('}') else {
                continue;
            };
            let list = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
            for name in list.split(',') {
                names.push(name.to_owned());
            }
        }
        names
    }
}
