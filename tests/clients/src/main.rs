//! A server with every kind of question, for `cargo xtask clients` to let real clients play against.
//!
//! It is the travel desk of the examples and what that has not. Without arguments it serves stdio;
//! with `http FILE` it serves HTTP on a free port and writes down every exchange.

mod diary;
mod folders;
mod letter;
mod model;
mod moving;
mod quiz;
mod record;
mod review;
mod seats;

use std::env;
use std::error::Error;
use std::path::Path;

use mrtr::Server;
use tokio::net::TcpListener;

fn server() -> Server {
    mrtr_examples::travel_desk::server()
        .state(letter::Post::default())
        .url_hosts(["post.example"])
        .tools([letter::sign(), letter::collect()])
        .tools([model::name_it(), model::sum_up()])
        .tools([folders::folders(), moving::moving()])
        .tools([quiz::quiz(), seats::seats()])
        .prompt(review::review)
        .resource(diary::diary)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(server().serve_stdio().await?),
        ["http", log] => serve_http(log.as_ref()).await,
        _ => Err("usage: mrtr-clients [http FILE]".into()),
    }
}

async fn serve_http(log: &Path) -> Result<(), Box<dyn Error>> {
    let router = server()
        .ephemeral_key()
        .allow_host("127.0.0.1")
        // Nobody signs in here, and the bookings are play money.
        .allow_anonymous_commits()
        .router()?;
    let router = record::recorded(router, log)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
