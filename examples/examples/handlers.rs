//! `#[handlers]`: tools as methods of one value, which they share without `State`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mrtr::prelude::*;
use mrtr::{ServeError, Server};

/// What is in stock.
#[derive(Default)]
pub struct Shop {
    stock: Mutex<BTreeMap<String, u32>>,
}

#[handlers]
impl Shop {
    /// How many there are of something.
    #[tool(read_only)]
    async fn in_stock(&self, item: String) -> u32 {
        self.count(&item)
    }

    /// Takes everything of one kind out of the stock.
    #[tool(destructive)]
    async fn clear_out(&self, item: String) -> Result<String, ToolError> {
        let count = self.count(&item);
        #[ask(message = "Throw away all {count} of {item}?")]
        let ok: Confirm;
        if ok.no() {
            return Err(ToolError::user("nothing was thrown away"));
        }
        #[commit]
        self.remove(&item);
        Ok(format!("{count} of {item} thrown away"))
    }

    /// No tool: called by the two above.
    fn count(&self, item: &str) -> u32 {
        self.stock
            .lock()
            .expect("nobody panics with the stock in hand")
            .get(item)
            .copied()
            .unwrap_or(0)
    }

    fn remove(&self, item: &str) {
        self.stock
            .lock()
            .expect("nobody panics with the stock in hand")
            .remove(item);
    }
}

/// The server, with three lamps in stock.
pub fn server() -> Server {
    let shop = Shop::default();
    shop.stock
        .lock()
        .expect("it is new")
        .insert("lamp".to_owned(), 3);
    Server::new("handlers", "1.0.0").handlers(shop)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
