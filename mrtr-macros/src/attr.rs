//! The grammar of attribute options: `flag`, `key = value`, each at most once, all of them known.

use mrtr_lint::parse_list;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Token};

use crate::diag::Diag;

/// What one attribute accepts.
pub(crate) struct Grammar {
    /// The attribute's name, as the user writes it.
    pub(crate) attribute: &'static str,
    /// Every legal key, in the order in which an error lists them.
    pub(crate) legal: &'static [&'static str],
    /// Keys that belong to another attribute, with the place where they belong, such as `` `#[tool(..)]` ``.
    pub(crate) elsewhere: &'static [(&'static str, &'static str)],
}

/// The options a user gave, each taken out once by the macro that knows it.
pub(crate) struct Options {
    attribute: &'static str,
    given: Vec<Given>,
}

/// One option as it was written.
struct Given {
    key: Ident,
    value: Option<Expr>,
}

impl Options {
    /// Reads the arguments of an attribute macro, such as `title = "Book", effects = "warn"`.
    pub(crate) fn parse(tokens: TokenStream, grammar: &Grammar, diag: &mut Diag) -> Self {
        let mut options = Options {
            attribute: grammar.attribute,
            given: Vec::new(),
        };
        options.add(tokens, grammar, diag);
        options
    }

    /// Reads all attributes of that name on one item; `#[form]` without arguments holds no options.
    pub(crate) fn of(attrs: &[Attribute], grammar: &Grammar, diag: &mut Diag) -> Self {
        let mut options = Options {
            attribute: grammar.attribute,
            given: Vec::new(),
        };
        let own = attrs
            .iter()
            .filter(|attr| attr.path().is_ident(grammar.attribute));
        for attr in own {
            match &attr.meta {
                Meta::Path(_) => {}
                Meta::List(list) => options.add(list.tokens.clone(), grammar, diag),
                Meta::NameValue(pair) => {
                    let name = grammar.attribute;
                    diag.error(
                        &pair.value,
                        format!("`{name}` takes its options in parentheses"),
                    )
                    .help(format!("write `#[{name}({} = ..)]`", grammar.legal[0]));
                }
            }
        }
        options
    }

    /// Whether `key` was given; a value beside it is a mistake.
    pub(crate) fn flag(&mut self, key: &str, diag: &mut Diag) -> Option<Ident> {
        let given = self.take(key)?;
        if let Some(value) = &given.value {
            diag.error(value, format!("option `{key}` takes no value"))
                .help(format!("write `{key}` alone"));
        }
        Some(given.key)
    }

    /// A flag that may also be written `key = true` or `key = false`.
    pub(crate) fn switch(&mut self, key: &str, diag: &mut Diag) -> Option<(Ident, bool)> {
        let given = self.take(key)?;
        let on = match &given.value {
            None => true,
            Some(Expr::Lit(ExprLit {
                lit: Lit::Bool(on), ..
            })) => on.value,
            Some(other) => {
                diag.error(other, format!("option `{key}` is `true` or `false`"))
                    .help(format!("write `{key}` or `{key} = false`"));
                return None;
            }
        };
        Some((given.key, on))
    }

    /// The key and expression of `key = EXPR`.
    pub(crate) fn expr(&mut self, key: &str, diag: &mut Diag) -> Option<(Ident, Expr)> {
        let given = self.take(key)?;
        if given.value.is_none() {
            diag.error(&given.key, format!("option `{key}` needs a value"))
                .help(format!("write `{key} = ..`"));
        }
        Some((given.key, given.value?))
    }

    /// The literal of `key = ".."`.
    pub(crate) fn text(&mut self, key: &str, diag: &mut Diag) -> Option<LitStr> {
        let (_, value) = self.expr(key, diag)?;
        let literal = as_text(&value).cloned();
        if literal.is_none() {
            diag.error(&value, format!("option `{key}` must be a string literal"))
                .help(format!("write `{key} = \"..\"`"));
        }
        literal
    }

    /// The path of `key = path`, or of `key = "path"` as serde writes it.
    pub(crate) fn path(&mut self, key: &str, diag: &mut Diag) -> Option<Path> {
        let (_, value) = self.expr(key, diag)?;
        let path = match &value {
            Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
            other => as_text(other).and_then(|text| text.parse_with(Path::parse_mod_style).ok()),
        };
        if path.is_none() {
            diag.error(&value, format!("option `{key}` must be a path"))
                .help(format!("write `{key} = some::path`"));
        }
        path
    }

    /// The key as written, for an error about two options that exclude each other; it is not taken out.
    pub(crate) fn key(&self, key: &str) -> Option<&Ident> {
        let given = self.given.iter().find(|given| given.key.unraw() == key);
        given.map(|given| &given.key)
    }

    /// Refuses an option that exists and makes no sense here: `why` ends "option `key` of `#[ask]` ..".
    pub(crate) fn refuse(&mut self, key: &str, why: &str, help: &str, diag: &mut Diag) {
        if let Some(given) = self.take(key) {
            let attribute = self.attribute;
            diag.error(
                &given.key,
                format!("option `{key}` of `#[{attribute}]` {why}"),
            )
            .help(help);
        }
    }

    fn take(&mut self, key: &str) -> Option<Given> {
        let at = self
            .given
            .iter()
            .position(|given| given.key.unraw() == key)?;
        Some(self.given.remove(at))
    }

    fn add(&mut self, tokens: TokenStream, grammar: &Grammar, diag: &mut Diag) {
        let parts = diag.keep(parse_list::<Part>.parse2(tokens));
        for part in parts.unwrap_or_default() {
            let Some(given) = part.given(grammar, diag) else {
                continue;
            };
            if self.key(&given.key.unraw().to_string()).is_some() {
                diag.error(
                    &given.key,
                    format!("option `{}` is given twice", given.key.unraw()),
                )
                .help("remove one of the two");
            } else if grammar.check(&given.key, diag) {
                self.given.push(given);
            }
        }
    }
}

impl Grammar {
    fn check(&self, key: &Ident, diag: &mut Diag) -> bool {
        let name = key.unraw().to_string();
        if self.legal.contains(&name.as_str()) {
            return true;
        }
        let attribute = self.attribute;
        let report = diag.error(key, format!("unknown option `{name}` of `#[{attribute}]`"));
        if let Some((_, place)) = self.elsewhere.iter().find(|(other, _)| *other == name) {
            report.help(format!("`{name}` belongs on {place}"));
        } else if let Some(near) = nearest(&name, self.legal.iter().copied()) {
            report.help(format!("did you mean `{near}`?"));
        }
        report.note(self.options());
        false
    }
}

/// What stands between two commas: an option, or what is often written for one.
enum Part {
    /// `key` or `key = value`.
    Option(Box<Given>),
    /// `"..."` without a key.
    Text(LitStr),
    /// `key(..)`, as the attributes of serde and schemars are written.
    Call(Ident),
}

impl Part {
    /// The option, or the one that was meant: it is there, so that it is not missing as well.
    fn given(self, grammar: &Grammar, diag: &mut Diag) -> Option<Given> {
        match self {
            Self::Option(given) => Some(*given),
            Self::Text(text) => grammar.refuse_text(text, diag),
            Self::Call(key) => {
                if grammar.check(&key, diag) {
                    diag.error(&key, format!("option `{key}` takes no parentheses"))
                        .help(format!("write `{key}` or `{key} = ..`"));
                }
                None
            }
        }
    }
}

impl Grammar {
    /// A text alone most likely is the option that says the most.
    fn refuse_text(&self, text: LitStr, diag: &mut Diag) -> Option<Given> {
        let attribute = self.attribute;
        let likely = match text.value().contains('{') {
            true => ["message", "template", "name"],
            false => ["message", "uri", "name"],
        };
        let key = likely.into_iter().find(|key| self.legal.contains(key));
        let report = diag.error(&text, format!("an option of `#[{attribute}]` has a name"));
        let Some(key) = key else {
            report.help("remove the text").note(self.options());
            return None;
        };
        let shown = text.to_token_stream();
        report
            .help(format!("write `#[{attribute}({key} = {shown})]`"))
            .note(self.options());
        Some(Given {
            key: Ident::new(key, text.span()),
            value: Some(Expr::Lit(ExprLit {
                attrs: Vec::new(),
                lit: Lit::Str(text),
            })),
        })
    }

    /// The legal options, for a note.
    fn options(&self) -> String {
        let attribute = self.attribute;
        match self.legal {
            [] => format!("`#[{attribute}]` has no options here"),
            [only] => format!("the only option is `{only}`"),
            all => format!("the options are {}", listed(all)),
        }
    }
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Ok(Self::Text(input.parse()?));
        }
        if input.peek2(syn::token::Paren) {
            let key = input.call(Ident::parse_any)?;
            let _: proc_macro2::Group = input.parse()?;
            return Ok(Self::Call(key));
        }
        Ok(Self::Option(Box::new(input.parse()?)))
    }
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() {
            Some(value_of(input)?)
        } else {
            None
        };
        Ok(Given { key, value })
    }
}

/// Reads the value; syn's own words for a missing one list every token that may begin an expression.
fn value_of(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.is_empty() || input.peek(Token![,]) {
        return Err(input.error("expected a value after `=`"));
    }
    input.parse()
}

fn as_text(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// The legal name that a typing mistake most likely meant; none if all are far away.
pub(crate) fn nearest<'a>(name: &str, legal: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = None;
    let mut allowed = name.chars().count().div_ceil(3);
    for other in legal {
        let steps = distance(name, other);
        // Of two that are as near the first is meant.
        if steps < allowed || (steps == allowed && best.is_none()) {
            (best, allowed) = (Some(other), steps);
        }
    }
    best
}

/// Names in backticks, separated by commas.
pub(crate) fn listed(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

/// The Levenshtein distance; option names are a few bytes long, so that a crate would cost more build time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[path = "attr_tests.rs"]
mod tests;
