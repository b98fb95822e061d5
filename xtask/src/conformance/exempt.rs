//! Scenarios that no revision scores and that the server does not pass, each with its reason.

use std::collections::BTreeSet;

/// What the names of the scenarios begin with, and why they are not held to.
const EXEMPT: &[(&str, &str)] = &[
    ("tasks-", "the Tasks extension is not supported"),
    (
        "server-sse-polling",
        "no API closes the stream of a running call",
    ),
];

/// The entry that a scenario falls under, with the reason.
pub(super) fn reason(scenario: &str) -> Option<(&'static str, &'static str)> {
    let mut entries = EXEMPT.iter().copied();
    entries.find(|(name, _)| scenario.starts_with(name))
}

/// The entries that no scenario needed.
pub(super) fn unused(used: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let entries = EXEMPT.iter().map(|(name, _)| *name);
    entries.filter(|name| !used.contains(name)).collect()
}
