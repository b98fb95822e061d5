//! What a tool may take and return, and how it looks on the wire.

use std::borrow::Cow;

use mrtr::prelude::*;
use mrtr::{ContentAnnotations, Role};
use mrtr_tests::{Peer, Round, frame};
use serde_json::{Value, json};

#[derive(Serialize, JsonSchema)]
struct Report {
    zulu: u8,
    alfa: Option<String>,
}

#[tool]
async fn text() -> String {
    "text".to_owned()
}

#[tool]
async fn borrowed() -> &'static str {
    "text"
}

#[tool]
async fn maybe_borrowed() -> Cow<'static, str> {
    "text".into()
}

#[tool]
async fn number() -> i64 {
    -7
}

#[tool]
async fn fraction() -> f64 {
    0.5
}

#[tool]
async fn nothing() {}

#[tool]
async fn image() -> ContentBlock {
    ContentBlock::image([1, 2, 3], "image/png")
        .annotated(ContentAnnotations::new().audience(Role::User))
}

#[tool]
async fn several() -> Vec<ContentBlock> {
    vec![
        ContentBlock::audio([1], "audio/wav"),
        ContentBlock::resource_link("file:///a", "a"),
        ContentBlock::resource_text("file:///b", "text/plain", "b"),
        ContentBlock::resource_blob("file:///c", "image/png", [1, 2]),
    ]
}

#[tool]
async fn structured() -> Json<Report> {
    Json(Report {
        zulu: 1,
        alfa: None,
    })
}

#[tool]
async fn by_hand() -> Result<ToolResult, ToolError> {
    Ok(ToolResult::text("a")
        .with(ContentBlock::text("b"))
        .meta("example.org/x", &1)?)
}

#[tool]
async fn fails(how: String) -> Result<String, ToolError> {
    match how.as_str() {
        "user" => Err(ToolError::user("no seat is left")),
        "internal" => Err(ToolError::internal("the secret table is gone")),
        "protocol" => Err(ToolError::protocol(4711, "not like that").with_data(&json!({ "a": 1 }))),
        "reserved" => Err(ToolError::protocol(-32050, "not like that")),
        _ => {
            let number: u8 = how.parse()?;
            Ok(number.to_string())
        }
    }
}

/// Takes many things.
#[derive(Deserialize, JsonSchema)]
struct Order {
    /// What
    item: String,
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    count: Option<u8>,
}

#[tool(
    name = "order.place",
    title = "Place an order",
    read_only = false,
    destructive,
    idempotent = false,
    open_world,
    meta = json!({ "example.org/team": "shop" })
)]
async fn place(Args(order): Args<Order>, who: Option<Principal>, call: Call) -> String {
    let caller = who.map_or("nobody".to_owned(), |who| who.subject().to_owned());
    format!(
        "{} {:?} for {caller} in round {}",
        order.item,
        order.count,
        call.round()
    )
}

fn peer() -> Peer {
    Peer::of(Server::new("results", "1").tools([
        text(),
        borrowed(),
        maybe_borrowed(),
        number(),
        fraction(),
        nothing(),
        image(),
        several(),
        structured(),
        by_hand(),
        fails(),
        place(),
    ]))
}

async fn call(tool: &str) -> Round {
    peer().call(tool, json!({})).await
}

#[tokio::test]
async fn each_result_type_becomes_content() {
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let table = [
        ("text", text("text")),
        ("borrowed", text("text")),
        ("maybe_borrowed", text("text")),
        ("number", text("-7")),
        ("fraction", text("0.5")),
        ("nothing", json!([])),
        (
            "image",
            json!([{ "type": "image", "data": "AQID", "mimeType": "image/png", "annotations": { "audience": ["user"] } }]),
        ),
        ("structured", text("{\"zulu\":1,\"alfa\":null}")),
        (
            "by_hand",
            json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]),
        ),
    ];
    for (tool, content) in table {
        assert_eq!(call(tool).await.result()["content"], content, "{tool}");
    }
    let several = call("several").await;
    let kinds: Vec<_> = several.result()["content"]
        .as_array()
        .expect("blocks")
        .iter()
        .map(|block| block["type"].clone())
        .collect();
    assert_eq!(kinds, ["audio", "resource_link", "resource", "resource"]);
    assert_eq!(
        call("structured").await.result()["structuredContent"],
        json!({ "zulu": 1, "alfa": null })
    );
    assert_eq!(call("by_hand").await.result()["_meta"]["example.org/x"], 1);
}

#[tokio::test]
async fn each_error_says_what_its_reader_may_know() {
    let fail = async |how: &str| peer().call("fails", json!({ "how": how })).await;
    assert_eq!(fail("user").await.failure(), "no seat is left");
    let internal = fail("internal").await;
    assert!(
        !internal.failure().is_empty() && !internal.raw.contains("secret"),
        "{}",
        internal.raw
    );
    let other = fail("not a number").await;
    assert_eq!(
        other.failure(),
        internal.failure(),
        "`?` on any other error says no more"
    );
    let protocol = fail("protocol").await;
    assert_eq!(
        (protocol.code(), &protocol.response["error"]["data"]),
        (4711, &json!({ "a": 1 }))
    );
    assert_eq!(
        fail("reserved").await.code(),
        -32603,
        "codes of the protocol's own are not the author's"
    );
    assert_eq!(fail("7").await.text(), "7");
}

#[tokio::test]
async fn a_tool_publishes_what_its_author_says_of_it() {
    let list = peer().request("tools/list", json!({})).await;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let tools = list["result"]["tools"].as_array().expect("tools").clone();
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == "order.place")
        .expect("its own name");
    assert_eq!(tool["title"], "Place an order");
    let hints = json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true });
    assert_eq!(tool["annotations"], hints);
    assert_eq!(tool["_meta"], json!({ "example.org/team": "shop" }));
    let schema = &tool["inputSchema"];
    assert_eq!(
        schema["properties"]["item"],
        json!({ "type": "string", "description": "What" })
    );
    assert_eq!(
        (&schema["properties"]["count"]["type"], &schema["required"]),
        (&json!("integer"), &json!(["item"]))
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told_to_the_model() {
    let fits = peer()
        .call("order.place", json!({ "item": "lamp", "count": 3 }))
        .await;
    assert_eq!(fits.text(), "lamp Some(3) for nobody in round 1");
    for (arguments, word) in [
        (json!({}), "item"),
        (json!({ "item": 5 }), "item"),
        (json!({ "item": "lamp", "count": "many" }), "count"),
        (json!({ "item": "lamp", "count": 99 }), "count"),
    ] {
        let end = peer().call("order.place", arguments.clone()).await;
        let said = format!("{}{}", end.failure(), end.response["error"]["message"]);
        assert!(
            said.contains(word) || said.contains("invalid"),
            "{arguments}: {}",
            end.raw
        );
        assert!(
            end.code() == -32602 || !end.failure().is_empty(),
            "{arguments}: {}",
            end.raw
        );
    }
}

#[tokio::test]
async fn the_caller_is_who_the_transport_says() {
    let ada = Principal::new("https://login.example", "ada").expect("a principal");
    let end = peer()
        .as_principal(ada)
        .call("order.place", json!({ "item": "lamp" }))
        .await;
    assert_eq!(end.text(), "lamp None for ada in round 1");
}

#[tokio::test]
async fn two_tools_of_one_name_and_a_missing_state_keep_a_server_from_being_built() {
    #[tool]
    async fn needs(State(_number): State<u64>) {}
    #[tool(name = "needs")]
    async fn also_needs() {}
    let server = Server::new("results", "1").tools([needs(), also_needs()]);
    let error = server.build_lines().expect_err("two problems").to_string();
    assert!(
        error.contains("two tools are named `needs`") && error.contains("State<u64>"),
        "{error}"
    );
}

#[tokio::test]
async fn an_id_comes_back_as_it_was_sent() {
    for id in [
        json!(0),
        json!(-1),
        json!(9_007_199_254_740_991_u64),
        json!(""),
        json!("a"),
        json!("1"),
    ] {
        let mut request = frame(1, "tools/call", json!({ "name": "text" }));
        request["id"] = id.clone();
        let reply = peer().exchange(&request.to_string()).await.concat();
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        assert_eq!(reply["id"], id);
    }
}
