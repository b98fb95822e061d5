//! Every kind of question goes through the types of rmcp and comes back.

use mrtr::prelude::*;
use mrtr::{Roots, Sample, Sampled};
use serde_json::json;

use crate::person::{Person, accept};
use crate::world::{Era, WAYS, World, call, text};

/// Asks everything.
#[tool]
async fn every_kind() -> String {
    #[ask(message = "Which days?", options = [(1_u8, "Monday"), (2, "Tuesday")])]
    let days: MultiSelect<u8>;
    #[ask(
        message = "Connect your calendar.",
        url = "https://calendar.example/connect"
    )]
    let connected: Option<Consented>;
    #[ask(sample = Sample::new("Sum it up.").system("Be brief."))]
    let summary: Sampled;
    #[ask(roots)]
    let folders: Roots;
    let folders = folders.iter().map(|root| root.path().display().to_string());
    format!(
        "{:?} {} {} {}",
        days.into_values(),
        connected.is_some(),
        summary.text(),
        folders.collect::<Vec<_>>().join(" ")
    )
}

/// Returns anything.
#[tool(read_only)]
async fn anything() -> Json<serde_json::Value> {
    Json(json!([1, 2]))
}

#[tokio::test]
async fn structure_is_what_the_revision_has() {
    for way in WAYS {
        let world = World::with(|mount| mount.tool(anything));
        let client = world.connect(way, &Person::default()).await;
        let result = call(&client, "anything", json!({})).await;
        assert_eq!(text(&result), ("[1,2]", false), "{way:?}");
        let structure = (way.era() == Era::Modern).then(|| json!([1, 2]));
        assert_eq!(result.structured_content, structure, "{way:?}");
    }
}

#[tokio::test]
async fn every_kind_of_question_goes_through_rmcp() {
    for way in WAYS {
        let world = World::with(|mount| {
            let mount = mount.tool(every_kind);
            mount.settings(|server| server.url_hosts(["calendar.example"]))
        });
        let person = Person::with([accept(json!({ "value": ["2"] }))]);
        let client = world.connect(way, &person).await;
        let result = call(&client, "every_kind", json!({})).await;
        assert_eq!(text(&result), ("[2] true short /home/me", false), "{way:?}");
        let mut shown = person.shown();
        shown.sort();
        assert_eq!(
            shown,
            [
                "Be brief.: Sum it up.",
                "Connect your calendar. https://calendar.example/connect",
                "Which days?",
                "roots",
            ],
            "{way:?}"
        );
        assert_eq!(
            person.link_ids().iter().all(String::is_empty),
            way.era() == Era::Modern,
            "{way:?}"
        );
    }
}
