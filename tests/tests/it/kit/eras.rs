//! The kit on older revisions: the same scripts, played in sessions.

use expect_test::expect;
use mrtr::prelude::*;
use mrtr::testing::{Cap, Client, Era, Recorder, json};
use mrtr::{MultiSelect, Roots, Sample, Sampled, Server};

use super::desk::server;
use super::failure;

/// Greets somebody.
#[prompt]
async fn greet() -> String {
    #[ask(message = "Whom?")]
    let name: String;
    format!("Greet {name}.")
}

/// What is in the vault.
#[resource(uri = "vault:///gold")]
async fn gold() -> String {
    #[ask(message = "Show it?")]
    let ok: Confirm;
    if ok.yes() { "a bar" } else { "nothing" }.into()
}

#[tool]
async fn summary() -> String {
    #[ask(sample = Sample::new("Sum up."))]
    let said: Option<Sampled>;
    #[ask(roots)]
    let folders: Roots;
    let said = said.map_or("nothing".into(), |said| said.text());
    format!("{said} in {} folders", folders.iter().count())
}

#[tool]
async fn pay() -> String {
    #[ask(message = "Open the bank?", url = "https://pay.example/x")]
    let page: Answer<Consented>;
    format!("{page:?}")
}

#[tool]
async fn tags() -> String {
    #[ask(message = "Which?", options = ["a", "b"])]
    let tags: MultiSelect<String>;
    tags.into_values().join(" ")
}

#[tool]
async fn back(ctx: &Ctx) -> String {
    let size: u8 = ctx.ask("size", "What size?").await;
    let colour: String = ctx.ask("colour", "What colour?").await;
    if size > 50 {
        ctx.back_to("size", "There is no such size.").await
    }
    format!("{size} {colour}")
}

fn kinds() -> Client {
    let server = Server::new("kinds", "1").url_hosts(["pay.example"]);
    let server = server.prompt(greet).resource(gold);
    Client::new(server.tools([summary(), pay(), tags(), back()]))
}

const OLDER: [Era; 4] = [
    Era::V2025_11_25,
    Era::V2025_06_18,
    Era::V2025_03_26,
    Era::V2024_11_05,
];

#[tokio::test]
async fn a_call_is_played_in_a_session() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    for era in &OLDER[..2] {
        let booked = client
            .era(*era)
            .call("book", json!({ "flight": "LH1" }))
            .answer("who", json!({ "email": "ada@example.com", "name": "Ada" }))
            .yes("ok")
            .await;
        assert_eq!(booked.text(), r#"{"number":"LH1-1"}"#);
        assert_eq!(booked.asked(), [["who"], ["ok"]]);
        assert_eq!(booked.effects(), ["LH1 for Ada"]);
        assert_eq!(booked.state_chars(), 0);
        assert_eq!(booked.notifications().len(), 1, "one run");
        // They are told as it happens; there is one request.
        assert_eq!(
            booked.observed(),
            [
                "1 who asked",
                "1 who accepted",
                "1 ok asked",
                "1 ok accepted",
                "1 committed",
                "1 ended with a result"
            ]
        );
    }
}

#[tokio::test]
async fn both_eras_ask_the_same() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    let calls = client
        .call("room", json!({}))
        .invalid("nights", 300)
        .answer("nights", 3)
        .decline("breakfast")
        .yes("ok")
        .both_eras()
        .await;
    for call in &calls {
        assert_eq!(call.text(), "3 nights");
        assert_eq!(call.effects(), ["3 nights, None"]);
    }
    assert_eq!(
        calls[1].asked(),
        [vec!["nights", "breakfast"], vec!["nights"], vec!["ok"]]
    );
    assert_eq!(desk.count(), 2);
}

#[tokio::test]
async fn prompts_and_resources_are_played_in_both_eras() {
    let client = kinds();
    for call in client
        .prompt("greet", json!({}))
        .answer("name", "Ada")
        .both_eras()
        .await
    {
        assert_eq!(call.text(), "Greet Ada.");
    }
    for call in client.read("vault:///gold").no("ok").both_eras().await {
        assert_eq!(call.text(), "nothing");
    }
    for call in client.read("vault:///gold").decline("ok").both_eras().await {
        assert_eq!(call.text(), "nothing");
    }
    for call in client
        .prompt("greet", json!({}))
        .cancel("name")
        .both_eras()
        .await
    {
        assert_eq!(call.error_code(), Some(-32603));
        assert_eq!(call.text(), "`name` was cancelled");
    }
}

#[tokio::test]
async fn models_and_roots_are_asked_on_every_revision() {
    let client = kinds();
    for era in OLDER {
        let call = client
            .era(era)
            .call("summary", json!({}))
            .sampled("said", "Short.")
            .roots("folders", ["file:///a", "file:///b"])
            .await;
        assert_eq!(call.text(), "Short. in 2 folders", "{era}");
        assert_eq!(call.asked(), [["said", "folders"]]);
        let bare = client.era(era).without(Cap::Roots);
        let refused = bare.call("summary", json!({})).await;
        assert!(refused.is_error(), "{refused}");
        assert!(refused.text().contains(r#"{"roots":{}}"#), "{refused}");
    }
}

#[tokio::test]
async fn each_revision_shows_what_it_has() {
    let client = kinds();
    let paid = client.call("pay", json!({})).consent("page").both_eras();
    assert_eq!(paid.await[1].text(), "Accepted(Consented)");
    let tagged = client
        .call("tags", json!({}))
        .answer("tags", json!({ "value": ["b"] }))
        .both_eras();
    assert_eq!(tagged.await[1].text(), "b");
    let of = async |era, tool: &str| client.era(era).call(tool, json!({})).await.text();
    assert_eq!(
        of(Era::V2025_06_18, "tags").await,
        "the question `tags` cannot be shown to this client: its revision, 2025-06-18, has no \
         multiple choices, which the field `value` needs"
    );
    for (era, tool, first) in [
        (Era::V2025_06_18, "pay", "2025-11-25"),
        (Era::V2025_03_26, "back", "2025-06-18"),
        (Era::V2024_11_05, "back", "2025-06-18"),
    ] {
        let why = of(era, tool).await;
        let expected = format!(
            "revision {era} of the protocol, which it speaks, has no such thing, and {first} has"
        );
        assert!(why.ends_with(&expected), "{why}");
    }
}

#[tokio::test]
async fn going_back_is_played_in_both_eras() {
    let script = kinds()
        .call("back", json!({}))
        .answer("size", 60)
        .answer("colour", "red")
        .answer("size", 40)
        .answer("colour", "blue");
    for call in script.both_eras().await {
        assert_eq!(call.text(), "40 blue");
        assert_eq!(call.asked(), [["size"], ["colour"], ["size"], ["colour"]]);
    }
}

#[tokio::test]
async fn the_caller_of_a_session_is_the_clients() {
    let desk = Recorder::new();
    let ada = Client::new(server(&desk)).as_user("ada");
    for call in ada.call("whoami", json!({})).both_eras().await {
        assert_eq!(call.text(), "ada");
    }
}

#[tokio::test]
async fn who_walks_away_leaves_the_call_open_and_nothing_done() {
    let desk = Recorder::new();
    let left = Client::new(server(&desk))
        .era(Era::V2025_11_25)
        .call("room", json!({}))
        .answer("nights", 3)
        .answer("breakfast", true)
        .leave("ok")
        .await;
    assert!(left.is_open());
    left.assert_no_effect();
}

#[tokio::test]
async fn what_has_no_meaning_in_a_session_is_said() {
    let client = Client::new(server(&Recorder::new())).era(Era::V2025_11_25);
    let moved = client
        .call("room", json!({}))
        .answer("nights", 3)
        .as_user("bob")
        .answer("breakfast", true);
    expect![[r#"
        `.as_user("bob")` stands between the answers of a call on revision 2025-11-25, where a call stays on its connection
        help: make the change at the client, before the call; or play this script on 2026-07-28 only
        so far:
          1 `nights`: How many nights?
          1 `breakfast`: With breakfast?
            .answer("nights", 3)
    "#]]
    .assert_eq(&failure(moved).await);
    let silent = client.call("room", json!({})).silent("nights");
    expect![[r#"
        `.silent("nights")` on revision 2025-11-25: there a question without an answer waits until `ask_timeout`
        help: `.leave("nights")` walks away from it; or play this script on 2026-07-28 only
        so far:
          1 `nights`: How many nights?
            .silent("nights")
    "#]].assert_eq(&failure(silent).await);
    let missing = client.call("room", json!({})).invalid("nights", 300);
    expect![[r#"
        the tool `room` did not take the answer to `nights`, and asks again
          Please answer again: `value` must be at most 255.
          How many nights?
            value: {"maximum":255,"minimum":0,"title":"nights","type":"integer"}
        help: correct the answer, such as `.answer("nights", 1)`; if the test is about it, make it `.invalid("nights", ..)` and let the right one follow
        so far:
          1 `nights`: How many nights?
          1 `breakfast`: With breakfast?
            .invalid("nights", json!(300))
            .answer("breakfast", true)
    "#]].assert_eq(&failure(missing.answer("breakfast", true)).await);
}

/// Asks something else in a session, as no tool should.
#[tool]
async fn fickle(ctx: &Ctx) -> String {
    #[ask(message = "Open the bank?", url = "https://pay.example/x")]
    let page: Option<Consented>;
    let again = if page.is_some() && ctx.call().round() == 1 {
        "Once"
    } else {
        "Twice"
    };
    let ok: Confirm = ctx.ask("ok", format!("{again}?")).await;
    ok.yes().to_string()
}

#[tokio::test]
async fn a_difference_between_the_eras_is_shown() {
    let server = Server::new("fickle", "1").url_hosts(["pay.example"]);
    let call = Client::new(server.tool(fickle))
        .call("fickle", json!({}))
        .consent("page")
        .yes("ok");
    expect![[r#"
        the call is another one on the older revision
        2026-07-28: the tool `fickle`
          1 `page`: Open the bank?
            .consent("page")
          2 `ok`: Twice?
            .yes("ok")
          end: a result: [{"type":"text","text":"true"}]
        2025-11-25: the tool `fickle`
          1 `page`: Open the bank?
            .consent("page")
          2 `ok`: Once?
            .yes("ok")
          end: a result: [{"type":"text","text":"true"}]
        help: let questions depend on arguments and answers; what only one revision can show is asked for `if_supported`
    "#]].assert_eq(&failure(call.both_eras()).await);
}
