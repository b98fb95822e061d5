//! From where a request is sent: as whom, able to do what, to which instance.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::principal::Principal;

#[cfg(feature = "legacy")]
use super::era::Era;
use super::fleet::Fleet;
use super::lab::Lab;

/// Something that a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cap {
    /// To show a form: `elicitation` in form mode.
    Form,
    /// To open a link: `elicitation` in URL mode.
    Url,
    /// To ask its model, also with tools and context: `sampling`.
    Sampling,
    /// To name its folders: `roots`.
    Roots,
}

/// From where a request is sent.
#[derive(Clone)]
pub(super) struct Stance {
    pub(super) fleet: Arc<Fleet>,
    pub(super) instance: usize,
    pub(super) principal: Option<Principal>,
    pub(super) missing: Vec<Cap>,
    #[cfg(feature = "legacy")]
    pub(super) era: Era,
}

/// A change of the world.
#[derive(Clone)]
pub(super) enum Change {
    Without(Cap),
    Caller(Option<Principal>),
    Advance(u64),
    Instance(usize),
    Redeployed(Arc<Fleet>),
}

impl Stance {
    /// Makes the change.
    pub(super) fn apply(&mut self, change: &Change, lab: &Lab) {
        match change {
            Change::Without(cap) => self.missing.push(*cap),
            Change::Caller(principal) => self.principal = principal.clone(),
            Change::Advance(seconds) => lab.advance(Duration::from_secs(*seconds)),
            Change::Instance(instance) => self.instance = *instance,
            Change::Redeployed(fleet) => self.fleet = Arc::clone(fleet),
        }
    }

    /// What the client says that it can be asked.
    pub(super) fn has(&self, cap: Cap) -> bool {
        !self.missing.contains(&cap)
    }
}

impl fmt::Display for Change {
    /// The line of the test that makes the change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without(cap) => write!(f, ".without(Cap::{cap:?})"),
            Self::Caller(Some(principal)) => write!(f, ".as_user({:?})", principal.subject()),
            Self::Caller(None) => f.write_str(".anonymous()"),
            Self::Advance(seconds) => write!(f, ".advance({seconds})"),
            Self::Instance(instance) => write!(f, ".on_instance({instance})"),
            Self::Redeployed(_) => f.write_str(".redeployed(..)"),
        }
    }
}

/// A signed-in caller of a test.
///
/// # Panics
/// When the name is blank.
#[track_caller]
pub(super) fn user(name: &str) -> Principal {
    match Principal::new("https://login.test", name) {
        Ok(principal) => principal,
        Err(error) => panic!("`.as_user({name:?})`: {error}"),
    }
}
