//! What a commit promises with a store, without one, and by its options, as the page on guarantees says.

use std::sync::{Arc, Mutex};

use mrtr::Server;
use mrtr::flow::{Flows, MemoryStore, Outcome};
use mrtr::prelude::*;
use mrtr::{Key, KeyRing};
use mrtr_tests::{Peer, Round, accept, decline};
use serde_json::json;

/// What happened to the money, in order.
#[derive(Clone, Default)]
struct Bank(Arc<Mutex<Vec<String>>>);

impl Bank {
    fn pay(&self, invoice: &str, key: String) -> String {
        let mut paid = self.0.lock().expect("a test failed");
        paid.push(key);
        format!("paid {invoice}, receipt {}", paid.len())
    }

    /// The idempotency keys that came.
    fn keys(&self) -> Vec<String> {
        self.0.lock().expect("a test failed").clone()
    }
}

/// Pays once it is confirmed.
#[tool]
async fn pay(invoice: String, State(bank): State<Bank>) -> Result<String, ToolError> {
    #[ask(message = "Pay {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c)]
    let receipt = bank.pay(&invoice, c.key("pay"));
    Ok(receipt)
}

/// The same, with the record under the invoice's name.
#[tool]
async fn pay_invoice(invoice: String, State(bank): State<Bank>) -> Result<String, ToolError> {
    #[ask(message = "Pay {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c, key = invoice)]
    let receipt = bank.pay(&invoice, c.key("pay"));
    Ok(receipt)
}

/// Lets the bank see what is paid for, instead of the store.
#[tool]
async fn pay_by_key(
    invoice: String,
    cents: u64,
    State(bank): State<Bank>,
) -> Result<String, ToolError> {
    #[ask(message = "Pay {cents} for {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c)]
    let receipt = bank.pay(&invoice, c.key_for("pay", &(&invoice, cents))?);
    Ok(receipt)
}

/// Pays without asking anybody.
#[tool]
async fn pay_at_once(invoice: String, State(bank): State<Bank>) -> String {
    #[mrtr::allow(
        commit_without_ask,
        reason = "what is then not promised is tested here"
    )]
    #[commit(c)]
    let receipt = bank.pay(&invoice, c.key("pay"));
    receipt
}

/// The same, and wants a flow.
#[tool]
async fn pay_in_flow(invoice: String, State(bank): State<Bank>) -> String {
    #[commit(c, in_flow)]
    let receipt = bank.pay(&invoice, c.key("pay"));
    receipt
}

/// The bank never answers the first time, and looks at the idempotency key.
#[tool]
async fn pay_again(invoice: String, State(bank): State<Bank>) -> Result<String, ToolError> {
    #[ask(message = "Pay {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c, idempotent)]
    let receipt = {
        let receipt = bank.pay(&invoice, c.key("pay"));
        if bank.keys().len() == 1 {
            return Err(ToolError::unknown("the bank did not answer"));
        }
        receipt
    };
    Ok(receipt)
}

/// The bank never answers.
#[tool]
async fn pay_and_hope(invoice: String, State(bank): State<Bank>) -> Result<String, ToolError> {
    #[ask(message = "Pay {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c)]
    {
        bank.pay(&invoice, c.key("pay"));
        Err(ToolError::unknown("the bank did not answer"))
    }
}

fn desk(bank: &Bank) -> Server {
    Server::new("bank", "1").state(bank.clone()).tools([
        pay(),
        pay_invoice(),
        pay_by_key(),
        pay_at_once(),
        pay_in_flow(),
        pay_again(),
        pay_and_hope(),
    ])
}

async fn asked(peer: &Peer, tool: &str) -> Round {
    let round = peer.call(tool, json!({ "invoice": "A7" })).await;
    assert_eq!(round.keys(), ["ok"]);
    round
}

fn yes() -> serde_json::Value {
    json!({ "ok": accept(json!({ "ok": true })) })
}

/// The response without its id, which is another in each request.
fn member(round: &Round) -> String {
    round.result().to_string()
}

#[tokio::test]
async fn with_a_store_a_repeat_gets_the_same_and_a_no_is_final() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    let round = asked(&peer, "pay").await;
    let first = round.answer(yes()).await;
    assert_eq!(first.text(), "paid A7, receipt 1");
    assert_eq!(member(&round.answer(yes()).await), member(&first));
    let round = asked(&peer, "pay").await;
    let no = round.answer(json!({ "ok": decline() })).await;
    assert_eq!(no.failure(), "not paid");
    let late = round.answer(yes()).await;
    assert!(late.failure().contains("already ended with other answers"));
    assert_eq!(bank.keys().len(), 1);
}

#[tokio::test]
async fn without_a_store_a_repeat_runs_again() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank).without_flows());
    let round = asked(&peer, "pay").await;
    assert_eq!(round.answer(yes()).await.text(), "paid A7, receipt 1");
    assert_eq!(round.answer(yes()).await.text(), "paid A7, receipt 2");
    let no = round.answer(json!({ "ok": decline() })).await;
    assert_eq!(no.failure(), "not paid");
    assert_eq!(round.answer(yes()).await.text(), "paid A7, receipt 3");
    let keys = bank.keys();
    assert!(
        keys.iter().all(|key| *key == keys[0]),
        "what the bank can still go by is one key: {keys:?}"
    );
}

#[tokio::test]
async fn without_a_question_a_repeat_is_another_flow() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    for receipt in 1..3 {
        let end = peer.call("pay_at_once", json!({ "invoice": "A7" })).await;
        assert_eq!(end.text(), format!("paid A7, receipt {receipt}"));
    }
    let keys = bank.keys();
    assert_ne!(keys[0], keys[1], "the key holds for one run only");
}

#[tokio::test]
async fn in_flow_sends_the_client_round_once_and_then_holds() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    let round = peer.call("pay_in_flow", json!({ "invoice": "A7" })).await;
    assert!(!round.is_over() && round.keys().is_empty());
    let first = round.answer(json!({})).await;
    assert_eq!(first.text(), "paid A7, receipt 1");
    assert_eq!(member(&round.answer(json!({})).await), member(&first));
    assert_eq!(bank.keys().len(), 1);
}

#[tokio::test]
async fn a_second_call_about_the_same_thing_finds_the_first() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    let first = asked(&peer, "pay_invoice").await.answer(yes()).await;
    assert_eq!(first.text(), "paid A7, receipt 1");
    let second = asked(&peer, "pay_invoice").await.answer(yes()).await;
    assert_eq!(member(&second), member(&first));
    let other = peer.call("pay_invoice", json!({ "invoice": "B8" })).await;
    assert_eq!(other.answer(yes()).await.text(), "paid B8, receipt 2");
}

#[tokio::test]
async fn a_key_for_a_thing_is_the_same_in_every_call_of_one_caller_about_it() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    let ada = Principal::new("https://login.example", "ada").expect("a principal");
    let of_ada = peer.as_principal(ada);
    for (peer, cents) in [(&peer, 5), (&peer, 5), (&peer, 6), (&of_ada, 5)] {
        let arguments = json!({ "invoice": "A7", "cents": cents });
        let end = peer.call("pay_by_key", arguments).await.answer(yes()).await;
        assert!(end.text().starts_with("paid A7"), "{}", end.raw);
    }
    let keys = bank.keys();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2], "another amount");
    assert_ne!(keys[0], keys[3], "another caller");
}

#[tokio::test]
async fn only_an_idempotent_commit_is_tried_again_and_with_the_same_key() {
    let bank = Bank::default();
    let peer = Peer::of(desk(&bank));
    let round = asked(&peer, "pay_again").await;
    let first = round.answer(yes()).await;
    assert!(first.failure().starts_with("the bank did not answer"));
    assert_eq!(round.answer(yes()).await.text(), "paid A7, receipt 2");
    let keys = bank.keys();
    assert_eq!(keys[0], keys[1]);

    let round = asked(&peer, "pay_and_hope").await;
    round.answer(yes()).await;
    let again = round.answer(yes()).await;
    assert!(
        again
            .failure()
            .contains("outcome of this call is not known")
    );
    assert_eq!(bank.keys().len(), 3);
}

#[tokio::test]
async fn an_operator_settles_a_call_by_the_reference_in_its_text() {
    let bank = Bank::default();
    let ring = || {
        let key = Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|i| i as u8));
        KeyRing::new([key.expect("a key")]).expect("a ring")
    };
    let store = Arc::new(MemoryStore::new());
    let flows = Flows::new(Arc::clone(&store), ring());
    let peer = Peer::of(desk(&bank).keys(ring()).flows(store));
    let round = asked(&peer, "pay_and_hope").await;
    round.answer(yes()).await;
    let unknown = round.answer(yes()).await;
    let reference = unknown.failure().rsplit(' ').next().expect("a reference");
    let flow = reference.parse().expect("the id of a flow");
    let found = ToolResult::text("paid A7, says the bank");
    let resolved = flows.resolve(flow, Outcome::Happened(found)).await;
    resolved.expect("the flow was unknown");
    assert_eq!(round.answer(yes()).await.text(), "paid A7, says the bank");
    assert_eq!(bank.keys().len(), 1);
}
