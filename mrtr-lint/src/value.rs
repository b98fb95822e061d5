//! What is known of a value: where it came from, what it is, and what runs when it is used.

use std::rc::Rc;

use crate::facts::{EffectKind, Through};
use crate::graph::{FactId, Graph};

/// Who else can see a value.
#[derive(Clone, Copy, PartialEq, Default)]
pub(crate) enum Origin {
    /// Made in this round: nobody else sees it.
    Local,
    /// Reached from `self`, a static, an injected value or a reference parameter.
    Shared,
    /// Perhaps a handle to something shared, perhaps a copy of it.
    #[default]
    Unknown,
}

impl Origin {
    /// The origin of what is made from two values.
    pub(crate) fn join(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Shared, _) | (_, Origin::Shared) => Origin::Shared,
            (Origin::Local, Origin::Local) => Origin::Local,
            _ => Origin::Unknown,
        }
    }
}

/// Whether a request, a statement or a command changes something.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Access {
    Read,
    Write,
    #[default]
    Unknown,
}

/// What a value is, as far as names and types tell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Kind {
    #[default]
    Unknown,
    /// Data without a life of its own: text, numbers, collections, answers.
    Data,
    /// An iterator or a stream, which runs its closures when it is driven.
    Iter,
    Ctx,
    Call,
    Commit,
    /// An open file.
    File,
    /// A network connection.
    Socket,
    Stdout,
    /// A scratch file that removes itself, or an in-memory writer.
    Scratch,
    /// Options of a file to be opened.
    OpenOptions(Access),
    /// A child process that is being described.
    Command,
    HttpClient,
    /// An HTTP request that is being built.
    Request(Access),
    /// A SQL statement that is being built.
    Query(Access),
    /// A connection or a pool of a SQL database.
    Database,
    /// A transaction begun in this round: dropping it undoes it.
    Transaction,
    Redis,
    RedisCommand(Access),
    Mailer,
    Broker,
    /// A request of a cloud client, judged by the verb that began it.
    Operation(Access),
    Sender,
    Notify,
    /// A lock or a cell; what it guards is as shared as it is.
    Lock,
    Guard,
    Atomic,
    Rng,
    /// Several tasks that are waited for together.
    TaskSet,
}

/// Whether a deferred body runs on a call, on `.await`, or when an iterator is driven.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Trigger {
    Call,
    Await,
    Drive,
}

/// Code that a value carries and that has not run yet.
#[derive(Clone)]
pub(crate) struct Deferred {
    pub(crate) trigger: Trigger,
    pub(crate) body: Rc<Body>,
    /// Whether it runs once for each of several items.
    pub(crate) many: bool,
    /// Whether it may not be lazy at all: `send()` of a blocking client runs at the call.
    pub(crate) perhaps_eager: bool,
}

/// The graph of a closure, an async block or a lazy call.
pub(crate) struct Body {
    pub(crate) graph: Graph,
    /// The node its end and its returns lead to, in its own graph.
    pub(crate) exit: usize,
    /// What it yields.
    pub(crate) result: Value,
}

/// How many unstable or fetched values one value remembers that it hangs on.
///
/// A bound keeps the work linear; a value made from more than this is reported for these.
const REMEMBERED: usize = 8;

/// How many deferred bodies one value carries.
const CARRIED: usize = 32;

/// What is known of a value.
#[derive(Clone, Default)]
pub(crate) struct Value {
    pub(crate) origin: Origin,
    pub(crate) kind: Kind,
    /// The name of its type, to find its methods in the crate's own source.
    pub(crate) ty: Option<Rc<str>>,
    /// The text of a string literal.
    pub(crate) text: Option<Rc<str>>,
    /// Whether it is a reference, so that a binding of it is no copy.
    pub(crate) by_ref: bool,
    /// How it is written, when that is a plain path such as `self.tx`.
    pub(crate) name: Option<Rc<str>>,
    pub(crate) deferred: Vec<Deferred>,
    /// The unstable values it hangs on.
    pub(crate) unstable: Vec<FactId>,
    /// The fetched values it hangs on.
    pub(crate) fetched: Vec<FactId>,
    /// The tasks it is the handle of.
    pub(crate) tasks: Vec<FactId>,
    /// Whether it holds the sending end of a channel of this round, through which an answer comes.
    pub(crate) reply: bool,
    /// Whether its items come in the order of a hash map or set.
    pub(crate) unordered: bool,
    /// What dropping it does.
    pub(crate) on_drop: Option<(EffectKind, Rc<str>)>,
    /// In a helper: the parameter it is, or is reached from.
    pub(crate) parameter: Option<Through>,
    /// The ask whose builder or answer it is.
    pub(crate) ask: Option<FactId>,
    /// For a `Ctx`: the prefix of its keys, `None` when it is made at run time.
    pub(crate) scope: Option<Rc<str>>,
}

impl Value {
    /// Takes off what it carries and for which `wanted` holds.
    pub(crate) fn take_deferred(&mut self, wanted: &dyn Fn(&Deferred) -> bool) -> Vec<Deferred> {
        let (taken, left) = std::mem::take(&mut self.deferred)
            .into_iter()
            .partition(|deferred| wanted(deferred));
        self.deferred = left;
        taken
    }

    /// A value made in this round that is plain data.
    pub(crate) fn data() -> Value {
        Value {
            origin: Origin::Local,
            kind: Kind::Data,
            ..Value::default()
        }
    }

    /// A value made in this round, of this kind.
    pub(crate) fn local(kind: Kind) -> Value {
        Value {
            origin: Origin::Local,
            kind,
            ..Value::default()
        }
    }

    /// The same value, of this kind.
    pub(crate) fn with_kind(mut self, kind: Kind) -> Value {
        self.kind = kind;
        self
    }

    /// Adds what `other` hangs on and carries, but not what it is.
    pub(crate) fn absorb(&mut self, other: &Value) {
        remember(&mut self.unstable, &other.unstable);
        remember(&mut self.fetched, &other.fetched);
        for deferred in &other.deferred {
            if self.deferred.len() < CARRIED {
                self.deferred.push(deferred.clone());
            }
        }
        remember(&mut self.tasks, &other.tasks);
        self.reply |= other.reply || other.kind == Kind::Sender && other.origin == Origin::Local;
    }

    /// Adds only what `other` hangs on.
    pub(crate) fn absorb_facts(&mut self, other: &Value) {
        remember(&mut self.unstable, &other.unstable);
        remember(&mut self.fetched, &other.fetched);
    }

    /// The value that is one or the other, as after an `if`.
    pub(crate) fn merge(mut self, other: &Value) -> Value {
        self.origin = self.origin.join(other.origin);
        if self.kind != other.kind {
            self.kind = Kind::Unknown;
        }
        if self.ty != other.ty {
            self.ty = None;
        }
        if self.text != other.text {
            self.text = None;
        }
        self.name = None;
        if self.parameter != other.parameter {
            self.parameter = None;
        }
        self.on_drop = self.on_drop.take().or_else(|| other.on_drop.clone());
        self.unordered |= other.unordered;
        self.absorb(other);
        self
    }

    /// Whether this is a `Ctx`, through which asks go.
    pub(crate) fn is_ctx(&self) -> bool {
        self.kind == Kind::Ctx
    }
}

/// Adds ids to a bounded set.
pub(crate) fn remember(set: &mut Vec<FactId>, more: &[FactId]) {
    for id in more {
        if set.len() < REMEMBERED && !set.contains(id) {
            set.push(*id);
        }
    }
}
