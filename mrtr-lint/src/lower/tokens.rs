//! The tokens of macros: read as arguments where they are such, or as what a macro expands to.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

/// The text a formatted string begins from, which tells a SQL statement's class.
pub(super) fn first_text(tokens: &TokenStream) -> Option<std::rc::Rc<str>> {
    match tokens.clone().into_iter().next()? {
        TokenTree::Literal(literal) => match syn::Lit::new(literal) {
            syn::Lit::Str(text) => Some(text.value().into()),
            _ => None,
        },
        _ => None,
    }
}

/// One argument of a macro.
pub(super) enum Argument {
    Expr(Expr),
    /// What is no expression.
    Tokens(TokenStream),
}

/// Splits macro tokens at commas and reads each part as an expression where it is one.
///
/// `name = value`, `?value` and `%value`, as log macros have them, count as their value.
pub(super) fn parse_arguments(tokens: &TokenStream) -> Vec<Argument> {
    let parse = |input: ParseStream<'_>| Punctuated::<Expr, Token![,]>::parse_terminated(input);
    if let Ok(list) = parse.parse2(tokens.clone()) {
        return list
            .into_iter()
            .map(|expr| Argument::Expr(value_of_assignment(expr)))
            .collect();
    }
    split(
        tokens,
        |token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';')),
    )
    .into_iter()
    .map(|part| {
        let part = without_name(part);
        match syn::parse2::<Expr>(part.clone()) {
            Ok(expr) => Argument::Expr(expr),
            Err(_) => Argument::Tokens(part),
        }
    })
    .collect()
}

pub(super) fn value_of_assignment(expr: Expr) -> Expr {
    match expr {
        Expr::Assign(assign) => *assign.right,
        other => other,
    }
}

pub(super) fn split(tokens: &TokenStream, at: impl Fn(&TokenTree) -> bool) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens.clone() {
        if at(&token) {
            parts.push(TokenStream::new());
        } else if let Some(part) = parts.last_mut() {
            part.extend([token]);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// `name = ?value` without its name and its sigil.
pub(super) fn without_name(part: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = part.clone().into_iter().collect();
    let is = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == c);
    let assign = tokens
        .iter()
        .position(|token| is(token, '='))
        .filter(|&at| {
            at > 0
                && !tokens
                    .get(at + 1)
                    .is_some_and(|next| is(next, '=') || is(next, '>'))
        });
    let start = assign.map_or(0, |at| at + 1);
    let start = start
        + usize::from(
            tokens
                .get(start)
                .is_some_and(|token| is(token, '?') || is(token, '%')),
        );
    tokens[start..].iter().cloned().collect()
}

/// What each arm of a `macro_rules!` expands to, and whether it seems to ask.
///
/// A metavariable becomes a name, a repetition what it repeats.
pub(super) fn transcribers(text: &str) -> Option<Vec<(Vec<syn::Stmt>, bool)>> {
    let tokens: TokenStream = text.parse().ok()?;
    let groups: Vec<proc_macro2::Group> = tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        })
        .collect();
    let arms = groups.chunks(2).filter_map(|arm| arm.get(1));
    arms.map(|body| {
        let plain = without_metavariables(body.stream());
        let asks = awaits(&plain);
        Some((syn::Block::parse_within.parse2(plain).ok()?, asks))
    })
    .collect()
}

pub(super) fn without_metavariables(tokens: TokenStream) -> TokenStream {
    let mut plain = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                if let Some(TokenTree::Group(group)) = tokens.peek() {
                    plain.extend(without_metavariables(group.stream()));
                    tokens.next();
                    // The separator and the `*`, `+` or `?` of the repetition.
                    while matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if ",;*+?".contains(punct.as_char()))
                    {
                        tokens.next();
                    }
                }
            }
            TokenTree::Group(group) => {
                let inner = without_metavariables(group.stream());
                plain.extend([TokenTree::Group(proc_macro2::Group::new(
                    group.delimiter(),
                    inner,
                ))]);
            }
            other => plain.extend([other]),
        }
    }
    plain
}

/// Only what awaits can ask.
pub(super) fn awaits(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "await",
        TokenTree::Group(group) => awaits(&group.stream()),
        _ => false,
    })
}
