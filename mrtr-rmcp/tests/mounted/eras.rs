//! What a client sees of mounted tools is the same on every transport and revision.

use serde_json::json;

use crate::person::{Person, accept, decline};
use crate::world::{Era, WAYS, Way, World, call, end, params, text};

#[tokio::test]
async fn tools_of_both_kinds_are_listed_and_called() {
    for way in WAYS {
        let world = World::new();
        let client = world.connect(way, &Person::default()).await;
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(
            names,
            [
                "book",
                "book_at_once",
                "cancel_all",
                "feedback",
                "flight_status",
                "half_done",
                "list_bookings",
                "list_flights",
                "who_calls",
            ],
            "{way:?}"
        );
        let book = tools.iter().find(|tool| tool.name == "book").unwrap();
        assert_eq!(
            book.description.as_deref(),
            Some("Books a seat on a flight.")
        );
        assert_eq!(book.input_schema["required"], json!(["flight"]));
        let status = call(&client, "flight_status", json!({ "flight": "LH1" })).await;
        assert_eq!(text(&status), ("LH1 is on time", false), "{way:?}");
    }
}

#[tokio::test]
async fn a_mounted_tool_asks_and_commits() {
    for way in WAYS {
        let world = World::new();
        let person = Person::with([
            accept(json!({ "row": 3, "window": true })),
            accept(json!({ "ok": true })),
        ]);
        let client = world.connect(way, &person).await;
        let booked = call(&client, "book", json!({ "flight": "LH1" })).await;
        assert_eq!(text(&booked), ("booked; 1 in all", false), "{way:?}");
        assert_eq!(
            person.shown(),
            [
                "Where do you want to sit on LH1?",
                "Book LH1, row 3, window?"
            ]
        );
        assert_eq!(world.bookings.all(), ["LH1 row 3 window"]);
    }
}

#[tokio::test]
async fn a_no_is_a_no() {
    for way in WAYS {
        let world = World::new();
        let seat = accept(json!({ "row": 3, "window": false }));
        let person = Person::with([seat, decline(), decline()]);
        let client = world.connect(way, &person).await;
        let refused = call(&client, "book", json!({ "flight": "LH1" })).await;
        assert_eq!(text(&refused), ("not booked", true), "{way:?}");
        assert_eq!(world.bookings.all(), [""; 0]);
        let silent = call(&client, "feedback", json!({})).await;
        assert_eq!(text(&silent), ("no answer", false), "{way:?}");
    }
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again() {
    for way in WAYS {
        let world = World::new();
        let person = Person::with([
            accept(json!({ "row": 99, "window": true })),
            accept(json!({ "row": 9, "window": true })),
            decline(),
        ]);
        let client = world.connect(way, &person).await;
        call(&client, "book", json!({ "flight": "LH1" })).await;
        let shown = person.shown();
        assert_eq!(shown.len(), 3, "{way:?}: {shown:?}");
        assert!(shown[1].contains("row"), "{way:?}: {shown:?}");
        assert_eq!(shown[2], "Book LH1, row 9, window?");
    }
}

#[tokio::test]
async fn a_tool_of_rmcps_own_asks_and_commits() {
    for way in WAYS {
        let world = World::new();
        let person = Person::with([decline(), accept(json!({ "ok": true }))]);
        let client = world.connect(way, &person).await;
        call(&client, "book_at_once", json!({})).await;
        let kept = call(&client, "cancel_all", json!({})).await;
        assert_eq!(text(&kept), ("nothing was cancelled", true), "{way:?}");
        assert_eq!(world.bookings.all().len(), 1);
        let cancelled = call(&client, "cancel_all", json!({})).await;
        assert_eq!(text(&cancelled), ("cancelled 1", false), "{way:?}");
        assert_eq!(world.bookings.all().len(), 0);
        assert_eq!(person.shown(), ["Cancel all 1 bookings?"; 2]);
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_so() {
    for way in WAYS {
        let world = World::new();
        let client = world.connect(way, &Person::mute()).await;
        for tool in ["feedback", "cancel_all"] {
            let told = end(&client, &params(tool, json!({}))).await;
            match way.era() {
                Era::Modern => assert_eq!(told.unwrap_err().0, -32021, "{way:?} {tool}"),
                Era::Older => {
                    let told = told.unwrap();
                    assert!(told.contains("elicitation"), "{way:?} {tool}: {told}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_question_that_nobody_answers_ends_the_call() {
    for way in [Way::Pipe(Era::Older), Way::Http(Era::Older)] {
        let patience = std::time::Duration::from_millis(100);
        let world = World::with(|mount| mount.settings(|server| server.ask_timeout(patience)));
        let client = world.connect(way, &Person::asleep()).await;
        for tool in ["feedback", "cancel_all"] {
            let told = end(&client, &params(tool, json!({}))).await.unwrap();
            assert!(told.contains("nobody answered"), "{way:?} {tool}: {told}");
        }
    }
}

#[tokio::test]
async fn handlers_know_the_caller_and_report_progress() {
    for way in WAYS {
        let world = World::new();
        let person = Person::default();
        let client = world.connect(way, &person).await;
        let caller = call(&client, "who_calls", json!({})).await;
        assert_eq!(text(&caller), ("alice", false), "{way:?}");
        call(&client, "half_done", json!({})).await;
        assert_eq!(person.progress(), [1.0], "{way:?}");
    }
}

#[tokio::test]
async fn a_caller_who_is_not_let_in_calls_nothing() {
    for era in [Era::Modern, Era::Older] {
        let world = World::new();
        let way = Way::Http(era);
        let person = Person::default();
        let nobody = world.connect_http(way, &person, None).await;
        let caller = call(&nobody, "who_calls", json!({})).await;
        assert_eq!(text(&caller), ("nobody", false), "{way:?}");
        let refused = (-32600, "the request is not authenticated".to_owned());
        let told = end(&nobody, &params("book_at_once", json!({}))).await;
        assert_eq!(told.unwrap_err(), refused, "{way:?}");
        let told = end(&nobody, &params("cancel_all", json!({}))).await;
        assert_eq!(told.unwrap_err(), refused, "{way:?}");
        let mallory = world.connect_http(way, &person, Some("mallory")).await;
        let told = end(&mallory, &params("who_calls", json!({}))).await;
        assert_eq!(told.unwrap_err(), refused, "{way:?}");
        assert_eq!(world.bookings.all(), [""; 0]);
    }
}
