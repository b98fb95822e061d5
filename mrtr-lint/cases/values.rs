//! Values that differ between rounds, the order of asks, and what a commit uses.
use chrono::Utc;
use mrtr::prelude::*;
use rand::Rng;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Instant, SystemTime};
use uuid::Uuid;

// expect: flag E110 at let id = Uuid::new_v4();
// level: L2
#[tool]
async fn identifier_is_used_below() -> Result<String, ToolError> {
    let id = Uuid::new_v4();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(id.to_string())
}

// expect: flag E110 at let now = Utc::now();
// level: L2
#[tool]
async fn date_is_stored_below(State(desk): State<Desk>) -> Result<(), ToolError> {
    let now = Utc::now();
    let day = now.date_naive();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    desk.book(day).await?;
    Ok(())
}

// expect: flag E110 at let code: u32 = rng.random_range(0..9999);
// level: L2
#[tool]
async fn drawn_number_is_used_below() -> Result<String, ToolError> {
    let mut rng = rand::rng();
    let code: u32 = rng.random_range(0..9999);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(code.to_string())
}

// expect: flag E110 at let order = items.shuffle(&mut rng);
// level: L2
#[tool]
async fn shuffled_above(mut items: Vec<u32>) -> Result<(), ToolError> {
    let mut rng = rand::thread_rng();
    let order = items.shuffle(&mut rng);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    show(order);
    Ok(())
}

// expect: clean
// level: L2
// why: the generator is from above, the number from below.
#[tool]
async fn drawn_below() -> Result<String, ToolError> {
    let mut rng = rand::rng();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    let code: u32 = rng.random();
    Ok(code.to_string())
}

// expect: flag E111 at let code = fastrand::u32(..);
// level: L2
#[tool]
async fn random_number_in_the_question() -> Result<(), ToolError> {
    let code = fastrand::u32(..);
    #[ask(message = "Type {code}")]
    let typed: u32;
    Ok(())
}

// expect: flag E111 at let key = format!("ask-{}", Uuid::now_v7());
// level: L2
#[tool]
async fn key_is_new_each_time(ctx: &Ctx) -> Result<(), ToolError> {
    let key = format!("ask-{}", Uuid::now_v7());
    let ok: Confirm = ctx.ask(key, "Ok?").await;
    Ok(())
}

// expect: flag E111 at let until = Utc::now() + Duration::minutes(5);
// level: L2
#[tool]
async fn clock_in_the_question(ctx: &Ctx) -> Result<(), ToolError> {
    let until = Utc::now() + Duration::minutes(5);
    let ok: Confirm = ctx.ask("ok", format!("Hold it until {until}?")).await;
    Ok(())
}

// expect: flag E111 at let now = SystemTime::now();
// level: L2
#[tool]
async fn clock_is_pinned(ctx: &Ctx) -> Result<(), ToolError> {
    let now = SystemTime::now();
    let ok: Confirm = ctx.ask("ok", "Ok?").pin(&now).await;
    Ok(())
}

// expect: flag E111 at if rand::random() {
// level: L2
#[tool]
async fn coin_decides() -> Result<(), ToolError> {
    if rand::random() {
        #[ask(message = "Heads?")]
        let heads: Confirm;
    }
    Ok(())
}

// expect: flag E111 at match fastrand::u8(0..2) {
// level: L2
#[tool]
async fn die_decides() -> Result<(), ToolError> {
    match fastrand::u8(0..2) {
        0 => {
            #[ask(message = "Left?")]
            let left: Confirm;
        }
        _ => {}
    }
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn time_is_measured_for_the_log() -> Result<(), ToolError> {
    let start = Instant::now();
    let text = std::fs::read_to_string("a")?;
    tracing::info!(took = ?start.elapsed(), "read");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    tracing::info!("took {:?}", start.elapsed());
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn values_of_the_context(ctx: &Ctx) -> Result<String, ToolError> {
    let id = ctx.uuid("order");
    let now = ctx.now();
    let n: u32 = ctx.rng().random();
    let ok: Confirm = ctx.ask("ok", format!("{id} {now} {n}?")).await;
    Ok(format!("{id} {now} {n}"))
}

// expect: clean
// level: L2
#[tool]
async fn value_made_below() -> Result<String, ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    let id = Uuid::new_v4();
    Ok(id.to_string())
}

// expect: clean
// level: L2
#[tool]
async fn value_that_is_a_memo() -> Result<String, ToolError> {
    #[memo]
    let id: Uuid = Uuid::new_v4();
    #[memo]
    let price: u32 = quote().await?;
    #[ask(message = "{id} for {price}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    book(id, price).await?;
    Ok(id.to_string())
}

// expect: clean
// level: L2
// why: a seed makes the same numbers in each round.
#[tool]
async fn seeded_generator() -> Result<(), ToolError> {
    let mut rng = rand::rngs::StdRng::seed_from_u64(7);
    let lot: u32 = rng.random();
    #[ask(message = "Lot {lot}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: used above only.
#[tool]
async fn clock_used_above_only(State(cache): State<Cache>) -> Result<(), ToolError> {
    let now = Instant::now();
    let fresh = cache.peek("a").is_some_and(|entry| entry.until > now);
    tracing::debug!("{fresh}");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: made again in the iteration that uses it.
#[tool]
async fn made_and_used_below_the_ask_of_each_turn(ctx: &Ctx) -> Result<(), ToolError> {
    for n in 0..2 {
        let id = Uuid::new_v4();
        tracing::info!("{id}");
    }
    let ok: Confirm = ctx.ask("ok", "Ok?").await;
    Ok(())
}

// expect: flag E112 at let color: String = ctx.ask(name, "Color?").await;
// expect: flag E114 at let color: String = ctx.ask(name, "Color?").await;
// level: L2
#[tool]
async fn asks_in_hash_order(ctx: &Ctx, rooms: HashMap<String, u32>) -> Result<(), ToolError> {
    for (name, size) in &rooms {
        let color: String = ctx.ask(name, "Color?").await;
    }
    Ok(())
}

// expect: flag E112 at let answers: Vec<String> = ctx.ask_all(
// level: L2
#[tool]
async fn ask_all_in_hash_order(ctx: &Ctx) -> Result<(), ToolError> {
    let mut names = HashSet::new();
    names.insert("a");
    names.insert("b");
    let answers: Vec<String> = ctx.ask_all(names.iter().map(|n| (*n, "Value?"))).await;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn ask_all_in_sorted_order(ctx: &Ctx, rooms: HashMap<String, u32>) -> Result<(), ToolError> {
    let mut names: Vec<String> = rooms.keys().cloned().collect();
    names.sort();
    let answers: Vec<String> = ctx.ask_all(names.iter().map(|n| (n.clone(), "Value?"))).await;
    let tree: BTreeMap<String, u32> = rooms.into_iter().collect();
    let more: Vec<String> = ctx.ask_all(tree.iter().map(|(n, _)| (n.clone(), "More?"))).await;
    Ok(())
}

// expect: flag E113 at desk.book(&flight, price).await?
// level: L2
#[tool]
async fn price_is_not_shown(State(desk): State<Desk>, flight: String) -> Result<(), ToolError> {
    let price = desk.quote(&flight).await?;
    #[ask(message = "Book {flight}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    desk.book(&flight, price).await?;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn price_is_shown_or_pinned(State(desk): State<Desk>, flight: String) -> Result<(), ToolError> {
    let price = desk.quote(&flight).await?;
    let seat = desk.free_seat(&flight).await?;
    #[ask(message = "Book {flight} for {price}?", pin = &seat)]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    desk.book(&flight, price, seat).await?;
    Ok(())
}

// expect: clean
// level: L2
// why: a connection is no value the user could be shown.
#[tool]
async fn handles_are_no_values(State(pool): State<Pool>) -> Result<(), ToolError> {
    let mut conn = pool.acquire().await?;
    let client = connect().await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    {
        conn.save(1).await?;
        client.call(&mut conn).await?;
    }
    Ok(())
}

// expect: clean
// level: L2
// why: answers and arguments are the same in each round.
#[tool]
async fn answers_decide_and_are_used(amount: u32) -> Result<(), ToolError> {
    #[ask(message = "More?")]
    let more: Confirm;
    if more.yes() {
        #[ask(message = "How many of {amount}?")]
        let count: u32;
    }
    #[commit]
    order(amount, more).await?;
    Ok(())
}

// expect: clean
// level: L2
// why: a flow draws the same in every round.
#[tool]
async fn drawn_from_the_flow(ctx: &Ctx, mut items: Vec<u32>) -> Result<String, ToolError> {
    let mut rng = ctx.rng();
    let code: u32 = rng.random_range(0..9999);
    items.shuffle(&mut rng);
    let ok: Confirm = ctx.ask("ok", format!("{code} {items:?}?")).await;
    Ok(format!("{code} {}", items[0]))
}
