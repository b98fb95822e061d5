//! Decides whether an expression may use an earlier answer, and so must wait for it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::LitStr;

/// Macros the compiler ships: their arguments are all they can see.
const KNOWN_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether the tokens name one of `names`, also inside the holes of a string.
///
/// This looks at words, not at scopes, and so may say yes too often; that costs a round, never a wrong question.
pub(crate) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Literal(literal) => mentions_in_text(&TokenTree::Literal(literal).into(), names),
        TokenTree::Punct(_) => false,
    })
}

fn mentions_in_text(literal: &TokenStream, names: &[String]) -> bool {
    let Ok(text) = syn::parse2::<LitStr>(literal.clone()) else {
        return false;
    };
    let text = text.value();
    // A width or precision, as in `{x:width$}`, names a variable as well, so every word behind a brace counts.
    text.split('{').skip(1).any(|hole| {
        let mut words = hole.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| !word.is_empty() && names.iter().any(|name| name == word))
    })
}

/// Whether the tokens call a macro that may name anything at all.
pub(crate) fn calls_unknown_macro(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let called = tokens
        .windows(3)
        .enumerate()
        .any(|(at, window)| match window {
            [
                TokenTree::Ident(name),
                TokenTree::Punct(bang),
                TokenTree::Group(group),
            ] => {
                bang.as_char() == '!'
                    && group.delimiter() != Delimiter::None
                    && !(KNOWN_MACROS.iter().any(|known| name == known)
                        && ships_with_rust(&tokens[..at]))
            }
            _ => false,
        });
    called
        || tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => calls_unknown_macro(group.stream()),
            _ => false,
        })
}

/// Whether the path before a macro's name, if there is one, is the standard library's.
fn ships_with_rust(before: &[TokenTree]) -> bool {
    match before {
        [
            ..,
            TokenTree::Ident(krate),
            TokenTree::Punct(_),
            TokenTree::Punct(colon),
        ] if colon.as_char() == ':' => ["std", "core", "alloc"].iter().any(|known| krate == known),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn names_in_code_and_in_text() {
        let names = ["who".to_owned()];
        let yes = [
            quote!(who),
            quote!(format!("{}", who.name)),
            quote!(format!("{who}")),
            quote!(format!("{x:who$}")),
            quote!(f(|x| [x, who])),
            quote!(r#"{who:?}"#),
        ];
        let no = [
            quote!(whom),
            quote!("who"),
            quote!(format!("{whom} {x}")),
            quote!(3 + x),
            quote!('w'),
        ];
        for tokens in yes {
            assert!(mentions(tokens.clone(), &names), "{tokens}");
        }
        for tokens in no {
            assert!(!mentions(tokens.clone(), &names), "{tokens}");
        }
    }

    #[test]
    fn macros_of_others() {
        let yes = [
            quote!(t!("ask.who")),
            quote!(f(fl!("who"))),
            quote!(my::format!("{x}")),
        ];
        let no = [
            quote!(format!("{x}")),
            quote!(std::format!("{x}")),
            quote!(a != (b)),
            quote!(!(a)),
        ];
        for tokens in yes {
            assert!(calls_unknown_macro(tokens.clone()), "{tokens}");
        }
        for tokens in no {
            assert!(!calls_unknown_macro(tokens.clone()), "{tokens}");
        }
    }
}
