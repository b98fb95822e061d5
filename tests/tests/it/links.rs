//! Questions that open links: where they may lead, when they are done, and whose they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mrtr::prelude::*;
use mrtr::{Endpoint, Principal, Server, Ticket, TicketError};
use mrtr_tests::{Peer, Round, accept, cancel, capabilities, decline};
use serde_json::{Value, json};

/// Whether the user has done on the page what the link is for.
#[derive(Clone, Default)]
struct Bank(Arc<AtomicBool>);

impl Bank {
    async fn is_connected(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

#[tool]
async fn open(url: String) -> String {
    #[ask(message = "Open this?", url = url)]
    let page: Option<Consented>;
    format!("{page:?}")
}

#[tool]
async fn visit() -> String {
    #[ask(message = "Open this?", url = "https://pay.example/x")]
    let page: Answer<Consented>;
    format!("{page:?}")
}

#[tool]
async fn connect(ctx: &Ctx, State(bank): State<Bank>) -> String {
    let url = format!("https://pay.example/connect?t={}", ctx.link("connect"));
    let connect: Consented = ctx
        .url("connect", "Connect your bank?", url)
        .until(async || bank.is_connected().await)
        .wait(Duration::from_millis(300))
        .await;
    let Consented { .. } = connect;
    #[ask(message = "Pay?")]
    let pay: Confirm;
    format!("{}", pay.yes())
}

#[tool]
async fn broken(ctx: &Ctx) -> Result<String, ToolError> {
    let Consented { .. } = ctx
        .url("broken", "Open?", "https://pay.example/")
        .until(async || Err::<bool, _>("secret reason"))
        .await;
    Ok("done".into())
}

/// Looks at the consent and waits for what it is for, in the order that was not documented.
#[tool]
async fn checked(ctx: &Ctx, State(bank): State<Bank>) -> String {
    let Consented { .. } = ctx
        .url("checked", "Connect your bank?", "https://pay.example/")
        .wait(Duration::from_secs(60))
        .until(async || bank.is_connected().await)
        .validate(|_: &Consented| Err::<(), _>("you are not signed in"))
        .await;
    "connected".into()
}

/// Waits for a second time longer than it takes.
#[tool]
async fn patient(ctx: &Ctx, State(bank): State<Bank>) -> String {
    let Consented { .. } = ctx
        .url("patient", "Connect your bank?", "https://pay.example/")
        .wait(Duration::from_secs(60))
        .until(async || bank.is_connected().await)
        .await;
    "connected".into()
}

#[tool]
async fn mixed() -> String {
    #[ask(message = "Open this?", url = "https://pay.example/x")]
    let page: Consented;
    #[ask(message = "Your name?")]
    let name: String;
    let Consented { .. } = page;
    name
}

fn server() -> Server {
    Server::new("links", "1")
        .url_hosts(["pay.example"])
        .state(Bank::default())
        .tools([open(), visit(), connect(), broken(), mixed()])
        .tools([checked(), patient()])
}

fn agree() -> Value {
    json!({ "action": "accept" })
}

#[tokio::test]
async fn only_declared_hosts_are_opened() {
    let peer = Peer::of(server());
    let asked = peer
        .call("open", json!({ "url": "https://pay.example/a?b=c" }))
        .await;
    let params =
        json!({ "mode": "url", "message": "Open this?", "url": "https://pay.example/a?b=c" });
    assert_eq!(asked.question("page"), &params);
    for (url, remedy) in [
        ("https://evil.example/", "`.url_hosts([..])`"),
        ("https://pay.example:8443/", "`.url_hosts([..])`"),
        ("http://pay.example/", "use `https`"),
        ("http://localhost:3000/", "use `https`"),
        ("https://ada:pw@pay.example/", "before the `@`"),
        ("https://10.0.0.1/", "host name"),
        ("javascript:alert(1)", "only `https`"),
        ("pay.example", "absolute URL"),
    ] {
        let end = peer.call("open", json!({ "url": url })).await;
        assert!(
            end.failure().contains("`page`") && end.failure().contains(remedy),
            "{}",
            end.raw
        );
    }
}

#[tokio::test]
async fn an_answer_to_a_link_is_consent_a_no_or_nothing() {
    let peer = Peer::of(server());
    for (answer, expected) in [
        (agree(), "Accepted(Consented)"),
        (accept(json!({ "done": true })), "Accepted(Consented)"),
        (decline(), "Declined"),
        (cancel(), "Cancelled"),
    ] {
        let asked = peer.call("visit", json!({})).await;
        assert_eq!(
            asked.answer(json!({ "page": answer })).await.text(),
            expected
        );
    }
}

#[tokio::test]
async fn another_address_is_another_question() {
    // The arguments are bound to the state, so the address moves with the server here.
    #[tool]
    async fn moving(State(bank): State<Bank>) -> String {
        let page = if bank.is_connected().await { "b" } else { "a" };
        #[ask(message = "Open this?", url = format!("https://pay.example/{page}"))]
        let opened: Consented;
        let Consented { .. } = opened;
        page.to_owned()
    }
    let bank = Bank::default();
    let server = Server::new("links", "1")
        .url_hosts(["pay.example"])
        .state(bank.clone());
    let peer = Peer::of(server.tool(moving));
    let asked = peer.call("moving", json!({})).await;
    bank.0.store(true, Ordering::SeqCst);
    let again = asked.answer(json!({ "opened": agree() })).await;
    assert!(
        again.message("opened").contains("Something changed"),
        "{}",
        again.raw
    );
    assert_eq!(again.question("opened")["url"], "https://pay.example/b");
}

#[tokio::test]
async fn consent_is_not_done_until_it_is_done() {
    let bank = Bank::default();
    let peer = Peer::of(server().state(bank.clone()));
    let mut asked = peer.call("connect", json!({})).await;
    // More often than an invalid answer may come: these are no wrong answers.
    for _ in 0..5 {
        asked = asked.answer(json!({ "connect": agree() })).await;
        assert!(
            asked.message("connect").contains("not finished yet"),
            "{}",
            asked.raw
        );
        assert!(
            asked.message("connect").ends_with("Connect your bank?"),
            "{}",
            asked.raw
        );
    }
    // Done while the round waits.
    let later = bank.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        later.0.store(true, Ordering::SeqCst);
    });
    let pay = asked.answer(json!({ "connect": agree() })).await;
    assert_eq!(pay.keys(), ["pay"]);
    let end = pay
        .answer(json!({ "pay": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(end.text(), "true");
}

#[tokio::test]
async fn consent_is_looked_at_before_it_is_waited_for() {
    let peer = Peer::of(server());
    let asked = peer.call("checked", json!({})).await;
    let again = asked.answer(json!({ "checked": agree() })).await;
    let said = again.message("checked");
    assert!(said.contains("you are not signed in"), "{}", again.raw);
}

#[tokio::test]
async fn the_wait_may_be_named_before_what_is_waited_for() {
    let bank = Bank::default();
    let peer = Peer::of(server().state(bank.clone()));
    let asked = peer.call("patient", json!({})).await;
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(3)).await;
        bank.0.store(true, Ordering::SeqCst);
    });
    let end = asked.answer(json!({ "patient": agree() })).await;
    assert_eq!(end.text(), "connected");
}

#[tokio::test]
async fn a_link_that_is_never_done_uses_up_the_rounds_and_a_no_ends_it() {
    let peer = Peer::of(server());
    let mut asked = peer.call("connect", json!({})).await;
    let no = asked.answer(json!({ "connect": agree() })).await;
    let no = no.answer(json!({ "connect": decline() })).await;
    assert!(
        no.failure().contains("`connect` was declined"),
        "{}",
        no.raw
    );
    while !asked.is_over() {
        asked = asked.answer(json!({ "connect": agree() })).await;
    }
    assert!(
        asked.failure().contains("more than 10 rounds"),
        "{}",
        asked.raw
    );
}

#[tokio::test]
async fn a_failed_look_ends_the_call_and_tells_nothing() {
    let peer = Peer::of(server());
    let asked = peer.call("broken", json!({})).await;
    let end = asked.answer(json!({ "broken": agree() })).await;
    assert!(end.failure().contains("`broken`"), "{}", end.raw);
    assert!(!end.raw.contains("secret reason"), "{}", end.raw);
}

#[tokio::test]
async fn links_and_forms_go_out_together() {
    let peer = Peer::of(server());
    let asked = peer.call("mixed", json!({})).await;
    // In the order of a map; on the wire it is that of the source.
    assert_eq!(asked.keys(), ["name", "page"]);
    let end = asked
        .answer(json!({ "page": agree(), "name": accept(json!({ "value": "Ada" })) }))
        .await;
    assert_eq!(end.text(), "Ada");
    // What is missing, and no more, is named.
    let params = |declared: Value| json!({ "name": "mixed", "arguments": {}, "_meta": capabilities(&declared) });
    let cases = [
        (
            json!({ "elicitation": { "form": {} } }),
            json!({ "elicitation": { "url": {} } }),
        ),
        (
            json!({ "elicitation": { "url": {} } }),
            json!({ "elicitation": { "form": {} } }),
        ),
        (
            json!({}),
            json!({ "elicitation": { "form": {}, "url": {} } }),
        ),
    ];
    for (declared, missing) in cases {
        let refused = peer.send(params(declared)).await;
        assert_eq!(refused.code(), -32021);
        assert_eq!(
            refused.response["error"]["data"]["requiredCapabilities"],
            missing
        );
    }
}

fn ada() -> Principal {
    Principal::new("https://issuer.example", "ada").expect("a subject")
}

fn ticket_of(round: &Round) -> String {
    let url = round.question("connect")["url"].as_str().expect("a link");
    url.split_once("t=").expect("a ticket").1.to_owned()
}

#[tokio::test]
async fn a_ticket_opens_for_its_user_only() {
    let endpoint: Endpoint = server().build_lines().expect("the server builds");
    let peer = Peer::at(endpoint.clone()).as_principal(ada().client("mcp-client"));
    let asked = peer.call("connect", json!({})).await;
    let text = ticket_of(&asked);
    let web = ada().client("web-page");
    let ticket: Ticket = endpoint.open_ticket(&text, &web).expect("Ada's own");
    assert_eq!(ticket.ask(), "connect");
    let bob = Principal::new("https://issuer.example", "bob").expect("a subject");
    let refused = |text: &str, user: Option<&Principal>| endpoint.open_ticket(text, user).err();
    assert_eq!(refused(&text, Some(&bob)), Some(TicketError::OtherUser));
    assert_eq!(refused(&text, None), Some(TicketError::OtherUser));
    assert_eq!(refused(&text[1..], Some(&web)), Some(TicketError::Invalid));
    // A request state is no ticket, and another server's ticket is none of ours.
    assert_eq!(
        refused(&asked.state(), Some(&web)),
        Some(TicketError::Invalid)
    );
    let other = server().build_lines().expect("the server builds");
    assert_eq!(
        other.open_ticket(&text, &web).err(),
        Some(TicketError::Invalid)
    );
}

#[tokio::test]
async fn a_server_whose_links_lead_nowhere_does_not_build() {
    let nowhere = Server::new("links", "1").tool(visit).build_lines();
    let why = nowhere.expect_err("no host is declared").to_string();
    assert!(
        why.contains("`visit`") && why.contains(".url_hosts"),
        "{why}"
    );
    let wrong = Server::new("links", "1")
        .url_hosts(["https://pay.example"])
        .build_lines();
    let why = wrong.expect_err("no host name").to_string();
    assert!(
        why.contains("`url_hosts` is `https://pay.example`"),
        "{why}"
    );
}
