// A `Json` that is not mrtr's, such as axum's, is no result.

use mrtr::prelude::tool;

pub struct Json<T>(pub T);

#[tool]
async fn greet() -> Json<u8> {
    Json(1)
}

fn main() {}
