// An import that only the question of an ask uses is not called unused beside an error elsewhere.

use mrtr::prelude::*;
use std::cmp::Ordering;
use std::fmt::Alignment;
use std::fs::write;

fn at_most_nine(count: &u32) -> Result<(), String> {
    (*count < 10).then_some(()).ok_or_else(|| "at most 9".into())
}

#[tool]
async fn order(#[ask(message = format!("Left or {:?}?", Alignment::Right))] side: bool) -> Result<String, ToolError> {
    write("order", "")?;
    #[ask(message = format!("How many, {:?} than 10?", Ordering::Less), validate = at_most_nine)]
    let count: u32;
    Ok(format!("{count} {side}"))
}

fn main() {}
