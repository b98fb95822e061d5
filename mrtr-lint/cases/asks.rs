//! Asks themselves: keys, options, parameters, and commits among them.
use mrtr::prelude::*;

// expect: flag E103 at #[ask(message = format!("{:?} written. Ok?", std::fs::write("a", "1")))]
// level: L1
#[tool]
async fn effect_in_a_message() -> Result<(), ToolError> {
    #[ask(message = format!("{:?} written. Ok?", std::fs::write("a", "1")))]
    let ok: Confirm;
    Ok(())
}

// expect: flag E103 at let ok: Confirm = ctx.ask("ok", format!("Ticket {}?", counter.fetch_add(1, Ordering::SeqCst))).await;
// level: L2
#[tool]
async fn state_change_in_a_message(ctx: &Ctx, State(counter): State<Arc<AtomicU64>>) -> Result<(), ToolError> {
    let ok: Confirm = ctx.ask("ok", format!("Ticket {}?", counter.fetch_add(1, Ordering::SeqCst))).await;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn read_in_a_message() -> Result<(), ToolError> {
    #[ask(message = std::fs::read_to_string("question.txt")?)]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
// why: asks of parameters come before the body.
#[tool]
async fn asks_as_parameters(#[ask(message = "Who?")] who: Traveller, flight: String) -> Result<(), ToolError> {
    std::fs::write("who", &who.name)?;
    Ok(())
}

// expect: flag E101 at std::fs::write("who", &who.name)?;
// level: L1
#[tool]
async fn ask_as_parameter_and_another(#[ask(message = "Who?")] who: Traveller) -> Result<(), ToolError> {
    std::fs::write("who", &who.name)?;
    #[ask(message = "Seat?")]
    let seat: Seat;
    Ok(())
}

// expect: flag E103 at async fn effect_in_a_parameter_ask(#[ask(message = format!("{}", TICKETS.fetch_add(1, Ordering::SeqCst)))] ok: Confirm)
// level: L2
#[tool]
async fn effect_in_a_parameter_ask(#[ask(message = format!("{}", TICKETS.fetch_add(1, Ordering::SeqCst)))] ok: Confirm) -> Result<(), ToolError> {
    Ok(())
}

// expect: flag E122 at let again: Confirm = ctx.ask("ok", "Really?").await;
// level: L1
#[tool]
async fn same_key_twice(ctx: &Ctx) -> Result<(), ToolError> {
    let ok: Confirm = ctx.ask("ok", "Ok?").await;
    let again: Confirm = ctx.ask("ok", "Really?").await;
    Ok(())
}

// expect: flag E122 at let ok: Confirm;
// level: L1
// why: the second `let` shadows the first, and with it its key.
#[tool]
async fn same_variable_twice() -> Result<(), ToolError> {
    #[ask(key = "first", message = "A?")]
    let a: Confirm;
    #[ask(key = "ok", message = "B?")]
    let b: Confirm;
    #[ask(message = "C?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn same_key_in_two_arms(ctx: &Ctx, long: bool) -> Result<(), ToolError> {
    let ok: Confirm = if long {
        ctx.ask("ok", "Are you quite sure?").await
    } else {
        ctx.ask("ok", "Sure?").await
    };
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn same_key_in_two_scopes(ctx: &Ctx) -> Result<(), ToolError> {
    let from = ctx.scope("from");
    let to = ctx.scope("to");
    let a: String = from.ask("city", "From?").await;
    let b: String = to.ask("city", "To?").await;
    let c: String = ctx.scope("via").ask("city", "Via?").await;
    Ok(())
}

// expect: flag E122 at let item: String;
// level: L1
#[tool]
async fn constant_key_in_a_loop(n: u32) -> Result<(), ToolError> {
    for i in 0..n {
        #[ask(message = "Item {i}?")]
        let item: String;
    }
    Ok(())
}

// expect: flag E122 at let name: String = ctx.ask("name", "Name?").await;
// level: L1
#[tool]
async fn constant_key_until_valid(ctx: &Ctx) -> Result<(), ToolError> {
    loop {
        let name: String = ctx.ask("name", "Name?").await;
        if !name.is_empty() {
            return Ok(());
        }
    }
}

// expect: flag E114 at let item: String;
// level: L1
#[tool]
async fn key_with_an_index(n: u32) -> Result<(), ToolError> {
    for i in 0..n {
        #[ask(key = format!("item-{i}"), message = "Item {i}?")]
        let item: String;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn one_round_for_all(ctx: &Ctx, n: u32) -> Result<(), ToolError> {
    let items: Vec<String> = ctx.ask_all((0..n).map(|i| (format!("item-{i}"), "Item?"))).await;
    Ok(())
}

// expect: clean
// level: L2
// why: the asks of all turns go out together, when the futures are joined.
#[tool]
async fn futures_of_asks_are_joined(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    let mut asks = Vec::new();
    for name in &names {
        asks.push(ctx.ask::<String>(name, "Value?"));
    }
    let values = futures::future::join_all(asks).await;
    Ok(())
}

// expect: flag E124 at #[commit]
// level: L1
#[tool]
async fn ask_below_the_commit() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    book().await?;
    #[ask(message = "Rate us?")]
    let stars: u32;
    Ok(())
}

// expect: flag E124 at #[commit]
// level: L1
#[tool]
async fn commit_in_a_loop_with_its_ask(ctx: &Ctx, names: Vec<String>) -> Result<(), ToolError> {
    let mut n = 0;
    loop {
        let ok: Confirm = ctx.ask(&names[n], "This one?").await;
        if !ok.yes() {
            return Ok(());
        }
        n += 1;
        #[commit]
        book(n).await?;
    }
}

// expect: flag E125 at #[commit(c)]
// level: L1
#[tool]
async fn commit_per_item(names: Vec<String>) -> Result<(), ToolError> {
    #[ask(message = "All of them?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    for name in names {
        #[commit(c)]
        book(&name).await?;
    }
    Ok(())
}

// expect: flag E125 at #[commit(again)]
// level: L1
#[tool]
async fn commit_twice_on_a_path() -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    book("a").await?;
    #[commit(again)]
    book("b").await?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn commit_in_the_last_iteration(names: Vec<String>) -> Result<(), ToolError> {
    #[ask(message = "The first one?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    for name in names {
        #[commit(c)]
        book(&name).await?;
        break;
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn commit_in_each_arm() -> Result<(), ToolError> {
    #[ask(message = "Which?")]
    let which: Choice;
    match which {
        Choice::A => {
            #[commit]
            book("a").await?;
        }
        Choice::B => {
            #[commit(c)]
            book(c.key("b")).await?;
        }
    }
    Ok(())
}

// expect: clean
// level: L1
// why: a commit that returns lets the other path go on asking.
#[tool]
async fn commit_and_return() -> Result<(), ToolError> {
    #[ask(message = "Quick?")]
    let quick: Confirm;
    if quick.yes() {
        #[commit]
        return book().await;
    }
    #[ask(message = "Slowly then?")]
    let slow: Confirm;
    Ok(())
}

// expect: flag E126 at #[commit]
// level: L1
#[tool]
async fn commit_without_any_ask() -> Result<(), ToolError> {
    #[commit]
    book().await?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn commit_in_a_flow_without_any_ask() -> Result<(), ToolError> {
    #[commit(c, in_flow)]
    book(c).await?;
    Ok(())
}

// expect: flag E126 at #[commit]
// level: L1
#[tool]
async fn commit_past_a_conditional_ask(n: u32) -> Result<(), ToolError> {
    if n > 10 {
        #[ask(message = "So many?")]
        let ok: Confirm;
        if !ok.yes() {
            return Err(ToolError::user("no"));
        }
    }
    #[commit]
    book(n).await?;
    Ok(())
}

// expect: flag E126 at #[commit]
// level: L1
#[tool]
async fn commit_past_an_optional_ask() -> Result<(), ToolError> {
    #[ask(message = "Nickname?", if_supported)]
    let nick: Answer<String>;
    #[commit]
    book(nick).await?;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn commit_after_refusing_the_rest(n: u32) -> Result<(), ToolError> {
    if n > 10 {
        #[ask(message = "So many?")]
        let ok: Confirm;
        if !ok.yes() {
            return Err(ToolError::user("no"));
        }
    } else {
        return Err(ToolError::user("too few"));
    }
    #[commit]
    book(n).await?;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn commit_after_an_asking_helper(ctx: &Ctx) -> Result<(), ToolError> {
    let who = desk::who(ctx).await;
    #[commit]
    book(who).await?;
    Ok(())
}

// expect: flag E108 at let order: u64 = desk.http.post("https://api/orders").send().await?.json().await?;
// level: L2
#[tool]
async fn effect_in_a_memo(State(desk): State<Desk>) -> Result<(), ToolError> {
    #[memo]
    let order: u64 = desk.http.post("https://api/orders").send().await?.json().await?;
    #[ask(message = "Pay for {order}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn repeatable_memo(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    #[memo(repeatable = "the server keys the order by our id")]
    let order: u64 = http.put("https://api/orders/1").send().await?.json().await?;
    #[ask(message = "Pay for {order}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn asks_of_every_kind_above_the_effect(ctx: &Ctx) -> Result<(), ToolError> {
    let agreed: Consented = ctx.url("pay", "Pay here", &link).await;
    let idea: Sampled = ctx.sample("idea", prompt()).await;
    let roots: Roots = ctx.roots("roots").await;
    std::fs::write("a", "1")?;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn ask_of_another_kind_below(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let idea: Sampled = ctx.sample("idea", prompt()).await;
    Ok(())
}

// expect: clean
// level: L1
// why: progress and logs are no asks.
#[tool]
async fn what_a_call_sends(ctx: &Ctx, call: Call) -> Result<(), ToolError> {
    let ok: Confirm = ctx.ask("ok", "Ok?").await;
    std::fs::write("a", "1")?;
    call.progress(1, 2).await;
    let id = ctx.uuid("x");
    let name = ctx.principal();
    Ok(())
}

// expect: clean
// level: L2
// why: a future of an ask that nobody awaits asks nothing.
#[tool]
async fn ask_that_is_never_awaited(ctx: &Ctx) -> Result<(), ToolError> {
    let question = ctx.ask::<Confirm>("ok", "Ok?");
    std::fs::write("a", "1")?;
    drop(question);
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L2
#[tool]
async fn ask_that_is_awaited_below(ctx: &Ctx) -> Result<(), ToolError> {
    let question = ctx.ask::<Confirm>("ok", "Ok?");
    std::fs::write("a", "1")?;
    let ok = question.await;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn effect_above_a_link(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    #[ask(message = "Connect?", url = format!("https://pay.example/{}", ctx.link("page")), until = is_done().await)]
    let page: Consented;
    Ok(())
}

// expect: flag E103 at #[ask(message = "Connect?", url = "https://pay.example/", until = async || std::fs::write("a", "1").is_ok())]
// level: L1
#[tool]
async fn effect_in_a_look(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(message = "Connect?", url = "https://pay.example/", until = async || std::fs::write("a", "1").is_ok())]
    let page: Consented;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn effect_above_choices(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let which: Select = ctx.choose("which", "Which?", ["a", "b"]).await;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L1
#[tool]
async fn effect_above_going_back(ctx: &Ctx) -> Result<(), ToolError> {
    let size: u8 = ctx.ask("size", "Size?").await;
    std::fs::write("a", "1")?;
    if size > 9 {
        ctx.back_to("size", "Choose again.").await
    }
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn every_kind_without_effects(ctx: &Ctx) -> Result<(), ToolError> {
    #[ask(roots)]
    let folders: Roots;
    #[ask(sample = Sample::new("Sum up.").max_tokens(9))]
    let said: Sampled;
    #[ask(message = "Which?", options = FLIGHTS.iter().map(|flight| (flight.id, flight.title())), default = 1)]
    let which: Select<u32>;
    let form: FormAnswer = ctx.ask_form("form", "Who?", [Field::text("name")]).await;
    std::fs::write("a", "1")?;
    Ok(())
}
