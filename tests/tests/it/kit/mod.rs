//! The test kit: what it plays, what it finds, and what it says then.

mod attack;
mod calls;
mod desk;
mod eras;
mod mistakes;
mod rounds;
mod scripts;
mod worlds;

use std::future::IntoFuture;

/// The text that a test fails with, without the place of the test.
async fn failure<F>(call: F) -> String
where
    F: IntoFuture,
    F::IntoFuture: Send + 'static,
    F::Output: Send + 'static,
{
    let ended = tokio::spawn(call.into_future()).await;
    let panic = match ended {
        Ok(_) => panic!("nothing failed"),
        Err(ended) => ended.into_panic(),
    };
    said(panic.as_ref())
}

/// The text of a panic, without the place of the test.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .expect("a panic has a text");
    let lines = text.lines().filter(|line| !line.starts_with("test: "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The text that a function fails with.
fn failing<T>(work: impl FnOnce() -> T) -> String {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(_) => panic!("nothing failed"),
        Err(panic) => said(panic.as_ref()),
    }
}
