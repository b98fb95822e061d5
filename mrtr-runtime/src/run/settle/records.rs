//! Which records of the flow store a run has to do with.

use std::sync::Arc;
use std::time::Duration;

use mrtr_core::ident::{self, FlowId};
use mrtr_core::round::Round;
use mrtr_core::seal::Bind;

use super::{Name, Settlement};
use crate::call::Call;
use crate::flow::{Caller, ClaimId, Epoch, KEEP_MARGIN};

/// A run that may settle something: a tool that commits, on a server with a flow store.
#[derive(Clone, Copy)]
pub(in crate::run) struct Settling {
    /// The epoch that the request is bound to.
    pub(in crate::run) epoch: Epoch,
    /// A claim whose holder vanished may be taken over.
    pub(in crate::run) takeover: bool,
}

impl Settling {
    /// The flow's record, where a state was presented: only then can another request find it.
    pub(in crate::run) fn flow(
        self,
        call: &Call,
        round: &Round,
        bind: &Bind,
    ) -> Option<Settlement> {
        if !round.presented() {
            return None;
        }
        let name = Name::of_flow(call.0.shared.realm.name(), round, bind);
        self.settlement(call, name, call.flow_id(), flow_keep(round))
    }

    /// The record of the thing that the author named: every call of this caller about it finds it,
    /// as long as things are remembered, and never for a shorter time than the flow is.
    pub(in crate::run) fn thing(
        self,
        call: &Call,
        round: &Round,
        bind: &Bind,
        thing: &str,
    ) -> Option<Settlement> {
        let shared = &call.0.shared;
        let principal = call.0.principal.as_ref();
        let key = ident::thing_key(shared.realm.name(), principal, call.handler(), thing);
        let keep = flow_keep(round).max(shared.thing_ttl);
        let name = Name::of_thing(key, round, bind);
        self.settlement(call, name, ident::thing_id(&key), keep)
    }

    fn settlement(
        self,
        call: &Call,
        name: Name,
        reference: FlowId,
        keep: Duration,
    ) -> Option<Settlement> {
        let shared = &call.0.shared;
        let principal = call.0.principal.as_ref();
        Some(Settlement {
            store: Arc::clone(shared.flows.as_ref()?),
            epoch: self.epoch,
            name,
            id: ClaimId([0; 16]),
            caller: principal.map(|principal| Caller(shared.sealer.caller_digest(principal))),
            flow: reference,
            keep,
            takeover: self.takeover,
            shared: Arc::clone(shared),
        })
    }
}

/// How long the record of a flow must stay: until no state of it can be presented any more.
fn flow_keep(round: &Round) -> Duration {
    Duration::from_millis(round.flow_end() - round.start()) + KEEP_MARGIN
}
