//! The effect table: which calls change the world, as data with the rules that read it.

pub(crate) mod adapters;
pub(crate) mod kinds;
pub(crate) mod makers;
pub(crate) mod methods;
pub(crate) mod paths;
pub(crate) mod results;
pub(crate) mod services;
pub(crate) mod sql;
pub(crate) mod unstable;
pub(crate) mod words;

use crate::facts::EffectKind;

/// When a known effect happens.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum When {
    /// At the call.
    Now,
    /// When what the call returns is awaited.
    Awaited,
}

/// An effect that a rule of the table recognised.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    pub(crate) kind: EffectKind,
    pub(crate) does: &'static str,
    pub(crate) when: When,
}

impl Hit {
    pub(crate) fn now(kind: EffectKind, does: &'static str) -> Hit {
        Hit {
            kind,
            does,
            when: When::Now,
        }
    }

    pub(crate) fn awaited(kind: EffectKind, does: &'static str) -> Hit {
        Hit {
            kind,
            does,
            when: When::Awaited,
        }
    }
}

/// The segments before `wanted`, if a path ends in it.
///
/// Almost every row of a table fails at the last segment, so that is compared before anything is
/// split: macros run unoptimised.
pub(crate) fn ends_with<'p>(path: &'p [String], wanted: &str) -> Option<&'p [String]> {
    let last = path.last()?;
    if !wanted.ends_with(last.as_str()) {
        return None;
    }
    let mut before = path.len();
    for want in wanted.rsplit("::") {
        before = before.checked_sub(1)?;
        if path[before] != want {
            return None;
        }
    }
    Some(&path[..before])
}
