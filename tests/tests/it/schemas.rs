//! What forms and arguments look like on the wire.

#![allow(dead_code, reason = "what a form holds is read by its `Debug` text")]

use std::collections::HashMap;

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema, Form)]
enum Plain {
    A,
    B,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema, Form)]
enum Titled {
    /// The first
    A,
    /// The second
    B,
}

#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Choices {
    plain: Plain,
    maybe: Option<Plain>,
    several: Vec<Plain>,
    titled: Titled,
    several_titled: Vec<Titled>,
}

#[derive(Debug, Deserialize, JsonSchema, Form)]
#[serde(rename_all = "camelCase")]
struct Names {
    zeta_first: String,
    #[serde(rename = "alpha")]
    second: Option<String>,
    #[serde(skip)]
    hidden: u8,
    age: u8,
    #[serde(rename = "constructor")]
    a: Option<String>,
    #[serde(rename = "__proto__")]
    b: Option<String>,
    r#type: Option<String>,
    größe: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Numbers {
    #[schemars(range(min = 18, max = 99))]
    small: u8,
    byte: u8,
    #[schemars(range(min = -5, max = 5))]
    large: i64,
    #[schemars(range(min = 0.5, max = 1.5))]
    float: f32,
}

#[tool]
async fn choices(#[ask(message = "?")] form: Choices) -> String {
    format!("{form:?}")
}

#[tool]
async fn names(#[ask(message = "?")] form: Names) -> String {
    format!("{form:?}")
}

#[tool]
async fn numbers(#[ask(message = "?")] form: Numbers) -> String {
    format!("{form:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Leaf {
    name: String,
    children: Vec<Leaf>,
}

#[tool]
async fn tree(
    /// A tree of names
    tree: Leaf,
    /// Anything by name
    extra: Option<HashMap<String, Value>>,
) -> String {
    format!("{} {}", tree.name, extra.map_or(0, |extra| extra.len()))
}

fn peer() -> Peer {
    Peer::of(Server::new("schemas", "1").tools([choices(), names(), numbers(), tree()]))
}

async fn schema(tool: &str) -> (Value, String) {
    let asked = peer().call(tool, json!({})).await;
    (asked.schema("form").clone(), asked.raw)
}

#[tokio::test]
async fn choices_stand_in_place_and_are_never_null() {
    let (schema, raw) = schema("choices").await;
    let titled =
        json!([{ "const": "A", "title": "The first" }, { "const": "B", "title": "The second" }]);
    let fields = &schema["properties"];
    assert_eq!(
        fields["plain"],
        json!({ "type": "string", "enum": ["A", "B"] })
    );
    assert_eq!(
        fields["maybe"],
        json!({ "type": "string", "enum": ["A", "B"] })
    );
    assert_eq!(
        fields["several"],
        json!({ "type": "array", "items": { "type": "string", "enum": ["A", "B"] } })
    );
    assert_eq!(
        fields["titled"],
        json!({ "type": "string", "oneOf": titled })
    );
    assert_eq!(
        fields["several_titled"],
        json!({ "type": "array", "items": { "anyOf": titled } })
    );
    assert_eq!(
        schema["required"],
        json!(["plain", "several", "titled", "several_titled"])
    );
    assert!(
        !raw.contains("$ref") && !raw.contains("$defs") && !raw.contains("null"),
        "{raw}"
    );
}

#[tokio::test]
async fn fields_keep_their_order_and_take_any_name() {
    let (schema, raw) = schema("names").await;
    let order = [
        "zetaFirst",
        "alpha",
        "age",
        "constructor",
        "__proto__",
        "type",
        "größe",
    ];
    let at = |name: &&str| {
        raw.find(&format!("\"{name}\":{{\""))
            .unwrap_or_else(|| panic!("{name} in {raw}"))
    };
    let places: Vec<_> = order.iter().map(at).collect();
    assert!(places.is_sorted(), "{places:?} in {raw}");
    assert_eq!(
        schema["properties"].as_object().expect("fields").len(),
        order.len(),
        "{raw}"
    );
    assert_eq!(schema["required"], json!(["zetaFirst", "age"]));

    let asked = peer().call("names", json!({})).await;
    let content = json!({ "zetaFirst": "z", "age": 1, "constructor": "c", "__proto__": "p", "type": "t", "größe": "g" });
    let end = asked.answer(json!({ "form": accept(content) })).await;
    assert!(end.text().contains("größe: Some(\"g\")"), "{}", end.raw);
}

#[tokio::test]
async fn numbers_publish_the_bounds_of_attribute_and_type() {
    let (schema, _) = schema("numbers").await;
    let fields = &schema["properties"];
    assert_eq!(
        fields["small"],
        json!({ "type": "integer", "minimum": 18, "maximum": 99 })
    );
    assert_eq!(
        fields["byte"],
        json!({ "type": "integer", "minimum": 0, "maximum": 255 })
    );
    assert_eq!(
        fields["large"],
        json!({ "type": "integer", "minimum": -5, "maximum": 5 })
    );
    assert_eq!(
        fields["float"],
        json!({ "type": "number", "minimum": 0.5, "maximum": 1.5 })
    );
}

#[tokio::test]
async fn arguments_may_be_any_schema_and_keep_their_definitions() {
    let list = peer().request("tools/list", json!({})).await;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let tools = list["result"]["tools"].as_array().expect("tools");
    let tree = tools
        .iter()
        .find(|tool| tool["name"] == "tree")
        .expect("the tool");
    let schema = &tree["inputSchema"];
    assert!(schema["$defs"]["Leaf"].is_object(), "{schema}");
    assert_eq!(
        schema["properties"]["tree"]["description"],
        "A tree of names"
    );
    assert_eq!(schema["required"], json!(["tree"]));
    let leaf = json!({ "name": "root", "children": [{ "name": "leaf", "children": [] }] });
    assert_eq!(
        peer().call("tree", json!({ "tree": leaf })).await.text(),
        "root 0"
    );
}

#[tokio::test]
async fn what_only_the_schema_shows_is_refused_when_the_server_is_built() {
    fn short(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[a-z]+$" })
    }
    fn above(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "exclusiveMinimum": 3 })
    }
    fn even(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "multipleOf": 2 })
    }
    fn fixed(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "const": 3 })
    }
    macro_rules! refused {
        ($ty:ident, $with:literal, $field:ty) => {{
            #[derive(Deserialize, JsonSchema, Form)]
            struct $ty {
                #[schemars(schema_with = $with)]
                #[allow(dead_code, reason = "only its schema matters")]
                odd: $field,
            }
            #[tool]
            async fn asks(#[ask(message = "?")] _form: $ty) {}
            let error = Server::new("schemas", "1")
                .tool(asks)
                .build_lines()
                .expect_err(stringify!($ty));
            let text = error.to_string();
            assert!(
                text.contains("odd") && text.contains(stringify!($ty)),
                "{text}"
            );
        }};
    }
    refused!(Patterned, "short", String);
    refused!(Exclusive, "above", u8);
    refused!(Multiple, "even", u8);
    refused!(Constant, "fixed", u8);
}
