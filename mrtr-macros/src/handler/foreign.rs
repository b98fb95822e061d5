//! Our attributes where syn cannot see them: in the tokens of another macro, or in code that does not parse yet.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The attributes that a handler's macro must take away, because they are no macros that could do their work.
const OURS: &[&str] = &["ask", "commit", "memo", "arg", "from_call"];

/// The names of our attributes in the tokens of a macro call.
pub(crate) fn attributes_in(tokens: TokenStream) -> Vec<Ident> {
    let mut found = Vec::new();
    strip(tokens, &mut found);
    found
}

/// The tokens without our attributes, so that rustc does not complain about them on top.
pub(crate) fn without_attributes(tokens: TokenStream) -> TokenStream {
    strip(tokens, &mut Vec::new())
}

fn strip(tokens: TokenStream, found: &mut Vec<Ident>) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let ours = tokens.peek().filter(|_| hash).and_then(attribute_name);
        match (ours, token) {
            (Some(name), _) => {
                found.push(name);
                tokens.next();
            }
            (None, TokenTree::Group(group)) => kept.push(strip_group(group, found)),
            (None, token) => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn strip_group(group: Group, found: &mut Vec<Ident>) -> TokenTree {
    let mut stripped = Group::new(group.delimiter(), strip(group.stream(), found));
    stripped.set_span(group.span());
    TokenTree::Group(stripped)
}

/// The name in `[ask(..)]` or `[mrtr::ask(..)]`, if it is one of ours.
fn attribute_name(brackets: &TokenTree) -> Option<Ident> {
    let TokenTree::Group(group) = brackets else {
        return None;
    };
    let words: Vec<TokenTree> = group.stream().into_iter().collect();
    let name = match words.as_slice() {
        [
            TokenTree::Ident(krate),
            TokenTree::Punct(_),
            TokenTree::Punct(_),
            TokenTree::Ident(name),
            ..,
        ] if krate == "mrtr" && (name == "allow" || OURS.iter().any(|known| name == known)) => {
            return Some(name.clone());
        }
        [TokenTree::Ident(name)] | [TokenTree::Ident(name), TokenTree::Group(_)] => name,
        _ => return None,
    };
    let known = group.delimiter() == Delimiter::Bracket && OURS.iter().any(|known| name == known);
    known.then(|| name.clone())
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn found_at_any_depth_and_taken_away() {
        let tokens = quote! {
            async { #[ask(message = "a")] let x: u8; }, { #[mrtr::commit] f(#[cfg(a)] y); #[memo] let z: u8 = 1; }
        };
        let names: Vec<String> = attributes_in(tokens.clone())
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["ask", "commit", "memo"]);
        let rest = quote! { async { let x: u8; }, { f(#[cfg(a)] y); let z: u8 = 1; } };
        assert_eq!(without_attributes(tokens).to_string(), rest.to_string());
    }

    #[test]
    fn what_is_not_ours_stays() {
        let tokens = quote! { #[other::ask] f(); #[asking] g(); ask(1); [ask]; #[ask::me] h(); };
        assert!(attributes_in(tokens.clone()).is_empty());
        assert_eq!(
            without_attributes(tokens.clone()).to_string(),
            tokens.to_string()
        );
    }
}
