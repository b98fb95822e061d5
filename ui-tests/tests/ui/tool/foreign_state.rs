// A `State` that is not mrtr's, such as axum's, cannot be injected.

use mrtr::prelude::{ToolError, tool};

pub struct State<T>(pub T);

#[tool]
async fn greet(State(desk): State<u8>) -> Result<String, ToolError> {
    Ok(desk.to_string())
}

fn main() {}
