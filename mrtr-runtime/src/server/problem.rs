//! Why a server cannot be built: every problem at once, each with its remedy.

use std::fmt;

use mrtr_core::form::FormError;

use super::mirrors::MirrorProblem;

/// All that keeps a server from being built.
///
/// `Debug` is the same text as `Display`, because it is what a `main` that returns the error prints.
#[derive(Clone)]
pub struct BuildError {
    problems: Vec<Problem>,
}

/// One thing that keeps a server from being built.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Two tools have one name.
    #[error(
        "two tools are named `{0}`\n  help: give one of them another: `#[tool(name = \"..\")]`"
    )]
    SameName(String),
    /// Two prompts have one name.
    #[error(
        "two prompts are named `{0}`\n  help: give one of them another: `#[prompt(name = \"..\")]`"
    )]
    SamePrompt(String),
    /// Two resources are at one URI, or two templates are the same.
    #[error(
        "two resources are at `{0}`\n  help: give one of them another: `#[resource(uri = \"..\")]`"
    )]
    SameAddress(String),
    /// A resource is at no URI, or at a template that cannot be matched.
    #[error("resource `{resource}` at `{address}`: {problem}")]
    Address {
        /// The resource's name.
        resource: String,
        /// The URI or template.
        address: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// A handler takes a state that the server was not given.
    #[error(
        "{kind} `{name}` takes `State<{state}>`, which the server was not given\n  help: add `.state(..)` with a value of that type"
    )]
    NoState {
        /// `tool`, `prompt` or `resource`.
        kind: &'static str,
        /// The handler.
        name: String,
        /// The type, by its full name.
        state: &'static str,
    },
    /// No key is configured, and others than this machine can connect.
    #[error(
        "no key seals the request states, so that no other instance, and no later process, could open them\n  help: set `MRTR_KEYS`, which `run()` reads and otherwise `.config(Config::from_env(\"MRTR\")?)`, or give `.keys(..)`; make a key with `echo \"hex:$(openssl rand -hex 32)\"`\n  help: `.ephemeral_key()` insists on a random one for this process"
    )]
    NoKey,
    /// Others than this machine can connect, and no host name is allowed.
    #[error(
        "no host name is allowed for a listener that others can reach\n  help: add `.allow_host(\"mcp.example.com\")`, the name clients use, or set `MRTR_ALLOW_HOSTS`"
    )]
    NoHost,
    /// A tool commits for callers nobody knows.
    #[error(
        "tool `{0}` commits, and anybody who can reach the listener may call it\n  help: add `.principal(..)` to authenticate callers, or `.allow_anonymous_commits()` if that is meant"
    )]
    AnonymousCommit(String),
    /// A handler is to be mounted in another server that cannot have it.
    #[error("{kind} `{name}` cannot be mounted: {why}")]
    NotMounted {
        /// `tool`, `prompt` or `resource`.
        kind: &'static str,
        /// The handler.
        name: String,
        /// Why, and the remedy.
        why: String,
    },
    /// A handler has the user open a link, and no host is declared.
    #[error(
        "`{0}` has the user open a link, but no host is declared\n  help: add `.url_hosts([\"pay.example.com\"])`, or `.allow_loopback_urls()` for pages on this machine"
    )]
    NoUrlHost(String),
    /// A caller is required, and nothing resolves one.
    #[error(
        "`.require_principal()` is set, but nothing says who a caller is\n  help: add `.principal(..)` for HTTP, or `.stdio_principal(..)` for stdio"
    )]
    NoPrincipal,
    /// An ask's form cannot be sent.
    #[error("{kind} `{name}`: {error}")]
    Form {
        /// `tool`, `prompt` or `resource`.
        kind: &'static str,
        /// The handler.
        name: String,
        /// What is wrong with the form.
        error: FormError,
    },
    /// The `_meta` that a handler publishes cannot be sent.
    #[error("{kind} `{name}`: {problem}")]
    Meta {
        /// `tool`, `prompt` or `resource`.
        kind: &'static str,
        /// The handler.
        name: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// A tool's arguments cannot be checked.
    #[error("tool `{tool}`: {problem}")]
    Arguments {
        /// The tool.
        tool: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// A published schema mirrors an argument that cannot be mirrored.
    #[error("tool `{tool}`: {problem}")]
    Mirror {
        /// The tool.
        tool: String,
        /// What is wrong.
        problem: MirrorProblem,
    },
    /// A limit that nothing can keep.
    #[error("`{setting}` is {value}\n  help: it must be at least {least}")]
    Limit {
        /// The setting's name.
        setting: &'static str,
        /// What it is set to.
        value: String,
        /// The least that works.
        least: &'static str,
    },
    /// A value that clients would not accept.
    #[error("`{setting}` is `{value}`\n  help: {remedy}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// What it is set to.
        value: String,
        /// What to write instead.
        remedy: &'static str,
    },
}

impl BuildError {
    /// `Ok` when nothing is wrong.
    pub(super) fn of(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self { problems })
        }
    }

    /// The problems.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [problem] => write!(f, "the server cannot be built: {problem}"),
            problems => {
                write!(
                    f,
                    "the server cannot be built for {} reasons",
                    problems.len()
                )?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
