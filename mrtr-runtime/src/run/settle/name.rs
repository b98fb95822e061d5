//! What a record is called, which answers it is for, and what its body is sealed to.

use mrtr_core::ident;
use mrtr_core::round::Round;
use mrtr_core::seal::{Bind, record_aad, record_bound};

use crate::flow::{Bound, Cont, FlowKey};

/// The names under which the store knows a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    pub(super) flow: FlowKey,
    pub(super) cont: Cont,
    pub(super) bound: Bound,
}

impl Name {
    /// The names of a flow: everything comes from its root, nothing from a key that can change.
    pub(crate) fn of_flow(realm: &str, round: &Round, bind: &Bind) -> Self {
        let root = round.root();
        Self {
            flow: FlowKey(ident::flow_key(realm, root)),
            cont: Cont(ident::continuation(root, round.entries())),
            bound: Bound(record_bound(root.as_bytes(), bind)),
        }
    }

    /// The names of a thing the author named: those of its own flow would be no other call's.
    ///
    /// `key` is the same in every call of one caller about it, and so are the other two: they hold
    /// no secret, and whoever reads the store can check a guess of caller, arguments and answers.
    pub(crate) fn of_thing(key: [u8; 32], round: &Round, bind: &Bind) -> Self {
        Self {
            flow: FlowKey(key),
            cont: Cont(ident::thing_continuation(&key, bind, round.entries())),
            bound: Bound(record_bound(&key, bind)),
        }
    }

    /// What a body is sealed to.
    pub(super) fn aad(&self) -> Vec<u8> {
        record_aad(&self.flow.0, &self.cont.0, &self.bound.0)
    }
}
