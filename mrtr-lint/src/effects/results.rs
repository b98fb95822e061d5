//! What a method yields, by its name and its receiver.

use super::{adapters, makers, words};
use crate::value::{Access, Kind, Origin, Value};

/// Methods that lock.
const LOCKS: &[&str] = &[
    "lock",
    "try_lock",
    "lock_owned",
    "blocking_lock",
    "write",
    "try_write",
    "blocking_write",
    "write_owned",
    "read",
    "borrow_mut",
];

/// What a method yields, by its name and its receiver.
pub(crate) fn result_of(name: &str, receiver: &Value, arguments: &[Value]) -> Value {
    let kind = next_kind(name, receiver, arguments);
    if kind != Kind::Unknown {
        let origin = match kind {
            // Only what is shared is locked; `entry` and `get_mut` are also a plain map's.
            Kind::Guard if receiver.origin == Origin::Unknown && LOCKS.contains(&name) => {
                Origin::Shared
            }
            Kind::Iter | Kind::Guard => receiver.origin,
            Kind::Data => Origin::Local,
            _ => receiver.origin,
        };
        let passed_on = kind != Kind::Data || matches!(name, "collect" | "clone" | "to_vec");
        let unordered = receiver.unordered && passed_on;
        let text = receiver
            .text
            .clone()
            .filter(|_| matches!(name, "to_string" | "to_owned" | "as_str"));
        return Value {
            origin,
            kind,
            unordered,
            text,
            ..Value::default()
        };
    }
    if adapters::SAME.contains(&name) {
        return Value {
            deferred: Vec::new(),
            on_drop: None,
            ..receiver.clone()
        };
    }
    if matches!(name, "clone" | "into") {
        return cloned(receiver);
    }
    let origin = match receiver.kind {
        Kind::Guard | Kind::Data => {
            if receiver.kind == Kind::Data {
                Origin::Local
            } else {
                receiver.origin
            }
        }
        _ => adapters::result_origin(receiver.origin),
    };
    let kind = if receiver.kind == Kind::Data {
        Kind::Data
    } else {
        Kind::Unknown
    };
    Value {
        origin,
        kind,
        unordered: receiver.unordered && receiver.kind == Kind::Iter,
        ..Value::default()
    }
}

/// A clone of a handle is the same thing; a clone of data is a copy.
fn cloned(receiver: &Value) -> Value {
    let mut value = Value {
        deferred: receiver.deferred.clone(),
        on_drop: None,
        name: None,
        ..receiver.clone()
    };
    value.origin = match receiver.kind {
        Kind::Data | Kind::Guard => Origin::Local,
        Kind::Unknown if receiver.origin == Origin::Shared => Origin::Unknown,
        _ => receiver.origin,
    };
    if receiver.kind == Kind::Guard {
        value.kind = Kind::Data;
    }
    value
}

/// The kind of what a method yields; `Unknown` when its name says nothing.
pub(crate) fn next_kind(name: &str, receiver: &Value, arguments: &[Value]) -> Kind {
    match receiver.kind {
        Kind::Command if !matches!(name, "spawn" | "status" | "output" | "exec") => {
            return Kind::Command;
        }
        Kind::OpenOptions(access) => return open_options(name, access, arguments),
        Kind::Request(access) => return request(name, access, arguments),
        Kind::Query(Access::Unknown) if matches!(name, "push" | "sql") => {
            return makers::query(arguments).kind;
        }
        Kind::Query(access) if !is_run(name) => return Kind::Query(access),
        Kind::RedisCommand(access) => return redis_command(name, access),
        Kind::Operation(access) if name != "send" => {
            return operation_goes_on(name, receiver, arguments, access);
        }
        Kind::Scratch | Kind::Sender | Kind::Notify if name == "clone" => return receiver.kind,
        _ => {}
    }
    by_name(name, receiver, arguments)
}

/// What was taken for an operation by its verb may be a getter: `manager.get_connection().begin()`.
fn operation_goes_on(name: &str, receiver: &Value, arguments: &[Value], access: Access) -> Kind {
    match by_name(name, receiver, arguments) {
        Kind::Unknown | Kind::Operation(_) => Kind::Operation(access),
        other => other,
    }
}

fn is_run(name: &str) -> bool {
    name.starts_with("fetch")
        || name.starts_with("get_result")
        || matches!(name, "execute" | "load" | "first" | "run")
}

fn open_options(name: &str, access: Access, arguments: &[Value]) -> Kind {
    let on = arguments
        .first()
        .is_none_or(|argument| argument.text.as_deref() != Some("false"));
    match name {
        "write" | "append" | "create" | "truncate" | "create_new" if on => {
            Kind::OpenOptions(Access::Write)
        }
        "open" => Kind::File,
        _ => Kind::OpenOptions(access),
    }
}

fn request(name: &str, access: Access, arguments: &[Value]) -> Kind {
    match (name, arguments.first()) {
        ("method", Some(method)) => Kind::Request(makers::http_method(method)),
        (
            "send" | "call" | "execute" | "recv_string" | "recv_json" | "send_json" | "send_string"
            | "send_form",
            _,
        ) => Kind::Unknown,
        _ => Kind::Request(access),
    }
}

/// A pipeline writes when one of its commands does.
fn redis_command(name: &str, access: Access) -> Kind {
    let read = words::REDIS_READS.contains(&name.to_uppercase().as_str());
    let neutral = matches!(
        name,
        "arg" | "ignore" | "cmd" | "atomic" | "query" | "query_async" | "exec" | "exec_async"
    );
    if access == Access::Write || read || neutral {
        Kind::RedisCommand(access)
    } else {
        Kind::RedisCommand(Access::Write)
    }
}

fn by_name(name: &str, receiver: &Value, arguments: &[Value]) -> Kind {
    let data = receiver.kind == Kind::Data;
    let one = arguments.len() == 1;
    match name {
        "lock" | "try_lock" | "lock_owned" | "borrow_mut" | "write" | "read" | "blocking_lock"
        | "try_write" | "blocking_write" | "write_owned" | "entry" | "get_mut" | "make_mut"
            if receiver.kind != Kind::Data || receiver.origin == Origin::Shared =>
        {
            let takes = matches!(name, "entry" | "get_mut") || arguments.is_empty();
            if takes && receiver.kind != Kind::File {
                Kind::Guard
            } else {
                Kind::Unknown
            }
        }
        _ if adapters::ITERATORS.contains(&name) => Kind::Iter,
        _ if receiver.kind == Kind::Iter && adapters::LAZY_ADAPTERS.contains(&name) => Kind::Iter,
        _ if receiver.kind == Kind::Guard && adapters::GUARDS.contains(&name) => Kind::Guard,
        _ if adapters::COPIES.contains(&name) => Kind::Data,
        "begin" | "transaction" | "begin_with" | "build_transaction"
            if receiver.kind == Kind::Database || arguments.is_empty() =>
        {
            Kind::Transaction
        }
        "post" | "put" | "patch" | "delete" if one && !data => Kind::Request(Access::Write),
        "get" | "head" | "options" if one && receiver.kind == Kind::HttpClient => {
            Kind::Request(Access::Read)
        }
        "request" if arguments.len() == 2 && !data => {
            Kind::Request(makers::http_method(&arguments[0]))
        }
        "insert_into" if one => Kind::Query(Access::Write),
        "get_multiplexed_async_connection"
        | "get_multiplexed_tokio_connection"
        | "get_connection_manager"
        | "get_async_connection"
        | "get_tokio_connection" => Kind::Redis,
        "prepare" | "prepare_cached" if one => makers::query(arguments).kind,
        "collect" => Kind::Data,
        _ if arguments.is_empty() && !data && receiver.origin != Origin::Local => operation(name),
        _ => Kind::Unknown,
    }
}

/// `client.put_object()` begins an operation that writes, `client.get_object()` one that reads.
fn operation(name: &str) -> Kind {
    let begins = |verbs: &[&str]| {
        verbs.iter().any(|verb| {
            name.strip_prefix(verb)
                .is_some_and(|rest| rest.starts_with('_') || rest.is_empty())
        })
    };
    if begins(words::CLOUD_READS) && name.contains('_') {
        Kind::Operation(Access::Read)
    } else if begins(words::CLOUD_WRITES)
        && (name.contains('_') || matches!(name, "invoke" | "publish"))
    {
        Kind::Operation(Access::Write)
    } else {
        Kind::Unknown
    }
}
