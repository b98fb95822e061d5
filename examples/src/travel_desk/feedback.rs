//! A form with a field of every kind that the revision knows.

use mrtr::prelude::*;

/// How it was.
#[derive(Debug, Deserialize, Serialize, JsonSchema, Form)]
pub struct Feedback {
    /// In a few words
    ///
    /// The headline that others read first.
    #[schemars(length(min = 3, max = 60))]
    headline: String,
    /// Where to reach you
    #[schemars(email)]
    email: Option<String>,
    /// Your own page about it
    #[schemars(url)]
    page: Option<String>,
    /// The day you left
    #[schemars(extend("format" = "date"))]
    left: String,
    /// When you landed
    #[schemars(extend("format" = "date-time"))]
    landed: Option<String>,
    /// Stars
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    /// Hours of delay
    #[schemars(range(min = 0.0, max = 48.0))]
    #[serde(default)]
    delay: f64,
    /// Would you fly again?
    again: bool,
    /// What for
    #[serde(default)]
    purpose: Purpose,
    /// Where you sat
    cabin: Cabin,
    /// What was good
    #[schemars(length(max = 3))]
    good: Vec<Praise>,
    /// What was served
    #[serde(default)]
    served: Vec<Served>,
}

/// A choice whose values speak for themselves.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Purpose {
    Work,
    #[default]
    Leisure,
}

/// A choice with titles.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema, Form)]
enum Cabin {
    /// Economy class
    Economy,
    /// Business class
    Business,
}

/// Choices with titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Form)]
enum Praise {
    /// The crew
    Crew,
    /// The legroom
    Legroom,
    /// The price
    Price,
}

/// Choices whose values speak for themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Served {
    Coffee,
    Tea,
    Sandwich,
}

/// Takes feedback on a flight.
#[tool(title = "Give feedback", read_only)]
pub async fn feedback(#[ask(message = "How was your flight?")] form: Feedback) -> Json<Feedback> {
    Json(form)
}
