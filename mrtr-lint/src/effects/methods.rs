//! Effects called by method, judged by what the receiver is, then by the shape of the call.

use super::{Hit, sql, words};
use crate::facts::EffectKind::{
    Channel, Cloud, File, GivenRequest, Http, Kv, Mail, Process, Queue, Sql, State, Task,
};
use crate::value::{Access, Kind, Origin, Value};

/// One method call as the rules see it.
pub(crate) struct MethodCall<'a> {
    pub(crate) name: &'a str,
    pub(crate) receiver: &'a Value,
    pub(crate) arguments: &'a [Value],
    /// Whether it is awaited at once.
    pub(crate) awaited: bool,
    /// Whether it is a `send` whose answer is kept, or a method of `self`: no channel's.
    pub(crate) answered: bool,
    /// Whether an `Ordering` is among the arguments, which only atomics take.
    pub(crate) ordering: bool,
}

impl MethodCall<'_> {
    pub(super) fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.name)
    }

    /// An effect that happens at the call, or when awaited if the call is.
    pub(super) fn hit(&self, kind: crate::facts::EffectKind, does: &'static str) -> Option<Hit> {
        Some(if self.awaited {
            Hit::awaited(kind, does)
        } else {
            Hit::now(kind, does)
        })
    }

    fn argument(&self, kind: Kind) -> bool {
        self.arguments.iter().any(|argument| argument.kind == kind)
    }

    /// Whether an argument is a database by its kind or by what it is called.
    fn takes_database(&self) -> bool {
        self.arguments.iter().any(|argument| {
            argument.kind == Kind::Database
                || is_called_a_database(argument)
                || last_name(argument) == Some("executor")
        })
    }
}

/// Whether a value is called as databases are, such as `db` or `self.pool`.
fn is_called_a_database(value: &Value) -> bool {
    last_name(value).is_some_and(|name| words::DATABASE_NAMES.contains(&name))
}

/// The name of a value without what it is a field of.
pub(super) fn last_name(value: &Value) -> Option<&str> {
    value.name.as_deref()?.rsplit(['.', ':']).next()
}

/// The effect of a method call, if one is known.
pub(crate) fn effect(call: &MethodCall<'_>) -> Option<Hit> {
    by_kind(call)
        .or_else(|| by_shape(call))
        .or_else(|| state(call))
}

fn by_kind(call: &MethodCall<'_>) -> Option<Hit> {
    match call.receiver.kind {
        Kind::Command if call.is(&["spawn", "status", "output", "exec"]) => process(call),
        Kind::File if writes_bytes(call) => call.hit(File, "writes to a file"),
        Kind::File if call.is(&["set_permissions", "set_modified"]) => {
            call.hit(File, "changes a file")
        }
        Kind::Socket if writes_bytes(call) => call.hit(File, "sends bytes over the network"),
        Kind::OpenOptions(Access::Write) if call.is(&["open"]) => {
            call.hit(File, "opens a file to write it")
        }
        Kind::Request(Access::Write) if sends_request(call) => {
            Some(Hit::awaited(Http, "sends an HTTP request"))
        }
        Kind::Request(Access::Unknown)
            if sends_request(call) && call.receiver.parameter.is_some() =>
        {
            Some(Hit::awaited(GivenRequest, "sends the request it is given"))
        }
        Kind::Query(access) => query(call, access),
        Kind::Database => database(call),
        Kind::Transaction => call
            .is(&["commit"])
            .then(|| call.hit(Sql, "commits a transaction"))?,
        Kind::Redis if redis_writes(call) => call.hit(Kv, "writes to Redis"),
        Kind::RedisCommand(Access::Write)
            if call.is(&["query", "query_async", "exec", "exec_async", "execute"]) =>
        {
            call.hit(Kv, "runs a Redis command")
        }
        Kind::Mailer if call.is(&["send", "send_raw"]) => call.hit(Mail, "sends an e-mail"),
        Kind::Broker
            if call.is(&[
                "publish",
                "send",
                "basic_publish",
                "send_result",
                "request",
                "publish_with_headers",
            ]) =>
        {
            call.hit(Queue, "publishes a message")
        }
        Kind::Operation(Access::Write) if call.name == "send" && call.arguments.is_empty() => Some(
            Hit::awaited(Cloud, "calls a service that changes something"),
        ),
        Kind::TaskSet if call.name.starts_with("spawn") => Some(Hit::now(Task, "starts a task")),
        _ => None,
    }
}

fn process(call: &MethodCall<'_>) -> Option<Hit> {
    // A spawn starts the child at the call, in tokio too; the others wait for it.
    if call.name == "spawn" {
        Some(Hit::now(Process, "starts a process"))
    } else {
        call.hit(Process, "runs a process")
    }
}

fn writes_bytes(call: &MethodCall<'_>) -> bool {
    call.name.starts_with("write") && !call.is(&["write_to", "writer"])
        || call.is(&[
            "set_len",
            "sync_all",
            "sync_data",
            "send",
            "send_to",
            "shutdown",
        ])
}

fn sends_request(call: &MethodCall<'_>) -> bool {
    if call.name == "call" {
        // ureq's `call()` takes nothing; `app.call(request)` is a service of this process.
        return call.arguments.is_empty();
    }
    call.is(&[
        "send",
        "call",
        "execute",
        "send_json",
        "send_string",
        "send_form",
        "send_bytes",
        "send_body",
        "send_empty",
        "recv_string",
        "recv_json",
        "send_async",
    ])
}

/// Methods that run a statement on the executor they are given.
const RUNS: &[&str] = &[
    "execute",
    "fetch",
    "fetch_one",
    "fetch_all",
    "fetch_optional",
    "fetch_many",
    "execute_many",
    "get_result",
    "get_results",
    "load",
    "first",
    "run",
    "query",
    "query_row",
    "query_map",
];

fn query(call: &MethodCall<'_>, access: Access) -> Option<Hit> {
    if !call.is(RUNS) || call.argument(Kind::Transaction) {
        return None;
    }
    match access {
        Access::Write => call.hit(Sql, "runs a SQL statement that writes"),
        Access::Unknown if call.name == "execute" => call.hit(Sql, "executes a SQL statement"),
        _ => None,
    }
}

/// A connection runs the text it is given; `execute` of an unknown text is taken to write.
fn database(call: &MethodCall<'_>) -> Option<Hit> {
    if !call.is(&[
        "execute",
        "execute_raw",
        "execute_unprepared",
        "batch_execute",
        "execute_batch",
        "simple_query",
        "query",
        "query_one",
        "query_opt",
        "query_row",
        "query_raw",
        "query_all",
    ]) {
        return None;
    }
    let access = call
        .arguments
        .iter()
        .find_map(|argument| match argument.kind {
            Kind::Query(access) => Some(access),
            _ => argument.text.as_deref().map(sql::access),
        });
    match access.unwrap_or_default() {
        Access::Write => call.hit(Sql, "runs a SQL statement that writes"),
        Access::Unknown if call.name.contains("execute") => {
            call.hit(Sql, "executes a SQL statement")
        }
        _ => None,
    }
}

fn redis_writes(call: &MethodCall<'_>) -> bool {
    call.is(words::REDIS_WRITES)
        || call.is(&[
            "set", "rename", "copy", "restore", "eval", "invoke", "migrate",
        ])
}

/// Effects that show without knowing the receiver.
fn by_shape(call: &MethodCall<'_>) -> Option<Hit> {
    let outside = call.receiver.origin != Origin::Local;
    if call.ordering && outside && call.name != "load" {
        return Some(Hit::now(State, "changes an atomic"));
    }
    if call.is(words::DOCUMENT_WRITES) && (outside || call.awaited) {
        return call.hit(Sql, "writes to a database");
    }
    if call.awaited && call.is(words::MAPPER_WRITES) && call.takes_database() {
        return call.hit(Sql, "writes to a database");
    }
    if let Some(hit) = request_value(call) {
        return Some(hit);
    }
    if call.name == "send"
        && call.arguments.len() == 1
        && call.receiver.kind == Kind::Unknown
        && outside
        && names(call, &["mail", "smtp"])
    {
        return call.hit(Mail, "sends an e-mail");
    }
    if call.awaited && call.is(words::BROKER_WRITES) {
        return call.hit(Queue, "acts on a message broker");
    }
    if call.receiver.kind == Kind::Unknown && outside {
        return unknown_receiver(call).or_else(|| send(call));
    }
    send(call)
}

/// A request that is handed to a client as a value.
fn request_value(call: &MethodCall<'_>) -> Option<Hit> {
    let hands_over = call.is(&["request", "execute", "send_request", "send"]);
    let over_network =
        call.receiver.kind == Kind::HttpClient || call.receiver.origin != Origin::Local;
    (hands_over && over_network && call.argument(Kind::Request(Access::Write)))
        .then(|| Hit::awaited(Http, "sends an HTTP request"))
}

fn unknown_receiver(call: &MethodCall<'_>) -> Option<Hit> {
    unknown_database(call).or_else(|| unknown_store(call))
}

fn unknown_database(call: &MethodCall<'_>) -> Option<Hit> {
    let first = call.arguments.first();
    let text = first.and_then(|argument| argument.text.as_deref());
    let runs = call.is(&[
        "execute",
        "batch_execute",
        "execute_batch",
        "query",
        "query_one",
        "query_opt",
        "query_row",
        "simple_query",
        "execute_unprepared",
    ]);
    if runs && text.is_some_and(|text| sql::access(text) == Access::Write) {
        return call.hit(Sql, "runs a SQL statement that writes");
    }
    let unread = call.awaited && call.name == "execute" && text.is_none();
    (unread && is_called_a_database(call.receiver))
        .then(|| call.hit(Sql, "executes a SQL statement"))?
}

fn unknown_store(call: &MethodCall<'_>) -> Option<Hit> {
    if !call.awaited {
        return None;
    }
    if call.name == "publish" {
        return call.hit(Queue, "publishes a message");
    }
    // A key and a value; no collection of this process waits for that.
    let sets = call.is(&["set", "put", "append", "upsert"]) && call.arguments.len() > 1;
    (sets || call.is(words::REDIS_WRITES)).then(|| call.hit(Kv, "writes to a store"))?
}

fn names(call: &MethodCall<'_>, parts: &[&str]) -> bool {
    call.receiver.name.as_deref().is_some_and(|name| {
        let name = name.to_lowercase();
        parts.iter().any(|part| name.contains(part))
    })
}

/// Something is handed to another task.
///
/// A client's `send(request)` may be a read, so a receiver called so is left alone. What is called a
/// connection has a protocol of its own.
fn send(call: &MethodCall<'_>) -> Option<Hit> {
    let local = call.receiver.origin == Origin::Local;
    let channel = matches!(call.receiver.kind, Kind::Sender | Kind::Notify);
    let unknown = matches!(call.receiver.kind, Kind::Unknown | Kind::Guard);
    if local || !call.is(words::SENDS) || !(channel || unknown && !call.answered) {
        return None;
    }
    // A message that brings its own way back asks another task something, perhaps only to read.
    let replies =
        |value: &Value| value.reply || value.kind == Kind::Sender && value.origin == Origin::Local;
    if call.arguments.iter().any(replies) {
        return None;
    }
    let plain = call.name == "send" || call.name == "send_async";
    let certain = channel || call.is(words::UNMISTAKABLE_SENDS);
    let likely = plain
        && call.arguments.len() == 1
        && !names(call, &["client", "http", "request", "service", "conn"]);
    (certain || likely).then(|| {
        call.hit(
            Channel,
            if call.name.starts_with("notify") {
                "wakes another task"
            } else if names(call, &["socket", "stream"]) {
                "sends a message over a connection"
            } else {
                "sends to another task"
            },
        )
    })?
}

/// Shared state that is changed in place.
fn state(call: &MethodCall<'_>) -> Option<Hit> {
    // With two arguments it is that of a text, which makes another one.
    let copies = call.name == "replace" && call.arguments.len() != 1;
    if call.receiver.origin != Origin::Shared || call.is(words::REPEATABLE) || copies {
        return None;
    }
    let changes = match call.receiver.kind {
        Kind::Guard => call.is(words::MUTATORS),
        Kind::Unknown | Kind::Lock | Kind::Data => {
            call.is(words::PLAIN_MUTATORS) && !call.arguments.is_empty()
                || call.is(&[
                    "clear",
                    "push",
                    "pop",
                    "pop_front",
                    "pop_back",
                    "invalidate_all",
                ])
                // That of an iterator or a reader takes a number.
                || call.name == "take" && call.arguments.is_empty()
        }
        _ => false,
    };
    changes.then_some(Hit::now(State, "changes shared state"))
}
