//! `#[mrtr::allow(code, reason = "..")]`: what it silences, and what is wrong with it.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, LitStr, Token};

use crate::code::Code;

/// One allow: it silences one code in what it stands on.
#[derive(Debug, Clone)]
pub struct Allow {
    /// The code it silences.
    pub code: Code,
    /// Where its code is written.
    pub span: Span,
}

impl Allow {
    /// Whether an attribute is an allow of this lint rather than rustc's own.
    #[must_use]
    pub fn is_allow(attribute: &Attribute) -> bool {
        let segments = &attribute.path().segments;
        segments.len() == 2 && segments[1].ident == "allow" && segments[0].ident != "clippy"
    }

    /// Reads `#[mrtr::allow(code, reason = "..")]`.
    ///
    /// # Errors
    ///
    /// A text with its place when the code is unknown, or the reason is missing or empty.
    pub fn parse(attribute: &Attribute) -> syn::Result<Allow> {
        let whole = attribute.path().span();
        let arguments: Arguments = attribute.parse_args().map_err(|_| {
            syn::Error::new(whole, malformed("an allow names one finding and a reason"))
        })?;
        let name = arguments.code.to_string();
        let code = Code::from_name(&name)
            .ok_or_else(|| syn::Error::new(arguments.code.span(), unknown_code(&name)))?;
        match arguments.reason {
            Some(reason) if !reason.value().trim().is_empty() => Ok(Allow {
                code,
                span: arguments.code.span(),
            }),
            _ => {
                let text = malformed(&format!("the allow of `{name}` gives no reason"));
                Err(syn::Error::new(arguments.code.span(), text))
            }
        }
    }
}

struct Arguments {
    code: Ident,
    reason: Option<LitStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let code = input.parse()?;
        let mut reason = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let key: Ident = input.parse()?;
            if key != "reason" {
                return Err(syn::Error::new(key.span(), "expected `reason`"));
            }
            input.parse::<Token![=]>()?;
            reason = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Arguments { code, reason })
    }
}

fn malformed(fact: &str) -> String {
    format!("{fact}\nhelp: write `#[mrtr::allow(effect_above_ask, reason = \"why it is safe\")]`")
}

fn unknown_code(name: &str) -> String {
    let nearest = Code::ALL
        .iter()
        .map(|code| code.name())
        .min_by_key(|known| distance(known, name))
        .expect("invariant: there are codes");
    format!("no finding is called `{name}`\nhelp: the nearest is `{nearest}`")
}

/// The edit distance, for suggestions.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn an_allow_needs_a_known_code_and_a_reason() {
        let good: Attribute = parse_quote!(#[mrtr::allow(effect_above_ask, reason = "idempotent")]);
        assert_eq!(
            Allow::parse(&good).expect("well formed").code,
            Code::EffectAboveAsk
        );
        let cases: [(Attribute, &str); 4] = [
            (
                parse_quote!(#[mrtr::allow(effect_above_ask)]),
                "gives no reason",
            ),
            (
                parse_quote!(#[mrtr::allow(effect_above_ask, reason = " ")]),
                "gives no reason",
            ),
            (
                parse_quote!(#[mrtr::allow(efect_above_ask, reason = "x")]),
                "`effect_above_ask`",
            ),
            (
                parse_quote!(#[mrtr::allow(effect_above_ask, because = "x")]),
                "one finding",
            ),
        ];
        for (attribute, text) in cases {
            let error = Allow::parse(&attribute).expect_err("malformed").to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn rustc_and_clippy_allows_are_not_ours() {
        assert!(!Allow::is_allow(&parse_quote!(#[allow(unused)])));
        assert!(!Allow::is_allow(&parse_quote!(#[clippy::allow(unused)])));
        assert!(Allow::is_allow(&parse_quote!(#[mrtr::allow(unused)])));
    }
}
