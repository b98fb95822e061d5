//! Known external effects that stand above an ask.
use diesel::prelude::*;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use mrtr::prelude::*;
use redis::AsyncCommands;
use sqlx::PgPool;
use tokio::io::AsyncWriteExt;

// expect: flag E101 at tokio::fs::write(&path, body).await?;
// level: L1
#[tool]
async fn draft_is_written(ctx: &Ctx, path: String, body: String) -> Result<bool, ToolError> {
    tokio::fs::write(&path, body).await?;
    let keep: Confirm = ctx.ask("keep", "Keep the draft?").await;
    Ok(keep.yes())
}

// expect: flag E101 at std::fs::copy(&from, &to)?;
// level: L1
#[tool]
async fn backup_is_copied(from: String, to: String) -> Result<(), ToolError> {
    std::fs::copy(&from, &to)?;
    #[ask(message = "Delete the original?")]
    let delete: Confirm;
    Ok(())
}

// expect: flag E101 at tokio::fs::remove_dir_all(&dir).await
// level: L1
#[tool]
async fn directory_is_wiped(dir: String) -> Result<(), ToolError> {
    if tokio::fs::remove_dir_all(&dir).await.is_err() {
        return Err(ToolError::user("no such directory"));
    }
    #[ask(message = "Recreate it?")]
    let again: Confirm;
    Ok(())
}

// expect: flag E101 at std::os::unix::fs::symlink(&target, "current")?;
// level: L1
#[tool]
async fn release_is_linked(target: String) -> Result<(), ToolError> {
    std::os::unix::fs::symlink(&target, "current")?;
    #[ask(message = "Restart?")]
    let restart: Confirm;
    Ok(())
}

// expect: flag E101 at .open("journal.log")?;
// level: L2
// why: opening with `create` makes the file.
#[tool]
async fn journal_is_opened_for_append() -> Result<(), ToolError> {
    let journal = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open("journal.log")?;
    #[ask(message = "Write an entry?")]
    let entry: Confirm;
    drop(journal);
    Ok(())
}

// expect: flag E101 at writeln!(out, "{line}")?;
// level: L2
// why: the file is a parameter of the state, opened long ago.
#[tool]
async fn line_goes_to_an_open_file(State(mut out): State<std::fs::File>, line: String) -> Result<(), ToolError> {
    writeln!(out, "{line}")?;
    #[ask(message = "Another one?")]
    let more: Confirm;
    Ok(())
}

// expect: flag E101 at file.write_all(data.as_bytes()).await?;
// expect: flag E101 at let mut file = tokio::fs::File::create("out").await?;
// level: L2
#[tool]
async fn file_is_created_and_filled(data: String) -> Result<(), ToolError> {
    let mut file = tokio::fs::File::create("out").await?;
    file.write_all(data.as_bytes()).await?;
    #[ask(message = "Upload it?")]
    let upload: Confirm;
    Ok(())
}

// expect: flag E101 at http.post(&url).json(&order).send().await?;
// level: L2
#[tool]
async fn order_is_posted(State(http): State<reqwest::Client>, url: String, order: Order) -> Result<(), ToolError> {
    http.post(&url).json(&order).send().await?;
    #[ask(message = "Send a receipt?")]
    let receipt: Confirm;
    Ok(())
}

// expect: flag E101 at client.delete(url).send()
// level: L2
#[tool]
async fn item_is_deleted(url: String) -> Result<(), ToolError> {
    let client = reqwest::Client::new();
    let answer = client.delete(url).send().await?;
    let status = answer.status();
    #[ask(message = "The server said {status}. Go on?")]
    let go: Confirm;
    Ok(())
}

// expect: flag E101 at .send()
// level: L2
#[tool]
async fn request_with_a_method_value(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    http.request(reqwest::Method::PATCH, "https://api/profile")
        .header("x", "y")
        .send()
        .await?;
    #[ask(message = "Again?")]
    let again: Confirm;
    Ok(())
}

// expect: flag E101 at request.send().await?;
// level: L2
// why: the builder is bound first; its verb travels with it.
#[tool]
async fn bound_builder(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let request = http.post("https://api/x").bearer_auth("t");
    request.send().await?;
    #[ask(message = "Again?")]
    let again: Confirm;
    Ok(())
}

// expect: flag E101 at ureq::post("https://hook").send_string("hi")?;
// level: L2
#[tool]
async fn blocking_hook() -> Result<(), ToolError> {
    ureq::post("https://hook").send_string("hi")?;
    #[ask(message = "Was it received?")]
    let received: Confirm;
    Ok(())
}

// expect: flag E101 at http.execute(request).await?;
// level: L2
#[tool]
async fn built_request_is_executed(State(http): State<reqwest::Client>) -> Result<(), ToolError> {
    let request = http.put("https://api/doc").body("x").build()?;
    http.execute(request).await?;
    #[ask(message = "Publish?")]
    let publish: Confirm;
    Ok(())
}

// expect: flag E101 at .execute(&pool)
// level: L2
#[tool]
async fn row_is_deleted(State(pool): State<PgPool>, id: i64) -> Result<(), ToolError> {
    sqlx::query("delete from carts where id = $1")
        .bind(id)
        .execute(&pool)
        .await?;
    #[ask(message = "Start a new cart?")]
    let fresh: Confirm;
    Ok(())
}

// expect: flag E101 at sqlx::query!("INSERT INTO log (line) VALUES ($1)", line).execute(&pool).await?;
// level: L2
#[tool]
async fn checked_macro_insert(State(pool): State<PgPool>, line: String) -> Result<(), ToolError> {
    sqlx::query!("INSERT INTO log (line) VALUES ($1)", line).execute(&pool).await?;
    #[ask(message = "Next?")]
    let next: Confirm;
    Ok(())
}

// expect: flag E101 at let id: i64 = sqlx::query_scalar("select nextval('orders')").fetch_one(&pool).await?;
// level: L2
// why: a sequence moves on even inside a SELECT.
#[tool]
async fn number_is_drawn_from_a_sequence(State(pool): State<PgPool>) -> Result<(), ToolError> {
    let id: i64 = sqlx::query_scalar("select nextval('orders')").fetch_one(&pool).await?;
    #[ask(message = "Order {id}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at sqlx::query(&statement).execute(&pool).await?;
// level: L2
// why: the text is unknown, and `execute` is for statements without rows.
#[tool]
async fn unknown_statement_is_executed(State(pool): State<PgPool>, statement: String) -> Result<(), ToolError> {
    sqlx::query(&statement).execute(&pool).await?;
    #[ask(message = "Done?")]
    let done: Confirm;
    Ok(())
}

// expect: flag E101 at diesel::insert_into(posts::table).values(&post).execute(conn)?;
// level: L2
#[asking]
async fn diesel_insert(ctx: &Ctx, conn: &mut PgConnection, post: NewPost) -> Result<bool, ToolError> {
    diesel::insert_into(posts::table).values(&post).execute(conn)?;
    let ok: Confirm = ctx.ask("ok", "Publish it?").await;
    Ok(ok.yes())
}

// expect: flag E101 at order.insert(&db).await?;
// level: L2
// why: awaited and given a database, it is no collection's insert.
#[tool]
async fn mapper_insert(State(db): State<DatabaseConnection>, order: order::ActiveModel) -> Result<(), ToolError> {
    order.insert(&db).await?;
    #[ask(message = "Pay now?")]
    let pay: Confirm;
    Ok(())
}

// expect: flag E101 at Orders::delete_by_id(id).exec(&db).await?;
// level: L2
#[tool]
async fn mapper_delete(State(db): State<DatabaseConnection>, id: i32) -> Result<(), ToolError> {
    Orders::delete_by_id(id).exec(&db).await?;
    #[ask(message = "Tell the customer?")]
    let tell: Confirm;
    Ok(())
}

// expect: flag E101 at users.insert_one(user).await?;
// level: L2
#[tool]
async fn document_insert(State(users): State<Collection<User>>, user: User) -> Result<(), ToolError> {
    users.insert_one(user).await?;
    #[ask(message = "Invite?")]
    let invite: Confirm;
    Ok(())
}

// expect: flag E101 at client.execute("UPDATE jobs SET state = 'open'", &[]).await?;
// level: L2
#[tool]
async fn postgres_update(State(client): State<Arc<tokio_postgres::Client>>) -> Result<(), ToolError> {
    client.execute("UPDATE jobs SET state = 'open'", &[]).await?;
    #[ask(message = "Assign?")]
    let assign: Confirm;
    Ok(())
}

// expect: flag E101 at conn.execute_batch("CREATE TABLE t (a); DELETE FROM u;")?;
// level: L2
#[tool]
async fn sqlite_batch() -> Result<(), ToolError> {
    let conn = rusqlite::Connection::open("db")?;
    conn.execute_batch("CREATE TABLE t (a); DELETE FROM u;")?;
    #[ask(message = "Fill it?")]
    let fill: Confirm;
    Ok(())
}

// expect: flag E101 at tx.commit().await?;
// level: L2
// why: the statements of a transaction count when it is committed, which is above the ask.
#[tool]
async fn transaction_is_committed_above(State(pool): State<PgPool>) -> Result<(), ToolError> {
    let mut tx = pool.begin().await?;
    sqlx::query("INSERT INTO a VALUES (1)").execute(&mut *tx).await?;
    tx.commit().await?;
    #[ask(message = "More?")]
    let more: Confirm;
    Ok(())
}

// expect: flag E101 at let _: () = con.set("draft", &body).await?;
// level: L2
#[tool]
async fn redis_set(State(client): State<redis::Client>, body: String) -> Result<(), ToolError> {
    let mut con = client.get_multiplexed_async_connection().await?;
    let _: () = con.set("draft", &body).await?;
    #[ask(message = "Save?")]
    let save: Confirm;
    Ok(())
}

// expect: flag E101 at let _: i64 = con.rpush("queue", job).await?;
// level: L2
#[tool]
async fn redis_push(State(mut con): State<redis::aio::ConnectionManager>, job: String) -> Result<(), ToolError> {
    let _: i64 = con.rpush("queue", job).await?;
    #[ask(message = "Another job?")]
    let more: Confirm;
    Ok(())
}

// expect: flag E101 at redis::pipe().set("a", 1).ignore().incr("b", 2).query_async::<()>(&mut con).await?;
// level: L2
#[tool]
async fn redis_pipeline(State(mut con): State<redis::aio::ConnectionManager>) -> Result<(), ToolError> {
    redis::pipe().set("a", 1).ignore().incr("b", 2).query_async::<()>(&mut con).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at redis::cmd("LPUSH").arg("q").arg(&job).query::<()>(&mut con)?;
// level: L2
#[tool]
async fn redis_command_word(State(client): State<redis::Client>, job: String) -> Result<(), ToolError> {
    let mut con = client.get_connection()?;
    redis::cmd("LPUSH").arg("q").arg(&job).query::<()>(&mut con)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at self.mailer.send(mail).await?;
// level: L2
#[tool]
async fn mail_through_a_field(&self, to: String) -> Result<(), ToolError> {
    let mail = Message::builder().to(to.parse()?).body(String::from("hello"))?;
    self.mailer.send(mail).await?;
    #[ask(message = "Also by post?")]
    let post: Confirm;
    Ok(())
}

// expect: flag E101 at client.publish("orders", payload.into()).await?;
// level: L2
#[tool]
async fn broker_publish(State(client): State<async_nats::Client>, payload: String) -> Result<(), ToolError> {
    client.publish("orders", payload.into()).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at .send()
// level: L2
#[tool]
async fn cloud_put(State(s3): State<aws_sdk_s3::Client>, key: String) -> Result<(), ToolError> {
    s3.put_object()
        .bucket("b")
        .key(key)
        .send()
        .await?;
    #[ask(message = "Share it?")]
    let share: Confirm;
    Ok(())
}

// expect: flag E101 at ec2.terminate_instances().instance_ids(id).send().await?;
// level: L2
#[tool]
async fn cloud_terminate(State(ec2): State<aws_sdk_ec2::Client>, id: String) -> Result<(), ToolError> {
    ec2.terminate_instances().instance_ids(id).send().await?;
    #[ask(message = "Start a new one?")]
    let new: Confirm;
    Ok(())
}

// expect: flag E101 at let out = std::process::Command::new("terraform").arg("apply").output()?;
// level: L1
#[tool]
async fn process_output() -> Result<(), ToolError> {
    let out = std::process::Command::new("terraform").arg("apply").output()?;
    #[ask(message = "Continue?")]
    let go: Confirm;
    Ok(())
}

// expect: flag E101 at cmd.status().await?;
// level: L2
// why: the command is bound, given an argument, and run.
#[tool]
async fn process_bound(dir: String) -> Result<(), ToolError> {
    let mut cmd = tokio::process::Command::new("make");
    cmd.arg("install").current_dir(&dir);
    cmd.status().await?;
    #[ask(message = "Continue?")]
    let go: Confirm;
    Ok(())
}

// expect: flag E101 at stream.write_all(b"RESET\r\n").await?;
// level: L2
#[tool]
async fn bytes_to_a_device(State(addr): State<String>) -> Result<(), ToolError> {
    let mut stream = tokio::net::TcpStream::connect(addr).await?;
    stream.write_all(b"RESET\r\n").await?;
    #[ask(message = "Did it reset?")]
    let reset: Confirm;
    Ok(())
}

// expect: flag E101 at socket.send_to(b"ping", "10.0.0.1:9")?;
// level: L2
#[tool]
async fn datagram() -> Result<(), ToolError> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0")?;
    socket.send_to(b"ping", "10.0.0.1:9")?;
    #[ask(message = "Pong?")]
    let pong: Confirm;
    Ok(())
}

// expect: flag E101 at fs::rename("a", &b)?;
// level: L3
// why: `fs` is a name the file's own `use` gives to std's module.
#[tool]
async fn module_alias_of_the_file(b: String) -> Result<(), ToolError> {
    use std::fs;
    fs::rename("a", &b)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at erase("a")?;
// level: L2
#[tool]
async fn function_alias_in_the_body() -> Result<(), ToolError> {
    use std::fs::{remove_file as erase, read};
    let old = read("a")?;
    erase("a")?;
    #[ask(message = "Restore {old:?}?")]
    let restore: Confirm;
    Ok(())
}

// expect: flag E101 at remove_file(&path)?;
// level: L2
// why: no other function has that name.
#[tool]
async fn name_that_speaks_for_itself(path: String) -> Result<(), ToolError> {
    remove_file(&path)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at std::fs::write("a", &who.name)?;
// level: L1
// why: guarded by the first answer is still above the second question.
#[tool]
async fn guarded_by_the_first_answer() -> Result<(), ToolError> {
    #[ask(message = "Who?")]
    let who: Traveller;
    if who.known {
        std::fs::write("a", &who.name)?;
    }
    #[ask(message = "Seat for {who.name}?")]
    let seat: Seat;
    Ok(())
}

// expect: flag E101 at std::fs::write("prompted", "1")?;
// level: L1
#[prompt]
async fn prompts_are_judged_too() -> Result<String, ToolError> {
    std::fs::write("prompted", "1")?;
    #[ask(message = "About what?")]
    let topic: String;
    Ok(topic)
}

// expect: flag E101 at surf::post("https://api/x").body("y").await?;
// level: L2
// why: surf sends when its request is awaited.
#[tool]
async fn request_that_is_a_future() -> Result<(), ToolError> {
    surf::post("https://api/x").body("y").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at client.request(request).await?;
// level: L2
#[tool]
async fn hyper_request(State(client): State<HyperClient>) -> Result<(), ToolError> {
    let request = Request::builder().method("DELETE").uri("http://x").body(Body::empty())?;
    client.request(request).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at http.create_reaction(channel, "thumbs up").await?;
// level: L2
// why: the verb and its object say what a client of another crate does.
#[tool]
async fn reaction_of_a_client(State(http): State<Arc<Http>>, channel: u64) -> Result<(), ToolError> {
    http.create_reaction(channel, "thumbs up").await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at desk.billing_api.cancel_subscription(&id).await?;
// level: L2
#[tool]
async fn cancelled_at_an_api(State(desk): State<Desk>, id: String) -> Result<(), ToolError> {
    desk.billing_api.cancel_subscription(&id).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}
