//! The rules that fields, choices and newtypes share: attributes a form cannot follow, and secrets.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, LitStr, Type};

use crate::attr::Options;
use crate::diag::Diag;
use crate::docs::Docs;

use super::foreign::{Foreign, Item};
use super::secrets;

/// Keywords of JSON Schema that no form has.
const KEYWORDS: [&str; 10] = [
    "pattern",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "const",
    "not",
    "allOf",
    "anyOf",
    "if",
    "contentEncoding",
];

/// Refuses the serde options of a container that change what an answer looks like.
pub(crate) fn check_container(foreign: &Foreign, refused: &[&str], diag: &mut Diag) {
    for item in foreign.items() {
        let key = item.key.to_string();
        let of_serde = matches!(item.owner, "serde" | "schemars");
        if of_serde && refused.contains(&&*key) {
            diag.error(
                &item.key,
                format!("`{key}` changes what an answer looks like"),
            )
            .help("remove it from the form and convert the answer in the handler")
            .note("a form is a flat object of named fields, as the client shows them");
        }
    }
}

/// Refuses the rules of one field that a form cannot carry, at the token that states them.
pub(crate) fn check_rules(foreign: &Foreign, diag: &mut Diag) {
    for item in foreign.items() {
        match (item.owner, &*item.key.to_string()) {
            ("schemars" | "garde", "pattern") | (_, "regex" | "contains") => {
                no_rule(&item.key, diag)
            }
            ("schemars" | "garde", "inner") => no_rule(&item.key, diag),
            ("schemars", "ip" | "ipv4" | "ipv6") => {
                let key = &item.key;
                diag.error(key, format!("a form has no format `{key}`"))
                    .help(CHECK_INSTEAD)
                    .note("the formats are `email`, `url`, and those of date types");
            }
            (_, "range") => no_exclusive_bounds(item, diag),
            ("schemars", "extend") => no_keywords(&item.nested, diag),
            _ => {}
        }
    }
}

const CHECK_INSTEAD: &str = "remove it and check the answer with `validate = path` on the ask";

fn no_rule(key: &Ident, diag: &mut Diag) {
    diag.error(key, format!("a form cannot carry the rule `{key}`"))
        .help(CHECK_INSTEAD)
        .note("forms know lengths, inclusive bounds, choices and the formats email, uri and date");
}

fn no_exclusive_bounds(range: &Item, diag: &mut Diag) {
    for bound in range.nested() {
        let key = bound.key.to_string();
        if let Some(inclusive) = key.strip_prefix("exclusive_") {
            diag.error(&bound.key, format!("a form has no `{key}`"))
                .help(format!("write an inclusive bound: `{inclusive} = ..`"));
        }
    }
}

/// Finds `extend("multipleOf" = 2)` and its kind; what is computed is found when the server is built.
fn no_keywords(tokens: &TokenStream, diag: &mut Diag) {
    let mut before = None;
    for token in tokens.clone() {
        if let (Some(TokenTree::Literal(key)), TokenTree::Punct(punct)) = (&before, &token)
            && punct.as_char() == '='
            && let Ok(key) = syn::parse_str::<LitStr>(&key.to_string())
            && KEYWORDS.contains(&&*key.value())
        {
            let text = key.value();
            diag.error(before.as_ref(), format!("a form has no keyword `{text}`"))
                .help(CHECK_INSTEAD);
        }
        before = Some(token);
    }
}

/// Refuses a name that is a secret's, unless `not_secret` says why it is none.
pub(crate) fn check_secret(subject: &Subject<'_>, options: &mut Options, diag: &mut Diag) {
    let key = options.key("not_secret").cloned();
    let reason = options.text("not_secret", diag);
    if let Some(reason) = &reason
        && reason.value().trim().is_empty()
    {
        diag.error(reason, "`not_secret` needs a reason")
            .help("say what it holds: `not_secret = \"the name of a token, not the token\"`");
    }
    match (subject.secret(), key) {
        (Some((place, secret)), None) => subject.refuse(place, &secret, diag),
        (None, Some(key)) => {
            diag.error(&key, "`not_secret` has nothing to excuse here")
                .help("remove it");
        }
        _ => {}
    }
}

/// What is looked at to tell a secret: the names that a user sees, and the type.
pub(crate) struct Subject<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) wire: &'a str,
    pub(crate) foreign: &'a Foreign,
    pub(crate) docs: &'a Docs,
    pub(crate) ty: &'a Type,
}

impl Subject<'_> {
    /// The secret, and the token that gives it away.
    fn secret(&self) -> Option<(TokenStream, String)> {
        let at_ident = |secret| (self.ident.to_token_stream(), secret);
        let found = secrets::in_name(&self.ident.to_string()).map(at_ident);
        let found = found.or_else(|| {
            let place = self.foreign.serde("rename").map(Item::place);
            let place = place.unwrap_or_else(|| self.ident.to_token_stream());
            secrets::in_name(self.wire).map(|secret| (place, secret))
        });
        let found = found.or_else(|| self.secret_title());
        found.filter(|(_, secret)| secrets::can_hold(self.ty, secret))
    }

    fn secret_title(&self) -> Option<(TokenStream, String)> {
        if let Some(item) = self.foreign.schemars("title") {
            let secret = secrets::in_title(&item.text()?.value())?;
            return Some((item.place(), secret));
        }
        let secret = secrets::in_title(self.docs.title.as_deref()?)?;
        Some((self.ident.to_token_stream(), secret))
    }

    fn refuse(&self, place: TokenStream, secret: &str, diag: &mut Diag) {
        let ident = self.ident;
        diag.error(place, format!("`{ident}` asks for a secret: {secret}"))
            .help("ask with `url = ..`, so that the user types it on a page of yours")
            .help("if it is none, say why: `#[form(not_secret = \"reason\")]`")
            .note("MCP forbids secrets in forms: clients show, log and pass on what a form holds");
    }
}
