//! The very bytes of a server, committed: order of members, fields, tools and questions.

use expect_test::{Expect, expect};
use mrtr::Server;
use mrtr::prelude::*;

use crate::{META, exchange};

/// Fields out of the alphabet's order.
#[derive(Deserialize, JsonSchema, Form)]
#[allow(dead_code, reason = "only its schema matters")]
struct Zoo {
    /// Zebras
    zebras: u8,
    /// The keeper
    #[schemars(length(min = 1, max = 20))]
    alpha: String,
    #[serde(default)]
    big: Big,
    ratio: Option<f64>,
}

#[derive(Clone, Copy, Default, Deserialize, Serialize, JsonSchema, Form)]
enum Big {
    /// Zulu
    Z,
    /// Alfa
    #[default]
    A,
}

#[derive(Serialize, JsonSchema)]
struct Report {
    zulu: f64,
    alfa: Vec<u64>,
}

/// Counts animals.
#[tool(title = "Zoo", read_only)]
async fn zoo(
    /// Where
    town: String,
    /// How large
    area: Option<f64>,
    #[ask(message = "How many in {town}?")] second: Zoo,
    #[ask(message = "Really?")] first: Confirm,
) -> Json<Report> {
    let _ = (area, first, second.zebras);
    Json(Report {
        zulu: 0.1,
        alfa: vec![u64::MAX],
    })
}

/// Comes before it in the alphabet.
#[tool]
async fn ant() {}

async fn check(method: &str, params: &str, expected: Expect) {
    let server = Server::new("bytes", "1").tools([zoo(), ant()]);
    let endpoint = server.build_lines().expect("the server builds");
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}"_meta":{META}}}}}"#
    );
    let reply = exchange(&endpoint, &request).await;
    // The state is random by design.
    let reply = match reply.split_once(r#""requestState":""#) {
        Some((before, state)) => {
            let (_, after) = state.split_once('"').expect("a state ends");
            format!(r#"{before}"requestState":"..."{after}"#)
        }
        None => reply,
    };
    expected.assert_eq(&reply);
}

#[tokio::test]
async fn discovery() {
    check("server/discover", "", expect![[r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{}},"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bytes","version":"1"}}}}"#]]).await;
}

#[tokio::test]
async fn tools() {
    check("tools/list", "", expect![[r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"zoo","title":"Zoo","description":"Counts animals.","inputSchema":{"properties":{"town":{"description":"Where","type":"string"},"area":{"description":"How large","type":"number"}},"required":["town"],"type":"object"},"outputSchema":{"properties":{"alfa":{"items":{"minimum":0,"type":"integer"},"type":"array"},"zulu":{"type":"number"}},"required":["zulu","alfa"],"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"ant","description":"Comes before it in the alphabet.","inputSchema":{"additionalProperties":false,"type":"object"}}],"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bytes","version":"1"}}}}"#]]).await;
}

#[tokio::test]
async fn questions() {
    check(
        "tools/call",
        r#""name":"zoo","arguments":{"town":"Rome"},"#,
        expect![[r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"second":{"method":"elicitation/create","params":{"mode":"form","message":"How many in Rome?","requestedSchema":{"type":"object","properties":{"zebras":{"type":"integer","title":"Zebras","minimum":0,"maximum":255},"alpha":{"type":"string","title":"The keeper","minLength":1,"maxLength":20},"big":{"type":"string","oneOf":[{"const":"Z","title":"Zulu"},{"const":"A","title":"Alfa"}],"default":"A"},"ratio":{"type":"number"}},"required":["zebras","alpha"]}}},"first":{"method":"elicitation/create","params":{"mode":"form","message":"Really?","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}}},"requestState":"...","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bytes","version":"1"}}}}"#]],
    )
    .await;
}

#[tokio::test]
async fn results() {
    check("tools/call", r#""name":"ant","#, expect![[r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bytes","version":"1"}}}}"#]]).await;
}
