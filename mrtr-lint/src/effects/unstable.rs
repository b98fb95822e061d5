//! Values that differ between rounds: clocks, random numbers, unique identifiers.

use super::kinds::PRIMITIVES;
use crate::facts::UnstableSort::{self, Clock, Random, Unique};

/// Calls by path that make one, by the last segments.
const CALLS: &[(&str, UnstableSort)] = &[
    ("Uuid::new_v4", Unique),
    ("Uuid::now_v7", Unique),
    ("Uuid::new_v7", Unique),
    ("Uuid::now_v1", Unique),
    ("Uuid::now_v6", Unique),
    ("Ulid::new", Unique),
    ("Ulid::generate", Unique),
    ("ulid::Generator::generate", Unique),
    ("ObjectId::new", Unique),
    ("Ksuid::generate", Unique),
    ("cuid::cuid", Unique),
    ("cuid2::create_id", Unique),
    ("Instant::now", Clock),
    ("SystemTime::now", Clock),
    ("Utc::now", Clock),
    ("Local::now", Clock),
    ("Zoned::now", Clock),
    ("Timestamp::now", Clock),
    ("OffsetDateTime::now_utc", Clock),
    ("OffsetDateTime::now_local", Clock),
    ("UtcDateTime::now", Clock),
    ("rand::random", Random),
    ("rand::random_range", Random),
    ("rand::random_bool", Random),
    ("rand::random_ratio", Random),
    ("rand::random_iter", Random),
    ("getrandom::fill", Random),
    ("getrandom::u32", Random),
    ("getrandom::u64", Random),
    ("rand::fill", Random),
    ("nanoid::nanoid", Unique),
];

/// Free functions of `fastrand` that are no constructors, beside one for each primitive type.
const FASTRAND: &[&str] = &[
    "alphanumeric",
    "alphabetic",
    "digit",
    "choice",
    "shuffle",
    "lowercase",
    "uppercase",
    "choose_multiple",
    "fill",
];

/// Macros that make one.
const MACROS: &[(&str, UnstableSort)] = &[("nanoid", Unique)];

/// Methods of a generator that yield a value, beside one for each primitive type.
const DRAWS: &[&str] = &[
    "gen",
    "r#gen",
    "random",
    "gen_range",
    "random_range",
    "gen_bool",
    "random_bool",
    "gen_ratio",
    "random_ratio",
    "sample",
    "sample_iter",
    "fill",
    "fill_bytes",
    "next_u32",
    "next_u64",
    "random_iter",
    "alphanumeric",
    "shuffle",
    "choice",
];

/// What kind of unstable value a call by path makes.
pub(crate) fn call(path: &[String]) -> Option<UnstableSort> {
    if let [.., owner, last] = path
        && owner == "fastrand"
        && (FASTRAND.contains(&last.as_str()) || PRIMITIVES.contains(&last.as_str()))
    {
        return Some(Random);
    }
    let known = CALLS
        .iter()
        .find(|(name, _)| super::ends_with(path, name).is_some());
    known.map(|(_, sort)| *sort)
}

/// What kind of unstable value a macro makes.
pub(crate) fn macro_call(name: &str) -> Option<UnstableSort> {
    MACROS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, sort)| *sort)
}

/// Whether a method of a generator draws from it.
pub(crate) fn is_draw(method: &str) -> bool {
    DRAWS.contains(&method) || PRIMITIVES.contains(&method)
}
