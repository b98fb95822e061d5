//! A model of requests that share a flow, run against the real table in every order.
//!
//! An [`Actor`](actor::Actor) is one request with the rules that the driver follows. The model
//! counts effects and promises from outside: never two effects, never an effect after a promised
//! no, never two results of one flow, and nobody who had an effect is told that nothing was done.

mod actor;
mod every_order;
mod random_order;

use super::names::{Bound, ClaimId, Cont, Epoch, FlowLabel};
use super::table::Event;
use super::verb::Origin;
use actor::{Actor, Reply};

/// What keeps the record of the one flow that the model is about.
trait World {
    /// Lets an event happen to the record.
    fn event<E: Event>(&mut self, event: E) -> E::Outcome;

    /// The epoch by which requests are judged before they reach the record.
    fn epoch(&self) -> Epoch;
}

/// What is seen from outside, whatever the record says.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
struct Seen {
    effects: u8,
    /// Somebody was told, for good, that nothing will happen.
    promised_no: bool,
    effect_after_no: bool,
}

impl Seen {
    fn effect(&mut self) {
        self.effects += 1;
        self.effect_after_no |= self.promised_no;
    }
}

/// What must never be, and is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Violation {
    TwoEffects,
    EffectAfterNo,
    TwoResults,
    EffectDenied,
}

fn violation(seen: Seen, actors: &[Actor]) -> Option<Violation> {
    let mut results = actors.iter().filter_map(|actor| match actor.reply() {
        Some(Reply::Result(body)) => Some(body),
        _ => None,
    });
    let first = results.next();
    if seen.effects > 1 {
        Some(Violation::TwoEffects)
    } else if seen.effect_after_no {
        Some(Violation::EffectAfterNo)
    } else if results.any(|result| Some(result) != first) {
        Some(Violation::TwoResults)
    } else if actors.iter().any(Actor::denies_its_effect) {
        Some(Violation::EffectDenied)
    } else {
        None
    }
}

/// The rules that make it hold. The model shows that each of them is needed.
#[derive(Debug, Clone, Copy)]
struct Rules {
    /// A no ends the flow in the record.
    no_ends: bool,
    /// Nothing drops a handler once its effect may have begun.
    shield: bool,
    /// States of another epoch are refused.
    epoch: bool,
}

const ALL_RULES: Rules = Rules {
    no_ends: true,
    shield: true,
    epoch: true,
};

const ORIGIN: Origin = Origin {
    caller: None,
    label: FlowLabel([1; 10]),
    bound: Bound([2; 32]),
};

fn claim_id(actor: u8) -> ClaimId {
    ClaimId([actor; 16])
}

fn cont(letter: char) -> Cont {
    let mut cont = [0; 32];
    cont[0] = u8::try_from(letter).expect("invariant: letters of the model are ASCII");
    Cont(cont)
}
