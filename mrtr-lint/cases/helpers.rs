//! Helpers, marks, traits and macros whose source is at hand.
use mrtr::prelude::*;
use std::fs as disk;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::fs;

fn audit(line: &str) -> std::io::Result<()> {
    std::fs::write("audit", line)
}
fn audit_all(lines: &[String]) -> std::io::Result<()> {
    for line in lines {
        audit(line)?;
    }
    Ok(())
}
async fn upload(http: &reqwest::Client, body: String) -> Result<(), ToolError> {
    http.post("https://api").body(body).send().await?;
    Ok(())
}
async fn download(http: &reqwest::Client) -> Result<String, ToolError> {
    Ok(http.get("https://api").send().await?.text().await?)
}
fn slug(text: &str) -> String {
    let mut out = String::new();
    out.push_str(&text.to_lowercase());
    out
}
fn fail(why: &str) -> ! {
    tracing::error!("{why}");
    std::process::exit(1)
}
fn add_to(list: &mut Vec<u32>) {
    list.push(1);
}
fn bump(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}
fn ping(n: u32) -> u32 {
    if n == 0 { std::fs::write("ping", "1").is_ok() as u32 } else { pong(n - 1) }
}
fn pong(n: u32) -> u32 {
    ping(n)
}
#[asking]
async fn who(ctx: &Ctx) -> Traveller {
    #[ask(message = "Who?")]
    let who: Traveller;
    who
}
async fn seat(ctx: &Ctx) -> String {
    ctx.ask("seat", "Which seat?").await
}
fn locale(ctx: &Ctx) -> String {
    ctx.meta("locale").unwrap_or_default()
}
async fn greet(ctx: &Ctx) -> String {
    format!("hello {}", ctx.principal())
}
async fn sized(ctx: &Ctx, n: u32) -> Result<(), ToolError> {
    if n > 3 {
        who(ctx).await;
    }
    Ok(())
}

// expect: flag E106 at audit("start")?;
// level: L3
#[tool]
async fn helper_writes() -> Result<(), ToolError> {
    audit("start")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at audit_all(&lines)?;
// level: L3
#[tool]
async fn helper_of_a_helper(lines: Vec<String>) -> Result<(), ToolError> {
    audit_all(&lines)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at upload(&http, body).await?;
// level: L3
#[tool]
async fn async_helper_sends(State(http): State<reqwest::Client>, body: String) -> Result<(), ToolError> {
    upload(&http, body).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn async_helper_awaited_below(State(http): State<reqwest::Client>, body: String) -> Result<(), ToolError> {
    let pending = upload(&http, body);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    pending.await?;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn helpers_read_and_compute(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let text = download(&http).await?;
    let name = slug(&text);
    #[ask(message = "{name}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn helper_never_returns(bad: bool) -> Result<(), ToolError> {
    if bad {
        std::fs::write("bad", "1")?;
        fail("bad");
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
// why: what the helpers change belongs to this round.
#[tool]
async fn helper_changes_a_local() -> Result<(), ToolError> {
    let mut list = Vec::new();
    add_to(&mut list);
    let count = AtomicU64::new(0);
    bump(&count);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at bump(&hits);
// level: L3
// why: the same helper, given something shared.
#[tool]
async fn helper_changes_something_shared(State(hits): State<Arc<AtomicU64>>) -> Result<(), ToolError> {
    bump(&hits);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at ping(3);
// level: L3
// why: recursion ends the look down, not the effect found before it.
#[tool]
async fn helpers_that_call_each_other() -> Result<(), ToolError> {
    ping(3);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L2
#[tool]
async fn helper_asks(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let who = who(ctx).await;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L3
#[tool]
async fn helper_asks_through_another(ctx: &Ctx, n: u32) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    sized(ctx, n).await
}

// expect: clean
// level: L2
#[tool]
async fn effect_below_the_asking_helper(ctx: &Ctx) -> Result<(), ToolError> {
    let seat = seat(ctx).await;
    std::fs::write("seat", &seat)?;
    Ok(())
}

// expect: clean
// level: L3
// why: neither helper asks, whatever it is given.
#[tool]
async fn helpers_that_only_look_at_the_context(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let text = greet(ctx).await;
    let locale = locale(ctx);
    Ok(())
}

// expect: flag E106 at audit("both")?;
// level: L3
#[tool]
async fn effect_and_ask_both_in_helpers(ctx: &Ctx) -> Result<(), ToolError> {
    audit("both")?;
    seat(ctx).await;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L2
// why: nothing is known of the helper; it is given the context and awaited.
#[tool]
async fn unknown_helper_with_the_context(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let plan = planner::plan(&ctx.scope("plan"), 3).await;
    Ok(())
}

struct Wallet {
    http: reqwest::Client,
    log: Mutex<Vec<String>>,
}
impl Wallet {
    async fn charge(&self, cents: u32) -> Result<(), ToolError> {
        self.http.post("https://pay").json(&cents).send().await?;
        Ok(())
    }
    async fn balance(&self) -> Result<u32, ToolError> {
        Ok(self.http.get("https://pay").send().await?.json().await?)
    }
    fn note(&self, line: &str) {
        self.log.lock().unwrap().push(line.to_owned());
    }
    #[effect]
    async fn refund(&self) -> Result<(), ToolError> {
        self.vendor.refund().await
    }
    #[read_only]
    async fn preview(&self) -> Result<String, ToolError> {
        Ok(self.http.post("https://pay/preview").send().await?.text().await?)
    }

    // expect: flag E106 at self.charge(5).await?;
    // level: L3
    #[tool]
    async fn method_sends(&self) -> Result<(), ToolError> {
        self.charge(5).await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: clean
    // level: L3
    #[tool]
    async fn method_reads(&self) -> Result<(), ToolError> {
        let balance = self.balance().await?;
        #[ask(message = "{balance}?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E106 at self.note("x");
    // level: L3
    #[tool]
    async fn method_changes_state(&self) -> Result<(), ToolError> {
        self.note("x");
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E106 at self.refund().await?;
    // level: T
    #[tool]
    async fn marked_method(&self) -> Result<(), ToolError> {
        self.refund().await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: clean
    // level: T
    // why: its author says that the POST only reads.
    #[tool]
    async fn method_marked_read_only(&self) -> Result<(), ToolError> {
        let text = self.preview().await?;
        #[ask(message = "{text}?")]
        let ok: Confirm;
        Ok(())
    }
}

// expect: flag E106 at wallet.charge(7).await?;
// level: L3
#[tool]
async fn method_of_an_injected_value(State(wallet): State<Arc<Wallet>>) -> Result<(), ToolError> {
    wallet.charge(7).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at Wallet::charge(&wallet, 7).await?;
// level: L3
#[tool]
async fn method_by_its_path(State(wallet): State<Arc<Wallet>>) -> Result<(), ToolError> {
    Wallet::charge(&wallet, 7).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

trait Store {
    #[effect]
    fn save(&self, key: &str) -> Result<(), ToolError>;
    #[read_only]
    fn find(&self, key: &str) -> Option<String>;
    fn touch(&self);
}
trait Pager {
    fn page(&self, who: &str);
}
struct Siren;
impl Pager for Siren {
    fn page(&self, who: &str) {
        std::fs::write("/dev/siren", who).ok();
    }
}
struct Mail {
    smtp: lettre::SmtpTransport,
}
impl Pager for Mail {
    fn page(&self, who: &str) {
        self.smtp.send(&message(who)).ok();
    }
}

// expect: flag E106 at store.save("a")?;
// level: T
#[tool]
async fn marked_trait_method(State(store): State<Arc<dyn Store>>) -> Result<(), ToolError> {
    store.save("a")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: T
#[tool]
async fn trait_methods_that_read_or_are_unknown(State(store): State<Arc<dyn Store>>) -> Result<(), ToolError> {
    let found = store.find("a");
    store.touch();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at store.save("x")?;
// level: T
#[asking]
async fn marked_method_through_a_bound<S: Store>(ctx: &Ctx, store: &S) -> Result<(), ToolError> {
    store.save("x")?;
    let ok: Confirm = ctx.ask("ok", "Ok?").await;
    Ok(())
}

// expect: flag E106 at pager.page("me");
// level: X
// why: every implementation in the crate has an effect.
#[tool]
async fn every_implementation(State(pager): State<Arc<dyn Pager>>) -> Result<(), ToolError> {
    pager.page("me");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

macro_rules! record {
    ($line:expr) => {
        std::fs::write("record", $line)?
    };
}
macro_rules! double {
    ($n:expr) => {
        $n * 2
    };
}
macro_rules! confirm {
    ($ctx:expr, $text:literal) => {
        $ctx.ask::<Confirm>("confirm", $text).await
    };
}

// expect: flag E106 at record!("a");
// level: L3
#[tool]
async fn own_macro_writes() -> Result<(), ToolError> {
    record!("a");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn own_macro_computes() -> Result<(), ToolError> {
    let n = double!(4);
    #[ask(message = "{n}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", "1")?;
// level: L3
#[tool]
async fn own_macro_asks(ctx: &Ctx) -> Result<(), ToolError> {
    std::fs::write("a", "1")?;
    let ok = confirm!(ctx, "Ok?");
    Ok(())
}

mod mailer {
    #[read_only]
    pub fn send_preview(body: &str) -> String {
        template::render_and_send(body)
    }
    #[effect]
    pub async fn deliver(body: &str) -> Result<(), ToolError> {
        vendor::deliver(body).await
    }
    pub fn log(line: &str) {
        std::fs::write("mail.log", line).ok();
    }
}
mod reader {
    pub fn log(line: &str) {
        tracing::info!("{line}");
    }
}

// expect: flag E106 at mailer::deliver(&body).await?;
// level: T
#[tool]
async fn marked_function_of_a_module(body: String) -> Result<(), ToolError> {
    let preview = mailer::send_preview(&body);
    mailer::deliver(&body).await?;
    #[ask(message = "{preview}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at mailer::log("x");
// level: L3
// why: two functions of one name; the path says which.
#[tool]
async fn name_in_two_modules(body: String) -> Result<(), ToolError> {
    reader::log("x");
    mailer::log("x");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
// why: which `log` is meant cannot be told, so nothing is claimed.
#[tool]
async fn name_that_two_modules_have(body: String) -> Result<(), ToolError> {
    log("x");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
// why: another crate's function, whatever ours of that name does.
#[tool]
async fn function_of_another_crate(body: String) -> Result<(), ToolError> {
    vendor::audit(&body);
    let other = Other::new();
    other.charge(3);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at disk::write("a", "1")?;
// level: L3
#[tool]
async fn alias_of_a_module() -> Result<(), ToolError> {
    disk::write("a", "1")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
// why: the file's `use` says that it is tokio's, whose writes wait for `.await`.
#[tool]
async fn imported_module_is_lazy() -> Result<(), ToolError> {
    let pending = fs::write("a", "1");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    pending.await?;
    Ok(())
}

struct Shop {
    tags: Vec<String>,
    jobs: tokio::sync::mpsc::Sender<u32>,
    pool: sqlx::PgPool,
}
impl Shop {
    // expect: flag E105 at self.jobs.send(1).await?;
    // level: L3
    #[tool]
    async fn field_is_a_sender(&self) -> Result<(), ToolError> {
        self.jobs.send(1).await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E101 at self.pool.execute("DELETE FROM t").await?;
    // level: L3
    #[tool]
    async fn field_is_a_pool(&self) -> Result<(), ToolError> {
        self.pool.execute("DELETE FROM t").await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }
}

// expect: flag E106 at announce("paying");
// level: L1
// why: marks count inside a body, too.
#[tool]
async fn marked_function_of_the_body() -> Result<(), ToolError> {
    #[effect]
    fn announce(line: &str) {
        ledger::append(line);
    }
    announce("paying");
    #[ask(message = "Pay?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn reading_function_of_the_body(http: reqwest::Client) -> Result<String, ToolError> {
    #[read_only]
    async fn search(http: &reqwest::Client) -> Result<String, ToolError> {
        Ok(http.post("https://api/search").send().await?.text().await?)
    }
    let found = search(&http).await?;
    #[ask(message = "Take {found}?")]
    let ok: Confirm;
    Ok(found)
}
