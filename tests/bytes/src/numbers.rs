//! Two requests are the same when every number is the same number, and only then.

use mrtr::Server;
use mrtr::prelude::*;
use serde_json::Value;

use crate::{META, exchange};

/// Takes anything, because what is tested is what the state is bound to.
#[derive(Deserialize, JsonSchema)]
struct Anything {
    #[serde(default)]
    #[schemars(schema_with = "any")]
    #[allow(dead_code, reason = "only its place in the request matters")]
    x: Option<serde::de::IgnoredAny>,
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({})
}

#[tool]
async fn close_ticket(_args: mrtr::Args<Anything>, ctx: &Ctx) -> String {
    let ok: Confirm = ctx.ask("ok", "Close the ticket?").await;
    format!("{}", ok.yes())
}

/// A request with `arguments` as exactly this text, or without them.
fn request(id: u32, arguments: Option<&str>, state: Option<&str>) -> String {
    let arguments = arguments
        .map(|text| format!(r#","arguments":{text}"#))
        .unwrap_or_default();
    let answer = state.map(|state| {
        format!(
            r#","inputResponses":{{"ok":{{"action":"accept","content":{{"ok":true}}}}}},"requestState":"{state}""#
        )
    });
    let answer = answer.unwrap_or_default();
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"close_ticket"{arguments}{answer},"_meta":{META}}}}}"#
    )
}

fn endpoint() -> mrtr::Endpoint {
    Server::new("numbers", "1")
        .tool(close_ticket)
        .build_lines()
        .expect("the server builds")
}

/// Whether a yes to the call with the first arguments counts for a call with the second.
async fn same(first: Option<&str>, second: Option<&str>) -> bool {
    let endpoint = endpoint();
    let asked = exchange(&endpoint, &request(1, first, None)).await;
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    let state = asked["result"]["requestState"].as_str();
    let state = state.unwrap_or_else(|| panic!("{first:?}: {asked}"));
    let end = exchange(&endpoint, &request(2, second, Some(state))).await;
    let end: Value = serde_json::from_str(&end).expect("JSON");
    match end["error"]["code"].as_i64() {
        Some(-32602) => false,
        None if end["result"]["content"][0]["text"] == "true" => true,
        _ => panic!("{second:?}: {end}"),
    }
}

fn ticket(value: &str) -> String {
    format!(r#"{{"x":{value}}}"#)
}

#[tokio::test]
async fn one_number_in_several_spellings_is_one_request() {
    let table = [
        ("1", "1.0"),
        ("1", "1e0"),
        ("1", "10e-1"),
        ("0", "-0"),
        ("0", "0.0e7"),
        ("0.1", "0.10"),
        ("1e400", "10e399"),
        (r#""é""#, r#""\u00e9""#),
        ("[1, 2]", "[1,2.0]"),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#),
    ];
    for (first, second) in table {
        assert!(
            same(Some(&ticket(first)), Some(&ticket(second))).await,
            "{first} is {second}"
        );
    }
    assert!(
        same(None, Some("{}")).await,
        "absent arguments are empty ones"
    );
}

#[tokio::test]
async fn two_numbers_that_a_double_confuses_are_two_requests() {
    let table = [
        ("1152921504606846976", "1152921504606846977"),
        ("9007199254740992", "9007199254740993"),
        ("0.1", "0.1000000000000000000001"),
        ("1e400", "1e401"),
        ("1", r#""1""#),
        ("1", "true"),
        ("null", "0"),
        ("[1,2]", "[2,1]"),
        // The same letter composed and decomposed.
        (r#""\u00e9""#, r#""e\u0301""#),
    ];
    for (first, second) in table {
        assert!(
            !same(Some(&ticket(first)), Some(&ticket(second))).await,
            "{first} is not {second}"
        );
    }
    assert!(
        !same(Some("{}"), Some(r#"{"x":null}"#)).await,
        "absent is not null"
    );
}

#[tokio::test]
async fn arguments_that_two_parsers_read_differently_are_refused() {
    let endpoint = endpoint();
    let deep = format!("{}1{}", "[".repeat(70), "]".repeat(70));
    let table = [
        Some(r#"{"x":1,"x":2}"#.to_owned()),
        Some(r#"{"x":{"a":1,"a":1}}"#.to_owned()),
        Some(ticket(&deep)),
        Some("null".to_owned()),
        Some("[]".to_owned()),
        Some("5".to_owned()),
    ];
    for arguments in table {
        let reply = exchange(&endpoint, &request(1, arguments.as_deref(), None)).await;
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        assert_eq!(reply["error"]["code"], -32602, "{arguments:?}: {reply}");
    }
}
