//! The options of `#[tool(..)]`, `#[prompt(..)]` and `#[resource(..)]`.

use mrtr_lint::Level;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Expr, Ident, LitStr};

use super::duration::parse_duration;
use super::kind::{Address, Kind};
use crate::attr::{Grammar, Options, listed};
use crate::diag::Diag;
use crate::names::{Krate, ours};

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

/// What `#[prompt(..)]` accepts.
const PROMPT: Grammar = Grammar {
    attribute: "prompt",
    legal: &[
        "name",
        "title",
        "description",
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
        ("complete", "`#[arg(..)]`"),
        ("uri", "`#[resource(..)]`"),
        ("read_only", "`#[tool(..)]`"),
    ],
};

/// What `#[resource(..)]` accepts.
const RESOURCE: Grammar = Grammar {
    attribute: "resource",
    legal: &[
        "uri",
        "template",
        "name",
        "title",
        "description",
        "mime_type",
        "size",
        "audience",
        "priority",
        "last_modified",
        "ttl",
        "scope",
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
        ("complete", "`#[arg(..)]`"),
        ("read_only", "`#[tool(..)]`"),
    ],
};

/// The longest tool name that clients take; the specification allows 128.
const LONGEST_NAME: usize = 64;

/// The options, read and checked one by one.
pub(crate) struct HandlerOptions {
    pub(crate) kind: Kind,
    /// Where it is, for a resource.
    pub(crate) address: Option<Address>,
    pub(crate) published: Published,
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

impl HandlerOptions {
    /// Reads the options of the attribute.
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, diag: &mut Diag) -> Self {
        let grammar = match kind {
            Kind::Tool => &TOOL,
            Kind::Prompt => &PROMPT,
            Kind::Resource => &RESOURCE,
        };
        let mut options = Options::parse(tokens, grammar, diag);
        let krate = options
            .path("crate", diag)
            .map_or_else(Krate::default_path, Krate::renamed);
        let mut hints = Vec::new();
        for hint in ["read_only", "destructive", "idempotent", "open_world"] {
            if let Some(given) = options.switch(hint, diag) {
                hints.push(given);
            }
        }
        check_hints(&hints, diag);
        let address = match kind {
            Kind::Tool | Kind::Prompt => None,
            Kind::Resource => parse_address(&mut options, diag),
        };
        Self {
            kind,
            address,
            published: Published::parse(&mut options, diag),
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

    /// The handler's name on the wire: the option, or the function's own name.
    pub(crate) fn name(&self, func: &Ident, diag: &mut Diag) -> LitStr {
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| LitStr::new(&func.unraw().to_string(), func.span()));
        check_name(self.kind, &name, diag);
        name
    }

    /// Whether the tool says that it changes nothing.
    pub(crate) fn read_only(&self) -> bool {
        self.hints
            .iter()
            .any(|(hint, on)| hint == "read_only" && *on)
    }
}

fn check_name(kind: Kind, name: &LitStr, diag: &mut Diag) {
    let (text, noun) = (name.value(), kind.noun());
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(legal) {
        diag.error(
            name,
            format!("a {noun} name is 1 to {LONGEST_NAME} of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`"),
        )
        .help(format!(
            "give it a name: `#[{noun}(name = \"book_flight\")]`"
        ))
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
    let mut given = Vec::new();
    for name in ["flow_ttl", "round_ttl", "time_limit"] {
        if let Some(text) = options.text(name, diag)
            && let Some(duration) = parse_duration(name, &text, diag)
        {
            given.push((name, duration));
        }
    }
    given
}

/// What only resources publish.
#[derive(Default)]
pub(crate) struct Published {
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) size: Option<Expr>,
    /// Names of variants of `Role`.
    pub(crate) audience: Vec<Ident>,
    pub(crate) priority: Option<Expr>,
    pub(crate) last_modified: Option<LitStr>,
    /// Milliseconds.
    pub(crate) ttl: Option<u64>,
    /// A variant of `CacheScope`.
    pub(crate) scope: Option<Ident>,
}

impl Published {
    fn parse(options: &mut Options, diag: &mut Diag) -> Self {
        let ttl = options.text("ttl", diag);
        Self {
            mime_type: options.text("mime_type", diag),
            size: options.expr("size", diag).map(|(_, value)| value),
            audience: word(options, "audience", &AUDIENCES, diag).unwrap_or_default(),
            priority: options.expr("priority", diag).map(|(_, value)| value),
            last_modified: options.text("last_modified", diag),
            ttl: ttl.and_then(|text| parse_duration("ttl", &text, diag)),
            scope: word(options, "scope", &SCOPES, diag).and_then(|mut words| words.pop()),
        }
    }
}

const AUDIENCES: [(&str, &[&str]); 3] = [
    ("user", &["User"]),
    ("assistant", &["Assistant"]),
    ("both", &["User", "Assistant"]),
];
const SCOPES: [(&str, &[&str]); 2] = [("public", &["Public"]), ("private", &["Private"])];

/// An option whose value is one of a few words; gives the variants that the word stands for.
fn word(
    options: &mut Options,
    key: &str,
    words: &[(&str, &[&str])],
    diag: &mut Diag,
) -> Option<Vec<Ident>> {
    let text = options.text(key, diag)?;
    let known = words.iter().find(|(word, _)| *word == text.value());
    let Some((_, variants)) = known else {
        let mut legal = Vec::new();
        for (word, _) in words {
            legal.push(*word);
        }
        diag.error(&text, format!("unknown `{key}` `{}`", text.value()))
            .help(format!("write one of {}", listed(&legal)));
        return None;
    };
    let mut idents = Vec::new();
    for variant in *variants {
        idents.push(Ident::new(variant, ours(text.span())));
    }
    Some(idents)
}

/// Where a resource is: one of `uri` and `template`; with neither it is nowhere.
fn parse_address(options: &mut Options, diag: &mut Diag) -> Option<Address> {
    let (uri, template) = (options.text("uri", diag), options.text("template", diag));
    let address = match (uri, template) {
        (Some(uri), None) => {
            if uri.value().contains('{') {
                diag.error(&uri, "a `uri` has no variables")
                    .help("write `template = \"..\"` instead of `uri`");
                // What is meant is clear, and so its parameters are right.
                return Some(Address::Template(uri));
            }
            Address::Uri(uri)
        }
        (None, Some(template)) => {
            let address = Address::Template(template.clone());
            if address.variables().is_empty() {
                diag.error(&template, "the template has no variable")
                    .help("write `uri = \"..\"` instead, or a variable such as `{id}`");
            }
            address
        }
        (Some(uri), Some(template)) => {
            diag.error(
                &template,
                "a resource has a `uri` or a `template`, not both",
            )
            .help("keep `uri` for one resource, `template` for many");
            Address::Uri(uri)
        }
        (None, None) => return None,
    };
    Some(address)
}
