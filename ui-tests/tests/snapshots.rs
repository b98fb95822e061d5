//! The committed expansions of `mrtr-macros` compile as they stand.

#![allow(
    unreachable_pub,
    reason = "the committed expansions are those of public items"
)]
// As text they lose the marks that tell rustc and clippy "this was generated".
#![allow(
    unused_parens,
    unused_mut,
    unused_assignments,
    clippy::all,
    reason = "expansions read as plain text"
)]
#![allow(
    dead_code,
    unused_variables,
    deprecated,
    unused_imports,
    reason = "only compiled"
)]

use mrtr::prelude::*;
use mrtr::{self as renamed, Roots, Sample, Sampled};

/// What the sources of the snapshots name.
mod world {
    use mrtr::prelude::*;

    #[derive(Clone, Debug, Deserialize, JsonSchema)]
    pub struct Desk(pub String);

    #[derive(Serialize, JsonSchema)]
    pub struct Booking {
        pub seat: String,
    }

    #[derive(Deserialize, JsonSchema, Form)]
    pub struct Traveller {
        pub name: String,
    }

    pub struct Extra(pub u8);

    impl FromCall for Extra {
        async fn from_call(_: &Ctx, _: &Call) -> Result<Self, ToolError> {
            Ok(Self(1))
        }
    }

    pub async fn languages(typed: mrtr::Completing) -> mrtr::Completions {
        typed.matching(["Rust"])
    }

    pub fn find_note(id: u64) -> Option<String> {
        Some(id.to_string())
    }

    impl Desk {
        pub fn review(&self, language: &str, lines: Option<u32>, focus: &str) -> String {
            format!("{language} {lines:?} {focus}")
        }

        pub async fn quote(&self, _flight: &str) -> Result<f64, ToolError> {
            Ok(1.0)
        }

        pub async fn book(
            &self,
            _: &str,
            _: &Traveller,
            _: f64,
            seat: String,
        ) -> Result<Booking, ToolError> {
            Ok(Booking { seat })
        }
    }

    pub fn seats_meta() -> serde_json::Value {
        serde_json::json!({"example.com/rank": 1})
    }

    pub fn translate(text: &str) -> String {
        text.to_owned()
    }

    pub fn not_empty(text: &String) -> Result<(), String> {
        if text.is_empty() {
            Err("must not be empty".to_owned())
        } else {
            Ok(())
        }
    }

    pub async fn fetch() -> Result<u32, ToolError> {
        Ok(1)
    }

    pub async fn act() -> Result<(), ToolError> {
        Ok(())
    }

    pub async fn pay(_invoice: &str, _key: String) -> Result<(), ToolError> {
        Ok(())
    }

    pub async fn note(_invoice: &str) -> Result<(), ToolError> {
        Ok(())
    }

    pub trait Text {
        fn text(&self) -> String;
    }

    impl Text for (&String, u8) {
        fn text(&self) -> String {
            format!("{}/{}", self.0, self.1)
        }
    }

    pub fn connect_url(ctx: &Ctx) -> String {
        format!("https://pay.example/?t={}", ctx.link("page"))
    }

    pub async fn is_connected(_bank: &str) -> bool {
        true
    }

    pub fn accounts() -> [(u32, &'static str); 1] {
        [(1, "Savings")]
    }

    pub async fn find(key: String) -> Option<String> {
        Some(key)
    }
}

macro_rules! snapshots {
    ($($name:ident)*) => {$(
        mod $name {
            use super::world::*;
            use super::*;
            include!(concat!("../../mrtr-macros/src/snapshots/", stringify!($name), ".rs"));
        }
    )*};
}

snapshots!(plain book options injected parameters_ask rounds memo commits commit_options helper renamed_crate prompt resource kinds);

mod methods {
    use super::*;

    #[derive(Deserialize, JsonSchema)]
    pub struct Desk(pub String);

    include!("../../mrtr-macros/src/snapshots/methods.rs");
}

#[test]
fn definitions_can_be_made() {
    let tools: [fn() -> mrtr::Tool; 11] = [
        plain::ping,
        book::book,
        options::seats,
        injected::who_am_i,
        parameters_ask::trip,
        rounds::rounds,
        memo::memo,
        commits::commits,
        commit_options::commit_options,
        renamed_crate::hello,
        kinds::kinds,
    ];
    let names: Vec<String> = tools.iter().map(|tool| tool().name().to_owned()).collect();
    assert_eq!(
        names,
        [
            "ping",
            "book",
            "list.seats",
            "who_am_i",
            "trip",
            "rounds",
            "memo",
            "commits",
            "commit_options",
            "hello",
            "kinds"
        ]
    );
    let desk = std::sync::Arc::new(methods::Desk(String::new()));
    let names: Vec<String> = mrtr::Handlers::handlers(desk)
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    assert_eq!(names, ["count", "reserve"]);
}
