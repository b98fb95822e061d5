//! What a mount refuses when it is built, and a tool whose router cannot ask.

use mrtr::prelude::{Principal, ToolError, prompt, tool};
use mrtr_rmcp::Mount;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::{ServerHandler, ServiceExt, tool_handler};
use serde_json::json;

use crate::person::Person;
use crate::travel_desk::{self, Bookings, Desk};
use crate::world::{end, keys, params};

fn problem(mount: Mount) -> String {
    mount.build().expect_err("it must not build").to_string()
}

fn mount() -> Mount {
    travel_desk::mount(&Bookings::default())
}

/// Greets somebody.
#[prompt]
async fn greet() -> Result<String, ToolError> {
    Ok("Say hello.".to_owned())
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let told = problem(mount());
    assert!(told.contains("no key seals the request states"), "{told}");
    assert!(told.contains("tool `book` commits"), "{told}");
    assert!(
        !told.contains("host"),
        "hosts are the other server's: {told}"
    );
    let told = problem(mount().local().settings(|server| server.prompt(greet)));
    assert_eq!(
        told,
        "the server cannot be built: prompt `greet` cannot be mounted: the other server hands on \
         answers and state of tools only\n  help: serve it with mrtr"
    );
}

/// Has a `_meta` that is none.
#[tool(read_only, meta = json!("odd"))]
async fn odd() {}

#[test]
fn a_tool_that_rmcp_cannot_list_is_named() {
    let told = problem(mount().local().tool(odd));
    assert_eq!(
        told,
        "the server cannot be built: tool `odd`: its `meta` is no JSON object: \
         write `json!({ \"com.example/key\": .. })`"
    );
}

#[test]
fn each_remedy_is_one() {
    assert!(mount().local().build().is_ok());
    let keyed = || mount().keys(keys());
    assert!(keyed().build().is_err());
    assert!(keyed().allow_anonymous_commits().build().is_ok());
    let alice = Principal::new("https://issuer.example", "alice").unwrap();
    assert!(keyed().stdio_principal(alice).build().is_ok());
    assert!(
        keyed()
            .settings(|server| server.require_principal())
            .build()
            .is_err()
    );
}

/// A server whose router nobody made able to ask.
#[derive(Clone)]
struct Forgotten {
    tool_router: ToolRouter<Self>,
}

#[rmcp::tool_router]
impl Forgotten {
    #[rmcp::tool(description = "Asks")]
    async fn asks(
        &self,
        asks: mrtr_rmcp::Asks,
    ) -> Result<rmcp::model::CallToolResponse, rmcp::ErrorData> {
        asks.run(async move |_: &mrtr::Ctx| "asked").await
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Forgotten {}

#[tokio::test]
async fn a_tool_whose_router_cannot_ask_says_how_to_make_it() {
    let (ours, theirs) = tokio::io::duplex(4096);
    let server = Forgotten {
        tool_router: Forgotten::tool_router(),
    };
    tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await });
    let client = Person::default().serve(ours).await.unwrap();
    let told = end(&client, &params("asks", json!({}))).await.unwrap_err();
    assert_eq!(
        told.1,
        "this tool asks, but its router cannot; make it with `mounted.asking(Self::tool_router())`"
    );
}

#[tokio::test]
async fn a_local_mount_needs_nobody_to_be_known() {
    let bookings = Bookings::default();
    let mounted = travel_desk::mount(&bookings).local().build().unwrap();
    bookings.book("LH1");
    let (ours, theirs) = tokio::io::duplex(4096);
    let desk = Desk::new(&mounted, bookings.clone());
    tokio::spawn(async move { desk.serve(theirs).await.unwrap().waiting().await });
    let person = Person::with([crate::person::accept(json!({ "ok": true }))]);
    let client = person.serve(ours).await.unwrap();
    let told = end(&client, &params("cancel_all", json!({}))).await;
    assert_eq!(told.unwrap(), "cancelled 1");
    assert!(mounted.drain(std::time::Duration::from_secs(1)).await);
}
