// MCP forbids to ask for secrets in a form.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Login {
    user: String,
    password: String,
    #[serde(rename = "apiKey")]
    key: Option<String>,
}

fn main() {}
