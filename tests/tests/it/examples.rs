//! The other examples: each does what it says.

use mrtr_tests::{Peer, accept, decline};
use serde_json::json;

/// An example as it stands in its file; its `main` is for `cargo run --example`.
macro_rules! example {
    ($name:ident, $path:literal) => {
        #[path = $path]
        #[allow(
            dead_code,
            unreachable_pub,
            reason = "written as a program, compiled as a module"
        )]
        pub(crate) mod $name;
    };
}

example!(choose_flight, "../../../examples/examples/choose_flight.rs");
example!(
    connect_account,
    "../../../examples/examples/connect_account.rs"
);
example!(from_call, "../../../examples/examples/from_call.rs");
example!(handlers, "../../../examples/examples/handlers.rs");
example!(
    notify_changes,
    "../../../examples/examples/notify_changes.rs"
);
example!(plain_ask, "../../../examples/examples/plain_ask.rs");
example!(
    prompt_that_asks,
    "../../../examples/examples/prompt_that_asks.rs"
);
example!(protected, "../../../examples/examples/protected.rs");
example!(
    resource_that_asks,
    "../../../examples/examples/resource_that_asks.rs"
);
example!(summarise, "../../../examples/examples/summarise.rs");
example!(validate, "../../../examples/examples/validate.rs");

#[tokio::test]
async fn plain_asks_read_like_ordinary_calls() {
    let peer = Peer::of(plain_ask::server());
    let to = peer.call("send_parcel", json!({ "content": "lamp" })).await;
    let gift = to
        .answer(json!({ "to": accept(json!({ "street": "Main 1", "town": "Rome" })) }))
        .await;
    assert_eq!(gift.message("gift"), "Is the lamp a gift?");
    let end = gift.answer(json!({ "gift": decline() })).await;
    assert_eq!(end.text(), "lamp to Main 1, Rome");
    let card = gift
        .answer(json!({ "gift": accept(json!({ "ok": true })) }))
        .await;
    let end = card
        .answer(json!({ "card": accept(json!({ "value": "Hi" })) }))
        .await;
    assert_eq!(end.text(), "lamp to Main 1, Rome, with a card: Hi");
}

#[tokio::test]
async fn methods_share_their_value() {
    let peer = Peer::of(handlers::server());
    let lamps = json!({ "item": "lamp" });
    assert_eq!(peer.call("in_stock", lamps.clone()).await.text(), "3");
    let asked = peer.call("clear_out", lamps.clone()).await;
    assert_eq!(asked.message("ok"), "Throw away all 3 of lamp?");
    let no = asked.answer(json!({ "ok": decline() })).await;
    assert_eq!(no.failure(), "nothing was thrown away");
    let asked = peer.call("clear_out", lamps.clone()).await;
    let yes = asked
        .answer(json!({ "ok": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(yes.text(), "3 of lamp thrown away");
    assert_eq!(peer.call("in_stock", lamps).await.text(), "0");
}

#[tokio::test]
async fn a_parameter_of_ones_own_loads_itself_and_may_ask() {
    let one = Peer::of(from_call::server(&["North"]));
    assert_eq!(
        one.call("opening_hours", json!({})).await.text(),
        "North opens at nine"
    );
    let two = Peer::of(from_call::server(&["North", "South"]));
    let asked = two.call("find_shelf", json!({ "subject": "Maps" })).await;
    assert_eq!(asked.message("branch"), "Which branch: North, South?");
    let end = asked
        .answer(json!({ "branch": accept(json!({ "value": "south" })) }))
        .await;
    assert_eq!(end.text(), "Maps is on the first floor of South");
    let end = asked
        .answer(json!({ "branch": accept(json!({ "value": "East" })) }))
        .await;
    assert!(
        end.failure().contains("no branch of that name"),
        "{}",
        end.raw
    );
}

#[tokio::test]
async fn a_rule_of_ones_own_asks_again_with_its_reason() {
    let peer = Peer::of(validate::server());
    let table = [
        (
            "price_of_stay",
            json!({ "from": 9, "to": 3 }),
            "`to` comes before `from`",
        ),
        (
            "check_stay",
            json!({ "from": 105, "to": 106 }),
            "the house is full on that night",
        ),
    ];
    for (tool, stay, reason) in table {
        let asked = peer.call(tool, json!({})).await;
        let again = asked.answer(json!({ "stay": accept(stay) })).await;
        assert!(again.message("stay").contains(reason), "{}", again.raw);
        let end = again
            .answer(json!({ "stay": accept(json!({ "from": 1, "to": 2 })) }))
            .await;
        assert!(
            ["160 EUR", "free from night 1"].contains(&end.text()),
            "{}",
            end.raw
        );
    }
}

#[tokio::test]
async fn a_flight_is_chosen_from_data_and_corrected() {
    let peer = Peer::of(choose_flight::server());
    let asked = peer.call("find_seats", json!({})).await;
    assert_eq!(asked.keys(), ["number", "seats"]);
    assert_eq!(asked.schema("seats")["properties"]["value"]["default"], 1);
    let answers = |flight: &str, seats: u8| {
        json!({
            "number": accept(json!({ "value": flight })),
            "seats": accept(json!({ "value": seats }))
        })
    };
    let back = asked.answer(answers("LH2", 3)).await;
    assert!(
        back.message("number")
            .starts_with("LH2 has only 1 seats left.")
    );
    let end = back
        .answer(json!({ "number": accept(json!({ "value": "LH3" })) }))
        .await;
    assert_eq!(end.text(), "3 on LH3 for 360 EUR");
}

#[tokio::test]
async fn a_text_is_summed_up_by_the_model_or_cut() {
    let peer = Peer::of(summarise::server());
    let cut = peer
        .call("summarise", json!({ "text": "Lorem ipsum." }))
        .await;
    assert_eq!(cut.text(), "Lorem ipsum.");
    let declared = mrtr_tests::capabilities(&json!({ "sampling": {} }));
    let params =
        json!({ "name": "summarise", "arguments": { "text": "Lorem" }, "_meta": declared });
    let asked = peer.send(params).await;
    let said = json!({ "role": "assistant", "content": { "type": "text", "text": "Latin." }, "model": "m" });
    assert_eq!(
        asked.answer(json!({ "summary": said })).await.text(),
        "Latin."
    );
}

#[tokio::test]
async fn a_calendar_is_connected_by_its_own_user_only() {
    use axum::body::Body;
    use tower::ServiceExt as _;
    let (endpoint, app) = connect_account::app().expect("the server builds");
    let ada = mrtr::Principal::new("https://login.example", "ada").expect("a subject");
    let peer = Peer::at(endpoint).as_principal(ada);
    let asked = peer.call("today", json!({})).await;
    let url = asked.question("connected")["url"].as_str().expect("a link");
    let page = url
        .strip_prefix("https://calendar.example")
        .expect("its host")
        .to_owned();
    let open = |user: &'static str| {
        let request = axum::http::Request::get(&page).header("x-session-user", user);
        app.clone()
            .oneshot(request.body(Body::empty()).expect("a request"))
    };
    let agreed = json!({ "connected": { "action": "accept" } });
    let bob = open("bob").await.expect("an answer");
    assert_eq!(bob.status(), 403);
    let waiting = asked.answer(agreed.clone()).await;
    assert!(
        waiting.message("connected").contains("not finished yet"),
        "{}",
        waiting.raw
    );
    let ada = open("ada").await.expect("an answer");
    assert_eq!(ada.status(), 200);
    assert_eq!(waiting.answer(agreed).await.text(), "ada has a free day");
}
