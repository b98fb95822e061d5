//! Control flow: does an ask lie ahead on some path?
use anyhow::{bail, ensure};
use mrtr::prelude::*;

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn one_arm_then_the_ask(fast: bool) -> Result<(), ToolError> {
    if fast {
        std::fs::write("a", "1")?;
    } else {
        tracing::info!("slow");
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn effect_and_ask_exclude_each_other(fast: bool) -> Result<(), ToolError> {
    if fast {
        std::fs::write("a", "1")?;
    } else {
        #[ask(message = "Ok?")]
        let ok: Confirm;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn match_arms_exclude_each_other(mode: Mode) -> Result<(), ToolError> {
    match mode {
        Mode::Write => std::fs::write("a", "1")?,
        Mode::Ask => {
            #[ask(message = "Ok?")]
            let ok: Confirm;
        }
        _ => {}
    }
    Ok(())
}

// expect: flag E101 at Mode::Write => std::fs::write("a", "1")?,
// level: L1
#[tool]
async fn match_arm_then_the_ask(mode: Mode) -> Result<(), ToolError> {
    match mode {
        Mode::Write => std::fs::write("a", "1")?,
        Mode::Stop => return Ok(()),
        _ => {}
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn effect_then_return(bad: bool) -> Result<(), ToolError> {
    if bad {
        std::fs::write("bad", "1")?;
        return Err(ToolError::user("bad"));
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
// why: the return is in a closure and leaves the closure only.
#[tool]
async fn return_inside_a_closure(items: Vec<u32>) -> Result<(), ToolError> {
    if items.is_empty() {
        std::fs::write("a", "1")?;
        let first = || {
            return 1;
        };
        first();
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
// why: `?` in an async block leaves the block only.
#[tool]
async fn question_mark_inside_an_async_block() -> Result<(), ToolError> {
    let saved: Result<(), std::io::Error> = async {
        std::fs::write("a", "1")?;
        Ok(())
    }
    .await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn leaving_macros(kind: u8) -> Result<(), ToolError> {
    match kind {
        0 => {
            std::fs::write("a", "1")?;
            bail!("zero")
        }
        1 => {
            std::fs::write("b", "1")?;
            unreachable!("one")
        }
        2 => {
            std::fs::write("c", "1")?;
            // Nothing is unfinished here: the lint has to know that this macro never returns.
            todo!()
        }
        3 => {
            std::fs::write("d", "1")?;
            std::process::abort()
        }
        _ => {}
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
// why: `ensure!` goes on when the condition holds.
#[tool]
async fn ensure_goes_on(n: u32) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    ensure!(n > 0, "none");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn let_else_leaves(n: Option<u32>) -> Result<(), ToolError> {
    let Some(n) = n else {
        std::fs::write("none", "1")?;
        return Ok(());
    };
    #[ask(message = "{n}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let Ok(()) = std::fs::write("a", "1") else {
// level: L1
#[tool]
async fn let_else_tries_an_effect() -> Result<(), ToolError> {
    let Ok(()) = std::fs::write("a", "1") else {
        return Err(ToolError::user("disk full"));
    };
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at if let Some(a) = a && std::fs::write("a", a).is_ok() && fast {
// level: L1
#[tool]
async fn let_chain(a: Option<String>, fast: bool) -> Result<(), ToolError> {
    if let Some(a) = a && std::fs::write("a", a).is_ok() && fast {
        return Ok(());
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at Some(n) if std::fs::write("n", n.to_string()).is_ok() => n,
// level: L1
#[tool]
async fn guard_of_an_arm(n: Option<u32>) -> Result<(), ToolError> {
    let n = match n {
        Some(n) if std::fs::write("n", n.to_string()).is_ok() => n,
        Some(n) => n + 1,
        None => 0,
    };
    #[ask(message = "{n}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E102 at std::fs::write("log", &answer)?;
// expect: flag E114 at let answer: String = ctx.ask
// level: L1
#[tool]
async fn ask_then_effect_for_each(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        let answer: String = ctx.ask(name, "Value?").await;
        std::fs::write("log", &answer)?;
    }
    Ok(())
}

// expect: flag E101 at std::fs::write("log", name)?;
// expect: flag E114 at let answer: String = ctx.ask
// level: L1
// why: the ask of the same iteration is ahead, whatever the next one brings.
#[tool]
async fn effect_then_ask_for_each(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        std::fs::write("log", name)?;
        let answer: String = ctx.ask(name, "Value?").await;
    }
    Ok(())
}

// expect: flag E102 at tokio::fs::write("page", &page.text).await?;
// level: L1
#[tool]
async fn loop_until_the_last_page(ctx: &Ctx) -> Result<(), ToolError> {
    let mut n = 0;
    loop {
        n += 1;
        let page: Page = ctx.ask(format!("page-{n}"), "Next page?").await;
        if page.last {
            break;
        }
        tokio::fs::write("page", &page.text).await?;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn loop_until_valid_then_act(ctx: &Ctx) -> Result<(), ToolError> {
    let mut tries = 0;
    let name: String = loop {
        tries += 1;
        let name: String = ctx.ask(format!("name-{tries}"), "Name?").await;
        if !name.is_empty() {
            break name;
        }
    };
    std::fs::write("name", &name)?;
    Ok(())
}

// expect: clean
// level: L1
// why: two loops in a row; nothing leads back.
#[tool]
async fn questions_first_effects_second(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    let answers: Vec<String> = ctx.ask_all(names.iter().map(|n| (n.clone(), "Value?"))).await;
    for answer in &answers {
        std::fs::write("log", answer)?;
    }
    Ok(())
}

// expect: flag E101 at std::fs::write("log", name)?;
// level: L1
#[tool]
async fn effect_loop_above_the_ask(names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        std::fs::write("log", name)?;
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("log", "x")?;
// level: L1
// why: the loop is left only after the effect's iteration, and the ask is below the loop.
#[tool]
async fn endless_loop_above_the_ask(mut n: u32) -> Result<(), ToolError> {
    loop {
        if n == 0 {
            break;
        }
        n -= 1;
        std::fs::write("log", "x")?;
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E102 at std::fs::write("skipped", "1")?;
// expect: flag E114 at let take: Confirm = ctx.ask
// level: L1
#[tool]
async fn effect_then_continue(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        if name.is_empty() {
            std::fs::write("skipped", "1")?;
            continue;
        }
        let take: Confirm = ctx.ask(name, "Take it?").await;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn chosen_one_is_written_and_the_loop_left(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    for name in &names {
        let take: Confirm = ctx.ask(name, "This one?").await;
        if take.yes() {
            std::fs::write("chosen", name)?;
            break;
        }
    }
    Ok(())
}

// expect: flag E102 at std::fs::write("outer", "1")?;
// level: L1
// why: `continue 'all` leads to the next question of the outer loop.
#[tool]
async fn labelled_continue(ctx: &Ctx, rows: Vec<Vec<String>>) -> Result<(), ToolError> {
    'all: for row in &rows {
        let take: Confirm = ctx.ask(&row[0], "Take the row?").await;
        for cell in row {
            if cell == "stop" {
                std::fs::write("outer", "1")?;
                continue 'all;
            }
            if cell == "end" {
                return Ok(());
            }
        }
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn labelled_break_over_the_ask(done: bool) -> Result<(), ToolError> {
    'work: {
        if done {
            std::fs::write("a", "1")?;
            break 'work;
        }
        #[ask(message = "Ok?")]
        let ok: Confirm;
    }
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn labelled_break_to_the_ask(done: bool) -> Result<(), ToolError> {
    let n = 'work: {
        if done {
            std::fs::write("a", "1")?;
            break 'work 1;
        }
        2
    };
    #[ask(message = "{n}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at while std::fs::remove_file(format!("f{n}")).is_ok() {
// level: L1
#[tool]
async fn effect_in_a_condition() -> Result<(), ToolError> {
    let mut n = 0;
    while std::fs::remove_file(format!("f{n}")).is_ok() {
        n += 1;
    }
    #[ask(message = "Removed {n}. More?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E102 at std::fs::write("log", &line)?;
// level: L1
#[tool]
async fn ask_in_a_while_condition(ctx: &Ctx) -> Result<(), ToolError> {
    let mut n = 0;
    while let Some(line) = ctx.ask::<Option<String>>({ n += 1; format!("line-{n}") }, "Next line?").await {
        std::fs::write("log", &line)?;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn ask_in_a_scrutinee(ctx: &Ctx) -> Result<(), ToolError> {
    match ctx.ask::<Confirm>("ok", "Ok?").await.yes() {
        true => std::fs::write("yes", "1")?,
        false => std::fs::write("no", "1")?,
    }
    Ok(())
}

// expect: flag E101 at match std::fs::write("a", "1") {
// level: L1
#[tool]
async fn effect_in_a_scrutinee() -> Result<(), ToolError> {
    match std::fs::write("a", "1") {
        Ok(()) => {}
        Err(_) => {
            #[ask(message = "Retry?")]
            let retry: Confirm;
        }
    }
    Ok(())
}

// expect: flag E101 at let saved = if fast { std::fs::write("a", "1").is_ok() } else { false };
// level: L1
#[tool]
async fn effect_in_an_if_value(fast: bool) -> Result<(), ToolError> {
    let saved = if fast { std::fs::write("a", "1").is_ok() } else { false };
    #[ask(message = "{saved}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn ask_only_for_many(n: u32) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    if n > 100 {
        #[ask(message = "So many?")]
        let ok: Confirm;
    }
    Ok(())
}

// expect: clean
// level: L1
// why: after the loop without a way out nothing is reached.
#[tool]
async fn nothing_follows_an_endless_loop() -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at let both = (std::fs::write("a", "1").is_ok(), ctx.ask::<Confirm>("ok", "Ok?").await);
// level: L1
#[tool]
async fn tuple_order(ctx: &Ctx) -> Result<(), ToolError> {
    let both = (std::fs::write("a", "1").is_ok(), ctx.ask::<Confirm>("ok", "Ok?").await);
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn tuple_order_the_other_way(ctx: &Ctx) -> Result<(), ToolError> {
    let both = (ctx.ask::<Confirm>("ok", "Ok?").await, std::fs::write("a", "1").is_ok());
    Ok(())
}

// expect: flag E101 at let order = Order { id: std::fs::write("a", "1").is_ok(), who: ctx.ask("who", "Who?").await };
// level: L1
#[tool]
async fn fields_in_the_order_written(ctx: &Ctx) -> Result<(), ToolError> {
    let order = Order { id: std::fs::write("a", "1").is_ok(), who: ctx.ask("who", "Who?").await };
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn fields_with_the_ask_first(ctx: &Ctx) -> Result<(), ToolError> {
    let order = Order { who: ctx.ask("who", "Who?").await, id: std::fs::write("a", "1").is_ok() };
    Ok(())
}

// expect: flag E101 at save(std::fs::write("a", "1"), ctx.ask::<String>("who", "Who?").await);
// level: L1
#[tool]
async fn arguments_from_left_to_right(ctx: &Ctx) -> Result<(), ToolError> {
    save(std::fs::write("a", "1"), ctx.ask::<String>("who", "Who?").await);
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1").map(|_| 1)?.max(ctx.ask("n", "N?").await);
// level: L1
// why: a receiver is evaluated before the arguments.
#[tool]
async fn receiver_before_arguments(ctx: &Ctx) -> Result<(), ToolError> {
    let n = std::fs::write("a", "1").map(|_| 1)?.max(ctx.ask("n", "N?").await);
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn right_side_of_and(ctx: &Ctx) -> Result<(), ToolError> {
    let done = ctx.ask::<Confirm>("ok", "Ok?").await.yes() && std::fs::write("a", "1").is_ok();
    Ok(())
}

// expect: flag E101 at let done = std::fs::write("a", "1").is_ok() || ctx.ask::<Confirm>("ok", "Retry?").await.yes();
// level: L1
#[tool]
async fn left_side_of_or(ctx: &Ctx) -> Result<(), ToolError> {
    let done = std::fs::write("a", "1").is_ok() || ctx.ask::<Confirm>("ok", "Retry?").await.yes();
    Ok(())
}

// expect: clean
// level: L1
// why: an assignment evaluates its value before its place.
#[tool]
async fn value_before_place(ctx: &Ctx) -> Result<(), ToolError> {
    let mut slots = [String::new(), String::new()];
    slots[std::fs::write("a", "1").is_ok() as usize] = ctx.ask("who", "Who?").await;
    Ok(())
}

// expect: flag E101 at let sum = std::fs::write("a", "1").is_ok() as u32 + ctx.ask::<u32>("n", "N?").await;
// level: L1
#[tool]
async fn operands_from_left_to_right(ctx: &Ctx) -> Result<(), ToolError> {
    let sum = std::fs::write("a", "1").is_ok() as u32 + ctx.ask::<u32>("n", "N?").await;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn every_ask_above_every_effect() -> Result<(), ToolError> {
    #[ask(message = "Who?")]
    let who: Traveller;
    #[ask(message = "Book for {who.name}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }
    #[commit]
    std::fs::write("booking", &who.name)?;
    Ok(())
}

// expect: clean
// level: L1
// why: code after a return is never reached.
#[tool]
async fn effect_in_dead_code() -> Result<(), ToolError> {
    return Ok(());
    std::fs::write("a", "1")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("nested", "1")?;
// level: L1
#[tool]
async fn effect_in_nested_blocks(deep: bool) -> Result<(), ToolError> {
    {
        {
            if deep {
                unsafe { touch() };
                std::fs::write("nested", "1")?;
            }
        }
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}
