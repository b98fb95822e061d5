//! Allows, levels, read-only tools and stdout.
use mrtr::prelude::*;

// expect: clean
// level: L1
#[tool]
async fn allowed_statement() -> Result<(), ToolError> {
    #[mrtr::allow(effect_above_ask, reason = "content-addressed")]
    std::fs::write("cas/ab12", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("b", "y")?;
// level: L1
#[tool]
async fn only_the_statement_is_allowed() -> Result<(), ToolError> {
    #[mrtr::allow(effect_above_ask, reason = "content-addressed")]
    std::fs::write("cas/ab12", "x")?;
    std::fs::write("b", "y")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn allowed_expression() -> Result<(), ToolError> {
    let saved = (#[mrtr::allow(effect_above_ask, reason = "idempotent")] std::fs::write("a", "x")).is_ok();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
#[mrtr::allow(effect_above_ask, reason = "content-addressed")]
async fn allowed_handler() -> Result<(), ToolError> {
    std::fs::write("cas/a", "x")?;
    std::fs::write("cas/b", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E128 at #[mrtr::allow(effect_above_ask, reason = "below")]
// level: L1
#[tool]
async fn allow_that_silences_nothing() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    #[mrtr::allow(effect_above_ask, reason = "below")]
    std::fs::write("a", "x")?;
    Ok(())
}

// expect: flag E128 at #[mrtr::allow(state_change_above_ask, reason = "wrong code")]
// expect: flag E101 at std::fs::write("a", "x")?;
// level: L1
#[tool]
async fn allow_of_another_code() -> Result<(), ToolError> {
    #[mrtr::allow(state_change_above_ask, reason = "wrong code")]
    std::fs::write("a", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E129 at #[mrtr::allow(effect_above_ask)]
// expect: flag E101 at std::fs::write("a", "x")?;
// level: L1
#[tool]
async fn allow_without_a_reason() -> Result<(), ToolError> {
    #[mrtr::allow(effect_above_ask)]
    std::fs::write("a", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E129 at #[mrtr::allow(effects_above_asks, reason = "x")]
// expect: flag E101 at std::fs::write("a", "x")?;
// level: L1
#[tool]
async fn allow_of_an_unknown_code() -> Result<(), ToolError> {
    #[mrtr::allow(effects_above_asks, reason = "x")]
    std::fs::write("a", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn allowed_ask_in_a_loop(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        #[mrtr::allow(ask_per_iteration, reason = "two at most")]
        let value: String = ctx.ask(name, "Value?").await;
    }
    Ok(())
}

// expect: flag E127 at std::fs::write("a", "x")?;
// level: L1
#[tool(read_only)]
async fn read_only_tool_writes() -> Result<(), ToolError> {
    std::fs::write("a", "x")?;
    Ok(())
}

// expect: flag E127 at http.post("https://api").send().await?;
// level: L2
#[tool(read_only)]
async fn read_only_tool_posts(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    http.post("https://api").send().await?;
    Ok(())
}

// expect: clean
// level: L2
// why: a counter and a cache do not change the world the annotation speaks of.
#[tool(read_only)]
async fn read_only_tool_counts(State(hits): State<Arc<AtomicU64>>, State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    hits.fetch_add(1, Ordering::Relaxed);
    let text = http.get("https://api").send().await?.text().await?;
    std::fs::read("a")?;
    Ok(())
}

// expect: flag E127 at #[commit]
// level: L1
#[tool(read_only)]
async fn read_only_tool_commits() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    book().await?;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "x")?;
// level: L1
// why: this level wants known effects in the commit, asks or not.
#[tool(effects = "commit_only")]
async fn commit_only_outside() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    std::fs::write("a", "x")?;
    Ok(())
}

// expect: clean
// level: L1
#[tool(effects = "commit_only")]
async fn commit_only_inside() -> Result<(), ToolError> {
    let save = || std::fs::write("b", "x");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    {
        std::fs::write("a", "x")?;
        save()?;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool(effects = "allow")]
async fn level_allow() -> Result<(), ToolError> {
    std::fs::write("a", "x")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E122 at let b: Confirm = ctx.ask("k", "B?").await;
// level: L1
// why: what cannot work is said at every level.
#[tool(effects = "allow")]
async fn level_allow_does_not_hide_a_duplicate_key(ctx: &Ctx) -> Result<(), ToolError> {
    let a: Confirm = ctx.ask("k", "A?").await;
    let b: Confirm = ctx.ask("k", "B?").await;
    Ok(())
}

// expect: flag E130 at println!("asking");
// level: L1
#[tool]
async fn stdout_line() -> Result<(), ToolError> {
    println!("asking");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E130 at writeln!(std::io::stdout(), "hello")?;
// level: L2
#[tool]
async fn stdout_handle() -> Result<(), ToolError> {
    use std::io::Write;
    writeln!(std::io::stdout(), "hello")?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn stderr_line() -> Result<(), ToolError> {
    eprintln!("asking");
    Ok(())
}
