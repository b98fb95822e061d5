//! What is missing rather than wrong: a commit around the effect, a look at the answer.
use mrtr::prelude::*;

// expect: flag E109 at .execute(&pool).await?;
// level: L2
// why: only a commit does it once when the last round is sent again.
#[tool]
async fn commit_is_forgotten(State(pool): State<sqlx::PgPool>, id: u32) -> Result<(), ToolError> {
    #[ask(message = "Delete {id}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("kept"));
    }
    sqlx::query("DELETE FROM orders WHERE id = $1").bind(id).execute(&pool).await?;
    Ok(())
}

// expect: flag E109 at http.post("https://x/pay").send().await?;
// level: L2
// why: one word for a tool is enough.
#[tool]
async fn commit_is_forgotten_twice(
    State(http): State<reqwest::Client>,
    #[ask(message = "Pay?")] ok: Confirm,
) -> Result<(), ToolError> {
    if ok.yes() {
        http.post("https://x/pay").send().await?;
        http.post("https://x/receipt").send().await?;
    }
    Ok(())
}

#[effect]
async fn charge(id: u32) {}

// expect: flag E109 at charge(id).await;
// level: L3
#[tool]
async fn marked_effect_without_a_commit(ctx: &Ctx, id: u32) -> Result<(), ToolError> {
    let ok: Confirm = ctx.ask("ok", "Charge?").await;
    if ok.yes() {
        charge(id).await;
    }
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn effect_in_its_commit(State(pool): State<sqlx::PgPool>, id: u32) -> Result<(), ToolError> {
    #[ask(message = "Delete {id}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("kept"));
    }
    #[commit]
    sqlx::query("DELETE FROM orders WHERE id = $1").bind(id).execute(&pool).await?;
    Ok(())
}

// expect: clean
// level: L2
// why: the author knows best which effect comes first; a tool with a commit has thought of it.
#[tool]
async fn second_effect_beside_a_commit(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    #[ask(message = "Pay?")]
    let ok: Confirm;
    if !ok.yes() {
        http.post("https://x/refused").send().await?;
        return Err(ToolError::user("not paid"));
    }
    #[commit]
    http.post("https://x/pay").send().await?;
    Ok(())
}

// expect: clean
// level: L2
// why: a tool that never asks has one round.
#[tool]
async fn effect_of_a_tool_that_never_asks(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    http.post("https://x/pay").send().await?;
    Ok(())
}

// expect: clean
// level: L2
// why: no ask was asked on the way to it.
#[tool]
async fn effect_on_a_path_that_never_asks(State(http): State<reqwest::Client>, dry: bool) -> Result<(), ToolError> {
    if dry {
        http.post("https://x/log").send().await?;
        return Ok(());
    }
    #[ask(message = "Go on?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: reads, files and state of this process are left alone here.
#[tool]
async fn weaker_effects_below_an_ask(&self, State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    #[ask(message = "Export?")]
    let ok: Confirm;
    let page = http.get("https://x/page").send().await?;
    std::fs::write("export", page)?;
    self.exports.lock().await.push(1);
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn allowed_without_a_commit(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    #[ask(message = "Refresh?")]
    let ok: Confirm;
    #[mrtr::allow(effect_without_commit, reason = "the endpoint takes the same refresh twice")]
    http.post("https://x/refresh").send().await?;
    Ok(())
}

// expect: clean
// level: L1
// why: a helper has no commit of its own.
#[asking]
async fn helper_has_no_commit(ctx: &Ctx, http: &reqwest::Client) -> Result<(), ToolError> {
    #[ask(message = "Pay?")]
    let ok: Confirm;
    http.post("https://x/pay").send().await?;
    Ok(())
}

// expect: flag E115 at let ok: Confirm;
// level: L1
// why: a no is a value, and the tool goes on with it.
#[tool]
async fn nobody_looks() -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let ok: Confirm;
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: flag E115 at let ok: Confirm;
// level: L1
// why: it is looked at when all is done.
#[tool]
async fn looked_at_too_late() -> Result<String, ToolError> {
    #[ask(message = "Delete it?")]
    let ok: Confirm;
    #[commit]
    std::fs::remove_file("a")?;
    Ok(format!("agreed: {}", ok.yes()))
}

// expect: flag E115 at let second: Confirm;
// level: L2
#[tool]
async fn one_of_two_is_looked_at(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let first: Confirm;
    #[ask(message = "Really?")]
    let second: Confirm;
    if !first.yes() {
        return Err(ToolError::user("kept"));
    }
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: flag E115 at let sure: Confirm;
// level: L1
// why: without `careful` nobody looks.
#[tool]
async fn looked_at_on_one_path(careful: bool) -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let sure: Confirm;
    if careful && !sure.yes() {
        return Err(ToolError::user("kept"));
    }
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn looked_at_in_each_way(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let first: Confirm;
    #[ask(message = "Really?")]
    let second: Confirm;
    let third: Confirm = ctx.ask("third", "Sure?").await;
    let agreed = second.yes();
    check(&third)?;
    if !(first.yes() && agreed) {
        return Err(ToolError::user("kept"));
    }
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: clean
// level: L1
// why: the commit itself looks.
#[tool]
async fn looked_at_by_the_commit() -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let ok: Confirm;
    #[commit]
    settle(ok.yes()).await?;
    Ok(())
}

// expect: clean
// level: L1
// why: only a confirmation has a no; other answers are what they are.
#[tool]
async fn other_answers_are_no_consent() -> Result<(), ToolError> {
    #[ask(message = "A remark?")]
    let remark: Option<String>;
    #[ask(message = "Delete it?")]
    let ok: Confirm;
    match ok.yes() {
        true => {}
        false => return Err(ToolError::user("kept")),
    }
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: clean
// level: L1
// why: an answer without a name is looked at where it is.
#[tool]
async fn answers_without_a_name(ctx: &Ctx) -> Result<(), ToolError> {
    if !ctx.ask::<Confirm>("first", "Delete it?").await.yes() {
        return Err(ToolError::user("kept"));
    }
    check(ctx.ask::<Confirm>("second", "Really?").await)?;
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn looked_at_in_macros(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let first: Confirm;
    #[ask(message = "Really?")]
    let second: Confirm;
    #[ask(message = "Sure?")]
    let third: Confirm;
    ensure!(first.yes(), "kept");
    refuse! { unless second => "kept" };
    let text = format!("{third:?}");
    #[commit]
    remove(text).await?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn looked_at_in_a_closure(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(message = "Delete it?")]
    let ok: Confirm;
    let agreed = move || ok.yes();
    if !agreed() {
        return Err(ToolError::user("kept"));
    }
    #[commit]
    std::fs::remove_file("a")?;
    Ok(())
}
