//! Long random rows of events.

use super::step::{DIFFERENT, HOLDER, OTHER, SAME, Step, Steps};
use super::{Report, Subject, Twin};
use crate::flow::{ClaimId, Resolution};

/// How many flows, and how many events on each.
const FLOWS: usize = 40;
const EVENTS: usize = 25;

/// Numbers that look random and are the same in every run, so that a difference can be seen again.
struct Numbers(u64);

impl Numbers {
    /// A number below `bound`, by the generator called xorshift64.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let index = self.below(all.len() as u64);
        all[usize::try_from(index).expect("invariant: an index of a slice fits")]
    }
}

fn any(numbers: &mut Numbers, steps: Steps) -> Step {
    const IDS: [ClaimId; 3] = [HOLDER, OTHER, ClaimId([9; 16])];
    let id = numbers.one_of(&IDS);
    let cont = numbers.one_of(&[SAME, SAME, SAME, DIFFERENT]);
    let body = numbers.one_of(&[None, Some(&b"one"[..]), Some(&b"two"[..])]);
    match numbers.below(16) {
        0..=3 => Step::Claim(steps.claim(id, cont)),
        4..=6 => steps.takeover(id, cont),
        7 | 8 => Step::MarkLost(id),
        9 | 10 => Step::Release(id),
        11 => steps.renew(id),
        12 => steps.finish(id, cont, body),
        13 => steps.end(cont, body),
        14 => Step::Resolve(Resolution::NothingHappened),
        _ => steps.look(cont),
    }
}

pub(super) async fn random_rows<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 10_000, 10_000).await else {
        return;
    };
    let mut numbers = Numbers(0x6d72_7472);
    let flows: Vec<Steps> = (0..FLOWS).map(|_| twin.fresh()).collect();
    for event in 0..EVENTS {
        for steps in &flows {
            let step = any(&mut numbers, *steps);
            let what = format!(
                "event {event} of a random row on {:?}: {step:?}",
                steps.flow
            );
            twin.step(report, what, steps.flow, step).await;
        }
        if event % 8 == 7 {
            for steps in &flows {
                let id = numbers.one_of(&[HOLDER, OTHER]);
                twin.step(
                    report,
                    "a last renewal",
                    steps.flow,
                    steps.renew_shortly(id),
                )
                .await;
            }
            twin.lapse().await;
        }
    }
}
