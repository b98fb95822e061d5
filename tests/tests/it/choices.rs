//! Questions made of data: choices, drafts and forms known at run time, and going back.

use std::sync::{Arc, Mutex};

use mrtr::prelude::*;
use mrtr::{Field, FormAnswer, MultiSelect, Select, Server};
use mrtr_tests::{Peer, accept};
use serde_json::{Value, json};

/// Flights that come, go and change their price.
#[derive(Clone)]
struct Board(Arc<Mutex<Vec<(u32, String)>>>);

impl Board {
    fn of(flights: &[(u32, &str)]) -> Self {
        let board = Self(Arc::default());
        board.set(flights);
        board
    }

    fn set(&self, flights: &[(u32, &str)]) {
        let flights = flights.iter().map(|(id, title)| (*id, (*title).to_owned()));
        *self.0.lock().expect("no test fails here") = flights.collect();
    }

    fn flights(&self) -> Vec<(u32, String)> {
        self.0.lock().expect("no test fails here").clone()
    }
}

#[tool]
async fn choose(State(board): State<Board>) -> String {
    #[ask(message = "Which flight?", options = board.flights())]
    let flight: Select<u32>;
    #[ask(message = "Take it?", pin = flight.value())]
    let ok: Confirm;
    format!("{} {}", flight.value(), ok.yes())
}

#[tool]
async fn several(State(board): State<Board>) -> String {
    #[ask(message = "Which flights?", options = board.flights(), default = [2])]
    let flights: Option<MultiSelect<u32>>;
    format!("{:?}", flights.map(MultiSelect::into_values))
}

/// Where to send it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Form)]
struct Address {
    #[schemars(length(min = 1, max = 10))]
    street: String,
    note: Option<String>,
}

#[tool]
async fn send() -> String {
    let known = Address {
        street: "Main 1".into(),
        note: Some("ring".into()),
    };
    #[ask(message = "Where to?", default = known)]
    let to: Address;
    format!("{to:?}")
}

#[tool]
async fn form(ctx: &Ctx) -> String {
    let fields = [
        Field::text("name").length(1..=5),
        Field::integer("age", 0..=150).optional(),
    ];
    let filled: FormAnswer = ctx.ask_form("form", "Who?", fields).await;
    format!("{:?} {:?}", filled.text("name"), filled.integer("age"))
}

#[tool]
async fn no_form(ctx: &Ctx) -> String {
    let filled: FormAnswer = ctx
        .ask_form("form", "Who?", [Field::text("a"), Field::text("a")])
        .await;
    format!("{filled:?}")
}

#[tool]
async fn order(ctx: &Ctx) -> String {
    let size: u8 = ctx.ask("size", "What size?").await;
    let colour: String = ctx.ask("colour", "What colour?").await;
    if size > 50 {
        ctx.back_to("size", "There is no such size; choose again.")
            .await
    }
    format!("{size} {colour}")
}

#[tool]
async fn lost(ctx: &Ctx) -> String {
    ctx.back_to("size", "Choose again.").await
}

#[tool]
async fn again(ctx: &Ctx) -> String {
    let ok: Confirm = ctx.ask("ok", "Really?").await;
    if ok.yes() {
        ctx.back_to("ok", "Are you sure?").await
    }
    "no".into()
}

const FLIGHTS: [(u32, &str); 2] = [(1, "LH1, 10 EUR"), (2, "LH2, 20 EUR")];

fn peer(board: &Board) -> Peer {
    let server = Server::new("choices", "1").state(board.clone());
    Peer::of(server.tools([
        choose(),
        several(),
        send(),
        form(),
        no_form(),
        order(),
        lost(),
        again(),
    ]))
}

fn pick(value: &str) -> Value {
    json!({ "flight": accept(json!({ "value": value })) })
}

fn yes() -> Value {
    json!({ "ok": accept(json!({ "ok": true })) })
}

#[tokio::test]
async fn choices_come_from_data_and_an_answer_is_one_of_them() {
    let board = Board::of(&FLIGHTS);
    let asked = peer(&board).call("choose", json!({})).await;
    assert_eq!(
        asked.schema("flight")["properties"]["value"]["oneOf"][1],
        json!({ "const": "2", "title": "LH2, 20 EUR" })
    );
    let again = asked.answer(pick("3")).await;
    assert_eq!(again.keys(), ["flight"]);
    let ok = again.answer(pick("2")).await;
    assert_eq!(ok.answer(yes()).await.text(), "2 true");
}

#[tokio::test]
async fn a_choice_stands_while_it_is_offered_under_its_title() {
    let board = Board::of(&FLIGHTS);
    let asked = peer(&board).call("choose", json!({})).await;
    // Others come and go: the answer stands, before it is first read and later.
    board.set(&[(9, "LH9, 5 EUR"), (1, "LH1, 10 EUR")]);
    let ok = asked.answer(pick("1")).await;
    assert_eq!(ok.keys(), ["ok"]);
    board.set(&[(1, "LH1, 10 EUR"), (7, "LH7, 7 EUR")]);
    assert_eq!(ok.answer(yes()).await.text(), "1 true");
    // Its own price moves: that is another choice, before it is first read and later.
    board.set(&[(1, "LH1, 99 EUR")]);
    for round in [asked.answer(pick("1")).await, ok.answer(yes()).await] {
        assert!(
            round.message("flight").contains("Something changed"),
            "{}",
            round.raw
        );
        let ok = round.answer(pick("1")).await;
        assert_eq!(ok.answer(yes()).await.text(), "1 true");
    }
    // It is gone: asked again, without counting as a wrong answer.
    board.set(&[(2, "LH2, 20 EUR")]);
    let gone = ok.answer(yes()).await;
    assert!(
        gone.message("flight").contains("Something changed"),
        "{}",
        gone.raw
    );
}

#[tokio::test]
async fn what_cannot_be_offered_is_a_named_fault() {
    let many: Vec<(u32, &str)> = (0..257).map(|id| (id, "x")).collect();
    for flights in [&[][..], &[(1, "a"), (1, "b")], &many] {
        let end = peer(&Board::of(flights)).call("choose", json!({})).await;
        assert!(
            end.failure().contains("`flight` cannot be asked"),
            "{}",
            end.raw
        );
    }
    let most: Vec<(u32, &str)> = (0..256).map(|id| (id, "x")).collect();
    let asked = peer(&Board::of(&most)).call("choose", json!({})).await;
    assert_eq!(asked.answer(pick("255")).await.keys(), ["ok"]);
}

#[tokio::test]
async fn several_choices_with_a_draft() {
    let asked = peer(&Board::of(&FLIGHTS)).call("several", json!({})).await;
    let field = &asked.schema("flights")["properties"]["value"];
    assert_eq!(field["default"], json!(["2"]));
    let answers = |value: Value| json!({ "flights": accept(json!({ "value": value })) });
    assert_eq!(
        asked.answer(answers(json!(["2", "1"]))).await.text(),
        "Some([2, 1])"
    );
    assert_eq!(asked.answer(answers(json!([]))).await.text(), "Some([])");
    assert_eq!(
        asked.answer(answers(json!(["1", "1"]))).await.keys(),
        ["flights"]
    );
}

#[tokio::test]
async fn a_draft_is_shown_and_never_answers() {
    let asked = peer(&Board::of(&[])).call("send", json!({})).await;
    let fields = &asked.schema("to")["properties"];
    assert_eq!(
        (&fields["street"]["default"], &fields["note"]["default"]),
        (&json!("Main 1"), &json!("ring"))
    );
    let empty = asked.answer(json!({ "to": accept(json!({})) })).await;
    assert!(empty.message("to").contains("`street`"), "{}", empty.raw);
    let plain = asked
        .answer(json!({ "to": accept(json!({ "street": "Side 2" })) }))
        .await;
    assert_eq!(plain.text(), r#"Address { street: "Side 2", note: None }"#);
}

#[tokio::test]
async fn forms_are_made_at_run_time() {
    let peer = peer(&Board::of(&[]));
    let asked = peer.call("form", json!({})).await;
    let again = asked
        .answer(json!({ "form": accept(json!({ "name": "Augusta" })) }))
        .await;
    assert!(again.message("form").contains("`name`"), "{}", again.raw);
    let end = again
        .answer(json!({ "form": accept(json!({ "name": "Ada", "age": 36.0 })) }))
        .await;
    assert_eq!(end.text(), r#"Some("Ada") Some(36)"#);
    let end = peer.call("no_form", json!({})).await;
    assert!(
        end.failure().contains("`form`") && end.failure().contains("two fields"),
        "{}",
        end.raw
    );
}

#[tokio::test]
async fn going_back_asks_again_with_the_old_answer_as_draft() {
    let peer = peer(&Board::of(&[]));
    let size = peer.call("order", json!({})).await;
    let colour = size
        .answer(json!({ "size": accept(json!({ "value": 60 })) }))
        .await;
    let back = colour
        .answer(json!({ "colour": accept(json!({ "value": "red" })) }))
        .await;
    assert_eq!(back.keys(), ["size"]);
    assert!(
        back.message("size").starts_with("There is no such size"),
        "{}",
        back.raw
    );
    assert_eq!(back.schema("size")["properties"]["value"]["default"], 60);
    // What was answered after it is asked again as well.
    let colour = back
        .answer(json!({ "size": accept(json!({ "value": 40 })) }))
        .await;
    assert_eq!(colour.keys(), ["colour"]);
    let end = colour
        .answer(json!({ "colour": accept(json!({ "value": "blue" })) }))
        .await;
    assert_eq!(end.text(), "40 blue");
    let end = peer.call("lost", json!({})).await;
    assert!(end.failure().contains("goes back to `size`"), "{}", end.raw);
}

#[tokio::test]
async fn a_confirmation_is_never_filled_in() {
    let asked = peer(&Board::of(&[])).call("again", json!({})).await;
    let back = asked.answer(yes()).await;
    assert!(
        back.message("ok").starts_with("Are you sure?"),
        "{}",
        back.raw
    );
    assert!(
        back.schema("ok")["properties"]["ok"]
            .get("default")
            .is_none(),
        "{}",
        back.raw
    );
}
