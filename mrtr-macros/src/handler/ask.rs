//! One ask as the user declared it, on a statement or on a parameter.

use mrtr_lint::AskSite;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Pat, PatType, Token, Type};

use super::ask_kind::Kind;
use super::message::Message;
use super::types::{is_named, type_argument};
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::docs::Docs;

/// What `#[ask(..)]` accepts.
pub(crate) const ASK: Grammar = Grammar {
    attribute: "ask",
    legal: &[
        "key",
        "message",
        "url",
        "until",
        "sample",
        "roots",
        "options",
        "default",
        "pin",
        "validate",
        "if_supported",
        "accept_unsolicited",
        "alone",
    ],
    elsewhere: &[
        ("title", "`#[tool(..)]`"),
        ("name", "`#[tool(..)]`"),
        ("description", "`#[tool(..)]`"),
        ("header", "`#[arg(..)]`"),
        ("repeatable", "`#[memo(..)]`"),
    ],
};

/// The longest key the runtime takes.
const LONGEST_KEY: usize = 64;

/// A declared ask.
pub(crate) struct Ask {
    /// The `ask` token, where errors about waiting for the answer are shown.
    pub(crate) at: Span,
    /// Where it is, for the lint to say whether every path asks it.
    pub(crate) site: AskSite,
    /// Attributes of the user that are not ours, such as `#[allow(..)]`.
    pub(crate) attrs: Vec<Attribute>,
    /// The variable that gets the answer.
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    pub(crate) key: Key,
    /// None where the client shows no words of ours.
    pub(crate) message: Option<Message>,
    pub(crate) until: Option<Expr>,
    pub(crate) default: Option<Expr>,
    pub(crate) pin: Option<Expr>,
    pub(crate) validate: Option<Expr>,
    pub(crate) if_supported: Option<Ident>,
    pub(crate) accept_unsolicited: Option<Ident>,
    pub(crate) alone: Option<Ident>,
}

/// The name of the answer within one call.
pub(crate) enum Key {
    /// A key known, and checked, at compile time.
    Literal(LitStr),
    /// A key made at run time, as in a loop.
    Expr(Box<Expr>),
}

impl Ask {
    /// Reads the options; `binding` is the variable, already taken from the statement or parameter.
    pub(crate) fn parse(
        attr: &Attribute,
        binding: Binding,
        site: AskSite,
        diag: &mut Diag,
    ) -> Option<Self> {
        let at = attr
            .path()
            .segments
            .last()
            .map_or_else(|| attr.span(), |last| last.ident.span());
        let before = diag.count();
        let mut options = Options::parse(arguments(attr, diag), &ASK, diag);
        // A message under a mistyped name is not missing as well.
        let readable = diag.count() == before;
        let kind = Kind::parse(&mut options, diag);
        kind.refuse_misfits(&mut options, diag);
        let confirms = is_named(&binding.ty, "Confirm");
        if confirms {
            check_confirm(&options, diag);
        } else if !check_unwrapped(&binding, diag) {
            return None;
        }
        let key = parse_key(&mut options, &binding.name, diag);
        let message = kind
            .is_worded()
            .then(|| parse_message(&mut options, &binding, diag))
            .flatten();
        if kind.is_worded() && message.is_none() && readable && diag.count() == before {
            diag.error_at(at, format!("ask `{}` has no question", binding.name))
                .help("write `#[ask(message = \"..\")]`, or a doc comment above");
            return None;
        }
        let mut attrs = binding.attrs;
        attrs.retain(|attr| !attr.path().is_ident("doc"));
        let ask = Ask {
            at,
            site,
            kind,
            key,
            message,
            until: options.expr("until", diag).map(|(_, value)| value),
            default: options.expr("default", diag).map(|(_, value)| value),
            pin: options.expr("pin", diag).map(|(_, value)| value),
            validate: options.expr("validate", diag).map(|(_, value)| value),
            if_supported: options.flag("if_supported", diag),
            accept_unsolicited: options.flag("accept_unsolicited", diag),
            alone: options.flag("alone", diag),
            attrs,
            mutability: binding.mutability,
            name: binding.name,
            ty: binding.ty,
        };
        if !confirms {
            ask.check_supported(diag);
        }
        Some(ask)
    }

    fn check_supported(&self, diag: &mut Diag) {
        if self.if_supported.is_none() || is_named(&self.ty, "Answer") {
            return;
        }
        diag.error(
            &self.ty,
            "with `if_supported` the type must be an `Answer<..>`",
        )
        .help(format!(
            "write `{}: Answer<{}>`",
            self.name,
            shown(self.accepted())
        ))
        .note("\"could not ask\" must not be the same value as any answer");
    }

    /// What an accept holds, without the `Option` that an `Answer` takes the place of.
    fn accepted(&self) -> &Type {
        match type_argument(&self.ty) {
            Some(inner) if is_named(&self.ty, "Option") => inner,
            _ => &self.ty,
        }
    }

    /// Everything written in the options, to see which earlier answers it uses.
    pub(crate) fn expressions(&self) -> Vec<TokenStream> {
        let mut found = Vec::new();
        if let Key::Expr(key) = &self.key {
            found.push(key.to_token_stream());
        }
        if let Some(Message::Expr(message)) = &self.message {
            found.push(message.to_token_stream());
        }
        let kind = self.kind.expression();
        let (until, default) = (self.until.as_ref(), self.default.as_ref());
        let (pin, validate) = (self.pin.as_ref(), self.validate.as_ref());
        for option in [until, default, pin, validate, kind].iter().flatten() {
            found.push(option.to_token_stream());
        }
        found
    }

    /// Whether the ask may be left out of the build by `#[cfg]`, so that nothing outside may name it.
    pub(crate) fn is_conditional(&self) -> bool {
        self.attrs
            .iter()
            .any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
    }
}

/// Reports options that would make consent of something else.
fn check_confirm(options: &Options, diag: &mut Diag) {
    let reasons = [
        ("default", "consent that is filled in is none"),
        (
            "accept_unsolicited",
            "a yes counts only for a question that was really asked",
        ),
        (
            "if_supported",
            "\"could not ask\" is no consent: without it such a client is refused",
        ),
    ];
    for (option, why) in reasons {
        if let Some(key) = options.key(option) {
            diag.error(key, format!("a `Confirm` cannot have `{option}`"))
                .help(format!("remove `{option}`"))
                .note(why);
        }
    }
}

/// Whether no `Confirm` is wrapped in a type that tells a no, which it tells itself.
fn check_unwrapped(binding: &Binding, diag: &mut Diag) -> bool {
    let (name, ty) = (&binding.name, &binding.ty);
    let inside = type_argument(ty).filter(|inner| is_named(inner, "Confirm"));
    let wrapper = ["Option", "Answer"]
        .into_iter()
        .find(|wrapper| is_named(ty, wrapper));
    let (Some(confirm), Some(wrapper)) = (inside, wrapper) else {
        return true;
    };
    let confirm = shown(confirm);
    let report = diag.error(ty, format!("a `Confirm` needs no `{wrapper}`"));
    report.help(format!("write `{name}: {confirm}`"));
    if wrapper == "Answer" {
        report.help(format!(
            "to tell decline from cancel, write `{name}: Answer<bool>`"
        ));
    }
    report.note("`Confirm` is a no already when the user declines or cancels");
    false
}

/// The variable an ask fills, with the attributes that stood beside `#[ask]`.
pub(crate) struct Binding {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}

impl Binding {
    /// The variable of `name: Type`; patterns are refused because rustc's text about them is misleading here.
    pub(crate) fn of(
        typed: &PatType,
        attrs: Vec<Attribute>,
        what: &str,
        diag: &mut Diag,
    ) -> Option<Self> {
        let Pat::Ident(pat) = &*typed.pat else {
            diag.error(&typed.pat, format!("{what} must be a plain name"))
                .help("write a name, and take the value apart below");
            return None;
        };
        if let Some(by_ref) = &pat.by_ref {
            diag.error(by_ref, format!("{what} must be a plain name"))
                .help("remove `ref`");
            return None;
        }
        if let Some((at, _)) = &pat.subpat {
            diag.error(at, format!("{what} must be a plain name"))
                .help("remove the pattern behind `@`");
            return None;
        }
        if matches!(&*typed.ty, Type::Infer(_)) {
            diag.error(&typed.ty, format!("`{}` needs a type", pat.ident))
                .help("write the type instead of `_`");
            return None;
        }
        Some(Self {
            attrs,
            mutability: pat.mutability,
            name: pat.ident.clone(),
            ty: (*typed.ty).clone(),
        })
    }
}

fn parse_key(options: &mut Options, name: &Ident, diag: &mut Diag) -> Key {
    match options.expr("key", diag) {
        None => Key::Literal(plain_key(name)),
        Some((
            _,
            Expr::Lit(ExprLit {
                lit: Lit::Str(key), ..
            }),
        )) => {
            check_key(&key, diag);
            Key::Literal(key)
        }
        Some((_, other)) => Key::Expr(Box::new(other)),
    }
}

/// The variable's name as key.
pub(crate) fn plain_key(name: &Ident) -> LitStr {
    LitStr::new(&syn::ext::IdentExt::unraw(name).to_string(), name.span())
}

fn check_key(key: &LitStr, diag: &mut Diag) {
    let text = key.value();
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if text.is_empty() || text.len() > LONGEST_KEY || !text.chars().all(legal) {
        diag.error(
            key,
            format!("a key is 1 to {LONGEST_KEY} of `A-Z`, `a-z`, `0-9`, `.`, `_`, `-`"),
        )
        .help("write a short word, such as `key = \"who\"`");
    }
}

fn parse_message(options: &mut Options, binding: &Binding, diag: &mut Diag) -> Option<Message> {
    if let Some((_, value)) = options.expr("message", diag) {
        return Some(Message::of_value(value, diag));
    }
    let text = Docs::of(&binding.attrs).whole()?;
    Some(Message::of_docs(&text, binding.name.span()))
}

/// The tokens between an attribute's parentheses.
pub(crate) fn arguments(attr: &Attribute, diag: &mut Diag) -> TokenStream {
    match &attr.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(pair) => {
            let name = pair.path.to_token_stream().to_string().replace(' ', "");
            diag.error(
                pair.eq_token,
                format!("`{name}` takes its options in parentheses"),
            )
            .help(format!("write `#[{name}(..)]`"));
            TokenStream::new()
        }
    }
}

/// A type as the user would write it, for a help line.
pub(crate) fn shown(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace(" < ", "<")
        .replace(" >", ">")
        .replace(" ::", "::")
        .replace(":: ", "::")
        .replace("< ", "<")
}
