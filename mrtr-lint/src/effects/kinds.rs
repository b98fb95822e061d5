//! What a value is, by the name of its type, of its constructor or of the method that yields it.

use crate::value::{Access, Kind, Origin, Value};

/// Types by their last path segment, with a segment that must stand before where the name is common.
const TYPES: &[(&str, &str, Kind)] = &[
    ("Ctx", "", Kind::Ctx),
    ("Call", "", Kind::Call),
    ("Commit", "", Kind::Commit),
    ("Client", "reqwest", Kind::HttpClient),
    ("Client", "awc", Kind::HttpClient),
    ("ClientWithMiddleware", "", Kind::HttpClient),
    ("HttpClient", "isahc", Kind::HttpClient),
    ("Agent", "ureq", Kind::HttpClient),
    ("RequestBuilder", "", Kind::Request(Access::Unknown)),
    ("PgPool", "", Kind::Database),
    ("MySqlPool", "", Kind::Database),
    ("SqlitePool", "", Kind::Database),
    ("AnyPool", "", Kind::Database),
    ("PgConnection", "", Kind::Database),
    ("MysqlConnection", "", Kind::Database),
    ("MySqlConnection", "", Kind::Database),
    ("SqliteConnection", "", Kind::Database),
    ("AsyncPgConnection", "", Kind::Database),
    ("DatabaseConnection", "", Kind::Database),
    ("DatabaseTransaction", "", Kind::Database),
    ("PoolConnection", "", Kind::Database),
    ("PooledConnection", "", Kind::Database),
    ("Transaction", "", Kind::Database),
    ("Pool", "sqlx", Kind::Database),
    ("Connection", "rusqlite", Kind::Database),
    ("Client", "tokio_postgres", Kind::Database),
    ("Client", "postgres", Kind::Database),
    ("MultiplexedConnection", "", Kind::Redis),
    ("ConnectionManager", "", Kind::Redis),
    ("ClusterConnection", "", Kind::Redis),
    ("Connection", "redis", Kind::Redis),
    ("AsyncSmtpTransport", "", Kind::Mailer),
    ("SmtpTransport", "", Kind::Mailer),
    ("SendmailTransport", "", Kind::Mailer),
    ("AsyncSendmailTransport", "", Kind::Mailer),
    ("FutureProducer", "", Kind::Broker),
    ("BaseProducer", "", Kind::Broker),
    ("Channel", "lapin", Kind::Broker),
    ("Client", "async_nats", Kind::Broker),
    ("Sender", "", Kind::Sender),
    ("UnboundedSender", "", Kind::Sender),
    ("SyncSender", "", Kind::Sender),
    ("WeakSender", "", Kind::Sender),
    ("Notify", "", Kind::Notify),
    ("Mutex", "", Kind::Lock),
    ("RwLock", "", Kind::Lock),
    ("ReentrantMutex", "", Kind::Lock),
    ("RefCell", "", Kind::Lock),
    ("Cell", "", Kind::Lock),
    ("OnceCell", "", Kind::Lock),
    ("OnceLock", "", Kind::Lock),
    ("ArcSwap", "", Kind::Lock),
    ("MutexGuard", "", Kind::Guard),
    ("OwnedMutexGuard", "", Kind::Guard),
    ("RwLockWriteGuard", "", Kind::Guard),
    ("RefMut", "", Kind::Guard),
    ("File", "", Kind::File),
    ("BufWriter", "", Kind::File),
    ("TcpStream", "", Kind::Socket),
    ("UnixStream", "", Kind::Socket),
    ("UdpSocket", "", Kind::Socket),
    ("TlsStream", "", Kind::Socket),
    ("Stdout", "", Kind::Stdout),
    ("OpenOptions", "", Kind::OpenOptions(Access::Unknown)),
    ("Command", "", Kind::Command),
    ("Cursor", "", Kind::Scratch),
    ("NamedTempFile", "", Kind::Scratch),
    ("TempDir", "", Kind::Scratch),
    ("SpooledTempFile", "", Kind::Scratch),
    ("ThreadRng", "", Kind::Rng),
    ("OsRng", "", Kind::Rng),
    ("SysRng", "", Kind::Rng),
    ("JoinSet", "", Kind::TaskSet),
    ("TaskTracker", "", Kind::TaskSet),
];

/// Types that are plain data.
const DATA: &[&str] = &[
    "String",
    "str",
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "IndexMap",
    "IndexSet",
    "FxHashMap",
    "FxHashSet",
    "AHashMap",
    "AHashSet",
    "SmallVec",
    "ArrayVec",
    "Bytes",
    "BytesMut",
    "Cow",
    "PathBuf",
    "Path",
    "OsString",
    "bool",
    "char",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "Duration",
    "Uuid",
    "Url",
    "Value",
    "Map",
    "Confirm",
    "Consented",
    "Sampled",
    "Roots",
    "Json",
    "StdRng",
    "SmallRng",
    "ChaCha8Rng",
    "ChaCha12Rng",
    "ChaCha20Rng",
    "DateTime",
    "NaiveDate",
    "Decimal",
    "HeaderMap",
    "StatusCode",
    "Args",
    "Principal",
    "StringBuilder",
];

/// Collections that have no order of their own.
const UNORDERED: &[&str] = &[
    "HashMap",
    "HashSet",
    "FxHashMap",
    "FxHashSet",
    "AHashMap",
    "AHashSet",
    "DashMap",
    "DashSet",
];

/// Whether iterating over a type goes in hash order.
pub(crate) fn is_unordered(segments: &[String]) -> bool {
    segments
        .last()
        .is_some_and(|last| UNORDERED.contains(&last.as_str()))
}

/// The kind of a type by its path, freed of aliases.
///
/// Atomics have a type per width, so they are known by prefix.
pub(crate) fn of_type(segments: &[String]) -> Kind {
    let Some(last) = segments.last() else {
        return Kind::Unknown;
    };
    let before = &segments[..segments.len() - 1];
    let known = TYPES.iter().find(|(name, owner, _)| {
        name == last && (owner.is_empty() || before.iter().any(|s| s == owner))
    });
    match known {
        Some((.., kind)) => *kind,
        None if DATA.contains(&last.as_str()) => Kind::Data,
        None if last.starts_with("Atomic") => Kind::Atomic,
        None => Kind::Unknown,
    }
}

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

/// Functions that yield both ends of a channel of this round.
const CHANNELS: &[&str] = &[
    "channel",
    "unbounded_channel",
    "sync_channel",
    "unbounded",
    "bounded",
    "duplex",
    "rendezvous",
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
    if is("redis::cmd") || is("Cmd::new") {
        let word = arguments.first().and_then(|word| word.text.clone());
        return Some(Value::local(Kind::RedisCommand(redis_word(
            word.as_deref(),
        ))));
    }
    if CHANNELS.contains(&last)
        && matches!(
            owner,
            "mpsc"
                | "oneshot"
                | "broadcast"
                | "watch"
                | "flume"
                | "channel"
                | "async_channel"
                | "crossbeam"
                | ""
                | "io"
                | "tokio"
        )
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

/// Methods that yield a guard of a lock or a cell.
pub(crate) const GUARDS: &[&str] = &[
    "lock",
    "try_lock",
    "blocking_lock",
    "lock_owned",
    "lock_arc",
    "write",
    "try_write",
    "blocking_write",
    "write_owned",
    "write_arc",
    "borrow_mut",
    "try_borrow_mut",
    "get_mut",
    "upgradable_read",
    "read",
    "blocking_read",
    "try_read",
    "borrow",
    "entry",
    "make_mut",
    "last_mut",
    "first_mut",
    "iter_mut",
    "values_mut",
    "peek_mut",
    "as_mut",
    "lock_sync",
];

/// Methods whose result is as shared, and of the same kind, as their receiver.
pub(crate) const SAME: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or_else",
    "unwrap_or_default",
    "unwrap_or",
    "ok",
    "err",
    "as_ref",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "deref",
    "deref_mut",
    "by_ref",
    "await",
    "into_inner",
    "unwrap_unchecked",
    "ok_or",
    "ok_or_else",
    "map_err",
    "context",
    "with_context",
    "wrap_err",
    "wrap_err_with",
    "or_else",
    "pin",
    "boxed",
    "boxed_local",
    "into_future",
    "fuse",
    "borrow",
    "instrument",
    "in_current_span",
    "with_subscriber",
    "or_insert",
    "or_default",
    "or_insert_with",
    "and_modify",
    "inspect_err",
    "inspect",
    "as_slice",
    "as_mut_slice",
    "shared",
    "catch_unwind",
    "compat",
    "into_iter",
    "iter",
];

/// Methods whose result is data of this round, whoever owns the receiver.
pub(crate) const COPIES: &[&str] = &[
    "to_string",
    "to_owned",
    "to_vec",
    "into_owned",
    "cloned",
    "copied",
    "len",
    "is_empty",
    "contains",
    "contains_key",
    "count",
    "sum",
    "as_str",
    "to_lowercase",
    "to_uppercase",
    "trim",
    "parse",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "load",
    "elapsed",
    "as_bytes",
    "max",
    "min",
    "is_some_and",
    "format",
    "to_rfc3339",
    "as_secs",
    "as_millis",
];

/// Methods that yield an iterator.
pub(crate) const ITERATORS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "chars",
    "bytes",
    "lines",
    "keys",
    "values",
    "values_mut",
    "into_keys",
    "into_values",
    "drain",
    "split",
    "split_whitespace",
    "windows",
    "chunks",
    "par_iter",
    "into_par_iter",
    "char_indices",
    "splitn",
    "rsplit",
    "matches",
    "chunks_exact",
    "into_stream",
    "stream",
    "read_dir",
];

/// The origin of what a method yields whose name no list knows.
pub(crate) fn result_origin(receiver: Origin) -> Origin {
    match receiver {
        Origin::Local => Origin::Local,
        Origin::Shared | Origin::Unknown => Origin::Unknown,
    }
}
