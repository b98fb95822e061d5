//! Telling clients that something changed: whoever listens is told to read it again.
//!
//! `Server::changes` gives the handle; as a state it reaches the handlers. Without it the server
//! does not say that it can tell of changes.

use std::sync::{Arc, Mutex};

use mrtr::prelude::*;
use mrtr::{Changes, ServeError, Server};

/// A board that anybody may write on.
#[derive(Clone, Default)]
struct Board(Arc<Mutex<String>>);

impl Board {
    fn read(&self) -> String {
        self.0.lock().map(|text| text.clone()).unwrap_or_default()
    }

    fn write(&self, new: String) {
        if let Ok(mut text) = self.0.lock() {
            *text = new;
        }
    }
}

/// What stands on the board.
#[resource(uri = "board:///text", mime_type = "text/plain")]
async fn text(State(board): State<Board>) -> String {
    board.read()
}

/// Writes on the board.
#[tool]
async fn write(
    /// What to write
    text: String,
    State(board): State<Board>,
    State(changes): State<Changes>,
) -> &'static str {
    #[ask(message = "Write {text:?} over what is there?")]
    let ok: Confirm;
    if !ok.yes() {
        return "left as it is";
    }
    #[commit]
    {
        board.write(text);
        changes.resource("board:///text");
    }
    "written"
}

/// The server.
pub fn server() -> Server {
    let server = Server::new("board", "1.0.0").tool(write).resource(text);
    let changes = server.changes();
    server.state(changes).state(Board::default())
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
