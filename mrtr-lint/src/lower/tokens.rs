//! The tokens of macros: read as arguments where they are such, or as what a macro expands to.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};
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
    let parse = |input: ParseStream<'_>| parse_list::<Expr>(input);
    let mut arguments = Vec::new();
    if let Ok(list) = parse.parse2(tokens.clone()) {
        for expr in list {
            arguments.push(Argument::Expr(value_of_assignment(expr)));
        }
        return arguments;
    }
    let separator = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';'));
    for part in split(tokens, &separator) {
        let part = without_name(part);
        arguments.push(match syn::parse2::<Expr>(part.clone()) {
            Ok(expr) => Argument::Expr(expr),
            Err(_) => Argument::Tokens(part),
        });
    }
    arguments
}

/// What is separated by commas, up to the end of the input.
///
/// Only the parts are wanted, and a `Punctuated` of one's own is dozens of functions to compile.
///
/// # Errors
///
/// When a part or a comma does not parse.
pub fn parse_list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        list.push(input.parse()?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(list)
}

pub(super) fn value_of_assignment(expr: Expr) -> Expr {
    match expr {
        Expr::Assign(assign) => *assign.right,
        other => other,
    }
}

pub(super) fn split(tokens: &TokenStream, at: &dyn Fn(&TokenTree) -> bool) -> Vec<TokenStream> {
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
    let mut arms = Vec::new();
    let mut is_body = false;
    for token in tokens {
        if let TokenTree::Group(group) = token {
            if is_body {
                let plain = without_metavariables(group.stream());
                let asks = awaits(&plain);
                arms.push((syn::Block::parse_within.parse2(plain).ok()?, asks));
            }
            is_body = !is_body;
        }
    }
    Some(arms)
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
