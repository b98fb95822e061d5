//! One instance of a cash desk, for `cargo xtask scale-out` to start, stop and kill.
//!
//! It is told everything by its environment: `REDIS_URL` (none: no flow store), `RECORDS` (how many
//! flows the store has room for), `LEDGER` (the file that stands for the bank) and `HOLD_AT` (the
//! point of a commit at which it holds until a line comes on stdin, see [`hold::Point`]).

mod desk;
mod hold;
mod store;

use std::env;
use std::error::Error;
use std::sync::Arc;

use mrtr::Server;
use mrtr::flow::RedisStore;

use desk::{Desk, pay};
use hold::Hold;
use store::HeldStore;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let hold = Arc::new(Hold::from_env()?);
    let ledger = env::var_os("LEDGER").ok_or("LEDGER names no file")?;
    let desk = Desk::new(ledger.into(), Arc::clone(&hold));
    let server = Server::new("cash-desk", "1.0.0").state(desk).tool(pay);
    let server = match env::var("REDIS_URL") {
        Ok(url) => {
            let mut options = RedisStore::at(url);
            if let Ok(records) = env::var("RECORDS") {
                options = options.records(records.parse()?);
            }
            server.flows(HeldStore::new(options.connect().await?, hold))
        }
        Err(_) => server.without_flows(),
    };
    server.run().await?;
    Ok(())
}
