//! What looks like an effect above an ask and is none.
use mrtr::prelude::*;
use redis::AsyncCommands;
use sqlx::PgPool;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

// expect: clean
// level: L1
#[tool]
async fn file_is_read(path: String) -> Result<(), ToolError> {
    let text = tokio::fs::read_to_string(&path).await?;
    let size = std::fs::metadata(&path)?.len();
    let exists = std::path::Path::new("x").exists();
    #[ask(message = "Use the {size} bytes of {text}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
// why: making directories that may exist can be repeated.
#[tool]
async fn directories_are_ensured() -> Result<(), ToolError> {
    std::fs::create_dir_all("cache/a")?;
    tokio::fs::create_dir_all("cache/b").await?;
    #[ask(message = "Fill them?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn file_is_opened_to_read() -> Result<(), ToolError> {
    let a = std::fs::File::open("a")?;
    let b = std::fs::OpenOptions::new().read(true).open("b")?;
    let c = std::fs::OpenOptions::new().read(true).write(false).open("c")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn http_reads(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let a = http.get("https://x/a").header("a", "b").send().await?;
    let b = http.head("https://x/a").send().await?;
    let c = http.request(reqwest::Method::GET, "https://x/c").send().await?;
    let d = ureq::get("https://x/d").call()?;
    let e = reqwest::get("https://x/e").await?.text().await?;
    #[ask(message = "Use {e}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn request_is_built_and_sent_below(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let request = http.post("https://api/pay").json(&1);
    #[ask(message = "Pay?")]
    let pay: Confirm;
    if pay.yes() {
        #[commit]
        request.send().await?;
    }
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn future_is_awaited_below(path: String) -> Result<(), ToolError> {
    let write = tokio::fs::write(&path, "x");
    #[ask(message = "Write?")]
    let ok: Confirm;
    write.await?;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn sql_reads(State(pool): State<PgPool>, id: i64) -> Result<(), ToolError> {
    let one = sqlx::query("SELECT * FROM t WHERE id = $1").bind(id).fetch_one(&pool).await?;
    let many = sqlx::query_as::<_, Row>("with a as (select 1) select * from a").fetch_all(&pool).await?;
    let locked = sqlx::query("SELECT id FROM t FOR UPDATE").fetch_optional(&pool).await?;
    let text = sqlx::query!("select 'insert into x' as s").fetch_one(&pool).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn statement_text_is_only_shown(table: String) -> Result<(), ToolError> {
    let statement = format!("DROP TABLE {table}");
    let fixed = "DELETE FROM logs";
    #[ask(message = "Run `{statement}` and `{fixed}`?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn statement_is_built_and_run_below(State(pool): State<PgPool>) -> Result<(), ToolError> {
    let statement = sqlx::query("INSERT INTO t VALUES (1)");
    #[ask(message = "Insert?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    statement.execute(&pool).await?;
    Ok(())
}

// expect: clean
// level: S
// why: dropping an open transaction undoes it.
#[tool]
async fn transaction_is_committed_below(State(pool): State<PgPool>) -> Result<(), ToolError> {
    let mut tx = pool.begin().await?;
    sqlx::query("UPDATE t SET a = 1").execute(&mut *tx).await?;
    let rows = sqlx::query("SELECT a FROM t").fetch_all(&mut *tx).await?;
    #[ask(message = "Keep it?")]
    let keep: Confirm;
    if !keep.yes() {
        return Err(ToolError::user("no"));
    }
    #[commit]
    tx.commit().await?;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn redis_reads(State(mut con): State<redis::aio::ConnectionManager>) -> Result<(), ToolError> {
    let a: Option<String> = con.get("a").await?;
    let b: bool = con.exists("b").await?;
    let c: Vec<String> = con.lrange("c", 0, -1).await?;
    let d: i64 = redis::cmd("TTL").arg("a").query_async(&mut con).await?;
    let e: Vec<String> = redis::pipe().get("x").get("y").query_async(&mut con).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn document_and_mapper_reads(State(users): State<Collection<User>>, State(db): State<DatabaseConnection>) -> Result<(), ToolError> {
    let one = users.find_one(doc! { "a": 1 }).await?;
    let all = Orders::find().filter(Column::Open.eq(true)).all(&db).await?;
    let n = users.count_documents(doc! {}).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn cloud_reads(State(s3): State<aws_sdk_s3::Client>) -> Result<(), ToolError> {
    let list = s3.list_objects_v2().bucket("b").send().await?;
    let head = s3.head_object().key("k").send().await?;
    let scan = s3.describe_instances().send().await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn process_is_only_described() -> Result<(), ToolError> {
    let mut cmd = std::process::Command::new("rm");
    cmd.arg("-rf").arg("/tmp/x").env("A", "b");
    #[ask(message = "Run {cmd:?}?")]
    let ok: Confirm;
    if ok.yes() {
        cmd.status()?;
    }
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn collections_of_this_round(mut tags: Vec<String>) -> Result<(), ToolError> {
    tags.push("new".into());
    tags.retain(|tag| !tag.is_empty());
    let mut seen = HashSet::new();
    seen.insert(1);
    let mut map: HashMap<String, u32> = HashMap::new();
    *map.entry("a".into()).or_insert(0) += 1;
    map.remove("a");
    let mut queue = VecDeque::from(vec![1]);
    queue.push_front(2);
    let mut tree = BTreeMap::new();
    tree.insert(1, 2);
    tree.clear();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn text_is_written_to_a_string(name: String) -> Result<(), ToolError> {
    let mut text = String::new();
    write!(text, "Hello {name}")?;
    writeln!(&mut text)?;
    text.write_str("!")?;
    #[ask(message = "{text}")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn bytes_are_written_to_a_buffer() -> Result<(), ToolError> {
    use std::io::Write;
    let mut buffer = Vec::new();
    buffer.write_all(b"a")?;
    write!(&mut buffer, "{}", 1)?;
    let mut cursor = std::io::Cursor::new(buffer);
    cursor.write_all(b"b")?;
    let mut sink = std::io::sink();
    sink.write_all(b"c")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn scratch_files_remove_themselves() -> Result<(), ToolError> {
    use std::io::Write;
    let mut a = tempfile::tempfile()?;
    a.write_all(b"x")?;
    let mut b = tempfile::NamedTempFile::new()?;
    writeln!(b, "y")?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn both_ends_of_a_channel_are_here() -> Result<(), ToolError> {
    let (tx, mut rx) = tokio::sync::mpsc::channel(4);
    tx.send(1).await?;
    let clone = tx.clone();
    clone.try_send(2)?;
    let (one, other) = tokio::sync::oneshot::channel();
    let _ = one.send(3);
    let got = rx.recv().await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn locks_and_atomics_of_this_round() -> Result<(), ToolError> {
    let list = Arc::new(Mutex::new(Vec::new()));
    list.lock().unwrap().push(1);
    let other = Arc::clone(&list);
    other.lock().unwrap().push(2);
    let count = std::sync::atomic::AtomicU32::new(0);
    count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    let cell = std::cell::Cell::new(1);
    cell.set(2);
    let notify = tokio::sync::Notify::new();
    notify.notify_one();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a machine of this round whose methods are called like effects.
#[tool]
async fn local_machine(program: String) -> Result<(), ToolError> {
    let mut vm = Machine::default();
    vm.send(1);
    vm.execute("push");
    vm.delete(0);
    vm.publish();
    let mut builder = QueryParts::new();
    builder.insert("a");
    builder.update("b");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn logs_and_metrics(ctx: &Ctx, call: Call) -> Result<(), ToolError> {
    tracing::info!(user = %"x", "asking");
    tracing::warn!("careful");
    log::debug!("x");
    eprintln!("asking");
    metrics::counter!("asks").increment(1);
    call.progress(1, 2).await;
    call.log("hello").await;
    let ok: Confirm = ctx.ask("ok", "Ok?").await;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn waits_and_permits(State(gate): State<Arc<Semaphore>>) -> Result<(), ToolError> {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let permit = gate.acquire().await?;
    tokio::task::yield_now().await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn no_ask_at_all(path: String) -> Result<(), ToolError> {
    std::fs::write(&path, "x")?;
    tokio::spawn(async {});
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn references_to_locals() -> Result<(), ToolError> {
    let mut a = vec![3, 1];
    let r = &mut a;
    r.push(2);
    r.sort();
    let old = std::mem::take(&mut a);
    let mut slot = Some(1);
    slot.take();
    slot.replace(2);
    let mut point = Point { x: 0 };
    point.x += 1;
    let mut grid = [[0; 2]; 2];
    grid[0][1] = 5;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a clone that is taken out of the lock is this round's own.
#[tool]
async fn copy_out_of_a_lock(State(names): State<Arc<Mutex<Vec<String>>>>) -> Result<(), ToolError> {
    let mut copy = names.lock().unwrap().clone();
    copy.push("x".into());
    let mut firsts: Vec<String> = names.lock().unwrap().iter().take(2).cloned().collect();
    firsts.push("y".into());
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn fetched_list_is_changed(State(desk): State<Desk>) -> Result<(), ToolError> {
    let mut offers = desk.offers().await?;
    offers.push(Offer::none());
    offers.truncate(3);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: `write` of a lock has no arguments, and only reads follow.
#[tool]
async fn locks_are_read(&self) -> Result<(), ToolError> {
    let a = self.names.read().await.get("a").cloned();
    let b = self.items.lock().unwrap().len();
    let c = self.names.write().await.contains_key("x");
    let d = *self.total.lock().await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn atomics_are_loaded(State(hits): State<Arc<AtomicU64>>) -> Result<(), ToolError> {
    let n = hits.load(Ordering::Relaxed);
    let on = FLAG.load(Ordering::SeqCst);
    #[ask(message = "{n}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: filling a cache with what would be computed again leaves no trace.
#[tool]
async fn caches_are_filled(State(cache): State<Cache>) -> Result<(), ToolError> {
    let a = CONFIG.get_or_init(|| load());
    let b = cache.get_with("k", async { 1 }).await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L1
#[tool]
async fn pure_work(text: String) -> Result<(), ToolError> {
    let n: u32 = text.trim().parse()?;
    let words: Vec<String> = text.split(' ').map(str::to_owned).filter(|w| !w.is_empty()).collect();
    let json = serde_json::json!({ "n": n, "words": words });
    let joined = words.join(", ");
    #[ask(message = "{joined}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn services_with_telling_names(State(desk): State<Desk>, flight: String) -> Result<(), ToolError> {
    let price = desk.quote(&flight).await?;
    let seats = desk.list_seats(&flight).await?;
    let client = desk.client();
    let found = client.send(GetStatus { flight }).await?;
    #[ask(message = "{price}?", pin = &price)]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn routes_are_built() -> Result<(), ToolError> {
    let app = Router::new().route("/", post(create)).route("/x", delete(remove));
    let method = reqwest::Method::POST;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    serve(app).await
}

// expect: clean
// level: L2
// why: their own modules are called like std's.
#[tool]
async fn own_modules() -> Result<(), ToolError> {
    let a = crate::fs::write("a")?;
    let b = self::env::set_var("a");
    let c = crate::task::spawn("x");
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a message that brings its own way back is a question to another task.
#[tool]
async fn question_to_an_actor(State(desk): State<tokio::sync::mpsc::Sender<Command>>) -> Result<(), ToolError> {
    let (reply, answer) = tokio::sync::oneshot::channel();
    desk.send(Command::Price { reply }).await?;
    let price = answer.await?;
    #[ask(message = "{price}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a client makes requests and sessions of this process, and reads.
#[tool]
async fn what_a_client_makes_and_reads(State(client): State<Client>) -> Result<String, ToolError> {
    let request = client.create_request("GET").await?;
    let session = client.create_session().await?;
    client.update_token().await?;
    let orders = client.list_orders().await?;
    let found = client.get_created_orders().await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(format!("{request} {session} {orders} {found}"))
}

// expect: clean
// level: L2
// why: what is not awaited may be a builder, and a value of this process is no service.
#[tool]
async fn names_like_those_of_clients(State(client): State<Client>) -> Result<(), ToolError> {
    let order = client.create_order("tea");
    let mut shelf = Shelf::new();
    shelf.create_row(7).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    order.send().await?;
    Ok(())
}
