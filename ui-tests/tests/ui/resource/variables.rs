// Parameters and variables of a template are the same, by name.
use mrtr::prelude::*;

#[resource(template = "notes:///{id}/{page}")]
async fn note(id: String, pages: u8) -> String {
    format!("{id}{pages}")
}

#[resource(uri = "notes:///{id}")]
async fn braces(id: String) -> String {
    id
}

#[resource(template = "notes:///today")]
async fn plain() -> String {
    "rain".to_owned()
}

fn main() {
    let _ = (note, braces, plain);
}
