// axum's `State` is another type of the same name.

use mrtr::prelude::*;

mod axum {
    pub mod extract {
        pub struct State<T>(pub T);
    }
}

#[tool]
async fn greet(axum::extract::State(desk): axum::extract::State<u8>) -> String {
    desk.to_string()
}

fn main() {
    let _ = greet();
}
