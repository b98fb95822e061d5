// A limitation of rustc in every future that must be `Send`; the error is at the tool's name.

use futures_util::StreamExt;
use mrtr::prelude::*;

async fn fetch(id: &u8) -> u8 {
    *id
}

#[tool]
async fn sum(ids: Vec<u8>) -> String {
    let all = futures_util::stream::iter(ids.iter()).map(|id| fetch(id));
    let all: Vec<u8> = all.buffered(4).collect().await;
    format!("{all:?}")
}

fn main() {}
