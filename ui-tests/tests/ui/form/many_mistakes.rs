// Every mistake is reported in one build, and none of them twice.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
#[serde(tag = "kind")]
struct Login {
    password: String,
    #[serde(flatten)]
    more: Seat,
    #[schemars(regex(pattern = "a"))]
    code: String,
}

#[derive(Deserialize, JsonSchema, Form)]
enum Seat {
    Row(u8),
}

fn needs_a_form<T: mrtr::Form>() {}

fn main() {
    needs_a_form::<Login>();
    needs_a_form::<Seat>();
}
