//! Every kind of ask on every revision, over both transports: what can be shown is, and what cannot is said.

use mrtr_core::consent::Consented;
use mrtr_core::form::{Field, FormAnswer, MultiSelect, Select};
use mrtr_core::roots::Roots;
use mrtr_core::sampling::{Sample, SampleTool, Sampled};

use super::either::Either;
use super::*;

const ALL: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const SEATS: [(&str, &str); 2] = [("w", "Window"), ("a", "Aisle")];

/// Asks as its argument says, and gives back what it made of the answers.
async fn ask_as(ctx: &Ctx, how: &str, traces: &Traces) -> String {
    let link = "https://pay.example/x";
    match how {
        "form" => {
            let fields = [
                Field::text("name").or("Ada"),
                Field::integer("n", 1..=9).optional(),
                Field::choice("seat", SEATS),
                Field::boolean("meal").or(true),
            ];
            let form: FormAnswer = ctx.ask_form("form", "Details?", fields).await;
            format!("{:?} {:?}", form.text("name"), form.text("seat"))
        }
        "one" => {
            let seat = ctx.choose("seat", "Seat?", SEATS).default("a");
            let seat: Select<String> = seat.await;
            seat.value().clone()
        }
        "many" => {
            let seats: MultiSelect<String> = ctx.choose("seats", "Seats?", SEATS).await;
            seats.into_values().join(" ")
        }
        "maybe_many" => {
            let seats = ctx.choose("seats", "Seats?", SEATS).if_supported();
            let seats: Answer<MultiSelect<String>> = seats.await;
            format!("{}", matches!(seats, Answer::Unsupported))
        }
        "url" => {
            let page: Answer<Consented> = ctx.url("page", "Open it?", link).await;
            format!("{page:?}")
        }
        "until" => {
            let looks = || async {
                // Not while the user is asked for the first time.
                Traces::read(&traces.effects) > 0
            };
            let page = ctx.url("page", "Open it?", link).until(looks);
            let Consented { .. } = page.wait(Duration::from_millis(1)).await;
            "done".into()
        }
        "sample" => {
            let sample = Sample::new("Name three risks.")
                .user("Now.")
                .max_tokens(120);
            let said: Option<Sampled> = ctx.sample("said", sample).await;
            said.map_or("refused".into(), |said| said.text())
        }
        "tools" => {
            let tool = SampleTool::new("add", json!({"type": "object"}));
            let said: Sampled = ctx.sample("said", Sample::new("1 + 2?").tool(tool)).await;
            said.text()
        }
        "roots" => {
            let roots: Roots = ctx.roots("roots").await;
            let paths = roots.iter().map(|root| root.path().display().to_string());
            paths.collect::<Vec<_>>().join(" ")
        }
        "back" => {
            let size: u8 = ctx.ask("size", "What size?").await;
            let colour: String = ctx.ask("colour", "What colour?").await;
            if size > 50 {
                ctx.back_to("size", "There is no such size.").await
            }
            format!("{size} {colour}")
        }
        "row" => {
            let mut sum = 0;
            for n in 0..9 {
                sum += ctx.ask::<u32>(format!("n{n}"), "How many?").await;
            }
            sum.to_string()
        }
        _ => format!("no such way: {how}"),
    }
}

fn kinds(traces: &Traces) -> Server {
    #[derive(Deserialize, JsonSchema)]
    struct Args {
        how: String,
    }
    let traces_of_tool = traces.clone();
    let tool = ToolDef::new("asks")
        .args::<Args>()
        .handler(move |ctx: Ctx, call: Call| {
            let traces = traces_of_tool.clone();
            async move {
                let Args { how } = args(&call)?;
                traces.runs.fetch_add(1, Ordering::SeqCst);
                Ok(ToolResult::text(ask_as(&ctx, &how, &traces).await))
            }
        });
    Server::new("kinds", "1")
        .url_hosts(["pay.example"])
        .tool(tool)
        .keys(crate::fixture::key(1))
}

async fn clients(revision: &'static str) -> Vec<Either> {
    Either::both(|| kinds(&traces()), revision).await
}

/// Asks in this way on every revision, and gives back the first message of each, the same on both
/// transports.
async fn first_of_each(way: &str) -> Vec<Value> {
    let mut firsts = Vec::new();
    for revision in ALL {
        let mut seen: Option<Value> = None;
        for mut client in clients(revision).await {
            let mut first = client.ask(&how(1, way)).await;
            if let Some(params) = first.get_mut("params").and_then(Value::as_object_mut) {
                // The SDK's progress token, and the one name that is drawn.
                params.remove("_meta");
                if let Some(id) = params.get_mut("elicitationId") {
                    assert!(id.as_str().is_some_and(|id| id.len() == 32), "{id}");
                    *id = "drawn".into();
                }
            }
            let seen = seen.get_or_insert_with(|| first.clone());
            assert_eq!(*seen, first, "{revision}");
        }
        firsts.extend(seen);
    }
    firsts
}

fn failure(message: &Value) -> &str {
    assert_eq!(message["result"]["isError"], true, "{message}");
    text(message)
}

#[tokio::test]
async fn a_form_is_shown_in_the_words_of_the_revision() {
    let [newest, older, none @ ..] = &first_of_each("form").await[..] else {
        panic!("four revisions");
    };
    let fields = &newest["params"]["requestedSchema"]["properties"];
    assert_eq!(newest["params"]["mode"], "form");
    assert_eq!(fields["name"]["default"], "Ada");
    assert_eq!(
        fields["seat"]["oneOf"][0],
        json!({"const": "w", "title": "Window"})
    );
    let params = &older["params"];
    assert!(params.get("mode").is_none(), "{params}");
    let fields = &params["requestedSchema"]["properties"];
    assert!(fields["name"].get("default").is_none(), "{fields}");
    assert_eq!(fields["meal"]["default"], true);
    assert_eq!(fields["seat"]["enum"], json!(["w", "a"]));
    assert_eq!(fields["seat"]["enumNames"], json!(["Window", "Aisle"]));
    for answer in none {
        let why = failure(answer);
        assert!(why.contains(r#"{"elicitation":{"form":{}}}"#), "{why}");
        assert!(why.ends_with("and 2025-06-18 has"), "{why}");
    }
}

#[tokio::test]
async fn a_form_is_filled_in_and_held_to_its_rules_in_both_revisions_that_have_it() {
    for revision in &ALL[..2] {
        for mut client in clients(revision).await {
            let question = client.ask(&how(1, "form")).await;
            let wrong = json!({"action": "accept", "content": {"seat": "x"}});
            let again = client.answer(&question, wrong).await;
            assert!(asked(&again).starts_with("Please answer again"), "{again}");
            let content = json!({"seat": "w", "n": 3.0});
            let right = json!({"action": "accept", "content": content});
            let done = client.answer(&again, right).await;
            // The default is the server's to fill in, shown or not.
            assert_eq!(text(&done), r#"Some("Ada") Some("w")"#);
        }
    }
}

#[tokio::test]
async fn choices_made_at_run_time_are_titled_and_several_need_the_newest_revision() {
    for revision in &ALL[..2] {
        for mut client in clients(revision).await {
            let question = client.ask(&how(1, "one")).await;
            assert_eq!(asked(&question), "Seat?");
            let gone = client.answer(&question, value("x")).await;
            assert_eq!(text(&client.answer(&gone, value("w")).await), "w");
        }
    }
    let firsts = first_of_each("many").await;
    assert_eq!(asked(&firsts[0]), "Seats?");
    assert_eq!(
        failure(&firsts[1]),
        "the question `seats` cannot be shown to this client: its revision, 2025-06-18, has no \
         multiple choices, which the field `value` needs"
    );
    let maybe = first_of_each("maybe_many").await;
    assert_eq!(asked(&maybe[0]), "Seats?");
    for answer in &maybe[1..] {
        assert_eq!(text(answer), "true", "{answer}");
    }
    for mut client in clients("2025-11-25").await {
        let question = client.ask(&how(1, "many")).await;
        let done = client.answer(&question, value(json!(["a", "w"]))).await;
        assert_eq!(text(&done), "a w");
    }
}

#[tokio::test]
async fn a_link_needs_the_newest_revision_and_has_a_name_there() {
    let firsts = first_of_each("url").await;
    assert_eq!(
        firsts[0]["params"],
        json!({"mode": "url", "elicitationId": "drawn", "message": "Open it?",
            "url": "https://pay.example/x"})
    );
    for answer in &firsts[1..] {
        let why = failure(answer);
        assert!(why.contains(r#"{"elicitation":{"url":{}}}"#), "{why}");
        assert!(why.ends_with("and 2025-11-25 has"), "{why}");
    }
    for mut client in clients("2025-11-25").await {
        for (answer, expected) in [
            (json!({"action": "accept"}), "Accepted(Consented)"),
            (json!({"action": "decline"}), "Declined"),
            (json!({"action": "cancel"}), "Cancelled"),
        ] {
            let question = client.ask(&how(expected, "url")).await;
            assert_eq!(text(&client.answer(&question, answer).await), expected);
        }
        // The client refuses a mode that it declared.
        let question = client.ask(&how(9, "url")).await;
        let refused = json!({"jsonrpc": "2.0", "id": question["id"],
            "error": {"code": -32602, "message": "URL mode not supported"}});
        let end = client.respond(&refused).await;
        assert_eq!(
            failure(&end),
            "`page` got no answer: the client answered with error -32602"
        );
    }
}

#[tokio::test]
async fn consent_to_a_link_is_asked_for_until_it_is_done() {
    let traces = traces();
    for mut client in Either::both(|| kinds(&traces), "2025-11-25").await {
        traces.effects.store(0, Ordering::SeqCst);
        let consent = || json!({"action": "accept"});
        let first = client.ask(&how(1, "until")).await;
        let again = client.answer(&first, consent()).await;
        let words = asked(&again);
        assert!(words.contains("not finished yet"), "{words}");
        let names = [&first, &again].map(|question| &question["params"]["elicitationId"]);
        assert_ne!(names[0], names[1]);
        traces.effects.store(1, Ordering::SeqCst);
        assert_eq!(text(&client.answer(&again, consent()).await), "done");
    }
}

#[tokio::test]
async fn the_clients_model_is_asked_in_every_revision_and_with_tools_in_the_newest() {
    for revision in ALL {
        for mut client in clients(revision).await {
            let question = client.ask(&how(1, "sample")).await;
            assert_eq!(question["method"], "sampling/createMessage");
            let block =
                |text: &str| json!({"role": "user", "content": {"type": "text", "text": text}});
            let messages = json!([block("Name three risks."), block("Now.")]);
            assert_eq!(question["params"]["messages"], messages);
            assert_eq!(question["params"]["maxTokens"], 120);
            let said = json!({
                "role": "assistant", "content": {"type": "text", "text": "Cost, delay, scope."},
                "model": "example-model-1", "stopReason": "endTurn"
            });
            let done = client.answer(&question, said).await;
            assert_eq!(text(&done), "Cost, delay, scope.");
            // What is no answer is asked for again.
            let question = client.ask(&how(2, "sample")).await;
            let again = client.answer(&question, json!({"action": "accept"})).await;
            let refused = json!({"jsonrpc": "2.0", "id": again["id"],
                "error": {"code": -1, "message": "User rejected sampling request"}});
            assert_eq!(text(&client.respond(&refused).await), "refused");
        }
    }
    let server = || kinds(&traces());
    for mut client in Either::both(server, "2025-06-18").await {
        let why = client.ask(&how(1, "tools")).await;
        let why = failure(&why);
        assert!(why.contains(r#"{"sampling":{"tools":{}}}"#), "{why}");
        assert!(why.ends_with("and 2025-11-25 has"), "{why}");
    }
}

#[tokio::test]
async fn roots_are_named_in_every_revision() {
    for revision in ALL {
        for mut client in clients(revision).await {
            let question = client.ask(&how(1, "roots")).await;
            assert_eq!(question["method"], "roots/list");
            let roots = json!({"roots": [{"uri": "file:///srv/a", "name": "a"}]});
            assert_eq!(text(&client.answer(&question, roots).await), "/srv/a");
            let question = client.ask(&how(2, "roots")).await;
            let unknown = json!({"jsonrpc": "2.0", "id": question["id"],
                "error": {"code": -32601, "message": "Roots not supported"}});
            let why = client.respond(&unknown).await;
            assert!(failure(&why).contains(r#"{"roots":{}}"#), "{why}");
        }
    }
}

#[tokio::test]
async fn going_back_runs_the_handler_again_with_the_new_answer() {
    let traces = traces();
    for mut client in Either::both(|| kinds(&traces), "2025-11-25").await {
        traces.runs.store(0, Ordering::SeqCst);
        let size = client.ask(&how(1, "back")).await;
        let colour = client.answer(&size, value(60)).await;
        let back = client.answer(&colour, value("red")).await;
        assert_eq!(asked(&back), "There is no such size.\nWhat size?");
        let draft = &back["params"]["requestedSchema"]["properties"]["value"]["default"];
        assert_eq!(draft, 60);
        // An invalid answer is asked for again before anything runs.
        let back = client.answer(&back, value("large")).await;
        assert!(asked(&back).starts_with("Please answer again"), "{back}");
        assert_eq!(Traces::read(&traces.runs), 1);
        // What was answered after it is asked again.
        let colour = client.answer(&back, value(40)).await;
        assert_eq!(asked(&colour), "What colour?");
        let done = client.answer(&colour, value("blue")).await;
        assert_eq!(text(&done), "40 blue");
        assert_eq!(Traces::read(&traces.runs), 2);
        // A no to the question that is asked again is the answer.
        let size = client.ask(&how(2, "back")).await;
        let colour = client.answer(&size, value(60)).await;
        let back = client.answer(&colour, value("red")).await;
        let done = client.answer(&back, json!({"action": "decline"})).await;
        assert_eq!(failure(&done), "`size` was declined");
    }
}

#[tokio::test]
async fn nine_questions_come_one_after_the_other() {
    for revision in &ALL[..2] {
        for mut client in clients(revision).await {
            let mut message = client.ask(&how(1, "row")).await;
            for n in 0..9 {
                assert_eq!(asked(&message), "How many?");
                message = client.answer(&message, value(n)).await;
            }
            assert_eq!(text(&message), "36");
        }
    }
}
