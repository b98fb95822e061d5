//! Tools that ask, as the suite calls them on an open session. Nothing in them is about sessions.

use mrtr::prelude::*;
use mrtr::{Sample, Sampled, Tool};

/// The tools of this file.
pub(super) fn tools() -> [Tool; 4] {
    [
        test_sampling(),
        test_elicitation(),
        test_elicitation_sep1034_defaults(),
        test_elicitation_sep1330_enums(),
    ]
}

/// Asks the client's model.
#[tool(read_only)]
async fn test_sampling(
    /// What the model is asked
    prompt: String,
) -> String {
    #[ask(sample = Sample::new(prompt).max_tokens(100))]
    let answer: Sampled;
    format!("LLM response: {}", answer.text())
}

#[derive(Deserialize, Serialize, JsonSchema, Form)]
struct Account {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Asks the user who they are.
#[tool(read_only)]
async fn test_elicitation(
    /// What the user reads
    message: String,
) -> Result<String, ToolError> {
    #[ask(message = message)]
    let account: Answer<Account>;
    Ok(format!("User response: {}", told(account)?))
}

/// A form that is filled in when the user sees it.
#[derive(Deserialize, Serialize, JsonSchema, Form)]
struct FilledIn {
    #[serde(default = "john")]
    name: String,
    #[serde(default = "thirty")]
    age: u8,
    #[serde(default = "nearly_all")]
    score: f64,
    #[serde(default)]
    status: Status,
    #[serde(default = "yes")]
    verified: bool,
}

#[derive(Default, Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Status {
    #[default]
    Active,
    Inactive,
    Pending,
}

fn john() -> String {
    "John Doe".into()
}

fn thirty() -> u8 {
    30
}

fn nearly_all() -> f64 {
    95.5
}

fn yes() -> bool {
    true
}

/// Asks with a form that is filled in.
#[tool(read_only)]
async fn test_elicitation_sep1034_defaults() -> Result<String, ToolError> {
    #[ask(message = "Please review and update the form fields with defaults")]
    let form: Answer<FilledIn>;
    Ok(format!("Elicitation completed: {}", told(form)?))
}

/// Every way to choose.
#[derive(Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "camelCase")]
struct Choices {
    untitled_single: Plain,
    titled_single: Titled,
    legacy_enum: Older,
    untitled_multi: Vec<Plain>,
    titled_multi: Vec<Titled>,
}

#[derive(Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First option
    Value1,
    /// Second option
    Value2,
    /// Third option
    Value3,
}

/// For clients that know titles as `enumNames` only.
#[derive(Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
#[form(enum_names)]
enum Older {
    /// Option one
    Opt1,
    /// Option two
    Opt2,
    /// Option three
    Opt3,
}

/// Asks with every kind of choice.
#[tool(read_only)]
async fn test_elicitation_sep1330_enums() -> Result<String, ToolError> {
    #[ask(message = "Please select options from the enum fields")]
    let choices: Answer<Choices>;
    Ok(format!("Elicitation completed: {}", told(choices)?))
}

/// What the user did with a form, and what stands in it.
fn told<T: Serialize>(answer: Answer<T>) -> Result<String, serde_json::Error> {
    Ok(match answer {
        Answer::Accepted(form) => {
            format!("action=accept, content={}", serde_json::to_string(&form)?)
        }
        Answer::Declined => "action=decline".into(),
        Answer::Cancelled => "action=cancel".into(),
        _ => "the client cannot ask".into(),
    })
}
