//! Word lists of the effect table: verbs of stores, mutators of collections, lazy adapters.

/// Redis commands, and the methods named after them, that only read.
pub(crate) const REDIS_READS: &[&str] = &[
    "GET",
    "MGET",
    "EXISTS",
    "TTL",
    "PTTL",
    "KEYS",
    "SCAN",
    "HGET",
    "HGETALL",
    "HMGET",
    "HKEYS",
    "HVALS",
    "HLEN",
    "HEXISTS",
    "HSCAN",
    "LRANGE",
    "LLEN",
    "LINDEX",
    "SMEMBERS",
    "SISMEMBER",
    "SCARD",
    "SSCAN",
    "SINTER",
    "SUNION",
    "SDIFF",
    "ZRANGE",
    "ZREVRANGE",
    "ZRANGEBYSCORE",
    "ZSCORE",
    "ZCARD",
    "ZRANK",
    "ZCOUNT",
    "ZSCAN",
    "TYPE",
    "STRLEN",
    "GETRANGE",
    "GETBIT",
    "BITCOUNT",
    "PING",
    "INFO",
    "DBSIZE",
    "XRANGE",
    "XREVRANGE",
    "XLEN",
    "XREAD",
    "PFCOUNT",
    "OBJECT",
    "TIME",
    "ECHO",
    "RANDOMKEY",
    "SUBSCRIBE",
    "PSUBSCRIBE",
    "LPOS",
    "SRANDMEMBER",
    "HSTRLEN",
    "SELECT",
    "AUTH",
    "CLIENT",
    "CONFIG",
    "MEMORY",
];

/// Redis methods that write and that no other crate's handle is likely to have.
pub(crate) const REDIS_WRITES: &[&str] = &[
    "incr",
    "decr",
    "del",
    "unlink",
    "set_ex",
    "set_nx",
    "pset_ex",
    "mset",
    "mset_nx",
    "getset",
    "getdel",
    "hset",
    "hset_nx",
    "hset_multiple",
    "hdel",
    "hincr",
    "lpush",
    "rpush",
    "lpush_exists",
    "lpop",
    "rpop",
    "lrem",
    "ltrim",
    "lset",
    "sadd",
    "srem",
    "spop",
    "zadd",
    "zadd_multiple",
    "zrem",
    "zincr",
    "expire",
    "expire_at",
    "pexpire",
    "persist",
    "rename_nx",
    "xadd",
    "xdel",
    "xack",
    "xtrim",
    "pfadd",
    "setrange",
    "setbit",
    "publish",
    "flushdb",
    "flushall",
    "set_options",
    "hexpire",
    "append",
];

/// Methods of document databases that write, whatever the receiver is called.
pub(crate) const DOCUMENT_WRITES: &[&str] = &[
    "insert_one",
    "insert_many",
    "update_one",
    "update_many",
    "delete_one",
    "delete_many",
    "replace_one",
    "find_one_and_update",
    "find_one_and_delete",
    "find_one_and_replace",
    "bulk_write",
];

/// Methods of object mappers that write when a database is among their arguments.
pub(crate) const MAPPER_WRITES: &[&str] = &[
    "insert",
    "save",
    "update",
    "delete",
    "exec",
    "exec_with_returning",
    "exec_without_returning",
    "insert_many",
    "delete_many",
    "update_many",
    "upsert",
    "create",
    "destroy",
];

/// How the argument is called that makes a method a database call.
pub(crate) const DATABASE_NAMES: &[&str] = &[
    "db",
    "conn",
    "pool",
    "tx",
    "txn",
    "database",
    "connection",
    "pg",
    "trx",
    "db_pool",
    "db_conn",
    "transaction",
];

/// Methods that change a collection or a cell in place.
pub(crate) const MUTATORS: &[&str] = &[
    "insert",
    "remove",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "pop",
    "pop_front",
    "pop_back",
    "clear",
    "extend",
    "extend_from_slice",
    "append",
    "truncate",
    "retain",
    "drain",
    "swap",
    "swap_remove",
    "set",
    "replace",
    "take",
    "store",
    "sort",
    "sort_by",
    "sort_unstable",
    "dedup",
    "reverse",
    "fill",
    "resize",
    "remove_entry",
    "invalidate",
    "invalidate_all",
    "put",
    "update",
    "alter",
    "upsert",
    "enqueue",
    "dequeue",
    "rotate_left",
    "rotate_right",
    "split_off",
    "fetch_add",
    "increment",
    "decrement",
    "rcu",
    "reset",
    "pop_first",
    "pop_last",
    "remove_if",
    "insert_async",
    "remove_async",
    "or_insert",
    "or_default",
    "and_modify",
    "swap_with",
];

/// Mutators so plain that they count without a guard, on a field of something shared.
///
/// The rest of [`MUTATORS`] is also what services call their verbs, and counts on a guard only.
pub(crate) const PLAIN_MUTATORS: &[&str] = &[
    "insert",
    "remove",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "pop",
    "pop_front",
    "pop_back",
    "clear",
    "extend",
    "retain",
    "swap",
    "set",
    "replace",
    "store",
    "truncate",
    "drain",
    "swap_remove",
    "remove_if",
    "invalidate",
    "invalidate_all",
    "rcu",
    "insert_async",
    "remove_async",
    "put",
    "alter",
    "fetch_add",
    "append",
    "upsert",
];

/// Mutators that can be repeated without a trace: filling a cache with what would be computed again.
pub(crate) const REPEATABLE: &[&str] = &[
    "get_or_init",
    "get_or_try_init",
    "or_insert_with",
    "or_insert_with_key",
    "get_with",
    "try_get_with",
    "get_or_insert_with",
    "get_or_create",
];

/// Methods that hand a value to another task.
pub(crate) const SENDS: &[&str] = &[
    "send",
    "try_send",
    "blocking_send",
    "send_async",
    "send_replace",
    "send_modify",
    "send_if_modified",
    "send_timeout",
    "unbounded_send",
    "start_send",
    "notify_one",
    "notify_waiters",
    "notify_last",
];

/// Sends that nothing but a channel or a notification has.
pub(crate) const UNMISTAKABLE_SENDS: &[&str] = &[
    "try_send",
    "blocking_send",
    "send_replace",
    "send_modify",
    "send_if_modified",
    "unbounded_send",
    "notify_one",
    "notify_waiters",
    "start_send",
];

/// Verbs that begin the name of a cloud operation that writes.
pub(crate) const CLOUD_WRITES: &[&str] = &[
    "put",
    "create",
    "update",
    "delete",
    "publish",
    "send",
    "start",
    "stop",
    "terminate",
    "copy",
    "upload",
    "invoke",
    "run",
    "tag",
    "untag",
    "restore",
    "reboot",
    "modify",
    "attach",
    "detach",
    "register",
    "deregister",
    "batch_write",
    "purge",
    "complete",
    "abort",
    "enable",
    "disable",
    "associate",
];

/// Verbs that begin the name of a cloud operation that reads.
pub(crate) const CLOUD_READS: &[&str] = &[
    "get",
    "list",
    "head",
    "describe",
    "query",
    "scan",
    "batch_get",
    "receive",
    "lookup",
    "search",
];

/// Words in the names of values that stand for a service elsewhere. `storage` and `service` are none:
/// they are as often part of this process.
pub(crate) const REMOTE_NAMES: &[&str] = &[
    "client", "api", "http", "bot", "gateway", "webhook", "s3", "stripe", "github", "slack", "kube",
];

/// Verbs that begin the name of what changes something at a service elsewhere.
pub(crate) const REMOTE_WRITES: &[&str] = &[
    "create", "delete", "update", "upload", "publish", "send", "post", "put", "patch", "cancel",
    "remove", "submit", "purge", "revoke", "approve", "reject", "refund", "charge",
];

/// What a client makes and changes in its own process, and what makes a noun of `post`.
pub(crate) const LOCAL_THINGS: &[&str] = &[
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
pub(crate) const REMOTE_VERBS: &[&str] = &[
    "post", "put", "patch", "delete", "create", "update", "replace", "upsert",
];

/// The verbs of HTTP that write.
pub(crate) const HTTP_VERBS: &[&str] = &["post", "put", "patch", "delete"];

/// What follows such a verb in the name of a method that makes and sends a request.
pub(crate) const HTTP_BODIES: &[&str] = &["json", "form", "request", "multipart"];

/// Methods that nothing but a writer of bytes has.
pub(crate) const STREAM_WRITES: &[&str] = &["write_all", "write_all_buf", "write_all_vectored"];

/// Methods that send something to people or to another program.
pub(crate) const MESSAGE_SENDS: &[&str] = &[
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

/// Methods of AMQP's channels that change what the broker keeps. Declarations can be repeated.
pub(crate) const BROKER_WRITES: &[&str] = &[
    "basic_publish",
    "basic_ack",
    "basic_nack",
    "basic_reject",
    "basic_cancel",
    "queue_delete",
    "queue_purge",
    "exchange_delete",
];

/// Verbs and objects in the names of methods that hand work to a queue of jobs.
pub(crate) const JOB_VERBS: &[&str] = &[
    "add", "push", "insert", "schedule", "send", "submit", "dispatch", "perform",
];
pub(crate) const JOBS: &[&str] = &["job", "jobs", "task", "tasks", "async"];
