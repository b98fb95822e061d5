//! What one record cannot show: limits, lost data, and events at the same moment.

use bytes::Bytes;
use futures_util::future::join_all;

use super::step::{DIFFERENT, HOLDER, LONG, OTHER, SAME, SHORT, Step, Steps, Told, origin};
use super::{Report, Subject, Twin};
use crate::flow::{
    Caller, Claim, ClaimId, Claimed, EndedFlow, Finish, Finished, FlowLabel, FlowStore, Found,
    FoundState, LARGEST_BODY, Limit, Looked, Met, Origin, Renewed,
};

/// Lets an event happen that only the store knows the right answer to.
async fn told<S: Subject>(twin: &Twin<'_, S>, steps: Steps, step: Step) -> Told {
    step.ask(&twin.store, steps.flow).await
}

/// A full store refuses, forgets nothing, and takes the end of what it has.
pub(super) async fn full<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 2, 10_000).await else {
        return;
    };
    let (first, second) = (twin.fresh(), twin.fresh());
    twin.step(
        report,
        "a claim",
        first.flow,
        Step::Claim(first.claim(HOLDER, SAME)),
    )
    .await;
    twin.step(
        report,
        "its finish",
        first.flow,
        first.finish(HOLDER, SAME, Some(b"1")),
    )
    .await;
    twin.step(
        report,
        "a second claim",
        second.flow,
        Step::Claim(second.claim(HOLDER, SAME)),
    )
    .await;
    for _ in 0..1_000 {
        let steps = twin.fresh();
        let full = Told::Claimed(Claimed::Full(Limit::Store));
        let got = told(&twin, steps, Step::Claim(steps.claim(HOLDER, SAME))).await;
        report.compare("a claim in a full store", &got, &full);
        let full = Told::EndedFlow(EndedFlow::Full(Limit::Store));
        report.compare(
            "an end in a full store",
            &told(&twin, steps, steps.end(SAME, None)).await,
            &full,
        );
        twin.step(
            report,
            "a flow it had no room for",
            steps.flow,
            steps.look(SAME),
        )
        .await;
    }
    twin.step(
        report,
        "a claim that it has",
        second.flow,
        Step::Claim(second.claim(HOLDER, SAME)),
    )
    .await;
    twin.step(
        report,
        "its finish",
        second.flow,
        second.finish(HOLDER, SAME, Some(b"2")),
    )
    .await;
    twin.step(report, "the first result", first.flow, first.look(SAME))
        .await;
    twin.step(report, "the second result", second.flow, second.look(SAME))
        .await;
}

/// One caller cannot fill the store, and what is over makes room.
pub(super) async fn full_for_one_caller<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 100, 2).await else {
        return;
    };
    let by = |steps: Steps, caller, keep| {
        let origin = Origin {
            caller,
            ..origin(steps.flow)
        };
        Step::Claim(Claim {
            origin,
            lease: keep,
            keep,
            ..steps.claim(HOLDER, SAME)
        })
    };
    let full = Told::Claimed(Claimed::Full(Limit::Caller));
    let won = Told::Claimed(Claimed::Won);
    let caller = Some(Caller([7; 16]));
    let flows: [Steps; 7] = std::array::from_fn(|_| twin.fresh());
    let cases = [
        (
            "the first claim of a caller",
            by(flows[0], caller, LONG),
            &won,
        ),
        (
            "the second claim of a caller",
            by(flows[1], caller, SHORT),
            &won,
        ),
        ("one claim too many", by(flows[2], caller, LONG), &full),
        (
            "the claim of another caller",
            by(flows[3], Some(Caller([8; 16])), LONG),
            &won,
        ),
        (
            "a claim of nobody in particular",
            by(flows[4], None, LONG),
            &won,
        ),
        (
            "another of nobody in particular",
            by(flows[5], None, LONG),
            &won,
        ),
        (
            "a third of nobody in particular",
            by(flows[6], None, LONG),
            &won,
        ),
    ];
    for ((what, claim, due), steps) in cases.into_iter().zip(flows) {
        report.compare(what, &told(&twin, steps, claim).await, due);
    }
    twin.lapse().await;
    let again = by(flows[2], caller, LONG);
    report.compare(
        "a claim after an older one is over",
        &told(&twin, flows[2], again).await,
        &won,
    );
    let _ = told(&twin, flows[0], Step::Release(HOLDER)).await;
    let again = by(flows[0], caller, LONG);
    report.compare(
        "a claim after a release",
        &told(&twin, flows[0], again).await,
        &won,
    );
}

/// A body of the largest size is kept whole, a larger one left out.
pub(super) async fn large_bodies<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 100, 100).await else {
        return;
    };
    for size in [0, LARGEST_BODY, LARGEST_BODY + 1] {
        let steps = twin.fresh();
        twin.step(
            report,
            "a claim",
            steps.flow,
            Step::Claim(steps.claim(HOLDER, SAME)),
        )
        .await;
        let body = Bytes::from(vec![0xfe; size]);
        let finish = Finish {
            epoch: steps.epoch,
            id: HOLDER,
            cont: SAME,
            keep: LONG,
            body: Some(body),
        };
        let what = format!("a finish with {size} bytes");
        twin.step(report, what, steps.flow, Step::Finish(finish))
            .await;
        twin.step(
            report,
            format!("a result of {size} bytes"),
            steps.flow,
            steps.look(SAME),
        )
        .await;
    }
}

/// After the loss of all data nothing of the old epoch is believed, and a new one begins.
pub(super) async fn all_data_lost<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 100, 100).await else {
        return;
    };
    let (busy, fresh) = (twin.fresh(), twin.fresh());
    twin.step(
        report,
        "a claim",
        busy.flow,
        Step::Claim(busy.claim(HOLDER, SAME)),
    )
    .await;
    subject.wipe(&twin.store).await;
    let looked = Told::Looked(Looked::OtherEpoch);
    report.compare(
        "a look after the loss",
        &told(&twin, busy, busy.look(SAME)).await,
        &looked,
    );
    for steps in [busy, fresh] {
        let got = told(&twin, steps, Step::Claim(steps.claim(OTHER, SAME))).await;
        report.compare(
            "a claim after the loss",
            &got,
            &Told::Claimed(Claimed::OtherEpoch),
        );
        let got = told(&twin, steps, steps.end(SAME, None)).await;
        report.compare(
            "an end after the loss",
            &got,
            &Told::EndedFlow(EndedFlow::OtherEpoch),
        );
    }
    let got = told(&twin, busy, busy.finish(HOLDER, SAME, Some(b"x"))).await;
    report.compare(
        "a finish after the loss",
        &got,
        &Told::Finished(Finished::OtherEpoch),
    );
    let got = told(&twin, busy, busy.renew(HOLDER)).await;
    report.compare(
        "a renewal after the loss",
        &got,
        &Told::Renewed(Renewed::Gone),
    );
    match twin.store.epoch().await {
        Ok(epoch) => {
            report.compare(
                "whether the epoch is another one",
                &(epoch != twin.epoch),
                &true,
            );
            let steps = Steps { epoch, ..fresh };
            let got = told(&twin, steps, Step::Claim(steps.claim(HOLDER, SAME))).await;
            report.compare(
                "a claim in the new epoch",
                &got,
                &Told::Claimed(Claimed::Won),
            );
        }
        Err(error) => report
            .differences
            .push(format!("no epoch after the loss: {error:?}")),
    }
}

/// Of many claims at the same moment one wins.
pub(super) async fn claims_at_the_same_moment<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 1_000, 1_000).await else {
        return;
    };
    for _ in 0..20 {
        let steps = twin.fresh();
        let claims = (0..16_u8).map(|number| {
            let cont = if number % 2 == 0 { SAME } else { DIFFERENT };
            let claim = Claim {
                takeover: true,
                ..steps.claim(ClaimId([number; 16]), cont)
            };
            told(&twin, steps, Step::Claim(claim))
        });
        let told = join_all(claims).await;
        let won = told
            .iter()
            .filter(|told| **told == Told::Claimed(Claimed::Won))
            .count();
        let busy = |told: &&Told| matches!(told, Told::Claimed(Claimed::Met(Met::Busy { .. })));
        let busy = told.iter().filter(busy).count();
        report.compare(
            "how many of 16 claims won and how many were busy",
            &(won, busy),
            &(1, 15),
        );
    }
}

/// Operators find a record by the name that people call the flow.
pub(super) async fn what_operators_find<S: Subject>(subject: &S, report: &mut Report) {
    let Some(mut twin) = Twin::new(subject, report, 100, 100).await else {
        return;
    };
    let found = async |twin: &Twin<'_, S>, label| {
        twin.store
            .find(label)
            .await
            .map_err(|error| format!("{error:?}"))
    };
    report.compare(
        "a flow nobody knows",
        &found(&twin, FlowLabel([0xee; 10])).await,
        &Ok(None),
    );
    let steps = twin.fresh();
    let Origin { label, bound, .. } = origin(steps.flow);
    let rows = [
        (Step::Claim(steps.claim(HOLDER, SAME)), FoundState::Busy),
        (Step::MarkLost(HOLDER), FoundState::Lost),
        (
            steps.finish(HOLDER, SAME, None),
            FoundState::EndedWithoutBody,
        ),
        (steps.happened(), FoundState::Ended),
    ];
    for (step, state) in rows {
        let what = format!("what is found after {step:?}");
        twin.step(report, &what, steps.flow, step).await;
        let due = Found {
            flow: steps.flow,
            cont: SAME,
            bound,
            state,
        };
        report.compare(what, &found(&twin, label).await, &Ok(Some(due)));
    }
    let released = twin.fresh();
    let label = origin(released.flow).label;
    let claim = Step::Claim(released.claim(HOLDER, SAME));
    twin.step(report, "a claim", released.flow, claim).await;
    twin.step(report, "its release", released.flow, Step::Release(HOLDER))
        .await;
    report.compare(
        "a flow that was released",
        &found(&twin, label).await,
        &Ok(None),
    );
}
