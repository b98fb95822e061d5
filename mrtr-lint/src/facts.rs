//! What a body was found to do: the tables that the events of the graph point into.

use std::rc::Rc;

use proc_macro2::Span;

use crate::allow::Allow;
use crate::code::Code;
use crate::graph::{FactId, Graph};

/// What an effect touches; it decides the code of a finding.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum EffectKind {
    /// Files and sockets.
    File,
    /// Bytes to a stream of unknown type.
    Stream,
    /// HTTP requests that write.
    Http,
    /// In a helper: the request that it was given, which may be one that writes.
    GivenRequest,
    /// SQL that writes, document databases and object mappers.
    Sql,
    /// Key-value stores.
    Kv,
    /// Message brokers.
    Queue,
    /// E-mail.
    Mail,
    /// Operations of a cloud service's client.
    Cloud,
    /// Child processes.
    Process,
    /// Shared state of this process.
    State,
    /// Channels and notifications.
    Channel,
    /// Detached tasks and threads.
    Task,
    /// A helper, a macro or a marked fn.
    Helper,
    /// What the author of a function says it does, by `#[effect]`.
    Marked,
}

impl EffectKind {
    /// Whether the world outside the process sees it.
    pub(crate) fn is_external(self) -> bool {
        !matches!(
            self,
            EffectKind::State | EffectKind::Channel | EffectKind::Task
        )
    }

    /// Whether it is weak evidence in a helper: a change of this process's own state, or bytes to
    /// something that is perhaps part of it.
    pub(crate) fn is_weak(self) -> bool {
        matches!(self, EffectKind::State | EffectKind::Stream)
    }

    /// Whether somebody else keeps what it did, so that doing it twice shows.
    pub(crate) fn is_kept_elsewhere(self) -> bool {
        matches!(
            self,
            EffectKind::Http
                | EffectKind::Sql
                | EffectKind::Kv
                | EffectKind::Queue
                | EffectKind::Mail
                | EffectKind::Cloud
        )
    }

    /// Whether in a helper it hangs on what the helper was given.
    pub(crate) fn hangs_on_parameter(self) -> bool {
        matches!(
            self,
            EffectKind::State | EffectKind::Channel | EffectKind::Stream | EffectKind::GivenRequest
        )
    }
}

/// Where in the handler an effect stands.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Body,
    /// Inside the message or an option of this ask.
    Ask(FactId),
    Memo,
    Commit,
}

/// A parameter of a helper.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Through {
    Receiver,
    /// By its place, `self` not counted.
    Argument(usize),
}

/// The allows in force where something stands, as indices into [`Facts::allows`].
pub(crate) type AllowIds = Rc<[usize]>;

#[derive(Clone)]
pub(crate) struct Effect {
    pub(crate) kind: EffectKind,
    /// What a helper touches at the end of its chain; the kind itself where there is no helper.
    pub(crate) root: EffectKind,
    pub(crate) span: Span,
    /// The effect as the user wrote it, such as `std::fs::write`.
    pub(crate) what: String,
    /// What it does, such as `writes a file`.
    pub(crate) does: String,
    /// For a helper: each call on the way down to the effect.
    pub(crate) chain: Vec<String>,
    /// Whether it is weak evidence in a helper: a change of this process's own state, or a task of
    /// its own, as caches, counters and connections have.
    pub(crate) weak: bool,
    pub(crate) place: Place,
    /// Whether it happens when a value is dropped.
    pub(crate) on_drop: bool,
    /// In a helper: the parameter that is changed, so that the call decides whether it is shared.
    pub(crate) through: Option<Through>,
    pub(crate) allows: AllowIds,
}

impl Effect {
    /// Whether the author of the called function says that it has an effect, so that nothing is guessed.
    pub(crate) fn is_marked(&self) -> bool {
        self.root == EffectKind::Marked && self.chain.len() == 1
    }

    /// The code of the effect with an ask ahead; only external effects tell a loop's next iteration apart.
    pub(crate) fn code(&self, next_iteration: bool) -> Code {
        match self.kind {
            _ if self.on_drop => Code::DropEffectAcrossAsk,
            EffectKind::Helper => Code::HelperEffectAboveAsk,
            EffectKind::State => Code::StateChangeAboveAsk,
            EffectKind::Channel | EffectKind::Task => Code::SendOrSpawnAboveAsk,
            _ if next_iteration => Code::EffectBeforeNextIteration,
            _ => Code::EffectAboveAsk,
        }
    }
}

/// Under which key an answer is kept.
#[derive(Clone, PartialEq)]
pub(crate) enum Key {
    /// The same text each time.
    Constant(String),
    /// Made when the handler runs, or not known.
    Dynamic,
}

/// Which piece of source an ask is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AskSite {
    /// The parameter at this place, counted over all parameters from 0.
    Parameter(usize),
    /// The `#[ask]` statement at this place, counted in source order from 0.
    Statement(usize),
    /// A call such as `ctx.ask(..)`.
    Call,
    /// A call that is given the `Ctx` and may ask.
    Helper,
}

pub(crate) struct Ask {
    pub(crate) span: Span,
    /// How a message names it: the variable or the key.
    pub(crate) name: Option<String>,
    pub(crate) key: Key,
    pub(crate) site: AskSite,
    /// Whether it is asked whatever the client can do.
    pub(crate) required: bool,
    /// Whether it is a `Confirm`.
    pub(crate) confirm: bool,
    /// Whether its answer has a name, by which it can be seen who looks at it.
    pub(crate) named: bool,
    /// Whether a commit looks at its answer.
    pub(crate) looked_at_in_commit: bool,
    /// Unstable values that decide whether it is asked.
    pub(crate) decided_by: Vec<FactId>,
    /// Unstable values in its message, key or options.
    pub(crate) built_from: Vec<FactId>,
    /// Fetched values in its message or pin.
    pub(crate) shows: Vec<FactId>,
    /// Whether a loop asks it once for each item.
    pub(crate) per_item: bool,
    /// Whether it is asked in the order of a hash map or set.
    pub(crate) unordered: bool,
    pub(crate) allows: AllowIds,
}

pub(crate) struct Commit {
    pub(crate) span: Span,
    /// It has a flow also where nothing was asked.
    pub(crate) in_flow: bool,
    /// Fetched values it uses, with the name it uses each by.
    pub(crate) uses: Vec<(FactId, String, Span)>,
    pub(crate) allows: AllowIds,
}

/// A value that differs between rounds.
pub(crate) struct Unstable {
    pub(crate) span: Span,
    pub(crate) what: String,
    pub(crate) sort: UnstableSort,
    pub(crate) allows: AllowIds,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum UnstableSort {
    Clock,
    Random,
    Unique,
}

pub(crate) struct Raced {
    pub(crate) span: Span,
    /// What it is raced by, such as `select!`.
    pub(crate) by: String,
    /// What happens to the ask there, with `BY` and `ASK` for the names.
    pub(crate) how: &'static str,
    pub(crate) ask: FactId,
    pub(crate) allows: AllowIds,
}

pub(crate) struct Stdout {
    pub(crate) span: Span,
    pub(crate) what: String,
    pub(crate) allows: AllowIds,
}

/// Everything known of one handler.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) graph: Graph,
    /// The node every return leads to.
    pub(crate) exit: usize,
    pub(crate) effects: Vec<Effect>,
    pub(crate) asks: Vec<Ask>,
    pub(crate) commits: Vec<Commit>,
    pub(crate) unstable: Vec<Unstable>,
    /// Fetched values: what each was fetched by.
    pub(crate) fetches: Vec<String>,
    /// Detached tasks, as effects.
    pub(crate) spawns: Vec<Effect>,
    pub(crate) raced: Vec<Raced>,
    pub(crate) stdout: Vec<Stdout>,
    pub(crate) allows: Vec<Allow>,
    /// Malformed allows: where, and what is wrong.
    pub(crate) malformed: Vec<(Span, String)>,
}
