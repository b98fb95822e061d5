//! The drill: what it shows of a tool that is right, and of tools that are not.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use expect_test::expect;
use mrtr::Server;
use mrtr::prelude::*;
use mrtr::testing::{Answers, Client, Move, Recorder, Verdict, json};

use super::desk::server;
use super::failure;

fn answers() -> Answers {
    Answers::new()
        .answer("who", json!({ "email": "ada@example.com", "name": "Ada" }))
        .yes("ok")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_tool_that_commits_holds_everything_with_a_flow_store() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk)).as_user("ada");
    let report = client
        .attack("book", json!({ "flight": "LH1" }), answers(), || {
            desk.count()
        })
        .await;
    expect![[r#"
        attack on `book`; effects of one honest call: 1
          answers before the questions            0  held
          a no instead of the last yes            0  held
          other arguments                         0  held
          another user                            0  held
          another tool                            0  held
          a character of the state flipped        0  held
          the state cut short                     0  held
          the flow expired                        0  held
          answers after the round's time          0  held
          the client gone during the effect       1  held
          the final round five times at once      1  held
          back to the first round after the end   1  held
          two branches from the first round       1  held
          the yes after the no                    0  held"#]]
    .assert_eq(&report.to_string());
}

#[tokio::test]
async fn without_a_store_the_report_says_what_nobody_promises() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk).without_flows());
    let report = client
        .attack("book", json!({ "flight": "LH1" }), answers(), || {
            desk.count()
        })
        .await;
    expect![[r#"
        attack on `book`; effects of one honest call: 1
          answers before the questions            0  held
          a no instead of the last yes            0  held
          other arguments                         0  held
          another user                            0  held
          another tool                            0  held
          a character of the state flipped        0  held
          the state cut short                     0  held
          the flow expired                        0  held
          answers after the round's time          0  held
          the client gone during the effect       1  held
          the final round five times at once      5  not guaranteed: the server has no flow store
          back to the first round after the end   2  not guaranteed: the server has no flow store
          two branches from the first round       2  not guaranteed: the server has no flow store
          the yes after the no                    1  not guaranteed: the server has no flow store"#]].assert_eq(&report.to_string());
}

#[tokio::test]
async fn what_must_hold_fails_without_a_store() {
    let desk = Recorder::new();
    let (client, count) = (Client::new(server(&desk).without_flows()), desk.clone());
    let attack = client.attack("book", json!({ "flight": "LH1" }), answers(), move || {
        count.count()
    });
    let text = failure(attack.must(Move::AtOnce)).await;
    assert!(text.contains("BROKEN: there must be at most 1"), "{text}");
}

/// A desk whose bookings go by idempotency key.
#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<BTreeSet<String>>>);

#[tool]
async fn pay(State(ledger): State<Ledger>) -> Result<String, ToolError> {
    #[ask(message = "Pay?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    #[commit(c)]
    ledger.0.lock().expect("a test failed").insert(c.key("pay"));
    Ok("paid".to_owned())
}

#[tokio::test]
async fn an_idempotency_key_makes_up_for_the_store() {
    let ledger = Ledger::default();
    let client = Client::new(
        Server::new("bank", "1")
            .state(ledger.clone())
            .tool(pay)
            .without_flows(),
    );
    let count = || ledger.0.lock().unwrap().len();
    let attack = client.attack("pay", json!({}), Answers::new().yes("ok"), count);
    let report = attack
        .must(Move::AtOnce)
        .must(Move::EarlierRound)
        .must(Move::Fork)
        .await;
    assert_eq!(report.verdict(Move::OtherTool), Verdict::Skipped);
    let held = report
        .rows()
        .iter()
        .filter(|row| row.verdict == Verdict::Held)
        .count();
    assert_eq!(held, Move::ALL.len() - 2, "{report}");
    assert_eq!(report.verdict(Move::YesAfterNo), Verdict::NotGuaranteed);
}

#[tool]
async fn ignores(State(desk): State<Recorder>) -> String {
    #[ask(message = "Really?")]
    let ok: Confirm;
    desk.perform("done").await;
    format!("{ok:?}")
}

#[tokio::test]
async fn a_no_that_changes_nothing_is_found() {
    let desk = Recorder::new();
    let client = Client::new(Server::new("desk", "1").state(desk.clone()).tool(ignores));
    let count = desk.clone();
    let attack = || {
        let count = count.clone();
        client.attack("ignores", json!({}), Answers::new().yes("ok"), move || {
            count.count()
        })
    };
    let text = failure(attack()).await;
    expect![[r#"
        attack on `ignores`; effects of one honest call: 1
          answers before the questions            0  held
          a no instead of the last yes            1  BROKEN: there must be none
          other arguments                         0  held
          another user                            0  held
          another tool                            -  skipped: the server has no other tool
          a character of the state flipped        0  held
          the state cut short                     0  held
          the flow expired                        0  held
          answers after the round's time          0  held
          the client gone during the effect       -  skipped: the tool has no `#[commit]` that would go on
          the final round five times at once      5  not guaranteed: the tool has no `#[commit]`
          back to the first round after the end   2  not guaranteed: the tool has no `#[commit]`
          two branches from the first round       2  not guaranteed: the tool has no `#[commit]`
          the yes after the no                    2  not guaranteed: the tool has no `#[commit]`
    "#]].assert_eq(&text);
    let report = attack().allow(Move::SaidNo).await;
    assert_eq!(report.verdict(Move::SaidNo), Verdict::NotGuaranteed);
}

#[tokio::test]
async fn an_attack_that_would_show_nothing_says_so() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    let elsewhere = client.attack("book", json!({ "flight": "LH1" }), answers(), || 0);
    expect![[r#"
        the honest call had no effect, so an attack would show nothing
        the tool `book`
          1 `who`: Who is travelling?
            .answer("who", json!({"email":"ada@example.com","name":"Ada"}))
          2 `ok`: Book LH1 for Ada, ticket to ada@example.com?
            .yes("ok")
          end: a result: [{"type":"text","text":"{\"number\":\"LH1-1\"}"}]
        help: let the closure count what this very server does: give both the same desk
    "#]]
    .assert_eq(&failure(elsewhere).await);
    let nothing = client.attack("whoami", json!({}), Answers::new(), || 0);
    expect![[r#"
        the tool `whoami` asked nothing, so there is nothing to attack
        the tool `whoami`
          end: a result: [{"type":"text","text":"nobody"}]
    "#]]
    .assert_eq(&failure(nothing).await);
}
