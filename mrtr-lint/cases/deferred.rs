//! Closures, futures, streams, guards: code that runs elsewhere than it stands.
use futures::{StreamExt, future};
use mrtr::prelude::*;
use std::time::Duration;

// expect: clean
// level: L2
#[tool]
async fn closure_called_below(path: String) -> Result<(), ToolError> {
    let save = |text: &str| std::fs::write(&path, text);
    #[ask(message = "Save?")]
    let ok: Confirm;
    save("x")?;
    Ok(())
}

// expect: flag E101 at let save = |text: &str| std::fs::write(&path, text);
// level: L2
#[tool]
async fn closure_called_above(path: String) -> Result<(), ToolError> {
    let save = |text: &str| std::fs::write(&path, text);
    save("x")?;
    #[ask(message = "Send it?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let save = async |text: &str| tokio::fs::write("a", text).await;
// level: L2
#[tool]
async fn async_closure_called_above() -> Result<(), ToolError> {
    let save = async |text: &str| tokio::fs::write("a", text).await;
    save("x").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: the async block below the closure call is never awaited above.
#[tool]
async fn closure_that_makes_a_future() -> Result<(), ToolError> {
    let save = || async move { tokio::fs::write("a", "1").await };
    let pending = save();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    pending.await?;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn async_block_awaited_below() -> Result<(), ToolError> {
    let work = async {
        tokio::fs::write("a", "1").await?;
        Ok::<_, std::io::Error>(())
    };
    #[ask(message = "Ok?")]
    let ok: Confirm;
    work.await?;
    Ok(())
}

// expect: flag E101 at let work = async { std::fs::write("a", "1") };
// level: L2
#[tool]
async fn async_block_awaited_above() -> Result<(), ToolError> {
    let work = async { std::fs::write("a", "1") };
    work.await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at Box::pin(tokio::fs::write("a", "1")).await?;
// level: L2
#[tool]
async fn boxed_future() -> Result<(), ToolError> {
    Box::pin(tokio::fs::write("a", "1")).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::remove_file("old")
// expect: flag E101 at let _ = std::fs::write(name, "1");
// level: L1
// why: two effects, one in the receiver's closure and one above.
#[tool]
async fn eager_combinators(names: Vec<String>) -> Result<(), ToolError> {
    std::fs::remove_file("old").map(|_| names.len())?; names.iter().for_each(|name| {
        let _ = std::fs::write(name, "1");
    });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let n = name.map(|name| std::fs::write(name, "1"));
// level: L2
// why: `Option::map` calls its closure at once.
#[tool]
async fn option_map(name: Option<String>) -> Result<(), ToolError> {
    let n = name.map(|name| std::fs::write(name, "1"));
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let text = std::fs::read_to_string("a").unwrap_or_else(|_| { std::fs::write("a", "").ok(); String::new() });
// level: L2
#[tool]
async fn fallback_closure() -> Result<(), ToolError> {
    let text = std::fs::read_to_string("a").unwrap_or_else(|_| { std::fs::write("a", "").ok(); String::new() });
    #[ask(message = "{text}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: S
#[tool]
async fn lazy_iterator_driven_below(names: Vec<String>) -> Result<(), ToolError> {
    let writes = names.iter().filter(|n| !n.is_empty()).map(|name| std::fs::write(name, "1"));
    #[ask(message = "Ok?")]
    let ok: Confirm;
    for write in writes {
        write?;
    }
    Ok(())
}

// expect: flag E101 at let writes = names.iter().map(|name| std::fs::write(name, "1"));
// level: S
#[tool]
async fn lazy_iterator_driven_above(names: Vec<String>) -> Result<(), ToolError> {
    let writes = names.iter().map(|name| std::fs::write(name, "1"));
    let failed = writes.filter(|w| w.is_err()).count();
    #[ask(message = "{failed} failed. Go on?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at future::join_all(names.iter().map(|name| tokio::fs::remove_file(name))).await;
// level: L1
#[tool]
async fn joined_futures(names: Vec<String>) -> Result<(), ToolError> {
    future::join_all(names.iter().map(|name| tokio::fs::remove_file(name))).await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at pending.push(tokio::fs::remove_file(name));
// level: L2
#[tool]
async fn futures_collected_by_hand(names: Vec<String>) -> Result<(), ToolError> {
    let mut pending = Vec::new();
    for name in &names {
        pending.push(tokio::fs::remove_file(name));
    }
    future::join_all(pending).await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .for_each(|name| async move { tokio::fs::remove_file(name).await.ok(); })
// level: L1
#[tool]
async fn stream_for_each(names: Vec<String>) -> Result<(), ToolError> {
    futures::stream::iter(names)
        .for_each(|name| async move { tokio::fs::remove_file(name).await.ok(); })
        .await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .map(|name| async move { tokio::fs::remove_file(name).await })
// level: L1
#[tool]
async fn buffered_stream(names: Vec<String>) -> Result<(), ToolError> {
    let done: Vec<_> = futures::stream::iter(names)
        .map(|name| async move { tokio::fs::remove_file(name).await })
        .buffered(4)
        .collect()
        .await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let (saved, ok) = tokio::join!(tokio::fs::write("a", "1"), ctx.ask::<Confirm>("ok", "Ok?"));
// level: L1
#[tool]
async fn join_runs_both(ctx: &Ctx) -> Result<(), ToolError> {
    let (saved, ok) = tokio::join!(tokio::fs::write("a", "1"), ctx.ask::<Confirm>("ok", "Ok?"));
    Ok(())
}

// expect: flag E101 at let (ok, saved) = future::join(ctx.ask::<Confirm>("ok", "Ok?"), tokio::fs::write("a", "1")).await;
// level: L2
// why: the order of the arguments does not matter: both are polled.
#[tool]
async fn join_function_runs_both(ctx: &Ctx) -> Result<(), ToolError> {
    let (ok, saved) = future::join(ctx.ask::<Confirm>("ok", "Ok?"), tokio::fs::write("a", "1")).await;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn join_of_asks(ctx: &Ctx) -> Result<(), ToolError> {
    let (a, b) = tokio::join!(ctx.ask::<Confirm>("a", "A?"), ctx.ask::<Confirm>("b", "B?"));
    std::fs::write("a", "1")?;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1").ok();
// level: L2
// why: the first branch may go on while the second still waits for its answer.
#[tool]
async fn join_branch_acts_on_its_answer(ctx: &Ctx) -> Result<(), ToolError> {
    tokio::join!(
        async {
            let a: Confirm = ctx.ask("a", "A?").await;
            std::fs::write("a", "1").ok();
        },
        ctx.ask::<Confirm>("b", "B?"),
    );
    Ok(())
}

// expect: clean
// level: L2
// why: one branch only asks before it writes, the other only reads.
#[tool]
async fn join_of_a_flow_and_a_read(ctx: &Ctx) -> Result<(), ToolError> {
    tokio::join!(
        async {
            let a: Confirm = ctx.ask("a", "A?").await;
            std::fs::write("a", "1").ok();
        },
        tokio::fs::read("b"),
    );
    Ok(())
}

// expect: flag E120 at tokio::select! {
// level: L1
#[tool]
async fn select_over_an_ask(ctx: &Ctx) -> Result<(), ToolError> {
    tokio::select! {
        ok = ctx.ask::<Confirm>("ok", "Ok?") => use_it(ok),
        _ = tokio::time::sleep(Duration::from_secs(5)) => {}
    }
    Ok(())
}

// expect: clean
// level: L1
// why: the ask is in a handler, after the race.
#[tool]
async fn ask_in_a_select_handler(ctx: &Ctx, State(mut rx): State<Receiver>) -> Result<(), ToolError> {
    tokio::select! {
        offer = rx.recv() => {
            let ok: Confirm = ctx.ask("ok", "Take it?").await;
        }
        _ = tokio::time::sleep(Duration::from_secs(5)) => {}
    }
    Ok(())
}

// expect: flag E101 at _ = tokio::fs::write("a", "1") => {}
// level: L1
#[tool]
async fn effect_in_a_select_branch(State(mut rx): State<Receiver>) -> Result<(), ToolError> {
    tokio::select! {
        _ = rx.recv() => {}
        _ = tokio::fs::write("a", "1") => {}
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E120 at let ok = tokio::time::timeout(Duration::from_secs(60), ctx.ask::<Confirm>("ok", "Ok?")).await;
// level: L1
#[tool]
async fn timeout_around_an_ask(ctx: &Ctx) -> Result<(), ToolError> {
    let ok = tokio::time::timeout(Duration::from_secs(60), ctx.ask::<Confirm>("ok", "Ok?")).await;
    Ok(())
}

// expect: flag E120 at let answers = tokio::time::timeout(LIMIT, async {
// level: L2
#[tool]
async fn timeout_around_a_block_that_asks(ctx: &Ctx) -> Result<(), ToolError> {
    let answers = tokio::time::timeout(LIMIT, async {
        let a: String = ctx.ask("a", "A?").await;
        a
    })
    .await;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn timeout_around_a_read() -> Result<(), ToolError> {
    let text = tokio::time::timeout(Duration::from_secs(1), tokio::fs::read_to_string("a")).await??;
    #[ask(message = "{text}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at tokio::time::timeout(LIMIT, tokio::fs::write("a", "1")).await??;
// level: L2
#[tool]
async fn timeout_around_an_effect() -> Result<(), ToolError> {
    tokio::time::timeout(LIMIT, tokio::fs::write("a", "1")).await??;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E120 at tokio::spawn(async move {
// level: L1
#[tool]
async fn ask_in_a_task(ctx: Ctx) -> Result<(), ToolError> {
    tokio::spawn(async move {
        let ok: Confirm = ctx.ask("ok", "Ok?").await;
    });
    Ok(())
}

// expect: flag E120 at let ok = handle.block_on(ctx.ask::<Confirm>("ok", "Ok?"));
// level: L1
#[tool]
async fn ask_is_blocked_on(ctx: &Ctx, State(handle): State<Handle>) -> Result<(), ToolError> {
    let ok = handle.block_on(ctx.ask::<Confirm>("ok", "Ok?"));
    Ok(())
}

// expect: flag E120 at let ok = ctx.ask::<Confirm>("ok", "Ok?").now_or_never();
// level: L2
#[tool]
async fn ask_is_polled_once(ctx: &Ctx) -> Result<(), ToolError> {
    let ok = ctx.ask::<Confirm>("ok", "Ok?").now_or_never();
    Ok(())
}

// expect: flag E107 at scopeguard::defer! {
// level: L1
#[tool]
async fn deferred_removal() -> Result<(), ToolError> {
    scopeguard::defer! { let _ = std::fs::remove_file("lock"); }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn deferred_below_the_ask() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    scopeguard::defer! { let _ = std::fs::remove_file("lock"); }
    work()?;
    Ok(())
}

// expect: clean
// level: L1
// why: what is deferred only logs.
#[tool]
async fn deferred_log() -> Result<(), ToolError> {
    scopeguard::defer! { tracing::info!("left"); }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E107 at let unlock = scopeguard::guard(path, |path| {
// level: L2
#[tool]
async fn guard_closure(path: String) -> Result<(), ToolError> {
    let unlock = scopeguard::guard(path, |path| {
        let _ = std::fs::remove_file(path);
    });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn guard_that_is_disarmed(path: String) -> Result<(), ToolError> {
    let unlock = scopeguard::guard(path, |path| {
        let _ = std::fs::remove_file(path);
    });
    let path = scopeguard::ScopeGuard::into_inner(unlock);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

struct Lock(&'static str);
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.0);
    }
}
struct Span(u64);
impl Drop for Span {
    fn drop(&mut self) {
        tracing::info!(self.0, "span ends");
    }
}

// expect: flag E107 at let lock = Lock("lock");
// level: L3
#[tool]
async fn own_guard_alive_across() -> Result<(), ToolError> {
    let lock = Lock("lock");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E107 at drop(Lock("lock"));
// level: L3
#[tool]
async fn own_guard_dropped_above() -> Result<(), ToolError> {
    drop(Lock("lock"));
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

struct Flag;
impl Drop for Flag {
    fn drop(&mut self) {
        let _ = std::fs::remove_file("flag");
    }
}
struct Silence;
impl Drop for Silence {
    fn drop(&mut self) {
        tracing::info!("silence ends");
    }
}

// expect: flag E107 at let flag = Flag;
// level: L3
#[tool]
async fn own_guard_without_fields_alive_across() -> Result<(), ToolError> {
    let flag = Flag;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn harmless_guard_without_fields() -> Result<(), ToolError> {
    let silence = Silence;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn harmless_guard() -> Result<(), ToolError> {
    let span = Span(1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at fn put() { std::fs::write("a", "1").ok(); }
// level: L2
#[tool]
async fn nested_function_called_above() -> Result<(), ToolError> {
    fn put() { std::fs::write("a", "1").ok(); }
    put();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn nested_function_called_below() -> Result<(), ToolError> {
    fn put() { std::fs::write("a", "1").ok(); }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    put();
    Ok(())
}

// expect: clean
// level: L2
// why: a callback that is registered runs some other time.
#[tool]
async fn registered_callback(State(bus): State<Bus>) -> Result<(), ToolError> {
    let watcher = Watcher::new(|event| { std::fs::write("event", event).ok(); });
    bus.on_close(|| { std::fs::write("closed", "1").ok(); });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at retry(|| async { tokio::fs::write("a", "1").await }).await?;
// level: L2
#[tool]
async fn retried_future() -> Result<(), ToolError> {
    retry(|| async { tokio::fs::write("a", "1").await }).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}
