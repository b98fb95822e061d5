// Each type that no form field has gets one error, at the type.

use mrtr::prelude::*;

use std::collections::HashMap;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    names: Vec<String>,
    ages: HashMap<String, u8>,
    place: (f64, f64),
    big: u128,
    twice: Option<Option<u8>>,
    path: std::path::PathBuf,
}

fn main() {}
