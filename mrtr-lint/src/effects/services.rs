//! What the name of an awaited method says it does at a service, where no source and no type tells.

use super::Hit;
use super::methods::{MethodCall, last_name};
use crate::facts::EffectKind::{Cloud, Http, Mail, Queue, Stream};
use crate::value::{Kind, Origin, Value};

/// What the name of an awaited method says it does outside of the process, where its source says
/// nothing.
pub(crate) fn by_name(call: &MethodCall<'_>) -> Option<Hit> {
    let known = call.receiver.kind != Kind::Unknown || call.receiver.origin == Origin::Local;
    if known || !call.awaited {
        return None;
    }
    let given = !call.arguments.is_empty();
    if is_one_call_request(call.name) {
        return call.hit(Http, "sends an HTTP request");
    }
    if call.is(STREAM_WRITES) {
        return call.hit(Stream, "writes bytes to a stream");
    }
    if given && call.is(MESSAGE_SENDS) {
        return call.hit(Mail, "sends a message");
    }
    if given && is_job(call.name) {
        return call.hit(Queue, "queues a job");
    }
    if is_called_remote(call.receiver)
        && (is_remote_write(call.name) || given && call.is(REMOTE_VERBS))
    {
        return call.hit(Cloud, "asks a service to change something");
    }
    None
}

/// Whether a method makes a request and sends it, such as `http_post` and `post_json`.
fn is_one_call_request(name: &str) -> bool {
    name.split_once('_').is_some_and(|(first, second)| {
        let verb = |word: &str| HTTP_VERBS.contains(&word);
        first == "http" && verb(second) || verb(first) && HTTP_BODIES.contains(&second)
    })
}

/// Whether a method hands work to a queue of jobs, such as `enqueue` and `add_job`.
fn is_job(name: &str) -> bool {
    name == "enqueue"
        || name.starts_with("enqueue_")
        || name
            .split_once('_')
            .is_some_and(|(verb, object)| JOB_VERBS.contains(&verb) && JOBS.contains(&object))
}

/// Whether a value is called as clients of services elsewhere are, such as `self.api_client`.
fn is_called_remote(value: &Value) -> bool {
    last_name(value).is_some_and(|name| name.split('_').any(|word| REMOTE_NAMES.contains(&word)))
}

/// Whether a method is called as what changes something at a service, such as `create_order`.
///
/// A verb alone counts only with an argument: `client.create()` makes as often a value as a thing.
fn is_remote_write(name: &str) -> bool {
    name.split_once('_').is_some_and(|(verb, object)| {
        REMOTE_WRITES.contains(&verb) && !object.split('_').any(|word| LOCAL_THINGS.contains(&word))
    })
}

/// Words in the names of values that stand for a service elsewhere. `storage` and `service` are none:
/// they are as often part of this process.
const REMOTE_NAMES: &[&str] = &[
    "client", "api", "http", "bot", "gateway", "webhook", "s3", "stripe", "github", "slack", "kube",
];

/// Verbs that begin the name of what changes something at a service elsewhere.
const REMOTE_WRITES: &[&str] = &[
    "create", "delete", "update", "upload", "publish", "send", "post", "put", "patch", "cancel",
    "remove", "submit", "purge", "revoke", "approve", "reject", "refund", "charge",
];

/// What a client makes and changes in its own process, and what makes a noun of `post`.
const LOCAL_THINGS: &[&str] = &[
    "request",
    "builder",
    "client",
    "cache",
    "config",
    "context",
    "url",
    "query",
    "header",
    "headers",
    "session",
    "token",
    "credentials",
    "channel",
    "stream",
    "connection",
    "state",
    "metadata",
    "handler",
    "callback",
    "listener",
    "middleware",
    "count",
    "id",
];

/// Methods without an object that change something at a service, when they are given something.
const REMOTE_VERBS: &[&str] = &[
    "post", "put", "patch", "delete", "create", "update", "replace", "upsert",
];

/// The verbs of HTTP that write.
const HTTP_VERBS: &[&str] = &["post", "put", "patch", "delete"];

/// What follows such a verb in the name of a method that makes and sends a request.
const HTTP_BODIES: &[&str] = &["json", "form", "request", "multipart"];

/// Methods that nothing but a writer of bytes has.
const STREAM_WRITES: &[&str] = &["write_all", "write_all_buf", "write_all_vectored"];

/// Methods that send something to people or to another program.
const MESSAGE_SENDS: &[&str] = &[
    "send_message",
    "send_text",
    "send_email",
    "send_mail",
    "send_sms",
    "send_notification",
    "send_dm",
    "send_reply",
    "say",
];

/// Verbs and objects in the names of methods that hand work to a queue of jobs.
const JOB_VERBS: &[&str] = &[
    "add", "push", "insert", "schedule", "send", "submit", "dispatch", "perform",
];
const JOBS: &[&str] = &["job", "jobs", "task", "tasks", "async"];
