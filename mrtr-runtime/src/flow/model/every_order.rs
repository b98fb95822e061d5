//! Every order of everything that can happen to a few requests of one flow.

use std::collections::{HashSet, VecDeque};

use super::actor::{Action, Actor, LEASE};
use super::{ALL_RULES, Rules, Seen, Violation, World, cont, violation};
use crate::flow::names::Epoch;
use crate::flow::record::{Record, State};
use crate::flow::table::{Conditions, Event, transition};

/// The record alone, at a time that stands still: a lease ends when the model says so.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Bare {
    record: Option<Record>,
    epoch: Epoch,
}

impl World for Bare {
    fn event<E: Event>(&mut self, event: E) -> E::Outcome {
        let here = Conditions {
            now: 0,
            epoch: self.epoch,
            room: Ok(()),
        };
        let (record, outcome) = transition(self.record.take(), event, &here);
        self.record = record;
        outcome
    }

    fn epoch(&self) -> Epoch {
        self.epoch
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Moment {
    world: Bare,
    actors: Vec<Actor>,
    seen: Seen,
    kills: u8,
    losses: u8,
}

/// What can go wrong around the requests.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    kills: u8,
    /// How often the store loses all its data and comes back with another epoch.
    wipes: u8,
    /// How often the store forgets the record and does not know it.
    forgets: u8,
}

const KILLS: Trouble = Trouble {
    kills: 2,
    wipes: 0,
    forgets: 0,
};

/// A request: whether it agrees, its answers, whether its effect is idempotent.
type Request = (bool, char, bool);

/// Explores every order; how many moments there are, and the first violation.
fn explore(requests: &[Request], trouble: Trouble, rules: Rules) -> (usize, Option<Violation>) {
    let epoch = Epoch([0; 16]);
    let actor = |(number, (agrees, letter, takeover)): (u8, &Request)| {
        Actor::new(number, *agrees, cont(*letter), *takeover, epoch)
    };
    let start = Moment {
        world: Bare {
            record: None,
            epoch,
        },
        actors: (1..).zip(requests).map(actor).collect(),
        seen: Seen::default(),
        kills: 0,
        losses: 0,
    };
    let mut known = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([start]);
    while let Some(moment) = open.pop_front() {
        if let Some(violation) = violation(moment.seen, &moment.actors) {
            return (known.len(), Some(violation));
        }
        for next in moment.next(trouble, rules) {
            if known.insert(next.clone()) {
                open.push_back(next);
            }
        }
    }
    (known.len(), None)
}

impl Moment {
    fn next(&self, trouble: Trouble, rules: Rules) -> Vec<Self> {
        let mut all = self.around(trouble);
        for (index, actor) in self.actors.iter().enumerate() {
            for action in actor.actions(rules) {
                let kill = u8::from(*action == Action::Kill);
                if self.kills + kill > trouble.kills {
                    continue;
                }
                let mut next = self.clone();
                next.kills += kill;
                let Self {
                    actors,
                    world,
                    seen,
                    ..
                } = &mut next;
                actors[index].act(*action, world, seen, rules);
                all.push(next);
            }
        }
        all
    }

    /// What happens without any request.
    fn around(&self, trouble: Trouble) -> Vec<Self> {
        let mut all = Vec::new();
        if let Some(record) = &self.world.record
            && let State::Busy { .. } = record.state
        {
            let mut next = self.clone();
            let end = u64::try_from(LEASE.as_millis()).expect("invariant: a short time");
            next.world.record = record.clone().at(end);
            all.push(next);
        }
        if self.losses < trouble.wipes + trouble.forgets {
            let mut next = self.clone();
            next.losses += 1;
            next.world.record = None;
            if trouble.wipes > 0 {
                next.world.epoch = Epoch([next.losses; 16]);
            }
            all.push(next);
        }
        all
    }
}

const TWINS_A_FORK_AND_A_NO: [Request; 4] = [
    (true, 'a', false),
    (true, 'a', false),
    (true, 'b', false),
    (false, 'n', false),
];
const A_NO_AND_TWINS: [Request; 3] = [(false, 'n', false), (true, 'a', false), (true, 'a', false)];
const TWINS: [Request; 2] = [(true, 'a', false), (true, 'a', false)];

fn holds(requests: &[Request], trouble: Trouble, at_least: usize) {
    let (moments, violation) = explore(requests, trouble, ALL_RULES);
    assert_eq!(violation, None);
    assert!(moments > at_least, "only {moments} moments were explored");
}

fn breaks(requests: &[Request], trouble: Trouble, rules: Rules, due: Violation) {
    let (_, violation) = explore(requests, trouble, rules);
    assert_eq!(
        violation,
        Some(due),
        "the model does not see what it should see"
    );
}

#[test]
fn two_equal_requests_a_fork_and_a_no() {
    holds(&TWINS_A_FORK_AND_A_NO, KILLS, 20_000);
}

#[test]
fn a_no_and_two_equal_requests() {
    holds(&A_NO_AND_TWINS, KILLS, 2_000);
}

#[test]
fn a_store_that_loses_its_data_and_knows_it() {
    let wipes = Trouble { wipes: 1, ..KILLS };
    holds(&TWINS_A_FORK_AND_A_NO, wipes, 20_000);
}

/// Taking over needs the author's leave because this is what it can do.
#[test]
fn a_takeover_can_repeat_the_effect() {
    let idempotent = [(true, 'a', true), (true, 'a', true)];
    breaks(&idempotent, KILLS, ALL_RULES, Violation::TwoEffects);
}

#[test]
fn a_store_must_not_forget() {
    let forgets = Trouble {
        kills: 0,
        wipes: 0,
        forgets: 1,
    };
    breaks(&TWINS, forgets, ALL_RULES, Violation::TwoEffects);
}

#[test]
fn a_store_that_lost_its_data_must_have_another_epoch() {
    let wipes = Trouble {
        kills: 0,
        wipes: 1,
        forgets: 0,
    };
    breaks(
        &TWINS,
        wipes,
        Rules {
            epoch: false,
            ..ALL_RULES
        },
        Violation::TwoEffects,
    );
}

#[test]
fn a_no_must_end_the_flow() {
    let rules = Rules {
        no_ends: false,
        ..ALL_RULES
    };
    breaks(&A_NO_AND_TWINS, KILLS, rules, Violation::EffectAfterNo);
}

#[test]
fn a_caller_that_leaves_must_not_free_the_claim() {
    let rules = Rules {
        shield: false,
        ..ALL_RULES
    };
    breaks(&TWINS, KILLS, rules, Violation::TwoEffects);
}
