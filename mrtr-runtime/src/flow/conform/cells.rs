//! Every event on every record.

use bytes::Bytes;

use super::step::{DIFFERENT, HOLDER, LONG, OTHER, SAME, SHORT, Step, Steps};
use super::{Report, Subject, Twin};
use crate::flow::{Claim, End, Finish, Resolution};

/// A record that an event may meet.
#[derive(Debug, Clone, Copy)]
enum Start {
    Nothing,
    Busy,
    LeaseOver,
    MarkedLost,
    TakenOverAsOftenAsMayBe,
    Ended,
    EndedWithoutBody,
    EndedWithoutCommit,
    Released,
    Resolved,
}

const STARTS: [Start; 10] = [
    Start::Nothing,
    Start::Busy,
    Start::LeaseOver,
    Start::MarkedLost,
    Start::TakenOverAsOftenAsMayBe,
    Start::Ended,
    Start::EndedWithoutBody,
    Start::EndedWithoutCommit,
    Start::Released,
    Start::Resolved,
];

/// The steps that lead there, from nothing.
fn way(start: Start, steps: Steps) -> Vec<Step> {
    let claim = Step::Claim(steps.claim(HOLDER, SAME));
    let lost = Step::MarkLost(HOLDER);
    match start {
        Start::Nothing => vec![],
        Start::Busy => vec![claim],
        Start::LeaseOver => vec![claim, steps.renew_shortly(HOLDER)],
        Start::MarkedLost => vec![claim, lost],
        Start::TakenOverAsOftenAsMayBe => {
            let again = [steps.takeover(HOLDER, SAME), lost.clone()];
            [claim, lost]
                .into_iter()
                .chain([again.clone(), again.clone(), again].concat())
                .collect()
        }
        Start::Ended => vec![claim, steps.finish(HOLDER, SAME, Some(b"the \x00 result"))],
        Start::EndedWithoutBody => vec![claim, steps.finish(HOLDER, SAME, None)],
        Start::EndedWithoutCommit => vec![steps.end(SAME, Some(b"no"))],
        Start::Released => vec![claim, Step::Release(HOLDER)],
        Start::Resolved => vec![claim, lost, steps.happened()],
    }
}

/// The events that one record may meet.
fn events(steps: Steps) -> Vec<Step> {
    let mut events = vec![
        steps.happened(),
        Step::Resolve(Resolution::NothingHappened),
        steps.end(SAME, None),
        steps.finish(OTHER, DIFFERENT, Some(b"late")),
    ];
    for cont in [SAME, DIFFERENT] {
        events.extend([steps.look(cont), steps.end(cont, Some(b"no"))]);
        for id in [HOLDER, OTHER] {
            events.extend([Step::Claim(steps.claim(id, cont)), steps.takeover(id, cont)]);
        }
    }
    for id in [HOLDER, OTHER] {
        events.extend([
            steps.renew(id),
            Step::Release(id),
            Step::MarkLost(id),
            steps.finish(id, SAME, Some(b"late")),
            steps.finish(id, SAME, None),
        ]);
    }
    events
}

/// What shows the record that is there now.
fn proof(steps: Steps) -> [Step; 5] {
    [
        steps.look(SAME),
        steps.look(DIFFERENT),
        steps.finish(OTHER, SAME, None),
        steps.finish(HOLDER, SAME, None),
        Step::Claim(steps.claim(OTHER, SAME)),
    ]
}

pub(super) async fn every_event_on_every_record<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 10_000, 10_000).await else {
        return;
    };
    for start in STARTS {
        let count = events(twin.fresh()).len();
        let flows: Vec<Steps> = (0..count).map(|_| twin.fresh()).collect();
        for steps in &flows {
            for step in way(start, *steps) {
                let what = format!("on the way to {start:?}, {step:?}");
                twin.step(report, what, steps.flow, step).await;
            }
        }
        if let Start::LeaseOver = start {
            twin.lapse().await;
        }
        for (steps, event) in flows.into_iter().zip(0..) {
            let event = events(steps).swap_remove(event);
            let cell = format!("{start:?}, then {event:?}");
            twin.step(report, &cell, steps.flow, event).await;
            for step in proof(steps) {
                let what = format!("{cell}, then {step:?}");
                twin.step(report, what, steps.flow, step).await;
            }
        }
    }
}

/// Records whose time is over are gone, and no others.
pub(super) async fn the_end_of_every_life<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 10_000, 10_000).await else {
        return;
    };
    let mut flows = Vec::new();
    for keep in [SHORT, LONG] {
        for lease in [SHORT, LONG] {
            let steps = twin.fresh();
            let claim = Claim {
                lease,
                keep,
                ..steps.claim(HOLDER, SAME)
            };
            flows.push((
                format!("a claim with lease {lease:?} and life {keep:?}"),
                steps,
            ));
            twin.step(report, "a first claim", steps.flow, Step::Claim(claim))
                .await;
        }
        for later in [SHORT, LONG] {
            let steps = twin.fresh();
            let claim = Claim {
                lease: SHORT,
                keep,
                ..steps.claim(HOLDER, SAME)
            };
            twin.step(report, "a first claim", steps.flow, Step::Claim(claim))
                .await;
            let body = Some(Bytes::from_static(b"x"));
            let (epoch, id, cont) = (steps.epoch, HOLDER, SAME);
            let finish = Finish {
                epoch,
                id,
                cont,
                keep: later,
                body,
            };
            twin.step(report, "its finish", steps.flow, Step::Finish(finish))
                .await;
            flows.push((format!("a life of {keep:?}, finished for {later:?}"), steps));
        }
        let steps = twin.fresh();
        let (epoch, cont, origin) = (steps.epoch, SAME, super::step::origin(steps.flow));
        let end = End {
            epoch,
            cont,
            origin,
            keep,
            body: None,
        };
        twin.step(report, "an end", steps.flow, Step::End(end))
            .await;
        flows.push((format!("an end kept for {keep:?}"), steps));
    }
    twin.lapse().await;
    for (what, steps) in flows {
        twin.step(report, what, steps.flow, steps.look(SAME)).await;
    }
}
