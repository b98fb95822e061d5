//! One call without a transport: how long it takes, and how often it allocates.

use bytes::Bytes;
use divan::{AllocProfiler, Bencher, black_box};
use mrtr::prelude::*;
use mrtr::{Endpoint, Key, KeyRing, Request, Response, Server};
use mrtr_core::digest::ParamsDigest;
use mrtr_core::json::Json;
use mrtr_core::key::AskKey;
use mrtr_core::limits::Limits;
use mrtr_core::question::{Question, What};
use mrtr_core::reply::{FromAnswer, Reply, Verdict};
use mrtr_core::round::{AskOptions, Found, Round};
use mrtr_core::seal::{Bind, Realm, Sealer, Sealing};
use mrtr_core::state::Root;
use serde_json::json;
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

const KEY: [u8; 32] = *b"thirty-two bytes for a benchmark";
const NOW: u64 = 1_780_000_000_000;
const MESSAGE: &str = "Who is travelling to Lisbon?";
const ANSWER: &str = r#"{"action":"accept","content":{"name":"Ada Lovelace","seat":"window"}}"#;

/// Who is travelling.
#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    /// Name as in the passport
    #[schemars(length(min = 1, max = 80))]
    name: String,
    seat: Seat,
}

#[derive(Deserialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Seat {
    /// By the window
    Window,
    /// On the aisle
    Aisle,
}

/// Plans a trip.
#[tool]
async fn plan(
    /// Where to
    city: String,
) -> String {
    #[ask(message = "Who is travelling to {city}?")]
    let who: Traveller;
    let seat = match who.seat {
        Seat::Window => "window",
        Seat::Aisle => "aisle",
    };
    format!("{} travels to {city}, {seat}", who.name)
}

fn main() {
    divan::main();
}

fn keys() -> KeyRing {
    KeyRing::new([Key::from_bytes(&KEY).expect("a key")]).expect("a ring")
}

fn endpoint() -> Endpoint {
    let server = Server::new("bench", "1.0.0").keys(keys()).tool(plan);
    server.build_lines().expect("the server is complete")
}

fn message(state: Option<&str>) -> Bytes {
    let mut params = json!({
        "name": "plan",
        "arguments": {"city": "Lisbon"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        },
    });
    if let Some(state) = state {
        let answer: serde_json::Value = serde_json::from_str(ANSWER).expect("an answer");
        params["inputResponses"] = json!({"who": answer});
        params["requestState"] = state.into();
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    message.to_string().into()
}

async fn answer(endpoint: &Endpoint, message: Bytes) -> Bytes {
    match endpoint.handle(Request::line(message)).await {
        Response::Json(reply) => reply.body().clone(),
        other => panic!("no answer: {other:?}"),
    }
}

/// The runtime, the server, and the message of the round.
fn stage(retry: bool) -> (Runtime, Endpoint, Bytes) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().expect("a runtime");
    let endpoint = endpoint();
    let first = message(None);
    let asked = runtime.block_on(answer(&endpoint, first.clone()));
    if !retry {
        return (runtime, endpoint, first);
    }
    let asked: serde_json::Value = serde_json::from_slice(&asked).expect("JSON");
    let retry = message(asked["result"]["requestState"].as_str());
    let done = runtime.block_on(answer(&endpoint, retry.clone()));
    let done = std::str::from_utf8(&done).expect("text");
    assert!(
        done.contains("Ada Lovelace travels to Lisbon, window"),
        "{done}"
    );
    (runtime, endpoint, retry)
}

#[divan::bench]
fn first_round(bencher: Bencher<'_, '_>) {
    let (runtime, endpoint, message) = stage(false);
    bencher.bench_local(|| runtime.block_on(answer(&endpoint, message.clone())));
}

#[divan::bench]
fn retry(bencher: Bencher<'_, '_>) {
    let (runtime, endpoint, message) = stage(true);
    bencher.bench_local(|| runtime.block_on(answer(&endpoint, message.clone())));
}

/// What the core alone does for a call that brings its one answer.
#[divan::bench]
fn core_answered(bencher: Bencher<'_, '_>) {
    let sealer = Sealer::new(keys(), Sealing::Sealed);
    let params = r#"{"name":"plan","arguments":{"city":"Lisbon"}}"#;
    let mut first = Round::first(Root([7; 16]), NOW, Limits::default());
    assert_eq!(first.ask(question(), AskOptions::default()), Found::Open);
    let state = first.mint(NOW).expect("rounds are left").state;
    let token = sealer.seal(&state, &bind(params), [9; 24]);
    let who = answered(&sealer, params, &token);
    assert_eq!(who.name, "Ada Lovelace");
    bencher.bench_local(|| answered(&sealer, black_box(params), black_box(&token)));
}

fn question() -> Question {
    let key = AskKey::new("who".to_owned()).expect("a key");
    let form = <Traveller as FromAnswer>::form(MESSAGE)
        .expect("a form")
        .expect("of fields");
    Question::new(key, MESSAGE, What::Form(form)).expect("a question")
}

fn bind(params: &str) -> Bind {
    let params = Json::parse(params, 64).expect("params");
    let digest = ParamsDigest::of(params.root()).expect("a digest");
    Realm::new("bench").bind(None, None, "tools/call", &digest)
}

/// Opens the state, takes the answer, asks, and reads what was found.
fn answered(sealer: &Sealer, params: &str, token: &str) -> Traveller {
    let limits = Limits::default();
    let opened = sealer.open(token, &bind(params), NOW, limits.rounds, limits.state);
    let mut round = Round::resume(opened.expect("our own state"), limits);
    round.take_answers([("who", ANSWER)], false);
    match round.ask(question(), AskOptions::default()) {
        Found::Accepted(content) => match Traveller::from_reply(&Reply::Accepted(&content)) {
            Verdict::Value(who) => who,
            other => panic!("not read: {}", matches!(other, Verdict::No)),
        },
        other => panic!("not accepted: {other:?}"),
    }
}
