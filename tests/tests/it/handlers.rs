//! What a tool's source says and what the server makes of it: arguments, listing, methods, helpers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, decline};
use serde_json::{Value, json};

/// Lists free seats.
///
/// Cheap ones first.
///
/// # Errors
/// Never.
#[tool(
    name = "seats.list",
    title = "Seats",
    read_only,
    idempotent = true,
    open_world = false,
    meta = json!({ "example.com/rank": 1 })
)]
async fn list_seats(
    /// Where to look
    #[serde(rename = "where")]
    #[arg(header = "Region")]
    region: String,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    mut limit: u8,
    r#type: Option<String>,
) -> String {
    limit += 1;
    format!("{region} {limit} {:?}", r#type)
}

fn ten() -> u8 {
    10
}

async fn listing(peer: &Peer) -> Value {
    let raw = peer.request("tools/list", json!({})).await;
    let response: Value = serde_json::from_str(&raw).expect("the judge has read it");
    response["result"]["tools"].clone()
}

#[tokio::test]
async fn options_and_arguments_are_published() {
    let peer = Peer::of(Server::new("s", "1").tool(list_seats));
    let tool = &listing(&peer).await[0];
    assert_eq!(tool["name"], "seats.list");
    assert_eq!(tool["title"], "Seats");
    assert_eq!(
        tool["description"],
        "Lists free seats.\n\nCheap ones first."
    );
    assert_eq!(tool["_meta"], json!({ "example.com/rank": 1 }));
    let hints = json!({ "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false });
    assert_eq!(tool["annotations"], hints);
    let input = &tool["inputSchema"];
    assert_eq!(input["required"], json!(["where"]));
    assert_eq!(input["properties"]["where"]["description"], "Where to look");
    assert_eq!(input["properties"]["where"]["x-mcp-header"], "Region");
    assert_eq!(input["properties"]["limit"]["maximum"], 50);
    assert!(input["properties"].get("type").is_some());
}

#[tokio::test]
async fn arguments_reach_the_function() {
    let peer = Peer::of(Server::new("s", "1").tool(list_seats));
    let round = peer.call("seats.list", json!({ "where": "EU" })).await;
    assert_eq!(round.text(), "EU 11 None");
    let all = json!({ "where": "EU", "limit": 3, "type": "window" });
    assert_eq!(
        peer.call("seats.list", all).await.text(),
        r#"EU 4 Some("window")"#
    );
}

/// A user who is loaded, or asked for.
struct User(String);

impl FromCall for User {
    async fn from_call(ctx: &Ctx, _: &Call) -> Result<Self, ToolError> {
        Ok(Self(ctx.ask("user", "Who are you?").await))
    }
}

#[derive(Deserialize, JsonSchema)]
struct Trip {
    city: String,
}

#[tool]
async fn travel(
    #[ask(message = "{user_name} to {who}?")] sure: Confirm,
    #[from_call] User(user_name): User,
    Args(trip): Args<Trip>,
    #[ask(message = "Who is travelling?")] who: String,
    State(class): State<&'static str>,
    /// How many nights?
    #[ask(key = "n")]
    nights: Option<u8>,
) -> String {
    format!(
        "{who} to {} for {nights:?}, {class}, {}",
        trip.city,
        sure.yes()
    )
}

#[tokio::test]
async fn parameters_are_asked_in_as_few_rounds_as_their_texts_allow() {
    let peer = Peer::of(Server::new("s", "1").state("first").tool(travel));
    let round = peer.call("travel", json!({ "city": "Rome" })).await;
    assert_eq!(round.keys(), ["user"]);
    let round = round
        .answer(json!({ "user": accept(json!({ "value": "Ada" })) }))
        .await;
    assert_eq!(round.keys(), ["n", "who"], "one round, listed by name");
    assert_eq!(round.message("n"), "How many nights?");
    let answers = json!({ "who": accept(json!({ "value": "Bob" })), "n": decline() });
    let round = round.answer(answers).await;
    assert_eq!(round.message("sure"), "Ada to Bob?");
    let round = round
        .answer(json!({ "sure": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(round.text(), "Bob to Rome for None, first, true");
}

/// Counts how often something ran.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicUsize>);

impl Counter {
    fn next(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    fn so_far(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A number that would change in every run.
#[mrtr::read_only]
async fn draw(counter: &Counter) -> Result<usize, ToolError> {
    Ok(counter.next())
}

#[tool]
async fn remembered(State(counter): State<Counter>) -> Result<String, ToolError> {
    #[ask(message = "Draw?")]
    let draw_it: bool;
    #[memo]
    let number: usize = draw(&counter).await?;
    #[ask(message = "Keep {number}?", pin = (number, draw_it))]
    let keep: Confirm;
    Ok(format!("{number} {}", keep.yes()))
}

#[tokio::test]
async fn a_memo_runs_once_on_the_way_to_the_end() {
    let counter = Counter::default();
    let peer = Peer::of(
        Server::new("s", "1")
            .state(counter.clone())
            .tool(remembered),
    );
    let round = peer.call("remembered", json!({})).await;
    let round = round
        .answer(json!({ "draw_it": accept(json!({ "value": true })) }))
        .await;
    assert_eq!(round.message("keep"), "Keep 0?");
    let round = round
        .answer(json!({ "keep": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(round.text(), "0 true");
    assert_eq!(counter.so_far(), 1);
}

struct Desk {
    sold: AtomicUsize,
}

#[mrtr::handlers]
impl Desk {
    /// Counts what was sold.
    #[tool(read_only)]
    async fn sold(
        &self,
        /** Added to the sum */
        plus: usize,
    ) -> usize {
        self.sold.load(Ordering::SeqCst) + plus
    }

    /// Sells a seat.
    #[tool]
    async fn sell(&self, ctx: &Ctx, seat: String) -> Result<String, ToolError> {
        let row = pick_row(ctx, &seat).await;
        #[ask(message = "Sell {seat} in row {row}?")]
        let ok: Confirm;
        if !ok.yes() {
            return Err(ToolError::user("not sold"));
        }
        #[commit(c)]
        let number = self.sell_one(c);
        Ok(format!("{seat}{row} is number {number}"))
    }

    #[cfg(any())]
    #[tool]
    async fn never(&self, missing: Missing) {}

    fn sell_one(&self, _: &mut Commit) -> usize {
        self.sold.fetch_add(1, Ordering::SeqCst) + 1
    }
}

#[asking]
async fn pick_row(ctx: &Ctx, seat: &str) -> u8 {
    #[ask(message = "Which row for {seat}?")]
    let row: u8;
    row
}

#[tokio::test]
async fn methods_share_one_value() {
    let desk = Desk {
        sold: AtomicUsize::new(4),
    };
    assert_eq!(
        desk.sold(1).await,
        5,
        "a tool that does not ask stays a method"
    );
    let peer = Peer::of(Server::new("s", "1").handlers(desk));
    let tools = listing(&peer).await;
    let names: Vec<&str> = tools
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["sold", "sell"]);
    assert_eq!(
        tools[0]["inputSchema"]["properties"]["plus"]["description"],
        "Added to the sum"
    );
    let round = peer.call("sell", json!({ "seat": "A" })).await;
    assert_eq!(round.message("row"), "Which row for A?");
    let round = round
        .answer(json!({ "row": accept(json!({ "value": 7 })) }))
        .await;
    assert_eq!(round.message("ok"), "Sell A in row 7?");
    let round = round
        .answer(json!({ "ok": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(round.text(), "A7 is number 5");
    assert_eq!(peer.call("sold", json!({ "plus": 0 })).await.text(), "5");
}

#[tracing::instrument]
#[tool]
async fn watched(name: String) -> String {
    #[ask(message = "Greet {name}?")]
    let ok: Confirm;
    let agreed = ok.yes();
    #[commit(c)]
    let key = c.key("greet");
    format!("{name} {agreed} {}", key.is_empty())
}

#[tool]
#[tracing::instrument(skip(name))]
async fn watched_inside(name: String) -> String {
    #[ask(message = "Greet {name}?")]
    let ok: Confirm;
    let agreed = ok.yes();
    #[commit(c)]
    let key = c.key("greet");
    format!("{name} {agreed} {}", key.is_empty())
}

#[tokio::test]
async fn instrumented_tools_ask_and_commit() {
    let peer = Peer::of(Server::new("s", "1").tools([watched(), watched_inside()]));
    for tool in ["watched", "watched_inside"] {
        let round = peer.call(tool, json!({ "name": "Ada" })).await;
        assert_eq!(round.message("ok"), "Greet Ada?");
        let round = round
            .answer(json!({ "ok": accept(json!({ "ok": true })) }))
            .await;
        assert_eq!(round.text(), "Ada true false", "{tool}");
    }
}
