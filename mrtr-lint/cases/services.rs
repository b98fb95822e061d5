//! Clients, streams, queues and requests of other crates, which only names tell, beside what looks alike.
use mrtr::prelude::*;
use std::sync::Arc;

// expect: flag E101 at api.http_post("chat.post", &message).await?;
// expect: flag E101 at api.put_json("/topics/1", &message).await?;
// level: L2
// why: the method makes a request and sends it in one call.
#[tool]
async fn request_in_one_call(State(api): State<ChatApi>, message: String) -> Result<(), ToolError> {
    api.http_post("chat.post", &message).await?;
    api.put_json("/topics/1", &message).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn read_in_one_call(State(api): State<ChatApi>, room: String) -> Result<(), ToolError> {
    let history = api.http_get("chat.history", &room).await?;
    let members = api.get_json("/rooms/1/members").await?;
    let posts = api.post_count(&room).await?;
    #[ask(message = "Summarize {posts} posts of {members}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at client.post("/images", request).await?;
// expect: flag E101 at client.delete("/images/1").await?;
// level: L2
// why: a client of another crate, whose requests are sent when the call is awaited.
#[tool]
async fn verbs_of_a_client(State(client): State<Images>, request: String) -> Result<(), ToolError> {
    client.post("/images", request).await?;
    client.delete("/images/1").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: reading verbs, and a request that is built and not sent.
#[tool]
async fn reading_verbs_of_a_client(State(client): State<Images>) -> Result<(), ToolError> {
    let image = client.get("/images/1").await?;
    let all = client.list("/images").await?;
    let later = client.post("/images");
    #[ask(message = "Use {image} of {all}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a map of this round, whatever its methods are called.
#[tool]
async fn verbs_of_a_local_value(names: Vec<String>) -> Result<(), ToolError> {
    let mut api = Draft::new();
    api.create("a", &names).await;
    api.update("a", &names).await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .execute(&config)
// level: L2
#[tool]
async fn own_type_of_request(State(config): State<Config>) -> Result<(), ToolError> {
    api::Request::new(http::Method::PATCH, "/endpoints/1")
        .with_body("x")
        .execute(&config)
        .await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn own_type_of_reading_request(State(config): State<Config>) -> Result<(), ToolError> {
    let found = api::Request::new(http::Method::GET, "/endpoints/1")
        .with_header("a", "b")
        .execute(&config)
        .await?;
    #[ask(message = "Use {found}?")]
    let ok: Confirm;
    Ok(())
}

async fn deliver(request: reqwest::RequestBuilder) -> Result<String, ToolError> {
    let response = request.header("a", "b").send().await?;
    Ok(response.text().await?)
}

async fn deliver_twice(request: reqwest::RequestBuilder) -> Result<String, ToolError> {
    deliver(request).await
}

// expect: flag E106 at deliver(http.post("https://x/orders")).await?;
// level: L3
// why: the helper sends the request that it is given, and this one writes.
#[tool]
async fn request_is_given_to_a_helper(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    deliver(http.post("https://x/orders")).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at let order = deliver_twice(request).await?;
// level: L3
#[tool]
async fn request_is_handed_on(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let request = http.put("https://x/orders/1").body("x");
    let order = deliver_twice(request).await?;
    #[ask(message = "Ship {order}?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L3
#[tool]
async fn read_is_given_to_a_helper(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let orders = deliver(http.get("https://x/orders")).await?;
    #[ask(message = "Cancel {orders}?")]
    let ok: Confirm;
    Ok(())
}

struct Fetcher {
    executor: Executor,
}

impl Fetcher {
    async fn load(&self, path: &str) -> Result<String, ToolError> {
        let request = self.request("GET", path);
        self.executor.execute(request).await
    }

    // expect: clean
    // level: L3
    // why: an executor runs anything; it is no database.
    #[tool]
    async fn executor_that_is_no_database(&self) -> Result<(), ToolError> {
        let a = self.load("/a").await?;
        let b = self.executor.execute(self.request("GET", "/b")).await?;
        #[ask(message = "Merge {a} and {b}?")]
        let ok: Confirm;
        Ok(())
    }
}

struct Line {
    stream: Upstream,
    last: std::sync::Mutex<Option<String>>,
    seen: Vec<u32>,
}

impl Line {
    async fn put_frame(&self, bytes: &[u8]) -> Result<(), ToolError> {
        self.stream.write_all(bytes).await?;
        Ok(())
    }

    // expect: flag E101 at self.stream.write_all(b"QUIT").await?;
    // level: L2
    #[tool]
    async fn bytes_to_a_stream(&self) -> Result<(), ToolError> {
        self.stream.write_all(b"QUIT").await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E106 at self.put_frame(b"QUIT").await?;
    // level: L3
    #[tool]
    async fn bytes_by_a_helper(&self) -> Result<(), ToolError> {
        self.put_frame(b"QUIT").await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: clean
    // level: L2
    #[tool]
    async fn bytes_to_a_local_buffer(&self) -> Result<(), ToolError> {
        let mut buffer = Vec::new();
        buffer.write_all(b"x").await?;
        let mut packer = Packer::new(Vec::new());
        packer.write_all(b"x").await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E104 at let last = self.last.take();
    // level: L2
    // why: what is taken is gone in the next round.
    #[tool]
    async fn taken_out_of_a_field(&self) -> Result<(), ToolError> {
        let last = self.last.take();
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: clean
    // level: L2
    #[tool]
    async fn first_few_of_a_field(&self) -> Result<(), ToolError> {
        let few: Vec<u32> = self.seen.iter().copied().take(3).collect();
        let mut own = Some(few);
        let taken = own.take();
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }
}

async fn record(conn: &mut sqlx::SqliteConnection, id: u32) -> Result<(), ToolError> {
    sqlx::query("INSERT INTO orders (id) VALUES (?)").bind(id).execute(conn).await?;
    Ok(())
}

// expect: clean
// level: L3
// why: what a helper writes in a transaction is undone with it, and this one is not committed here.
#[tool]
async fn transaction_is_given_to_a_helper(State(pool): State<sqlx::SqlitePool>, id: u32) -> Result<(), ToolError> {
    let mut tx = pool.begin().await?;
    record(&mut tx, id).await?;
    #[ask(message = "Keep it?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E106 at record(&mut conn, id).await?;
// level: L3
#[tool]
async fn connection_is_given_to_a_helper(State(pool): State<sqlx::SqlitePool>, id: u32) -> Result<(), ToolError> {
    let mut conn = pool.acquire().await?;
    record(&mut conn, id).await?;
    #[ask(message = "Keep it?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at channel.send_message("hello").await?;
// expect: flag E101 at room.say("hello").await?;
// level: L2
#[tool]
async fn message_to_people(State(channel): State<Channel>, State(room): State<Room>) -> Result<(), ToolError> {
    channel.send_message("hello").await?;
    room.say("hello").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at jobs.enqueue(Import { id }).await?;
// expect: flag E101 at worker.add_job(Import { id }, spec).await?;
// level: L2
#[tool]
async fn job_is_queued(State(jobs): State<Jobs>, State(worker): State<Worker>, id: u32) -> Result<(), ToolError> {
    jobs.enqueue(Import { id }).await?;
    worker.add_job(Import { id }, spec).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: looking at a queue takes nothing out of it.
#[tool]
async fn jobs_are_looked_at(State(jobs): State<Jobs>) -> Result<(), ToolError> {
    let open = jobs.list_jobs().await?;
    let next = jobs.peek_task(1).await?;
    #[ask(message = "Cancel {open}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at channel.basic_ack(tag, options).await?;
// level: L2
// why: declaring a queue can be repeated; acknowledging a message cannot.
#[tool]
async fn message_is_acknowledged(State(channel): State<lapin::Channel>, tag: u64) -> Result<(), ToolError> {
    channel.queue_declare("jobs", options, table).await?;
    channel.basic_ack(tag, options).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: a connection has a protocol of its own, and a client's request may be a read.
#[tool]
async fn message_on_a_connection(State(connection): State<Bolt>, State(client): State<Web>) -> Result<(), ToolError> {
    let rows = connection.send(pull).await?;
    let page = client.send(request).await?;
    #[ask(message = "Use {rows} and {page}?")]
    let ok: Confirm;
    Ok(())
}

struct Handle {
    tx: tokio::sync::mpsc::UnboundedSender<Command>,
    name: String,
}

impl Handle {
    fn send(&self, command: Command) -> Result<(), ToolError> {
        self.tx.send(command)?;
        Ok(())
    }

    async fn insert(&self, row: String) -> Result<(), ToolError> {
        let pool = connect().await?;
        sqlx::query("INSERT INTO rows (row) VALUES (?)").bind(row).execute(&pool).await?;
        Ok(())
    }

    fn key(&self) -> String {
        ROWS_KEY.replace("{name}", &self.name)
    }

    fn blank(&mut self) {
        self.visit(|element| element.clear());
    }

    // expect: clean
    // level: L3
    // why: the message brings its own way back, as one that asks for a value does.
    #[tool]
    async fn asks_a_task_through_a_helper(&self) -> Result<(), ToolError> {
        let (tx, rx) = tokio::sync::oneshot::channel();
        self.send(Command::Count(tx))?;
        let count = rx.await?;
        #[ask(message = "Drop {count}?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E106 at self.send(Command::Clear)?;
    // level: L3
    #[tool]
    async fn tells_a_task_through_a_helper(&self) -> Result<(), ToolError> {
        self.send(Command::Clear)?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: flag E106 at self.insert(row).await?;
    // level: L3
    // why: what is called as a collection's method is one of the crate's own.
    #[tool]
    async fn own_method_called_insert(&self, row: String) -> Result<(), ToolError> {
        self.insert(row).await?;
        #[ask(message = "Ok?")]
        let ok: Confirm;
        Ok(())
    }

    // expect: clean
    // level: L3
    // why: replacing in a text makes another text.
    #[tool]
    async fn replaced_in_a_constant(&self) -> Result<(), ToolError> {
        let key = self.key();
        let shown = ROWS_KEY.replace("{name}", "all");
        #[ask(message = "Drop {key} of {shown}?")]
        let ok: Confirm;
        Ok(())
    }
}

// expect: clean
// level: L3
// why: what the helper changes is this round's own.
#[tool]
async fn own_document_is_changed_in_a_closure(html: String) -> Result<(), ToolError> {
    let mut document = Handle::parse(&html);
    document.blank();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .execute(&mut conn)
// level: L2
#[tool]
async fn diesel_values_into_a_table(State(pool): State<Pool>, row: NewRow) -> Result<(), ToolError> {
    let mut conn = pool.get().await?;
    row.insert_into(rows::table)
        .execute(&mut conn)
        .await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .execute(&pool)
// level: L2
// why: who executes a call of a function wants what it does, and no rows.
#[tool]
async fn function_of_the_database(State(pool): State<sqlx::PgPool>, id: u32) -> Result<(), ToolError> {
    sqlx::query("SELECT finish_job($1)")
        .bind(id)
        .execute(&pool)
        .await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn value_of_a_function_of_the_database(State(pool): State<sqlx::PgPool>) -> Result<(), ToolError> {
    let size: i64 = sqlx::query_scalar("SELECT pg_database_size('shop')").fetch_one(&pool).await?;
    #[ask(message = "Dump {size} bytes?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at sender.send(1).ok();
// level: L2
#[tool]
async fn upgraded_sender(State(weak): State<WeakUnboundedSender<u32>>) -> Result<(), ToolError> {
    if let Some(sender) = weak.upgrade() {
        sender.send(1).ok();
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
// why: both ends are this round's own.
#[tool]
async fn channel_of_another_crate() -> Result<(), ToolError> {
    let (tx, rx) = kanal::unbounded();
    tx.send(1)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at cache.set("k", "v", ttl, None, false).await?;
// expect: flag E101 at shelf.put("k", "v").await?;
// level: L2
#[tool]
async fn key_and_value_that_are_waited_for(State(cache): State<Pool>, State(shelf): State<Shelf>) -> Result<(), ToolError> {
    cache.set("k", "v", ttl, None, false).await?;
    shelf.put("k", "v").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}
