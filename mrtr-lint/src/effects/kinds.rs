//! What a value is, by the name of its type.

use crate::value::{Access, Kind};

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

/// The numbers, `bool` and `char`; generators of random values have a method of each name.
pub(crate) const PRIMITIVES: &[&str] = &[
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64",
];

/// Types that are plain data, beside the [`PRIMITIVES`].
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
        None if DATA.contains(&last.as_str()) || PRIMITIVES.contains(&last.as_str()) => Kind::Data,
        None if last.starts_with("Atomic") => Kind::Atomic,
        None => Kind::Unknown,
    }
}
