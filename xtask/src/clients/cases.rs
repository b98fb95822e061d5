//! What each client plays: a tool, the answers it gives, and what must come of them.

use serde_json::{Value, json};

use super::drive::Run;
use crate::Failure;

/// One call of one tool.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) tool: &'static str,
    /// The answers in order, each with the key of its ask.
    pub(crate) answers: &'static [(&'static str, Reply)],
    /// A part of the result's text.
    expect: &'static str,
    /// Whether the result says that the call failed.
    is_error: bool,
}

/// An answer, as JSON text where there is content.
pub(crate) enum Reply {
    Accept(&'static str),
    Decline,
    Cancel,
}

use Reply::{Accept, Cancel, Decline};

const ADA: &str = r#"{"name":"Ada Lovelace","email":"ada@example.org","seat":"Window"}"#;
const NO_EMAIL: &str = r#"{"name":"Ada Lovelace","email":"nobody","seat":"Window"}"#;
const FEEDBACK: &str = r#"{"headline":"Fine","left":"2026-07-28","stars":5,"again":true,
    "cabin":"Business","good":["Crew","Price"],"email":"ada@example.org","page":"https://example.org/",
    "landed":"2026-07-28T10:00:00Z","delay":1.5,"purpose":"work","served":["tea"]}"#;
const YES: &str = r#"{"ok":true}"#;

/// A case that ends well.
const fn good(
    name: &'static str,
    tool: &'static str,
    answers: &'static [(&'static str, Reply)],
    expect: &'static str,
) -> Case {
    Case {
        name,
        tool,
        answers,
        expect,
        is_error: false,
    }
}

/// A case that ends in a failure the model can read.
const fn bad(
    name: &'static str,
    tool: &'static str,
    answers: &'static [(&'static str, Reply)],
    expect: &'static str,
) -> Case {
    Case {
        name,
        tool,
        answers,
        expect,
        is_error: true,
    }
}

pub(crate) const CASES: &[Case] = &[
    good(
        "whoami accepted",
        "whoami",
        &[("who", Accept(r#"{"name":"Ada"}"#))],
        "Hello, Ada!",
    ),
    good(
        "whoami declined",
        "whoami",
        &[("who", Decline)],
        "Hello, stranger!",
    ),
    good(
        "whoami cancelled",
        "whoami",
        &[("who", Cancel)],
        "Hello, stranger!",
    ),
    good(
        "whoami answered wrongly, then right",
        "whoami",
        &[
            ("who", Accept(r#"{"name":""}"#)),
            ("who", Accept(r#"{"name":"Ada"}"#)),
        ],
        "Hello, Ada!",
    ),
    good(
        "book accepted",
        "book",
        &[("who", Accept(ADA)), ("ok", Accept(YES))],
        "Booked",
    ),
    bad("book declined", "book", &[("who", Decline)], "`who`"),
    bad("book cancelled", "book", &[("who", Cancel)], "`who`"),
    bad(
        "book declined at the price",
        "book",
        &[("who", Accept(ADA)), ("ok", Decline)],
        "not booked",
    ),
    bad(
        "book cancelled at the price",
        "book",
        &[("who", Accept(ADA)), ("ok", Cancel)],
        "not booked",
    ),
    good(
        "book answered wrongly, then right",
        "book",
        &[
            ("who", Accept(NO_EMAIL)),
            ("who", Accept(ADA)),
            ("ok", Accept(YES)),
        ],
        "Booked",
    ),
    good(
        "trip with questions side by side, one by one and all at once",
        "trip",
        &[
            ("party", Accept(r#"{"size":1}"#)),
            ("seat", Accept(r#"{"value":"Aisle"}"#)),
            ("nights", Accept(r#"{"value":3}"#)),
            ("breakfast", Accept(r#"{"value":false}"#)),
            ("wish", Decline),
            ("guest-1", Accept(r#"{"value":"Ada"}"#)),
            ("meal-1", Accept(r#"{"value":"vegan"}"#)),
            ("ok", Accept(YES)),
        ],
        "Booked Rome",
    ),
    good(
        "feedback with every kind of field",
        "feedback",
        &[("form", Accept(FEEDBACK))],
        "Business",
    ),
];

impl Case {
    /// The tool's arguments.
    pub(crate) fn arguments(&self) -> Value {
        match self.tool {
            "book" => json!({ "flight": "LH123" }),
            "trip" => json!({ "to": "Rome" }),
            _ => json!({}),
        }
    }

    /// Holds what happened against what should have.
    pub(crate) fn judge(&self, run: &Run) -> Result<(), Failure> {
        let keys: Vec<&str> = self.answers.iter().map(|(key, _)| *key).collect();
        let asked: Vec<&str> = run.asked.iter().map(|asked| asked.key.as_str()).collect();
        if asked != keys {
            return Err(format!("asked {asked:?}, expected {keys:?}").into());
        }
        for pair in run
            .asked
            .windows(2)
            .filter(|pair| pair[0].key == pair[1].key)
        {
            if !pair[1].message.ends_with(&pair[0].message) || pair[0].message == pair[1].message {
                return Err(format!("asked again without saying why: {pair:?}").into());
            }
        }
        let text = run.result["content"][0]["text"]
            .as_str()
            .unwrap_or_default();
        if !text.contains(self.expect) {
            return Err(format!("the result is {}, expected {:?}", run.result, self.expect).into());
        }
        if (run.result["isError"] == true) != self.is_error {
            return Err(format!("`isError` is not {} in {}", self.is_error, run.result).into());
        }
        Ok(())
    }
}

impl Reply {
    /// The answer as it goes over the wire.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Accept(content) => {
                let content: Value = serde_json::from_str(content).expect("the table holds JSON");
                json!({ "action": "accept", "content": content })
            }
            Decline => json!({ "action": "decline" }),
            Cancel => json!({ "action": "cancel" }),
        }
    }
}
