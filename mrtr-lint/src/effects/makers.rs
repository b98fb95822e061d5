//! What a value is that a call by path makes, such as a request or a statement that is being built.

use crate::value::{Access, Kind, Value};

/// Constructors whose kind is not that of their type.
const MAKERS: &[(&str, Kind)] = &[
    ("File::options", Kind::OpenOptions(Access::Read)),
    ("Command::new", Kind::Command),
    ("io::stdout", Kind::Stdout),
    ("fs::OpenOptions", Kind::OpenOptions(Access::Read)),
    ("OpenOptions::new", Kind::OpenOptions(Access::Read)),
    ("tempfile::tempfile", Kind::Scratch),
    ("tempfile::tempdir", Kind::Scratch),
    ("tempfile::spooled_tempfile", Kind::Scratch),
    ("io::sink", Kind::Scratch),
    ("rand::rng", Kind::Rng),
    ("rand::thread_rng", Kind::Rng),
    ("fastrand::Rng::new", Kind::Rng),
    ("redis::pipe", Kind::RedisCommand(Access::Unknown)),
    ("Pipeline::new", Kind::RedisCommand(Access::Unknown)),
    ("diesel::insert_into", Kind::Query(Access::Write)),
    ("diesel::insert_or_ignore_into", Kind::Query(Access::Write)),
    ("diesel::replace_into", Kind::Query(Access::Write)),
    ("diesel::update", Kind::Query(Access::Write)),
    ("diesel::delete", Kind::Query(Access::Write)),
    ("reqwest::get", Kind::Data),
    ("Request::post", Kind::Request(Access::Write)),
    ("Request::put", Kind::Request(Access::Write)),
    ("Request::patch", Kind::Request(Access::Write)),
    ("Request::delete", Kind::Request(Access::Write)),
    ("Request::get", Kind::Request(Access::Read)),
    ("Request::builder", Kind::Request(Access::Read)),
    ("ureq::post", Kind::Request(Access::Write)),
    ("ureq::put", Kind::Request(Access::Write)),
    ("ureq::patch", Kind::Request(Access::Write)),
    ("ureq::delete", Kind::Request(Access::Write)),
    ("attohttpc::post", Kind::Request(Access::Write)),
    ("attohttpc::put", Kind::Request(Access::Write)),
    ("minreq::post", Kind::Request(Access::Write)),
    ("connect_async", Kind::Socket),
];

/// Functions that yield both ends of a channel of this round, whatever crate they are of.
const CHANNELS: &[&str] = &[
    "unbounded_channel",
    "sync_channel",
    "unbounded",
    "rendezvous",
];

/// Functions that do so in these modules and crates.
const COMMON_CHANNELS: &[&str] = &["channel", "bounded", "duplex"];
const CHANNEL_OWNERS: &[&str] = &[
    "mpsc",
    "oneshot",
    "broadcast",
    "watch",
    "flume",
    "kanal",
    "channel",
    "async_channel",
    "crossbeam",
    "",
    "io",
    "tokio",
];

/// Functions that take the text of a SQL statement first.
const QUERIES: &[&str] = &[
    "query",
    "query_as",
    "query_scalar",
    "query_with",
    "query_as_with",
    "query_scalar_with",
    "raw_sql",
    "sql_query",
    "query_unchecked",
    "query_as_unchecked",
    "query_file",
    "query_file_as",
];

/// What a call by path yields.
pub(crate) fn of_call(path: &[String], arguments: &[Value]) -> Option<Value> {
    let last = path.last()?.as_str();
    let is = |name: &str| super::ends_with(path, name).is_some();
    if let Some((_, kind)) = MAKERS.iter().find(|(name, _)| is(name)) {
        return Some(Value::local(*kind));
    }
    let owner = path.len().checked_sub(2).map_or("", |at| path[at].as_str());
    if QUERIES.contains(&last) && owner.chars().all(|c| !c.is_uppercase())
        || is("QueryBuilder::new")
    {
        return Some(query(arguments));
    }
    if is("Request::new") || is("RequestBuilder::new") {
        let method = arguments.first().map_or(Access::Unknown, http_method);
        return Some(Value::local(Kind::Request(method)));
    }
    if is("redis::cmd") || is("Cmd::new") {
        let word = arguments.first().and_then(|word| word.text.clone());
        return Some(Value::local(Kind::RedisCommand(redis_word(
            word.as_deref(),
        ))));
    }
    if CHANNELS.contains(&last)
        || COMMON_CHANNELS.contains(&last) && CHANNEL_OWNERS.contains(&owner)
    {
        return Some(Value::local(Kind::Sender));
    }
    None
}

/// A statement judged by the literal among its arguments.
pub(crate) fn query(arguments: &[Value]) -> Value {
    let text = arguments.iter().find_map(|argument| argument.text.clone());
    Value::local(Kind::Query(
        text.map_or(Access::Unknown, |text| super::sql::access(&text)),
    ))
}

/// Whether a Redis command writes.
pub(crate) fn redis_word(word: Option<&str>) -> Access {
    match word {
        None => Access::Unknown,
        Some(word) => {
            let word = word
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_uppercase();
            if super::words::REDIS_READS.contains(&word.as_str()) {
                Access::Read
            } else {
                Access::Write
            }
        }
    }
}

/// What HTTP method a name such as `POST` or `Method::POST` stands for.
pub(crate) fn http_method(value: &Value) -> Access {
    let text = value
        .text
        .as_deref()
        .or(value.name.as_deref())
        .unwrap_or_default();
    match text.rsplit("::").next().unwrap_or_default() {
        "POST" | "PUT" | "PATCH" | "DELETE" => Access::Write,
        "GET" | "HEAD" | "OPTIONS" | "TRACE" => Access::Read,
        _ => Access::Unknown,
    }
}
