//! What is asked for: the options that say so, and which others make sense beside them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr};

use super::ask::{ASK, arguments};
use crate::attr::Options;
use crate::diag::Diag;

/// What is asked for; the kind decides which runtime call the ask becomes.
#[derive(Clone)]
pub(crate) enum Kind {
    /// A form that the client shows.
    Form,
    /// Choices known at run time.
    Options(Box<Expr>),
    /// A link that the user opens.
    Url(Box<Expr>),
    /// A question to the client's model.
    Sample(Box<Expr>),
    /// The client's roots.
    Roots,
}

impl Kind {
    /// Reads the option that says what is asked for; there is at most one.
    pub(super) fn parse(options: &mut Options, diag: &mut Diag) -> Self {
        let mut given = Vec::new();
        for name in ["url", "sample", "roots", "options"] {
            if let Some(key) = options.key(name) {
                given.push(key.clone());
            }
        }
        if let [first, extras @ ..] = given.as_slice() {
            for extra in extras {
                diag.error(extra, format!("an ask has either `{first}` or `{extra}`"))
                    .help("make it two asks; written next to each other they go out together");
            }
        }
        let mut expr = |name: &str, diag: &mut Diag| {
            let given = options.expr(name, diag);
            given.map(|(_, value)| Box::new(value))
        };
        let url = expr("url", diag).map(Self::Url);
        let sample = expr("sample", diag).map(Self::Sample);
        let choices = expr("options", diag).map(Self::Options);
        let roots = options.flag("roots", diag).map(|_| Self::Roots);
        url.or(sample).or(roots).or(choices).unwrap_or(Self::Form)
    }

    /// Reports options that say nothing for this kind.
    pub(super) fn refuse_misfits(&self, options: &mut Options, diag: &mut Diag) {
        let misfits: &[(&str, &str, &str)] = match self {
            Self::Form | Self::Options(_) => {
                &[("until", NO_LINK, "add `url = ..`, or remove `until`")]
            }
            Self::Url(_) => &[
                (
                    "default",
                    "fills in a form, and a link has none",
                    "remove `default`",
                ),
                (
                    "validate",
                    "has nothing to look at where a link is opened",
                    "write `until = ..` to see whether what the link is for is done",
                ),
                (
                    "accept_unsolicited",
                    ASKED_FIRST,
                    "remove `accept_unsolicited`",
                ),
            ],
            Self::Sample(_) => &[
                (
                    "message",
                    "is shown nowhere: the model reads what `sample` holds",
                    "remove `message`",
                ),
                ("until", NO_LINK, "remove `until`"),
                (
                    "default",
                    "fills in a form, and a model has none",
                    "remove `default`",
                ),
                (
                    "accept_unsolicited",
                    ASKED_FIRST,
                    "remove `accept_unsolicited`",
                ),
            ],
            Self::Roots => &[
                (
                    "message",
                    "is shown nowhere: the client answers by itself",
                    "remove `message`",
                ),
                ("until", NO_LINK, "remove `until`"),
                (
                    "default",
                    "fills in a form, and roots have none",
                    "remove `default`",
                ),
                (
                    "accept_unsolicited",
                    ASKED_FIRST,
                    "remove `accept_unsolicited`",
                ),
            ],
        };
        for (option, why, help) in misfits {
            options.refuse(option, why, help, diag);
        }
    }

    /// Whether the client shows the author's words.
    pub(super) fn is_worded(&self) -> bool {
        !matches!(self, Self::Sample(_) | Self::Roots)
    }

    /// What the kind's own option holds.
    pub(super) fn expression(&self) -> Option<&Expr> {
        match self {
            Self::Form | Self::Roots => None,
            Self::Options(value) | Self::Url(value) | Self::Sample(value) => Some(value),
        }
    }

    /// The runtime's function that checks the type of an answer.
    pub(crate) fn check(&self) -> &'static str {
        match self {
            Self::Form => "as_form",
            Self::Options(_) => "as_options",
            Self::Url(_) => "as_url",
            Self::Sample(_) => "as_sampling",
            Self::Roots => "as_roots",
        }
    }

    /// The runtime's constructor for the tool's definition.
    pub(crate) fn definition(&self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Options(_) => "options",
            Self::Url(_) => "url",
            Self::Sample(_) => "sampling",
            Self::Roots => "roots",
        }
    }

    /// The method of the context that asks.
    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Form => "ask_as",
            Self::Options(_) => "choose_as",
            Self::Url(_) => "url_as",
            Self::Sample(_) => "sample_as",
            Self::Roots => "roots_as",
        }
    }
}

const NO_LINK: &str = "says when a link is done with: it goes with `url`";
const ASKED_FIRST: &str = "is for forms: this answer counts only where the question was asked";

/// A look whether a link is done with: a closure or the name of a function as it is, anything
/// else as the body of a closure, so that it is looked at anew each time.
pub(super) fn expand_until(look: &Expr) -> TokenStream {
    match look {
        Expr::Closure(_) | Expr::Path(_) => quote!(#look),
        other => quote!(|| async { #other }),
    }
}

/// The expressions that an ask is made of, for the fall-back: an import that only they use must not count as
/// unused.
///
/// Left out is what has no type of its own, such as a closure or a default that is converted.
pub(crate) fn subjects(attr: &Attribute) -> Vec<Expr> {
    let mut diag = Diag::new();
    let mut options = Options::parse(arguments(attr, &mut diag), &ASK, &mut diag);
    let keys = [
        "key", "message", "url", "until", "sample", "options", "pin", "validate",
    ];
    let mut subjects = Vec::new();
    for key in keys {
        if let Some((_, value)) = options.expr(key, &mut diag)
            && !matches!(value, Expr::Lit(_) | Expr::Closure(_))
        {
            subjects.push(value);
        }
    }
    diag.forget();
    subjects
}
