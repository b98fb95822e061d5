//! Tools that return one kind of content each, and tools whose schemas say more than types do.

use mrtr::Tool;
use mrtr::prelude::*;

use super::resources::PIXEL;

const SILENCE: &[u8] = include_bytes!("silence.wav");

/// The tools of this file.
pub(super) fn tools() -> [Tool; 8] {
    [
        test_simple_text(),
        test_image_content(),
        test_audio_content(),
        test_embedded_resource(),
        test_multiple_content_types(),
        test_error_handling(),
        test_mirrored_header(),
        json_schema_2020_12_tool(),
    ]
}

/// Returns text.
#[tool(read_only)]
async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns an image.
#[tool(read_only)]
async fn test_image_content() -> ContentBlock {
    ContentBlock::image(PIXEL, "image/png")
}

/// Returns a sound.
#[tool(read_only)]
async fn test_audio_content() -> ContentBlock {
    ContentBlock::audio(SILENCE, "audio/wav")
}

/// Returns a resource with its text.
#[tool(read_only)]
async fn test_embedded_resource() -> ContentBlock {
    ContentBlock::resource_text(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )
}

/// Returns a text, an image and a resource.
#[tool(read_only)]
async fn test_multiple_content_types() -> Vec<ContentBlock> {
    vec![
        ContentBlock::text("Multiple content types test:"),
        ContentBlock::image(PIXEL, "image/png"),
        ContentBlock::resource_text(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ),
    ]
}

/// Always fails.
#[tool(read_only)]
async fn test_error_handling() -> Result<String, ToolError> {
    Err(ToolError::user(
        "This tool intentionally returns an error for testing",
    ))
}

/// Takes an argument that HTTP clients repeat in the header `Mcp-Param-Region`.
#[tool(read_only)]
async fn test_mirrored_header(#[arg(header = "Region")] region: String) -> String {
    format!("The region is {region}.")
}

/// How to reach somebody. What types cannot say is added to the schema, and held to.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(extend(
    "$schema" = "https://json-schema.org/draft/2020-12/schema",
    "allOf" = [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
    "if" = { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
    "then" = { "required": ["phone"] },
    "else" = { "required": ["email"] },
))]
struct Contact {
    name: Option<String>,
    address: Option<Address>,
    contact_method: Option<ContactMethod>,
    phone: Option<String>,
    email: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "address", extend("$anchor" = "addressDef"))]
struct Address {
    street: Option<String>,
    city: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum ContactMethod {
    Phone,
    Email,
}

/// Says how a contact is reached.
#[tool(read_only)]
async fn json_schema_2020_12_tool(Args(contact): Args<Contact>) -> String {
    let way = match contact.contact_method {
        Some(ContactMethod::Phone) => contact.phone,
        Some(ContactMethod::Email) => contact.email,
        None => contact.email.or(contact.phone),
    };
    let place = contact
        .address
        .and_then(|there| there.city.or(there.street));
    let parts = [contact.name, place, way];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
