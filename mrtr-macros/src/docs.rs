//! Splits a doc comment into a title and a description.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// What a doc comment says: the first paragraph, and the rest up to the first heading.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Docs {
    /// The first paragraph, on one line.
    pub(crate) title: Option<String>,
    /// The paragraphs after it.
    pub(crate) description: Option<String>,
}

impl Docs {
    /// Reads the doc comment of an item; headings such as `# Errors` are for readers of the code.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let text = text(attrs);
        let (mut title, mut rest) = (Vec::new(), Vec::new());
        let mut in_title = true;
        for line in text.lines() {
            if is_heading(line) {
                break;
            }
            match line.trim() {
                _ if !in_title => rest.push(line),
                "" => in_title = title.is_empty(),
                line => title.push(line),
            }
        }
        Docs {
            title: filled(&title.join(" ")),
            description: filled(&rest.join("\n")),
        }
    }

    /// Title and description as one text, for places that know only a description.
    pub(crate) fn whole(&self) -> Option<String> {
        match (&self.title, &self.description) {
            (Some(title), Some(rest)) => Some(format!("{title}\n\n{rest}")),
            (title, rest) => title.clone().or_else(|| rest.clone()),
        }
    }
}

/// The text of all doc attributes of an item, one line each, without the space after `///`.
fn text(attrs: &[Attribute]) -> String {
    let lines: Vec<String> = attrs.iter().filter_map(line).collect();
    lines.join("\n")
}

/// One doc attribute; `#[doc = include_str!(..)]` and `#[doc(hidden)]` hold no text a macro can see.
fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    match &pair.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) if pair.path.is_ident("doc") => {
            let text = text.value();
            Some(
                text.strip_prefix(' ')
                    .unwrap_or(&text)
                    .trim_end()
                    .to_owned(),
            )
        }
        _ => None,
    }
}

/// A Markdown heading: one to six `#` and a space.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches('#');
    let marks = line.trim_start().len() - rest.len();
    (1..=6).contains(&marks) && rest.starts_with(' ')
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(item: syn::ItemStruct) -> (Option<String>, Option<String>) {
        let docs = Docs::of(&item.attrs);
        (docs.title, docs.description)
    }

    #[test]
    fn the_first_paragraph_is_the_title() {
        let (title, description) = docs(syn::parse_quote! {
            /// Name as in
            /// the passport
            ///
            /// Both given names.
            ///   - and no titles
            #[doc(hidden)]
            struct S;
        });
        assert_eq!(title.as_deref(), Some("Name as in the passport"));
        assert_eq!(
            description.as_deref(),
            Some("Both given names.\n  - and no titles")
        );
    }

    #[test]
    fn a_heading_ends_the_text() {
        let (title, description) = docs(syn::parse_quote! {
            /// Books a seat, #1 choice.
            ///
            /// # Errors
            /// When the desk is closed.
            struct S;
        });
        assert_eq!(title.as_deref(), Some("Books a seat, #1 choice."));
        assert_eq!(description, None);
    }

    #[test]
    fn no_text_is_no_title() {
        assert_eq!(docs(syn::parse_quote! { struct S; }), (None, None));
        assert_eq!(
            docs(syn::parse_quote! { #[doc = ""] #[doc = include_str!("x")] struct S; }),
            (None, None)
        );
        assert_eq!(
            docs(syn::parse_quote! { #[doc = " # Errors"] struct S; }),
            (None, None)
        );
    }

    #[test]
    fn block_comments_and_attributes_work_too() {
        let (title, description) = docs(syn::parse_quote! {
            #[doc = "\n Title\n\n More\n"]
            struct S;
        });
        assert_eq!(title.as_deref(), Some("Title"));
        assert_eq!(description.as_deref(), Some("More"));
    }

    #[test]
    fn whole_keeps_both() {
        let docs = Docs {
            title: Some("A".into()),
            description: Some("B".into()),
        };
        assert_eq!(docs.whole().as_deref(), Some("A\n\nB"));
        assert_eq!(Docs::default().whole(), None);
    }
}
