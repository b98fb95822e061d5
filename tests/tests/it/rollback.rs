//! A state can be presented again and again; that costs nothing and wins nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, decline};
use serde_json::json;

/// How often something ran.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicU32>);

impl Runs {
    fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

#[tool]
async fn quiz(State(runs): State<Runs>) -> String {
    #[ask(message = "How many?")]
    let guess: u8;
    #[memo(repeatable = "counts how often it runs, which is what is tested")]
    let runs: u32 = runs.0.fetch_add(1, Ordering::SeqCst);
    #[ask(message = "Sure about {guess}?")]
    let ok: Confirm;
    format!("{guess} {} {runs}", ok.yes())
}

#[tokio::test]
async fn the_same_state_a_thousand_times_over_stays_the_same_size_and_works() {
    let runs = Runs::default();
    let peer = Peer::of(Server::new("rollback", "1").state(runs.clone()).tool(quiz));
    let asked = peer.call("quiz", json!({})).await;
    let mut sizes = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let again = asked
            .answer(json!({ "guess": accept(json!({ "value": 999 })) }))
            .await;
        assert_eq!(again.keys(), ["guess"]);
        sizes.insert(again.state().len());
    }
    assert_eq!(sizes.len(), 1, "{sizes:?}");
    assert_eq!(runs.count(), 0);
    let then = asked
        .answer(json!({ "guess": accept(json!({ "value": 7 })) }))
        .await;
    let end = then
        .answer(json!({ "ok": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(end.text(), "7 true 0");
}

#[tokio::test]
async fn a_memo_runs_once_for_each_time_its_round_is_repeated() {
    let runs = Runs::default();
    let peer = Peer::of(Server::new("rollback", "1").state(runs.clone()).tool(quiz));
    let asked = peer.call("quiz", json!({})).await;
    let mut paths = Vec::new();
    for _ in 0..100 {
        paths.push(
            asked
                .answer(json!({ "guess": accept(json!({ "value": 7 })) }))
                .await,
        );
    }
    assert_eq!(
        runs.count(),
        100,
        "a memo remembers along its path and does not guard"
    );
    for (number, path) in paths.iter().enumerate() {
        let end = path.answer(json!({ "ok": decline() })).await;
        assert_eq!(
            end.text(),
            format!("7 false {number}"),
            "each path has its own"
        );
    }
    assert_eq!(runs.count(), 100);
}
