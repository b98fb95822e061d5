//! Shared state, channels and tasks above an ask.
use mrtr::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, RwLock};
use tokio::sync::{broadcast, mpsc, oneshot, watch, Notify};

static HITS: AtomicU64 = AtomicU64::new(0);
static SEEN: LazyLock<Mutex<Vec<String>>> = LazyLock::new(Mutex::default);
static mut TOTAL: u32 = 0;
thread_local! { static DEPTH: std::cell::RefCell<u32> = const { std::cell::RefCell::new(0) }; }

// expect: flag E104 at HITS.fetch_add(1, Ordering::Relaxed);
// level: L1
#[tool]
async fn atomic_counter() -> Result<(), ToolError> {
    HITS.fetch_add(1, Ordering::Relaxed);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at busy.store(true, Ordering::SeqCst);
// level: L2
#[tool]
async fn flag_in_state(State(busy): State<Arc<AtomicBool>>) -> Result<(), ToolError> {
    busy.store(true, Ordering::SeqCst);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at AtomicU64::fetch_max(&HITS, 9, Ordering::Relaxed);
// level: L2
#[tool]
async fn atomic_by_path() -> Result<(), ToolError> {
    AtomicU64::fetch_max(&HITS, 9, Ordering::Relaxed);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at SEEN.lock().unwrap().push(name.clone());
// level: L2
#[tool]
async fn static_list(name: String) -> Result<(), ToolError> {
    SEEN.lock().unwrap().push(name.clone());
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at unsafe { TOTAL += 1 }
// level: L2
#[tool]
async fn static_mut_counter() -> Result<(), ToolError> {
    unsafe { TOTAL += 1 }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at DEPTH.with(|depth| *depth.borrow_mut() += 1);
// level: L2
#[tool]
async fn thread_local_counter() -> Result<(), ToolError> {
    DEPTH.with(|depth| *depth.borrow_mut() += 1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at DEPTH.with_borrow_mut(|depth| *depth = 3);
// level: L2
#[tool]
async fn thread_local_closure() -> Result<(), ToolError> {
    DEPTH.with_borrow_mut(|depth| *depth = 3);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at state.write().await.insert(id, name);
// level: L2
#[tool]
async fn injected_map(State(state): State<Arc<RwLock<HashMap<u32, String>>>>, id: u32, name: String) -> Result<(), ToolError> {
    state.write().await.insert(id, name);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at guard.remove(&id);
// level: L2
// why: the guard has a name of its own; what it guards is shared.
#[tool]
async fn named_guard(State(state): State<Shared>, id: u32) -> Result<(), ToolError> {
    let mut guard = state.orders.lock().await;
    guard.remove(&id);
    drop(guard);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at *count += 1;
// level: L2
#[tool]
async fn guard_is_assigned_through(State(state): State<Shared>) -> Result<(), ToolError> {
    {
        let mut count = state.count.lock().unwrap();
        *count += 1;
    }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at if let Ok(mut list) = self.list.try_lock() { list.clear(); }
// level: L2
#[tool]
async fn guard_in_if_let(&self) -> Result<(), ToolError> {
    if let Ok(mut list) = self.list.try_lock() { list.clear(); }
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.cache.insert(key.clone(), 1);
// level: L2
#[tool]
async fn concurrent_map(&self, key: String) -> Result<(), ToolError> {
    self.cache.insert(key.clone(), 1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.map.lock().unwrap().get_mut("a").unwrap().push(1);
// level: L2
#[tool]
async fn deep_inside_a_guard(&self) -> Result<(), ToolError> {
    self.map.lock().unwrap().get_mut("a").unwrap().push(1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at *self.map.lock().unwrap().entry(key).or_insert(0) += 1;
// level: L2
#[tool]
async fn entry_is_counted_up(&self, key: String) -> Result<(), ToolError> {
    *self.map.lock().unwrap().entry(key).or_insert(0) += 1;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.state.lock().unwrap().phase = Phase::Asked;
// level: L2
#[tool]
async fn field_of_a_guard(&self) -> Result<(), ToolError> {
    self.state.lock().unwrap().phase = Phase::Asked;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.mode.set(Mode::Busy);
// level: L2
#[tool]
async fn cell_of_self(&self) -> Result<(), ToolError> {
    self.mode.set(Mode::Busy);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.calls += 1;
// level: L1
#[tool]
async fn field_of_mut_self(&mut self) -> Result<(), ToolError> {
    self.calls += 1;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.rows[0] = 1;
// level: L2
#[tool]
async fn element_of_self(&mut self) -> Result<(), ToolError> {
    self.rows[0] = 1;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at std::env::set_current_dir(&dir)?;
// level: L1
#[tool]
async fn directory_of_the_process(dir: String) -> Result<(), ToolError> {
    std::env::set_current_dir(&dir)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at let items = Arc::clone(&self.items); items.lock().unwrap().push(1);
// level: L2
// why: a clone of an `Arc` is the same thing.
#[tool]
async fn cloned_handle(&self) -> Result<(), ToolError> {
    let items = Arc::clone(&self.items); items.lock().unwrap().push(1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at items.lock().unwrap().push(2);
// level: L2
#[tool]
async fn method_cloned_handle(&self) -> Result<(), ToolError> {
    let items = self.items.clone();
    items.lock().unwrap().push(2);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at tx.send(Event::Started).await?;
// level: L2
#[tool]
async fn channel_in_state(State(tx): State<mpsc::Sender<Event>>) -> Result<(), ToolError> {
    tx.send(Event::Started).await?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at let _ = self.bus.send(1);
// level: L2
#[tool]
async fn broadcast_of_self(&self) -> Result<(), ToolError> {
    let _ = self.bus.send(1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at tx.try_send(3)?;
// level: L2
#[tool]
async fn sender_clone(State(app): State<App>) -> Result<(), ToolError> {
    let tx = app.tx.clone();
    tx.try_send(3)?;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at price.send_modify(|p| *p += 1);
// level: L2
#[tool]
async fn watch_value(State(price): State<Arc<watch::Sender<u32>>>) -> Result<(), ToolError> {
    price.send_modify(|p| *p += 1);
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at self.wake.notify_waiters();
// level: L1
#[tool]
async fn notify_of_self(&self) -> Result<(), ToolError> {
    self.wake.notify_waiters();
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at tokio::spawn(async move { refresh().await });
// level: L1
#[tool]
async fn detached_task() -> Result<(), ToolError> {
    tokio::spawn(async move { refresh().await });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at std::thread::spawn(|| work());
// level: L1
#[tool]
async fn detached_thread() -> Result<(), ToolError> {
    std::thread::spawn(|| work());
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at let job = tokio::task::spawn_blocking(move || count(n));
// level: L2
// why: joined below the ask only, so it starts once per round.
#[tool]
async fn task_is_joined_below(n: u64) -> Result<(), ToolError> {
    let job = tokio::task::spawn_blocking(move || count(n));
    #[ask(message = "Ok?")]
    let ok: Confirm;
    let total = job.await?;
    Ok(())
}

// expect: clean
// level: L2
// why: it only computes, and is waited for.
#[tool]
async fn task_is_joined_above(n: u64) -> Result<(), ToolError> {
    let job = tokio::task::spawn_blocking(move || count(n));
    let total = job.await?;
    let other = tokio::task::spawn_blocking(move || count(n)).await?;
    #[ask(message = "{total} {other}?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E101 at tokio::task::spawn_blocking(move || std::fs::remove_file(&path)).await??;
// level: L2
#[tool]
async fn joined_task_with_an_effect(path: String) -> Result<(), ToolError> {
    tokio::task::spawn_blocking(move || std::fs::remove_file(&path)).await??;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E105 at tasks.spawn(async move { warm(id).await });
// level: L2
#[tool]
async fn task_set_left_running(State(tasks): State<TaskTracker>, id: u32) -> Result<(), ToolError> {
    tasks.spawn(async move { warm(id).await });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn task_set_is_drained(ids: Vec<u32>) -> Result<(), ToolError> {
    let mut tasks = tokio::task::JoinSet::new();
    for id in ids {
        tasks.spawn(async move { fetch(id).await });
    }
    let all = tasks.join_all().await;
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn scoped_threads(parts: Vec<u64>) -> Result<(), ToolError> {
    std::thread::scope(|scope| {
        for part in &parts {
            scope.spawn(move || count(*part));
        }
    });
    #[ask(message = "Ok?")]
    let ok: Confirm;
    Ok(())
}

// expect: flag E104 at self.log.lock().unwrap().push(who.name.clone());
// level: L2
// why: also in the next iteration: state keeps its own name.
#[tool]
async fn state_in_a_loop(&self, ctx: &Ctx) -> Result<(), ToolError> {
    loop {
        let who: Traveller = ctx.ask(format!("who-{}", 1), "Who?").await;
        if who.last {
            break;
        }
        self.log.lock().unwrap().push(who.name.clone());
    }
    Ok(())
}

// expect: clean
// level: L2
#[tool]
async fn state_below_the_ask(&self) -> Result<(), ToolError> {
    #[ask(message = "Ok?")]
    let ok: Confirm;
    self.log.lock().unwrap().push(1);
    self.tx.send(2).await?;
    HITS.fetch_add(1, Ordering::Relaxed);
    tokio::spawn(async {});
    Ok(())
}
