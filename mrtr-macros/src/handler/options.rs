//! The options of `#[tool(..)]`.

use mrtr_lint::Level;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Expr, Ident, LitStr};

use super::duration::parse_duration;
use crate::attr::{Grammar, Options, listed};
use crate::diag::Diag;
use crate::names::Krate;

/// What `#[tool(..)]` accepts.
const TOOL: Grammar = Grammar {
    attribute: "tool",
    legal: &[
        "name",
        "title",
        "description",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "meta",
        "effects",
        "flow_ttl",
        "round_ttl",
        "time_limit",
        "crate",
    ],
    elsewhere: &[
        ("message", "`#[ask(..)]`"),
        ("key", "`#[ask(..)]`"),
        ("pin", "`#[ask(..)]`"),
        ("validate", "`#[ask(..)]`"),
        ("if_supported", "`#[ask(..)]`"),
        ("accept_unsolicited", "`#[ask(..)]`"),
        ("alone", "`#[ask(..)]`"),
        ("header", "`#[arg(..)]`"),
        ("repeatable", "`#[memo(..)]`"),
    ],
};

/// The longest tool name that clients take; the specification allows 128.
const LONGEST_NAME: usize = 64;

/// The options, read and checked one by one.
pub(crate) struct ToolOptions {
    pub(crate) krate: Krate,
    name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    /// Annotations that were given, by the name of the runtime call that sets each.
    pub(crate) hints: Vec<(Ident, bool)>,
    pub(crate) meta: Option<Expr>,
    pub(crate) effects: Option<Level>,
    /// Durations that were given, in milliseconds, by the name of the option.
    pub(crate) durations: Vec<(&'static str, u64)>,
}

impl ToolOptions {
    /// Reads the options of the attribute.
    pub(crate) fn parse(tokens: TokenStream, diag: &mut Diag) -> Self {
        let mut options = Options::parse(tokens, &TOOL, diag);
        let krate = options
            .path("crate", diag)
            .map_or_else(Krate::default_path, Krate::renamed);
        let hints = ["read_only", "destructive", "idempotent", "open_world"];
        let hints: Vec<_> = hints
            .iter()
            .filter_map(|hint| options.switch(hint, diag))
            .collect();
        check_hints(&hints, diag);
        Self {
            krate,
            name: options.text("name", diag),
            title: options.text("title", diag),
            description: options.text("description", diag),
            hints,
            meta: options.expr("meta", diag).map(|(_, value)| value),
            effects: parse_effects(&mut options, diag),
            durations: parse_durations(&mut options, diag),
        }
    }

    /// The tool's name on the wire: the option, or the function's own name.
    pub(crate) fn name(&self, func: &Ident, diag: &mut Diag) -> LitStr {
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| LitStr::new(&func.unraw().to_string(), func.span()));
        check_name(&name, diag);
        name
    }

    /// Whether the tool says that it changes nothing.
    pub(crate) fn read_only(&self) -> bool {
        self.hints
            .iter()
            .any(|(hint, on)| hint == "read_only" && *on)
    }
}

fn check_name(name: &LitStr, diag: &mut Diag) {
    let text = name.value();
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(legal) {
        diag.error(
            name,
            format!("a tool name is 1 to {LONGEST_NAME} of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`"),
        )
        .help("give it a name: `#[tool(name = \"book_flight\")]`")
        .note("clients refuse other names");
    }
}

fn check_hints(hints: &[(Ident, bool)], diag: &mut Diag) {
    let given = |name: &str| hints.iter().find(|(hint, on)| hint == name && *on);
    if let (Some(_), Some((destructive, _))) = (given("read_only"), given("destructive")) {
        diag.error(
            destructive,
            "a tool cannot be both `read_only` and `destructive`",
        )
        .help("keep the one that is true");
    }
}

fn parse_effects(options: &mut Options, diag: &mut Diag) -> Option<Level> {
    let text = options.text("effects", diag)?;
    let level = Level::from_name(&text.value());
    if level.is_none() {
        diag.error(
            &text,
            format!("unknown level `{}` of `effects`", text.value()),
        )
        .help(format!("the levels are {}", listed(Level::NAMES)));
    }
    level
}

fn parse_durations(options: &mut Options, diag: &mut Diag) -> Vec<(&'static str, u64)> {
    let names = ["flow_ttl", "round_ttl", "time_limit"];
    let given = names.into_iter().filter_map(|name| {
        let text = options.text(name, diag)?;
        Some((name, parse_duration(name, &text, diag)?))
    });
    given.collect()
}
