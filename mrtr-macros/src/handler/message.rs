//! The question of an ask: a text, a text with `{holes}`, or an expression.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parse;
use syn::{Expr, ExprLit, Lit, LitStr, Member};

use crate::diag::Diag;
use crate::names::{Krate, ours};

/// What an ask says to the user.
pub(crate) enum Message {
    /// A text without holes.
    Text(LitStr),
    /// A text with holes; the runtime cleans each hole on its own, so that no value can pass for our words.
    Template(Vec<Part>),
    /// Whatever the expression yields.
    Expr(Box<Expr>),
}

/// A piece of a template.
pub(crate) enum Part {
    /// Words of the author.
    Text(String),
    /// A value of the handler.
    Hole(Hole),
}

/// `{who.name:.2}`: a variable, the fields taken from it, and how it is formatted.
pub(crate) struct Hole {
    pub(crate) root: Ident,
    fields: Vec<Member>,
    format: Option<LitStr>,
    span: Span,
}

impl Message {
    /// The message of `message = VALUE`: a string literal is a template, anything else an expression.
    pub(crate) fn of_value(value: Expr, diag: &mut Diag) -> Self {
        match value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Self::of_template(text, diag),
            other => Self::Expr(Box::new(other)),
        }
    }

    /// The message of a doc comment, which is plain text: braces in prose are no holes.
    pub(crate) fn of_docs(text: &str, span: Span) -> Self {
        Self::Text(LitStr::new(text, span))
    }

    fn of_template(text: LitStr, diag: &mut Diag) -> Self {
        if text.value().trim().is_empty() {
            diag.error(&text, "the message is empty")
                .help("write the question, as in \"Who is travelling?\"");
        }
        let parts = parse_template(&text, diag).unwrap_or_default();
        match parts.as_slice() {
            [] => Self::Text(text),
            [Part::Text(words)] => Self::Text(LitStr::new(words, text.span())),
            _ => Self::Template(parts),
        }
    }

    /// The tokens to pass as the question.
    pub(crate) fn expand(&self, krate: &Krate) -> TokenStream {
        match self {
            Self::Text(text) => text.to_token_stream(),
            Self::Expr(expr) => expr.to_token_stream(),
            Self::Template(parts) => {
                let private = krate.private();
                let parts = parts.iter().map(Part::expand);
                quote!(#private::template() #(#parts)* .finish())
            }
        }
    }
}

impl Part {
    fn expand(&self) -> TokenStream {
        match self {
            Self::Text(words) => quote!(.text(#words)),
            Self::Hole(hole) => {
                let value = hole.expand();
                quote_spanned!(ours(hole.span)=> .hole(&#value))
            }
        }
    }
}

impl Hole {
    fn expand(&self) -> TokenStream {
        let Self {
            root,
            fields,
            format,
            span,
        } = self;
        let value = quote_spanned!(*span=> #root #(.#fields)*);
        match format {
            Some(format) => quote_spanned!(ours(*span)=> ::core::format_args!(#format, #value)),
            None => value,
        }
    }
}

/// Splits a template; the error is reported once, at the literal, because no token stands for a hole.
fn parse_template(literal: &LitStr, diag: &mut Diag) -> Option<Vec<Part>> {
    let text = literal.value();
    let mut parts = Vec::new();
    let mut words = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        words.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        let after = &rest[at + 1..];
        if let Some(after) = after.strip_prefix(brace) {
            words.push_str(brace);
            rest = after;
        } else if let Some((hole, after)) = after.split_once('}').filter(|_| brace == "{") {
            flush(&mut words, &mut parts);
            parts.push(Part::Hole(parse_hole(hole, literal, diag)?));
            rest = after;
        } else {
            diag.error(literal, format!("`{brace}` in the message has no partner"))
                .help(format!(
                    "write `{brace}{brace}` for a `{brace}` in the text"
                ));
            return None;
        }
    }
    words.push_str(rest);
    flush(&mut words, &mut parts);
    Some(parts)
}

fn flush(words: &mut String, parts: &mut Vec<Part>) {
    if !words.is_empty() {
        parts.push(Part::Text(std::mem::take(words)));
    }
}

fn parse_hole(hole: &str, literal: &LitStr, diag: &mut Diag) -> Option<Hole> {
    let (path, format) = match hole.split_once(':') {
        Some((path, format)) => (path.trim(), format.trim()),
        None => (hole.trim(), ""),
    };
    let mut names = path.split('.').map(str::trim);
    let root = names
        .next()
        .and_then(|name| parse_ident(name, literal.span()));
    let mut fields = Vec::new();
    let mut readable = true;
    for name in names {
        match parse_field(name, literal.span()) {
            Some(field) => fields.push(field),
            None => readable = false,
        }
    }
    let (Some(root), true) = (root, readable) else {
        diag.error(
            literal,
            format!("`{{{hole}}}` in the message is not a variable"),
        )
        .help("a hole holds a variable and its fields, such as `{flight}` or `{who.name:.2}`")
        .note("for anything else use an expression: `message = format!(..)`");
        return None;
    };
    Some(Hole {
        root,
        fields,
        format: parse_format(format, literal, diag)?,
        span: literal.span(),
    })
}

/// The format of a hole; `$` is refused because its argument would escape the look at what a message uses.
fn parse_format(format: &str, literal: &LitStr, diag: &mut Diag) -> Option<Option<LitStr>> {
    if format.contains('$') {
        diag.error(
            literal,
            format!("the format `:{format}` in the message takes an argument"),
        )
        .help("write the width as a number, or use `message = format!(..)`");
        return None;
    }
    let spec = (!format.is_empty()).then(|| LitStr::new(&format!("{{:{format}}}"), literal.span()));
    Some(spec)
}

fn parse_ident(name: &str, span: Span) -> Option<Ident> {
    let mut ident = match name {
        "self" => Ident::new("self", span),
        _ => plain_or_raw(name)?,
    };
    ident.set_span(span);
    Some(ident)
}

/// A name as it is written, or the raw one that a keyword can only mean: std's macros take `{type}`
/// for `r#type`, too.
fn plain_or_raw<T: Parse>(name: &str) -> Option<T> {
    syn::parse_str(name)
        .or_else(|_| syn::parse_str(&format!("r#{name}")))
        .ok()
}

fn parse_field(name: &str, span: Span) -> Option<Member> {
    let mut member = plain_or_raw::<Member>(name)?;
    match &mut member {
        Member::Named(ident) => ident.set_span(span),
        Member::Unnamed(index) => index.span = span,
    }
    Some(member)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn expanded(value: Expr) -> Result<String, String> {
        let mut diag = Diag::new();
        let message = Message::of_value(value, &mut diag);
        let tokens = message.expand(&Krate::default_path()).to_string();
        diag.finish()
            .map(|()| tokens.replace(' ', ""))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn templates() {
        let cases: [(Expr, &str); 8] = [
            (parse_quote!("Who?"), "\"Who?\""),
            (
                parse_quote!("{type}"),
                "::mrtr::__private::template().hole(&r#type).finish()",
            ),
            (parse_quote!("{{x}}"), "\"{x}\""),
            (
                parse_quote!("{a}"),
                "::mrtr::__private::template().hole(&a).finish()",
            ),
            (
                parse_quote!("a{ b.c.0 }d"),
                "::mrtr::__private::template().text(\"a\").hole(&b.c.0).text(\"d\").finish()",
            ),
            (
                parse_quote!("{p:.2}"),
                "::mrtr::__private::template().hole(&::core::format_args!(\"{:.2}\",p)).finish()",
            ),
            (
                parse_quote!("{self.name}"),
                "::mrtr::__private::template().hole(&self.name).finish()",
            ),
            (parse_quote!(ask_text(1)), "ask_text(1)"),
        ];
        for (value, expected) in cases {
            assert_eq!(expanded(value).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_is_no_template() {
        let cases: [(Expr, &str); 8] = [
            (parse_quote!(" "), "the message is empty"),
            (parse_quote!("a {"), "`{` in the message has no partner"),
            (parse_quote!("a } b"), "`}` in the message has no partner"),
            (parse_quote!("{}"), "`{}` in the message is not a variable"),
            (
                parse_quote!("{0}"),
                "`{0}` in the message is not a variable",
            ),
            (
                parse_quote!("{a()}"),
                "`{a()}` in the message is not a variable",
            ),
            (
                parse_quote!("{a + b}"),
                "`{a + b}` in the message is not a variable",
            ),
            (
                parse_quote!("{a:w$}"),
                "the format `:w$` in the message takes an argument",
            ),
        ];
        for (value, expected) in cases {
            let text = expanded(value).expect_err(expected);
            assert_eq!(text.lines().next(), Some(expected));
        }
    }
}
