//! Effects called by path, such as `std::fs::write` and `tokio::spawn`.

use super::{Hit, When};
use crate::facts::EffectKind::{self, File, Http, Process, State, Task};

/// Whose function it is when the last two segments alone do not say it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Timing {
    Now,
    Awaited,
    /// `std` runs at the call, `tokio` and its like when awaited.
    ByCrate,
}

struct Row {
    /// The last segments of the path.
    path: &'static str,
    kind: EffectKind,
    does: &'static str,
    timing: Timing,
    /// Which first segments may stand before; empty means any known crate, or none.
    crates: &'static [&'static str],
}

const FS: &[&str] = &[
    "std",
    "tokio",
    "async_std",
    "async_fs",
    "smol",
    "fs_err",
    "cap_std",
    "compio",
];
const STD: &[&str] = &["std", "core"];
const HTTP: &[&str] = &["ureq", "surf", "isahc", "attohttpc", "minreq", "reqwest"];

const fn row(
    path: &'static str,
    kind: EffectKind,
    does: &'static str,
    timing: Timing,
    crates: &'static [&'static str],
) -> Row {
    Row {
        path,
        kind,
        does,
        timing,
        crates,
    }
}

/// One row per function. `fs::create_dir_all` is left out because it can be repeated.
const ROWS: &[Row] = &[
    row("fs::write", File, "writes a file", Timing::ByCrate, FS),
    row(
        "fs::remove_file",
        File,
        "removes a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "fs::remove_dir",
        File,
        "removes a directory",
        Timing::ByCrate,
        FS,
    ),
    row(
        "fs::remove_dir_all",
        File,
        "removes a directory",
        Timing::ByCrate,
        FS,
    ),
    row("fs::rename", File, "renames a file", Timing::ByCrate, FS),
    row("fs::copy", File, "copies over a file", Timing::ByCrate, FS),
    row("fs::hard_link", File, "links a file", Timing::ByCrate, FS),
    row("fs::soft_link", File, "links a file", Timing::ByCrate, FS),
    row("fs::symlink", File, "links a file", Timing::ByCrate, FS),
    row(
        "unix::fs::symlink",
        File,
        "links a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "windows::fs::symlink_file",
        File,
        "links a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "windows::fs::symlink_dir",
        File,
        "links a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "unix::fs::chown",
        File,
        "changes a file's owner",
        Timing::ByCrate,
        FS,
    ),
    row(
        "fs::set_permissions",
        File,
        "changes a file's permissions",
        Timing::ByCrate,
        FS,
    ),
    row(
        "fs::create_dir",
        File,
        "creates a directory",
        Timing::ByCrate,
        FS,
    ),
    row(
        "File::create",
        File,
        "creates or truncates a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "File::create_new",
        File,
        "creates a file",
        Timing::ByCrate,
        FS,
    ),
    row(
        "env::set_var",
        State,
        "changes the environment of the process",
        Timing::Now,
        STD,
    ),
    row(
        "env::remove_var",
        State,
        "changes the environment of the process",
        Timing::Now,
        STD,
    ),
    row(
        "env::set_current_dir",
        State,
        "changes the directory of the process",
        Timing::Now,
        STD,
    ),
    row(
        "panic::set_hook",
        State,
        "changes the panic hook of the process",
        Timing::Now,
        STD,
    ),
    row("tokio::spawn", Task, "starts a task", Timing::Now, &[]),
    row(
        "task::spawn",
        Task,
        "starts a task",
        Timing::Now,
        &["tokio", "async_std", "smol"],
    ),
    row(
        "task::spawn_local",
        Task,
        "starts a task",
        Timing::Now,
        &["tokio", "async_std"],
    ),
    row(
        "task::spawn_blocking",
        Task,
        "starts a task",
        Timing::Now,
        &["tokio", "async_std"],
    ),
    row("smol::spawn", Task, "starts a task", Timing::Now, &[]),
    row("async_std::spawn", Task, "starts a task", Timing::Now, &[]),
    row(
        "actix_web::rt::spawn",
        Task,
        "starts a task",
        Timing::Now,
        &[],
    ),
    row("actix_rt::spawn", Task, "starts a task", Timing::Now, &[]),
    row("thread::spawn", Task, "starts a thread", Timing::Now, STD),
    row("rayon::spawn", Task, "starts a job", Timing::Now, &[]),
    row("rayon::spawn_fifo", Task, "starts a job", Timing::Now, &[]),
    row(
        "process::exit",
        Process,
        "ends the process",
        Timing::Now,
        &["never"],
    ),
    // A request of surf is itself a future.
    row(
        "surf::post",
        Http,
        "sends a POST request",
        Timing::Awaited,
        HTTP,
    ),
    row(
        "surf::put",
        Http,
        "sends a PUT request",
        Timing::Awaited,
        HTTP,
    ),
    row(
        "surf::patch",
        Http,
        "sends a PATCH request",
        Timing::Awaited,
        HTTP,
    ),
    row(
        "surf::delete",
        Http,
        "sends a DELETE request",
        Timing::Awaited,
        HTTP,
    ),
    row(
        "isahc::post",
        Http,
        "sends a POST request",
        Timing::Now,
        HTTP,
    ),
    row("isahc::put", Http, "sends a PUT request", Timing::Now, HTTP),
    row(
        "isahc::delete",
        Http,
        "sends a DELETE request",
        Timing::Now,
        HTTP,
    ),
    row(
        "isahc::post_async",
        Http,
        "sends a POST request",
        Timing::Awaited,
        HTTP,
    ),
    row(
        "isahc::put_async",
        Http,
        "sends a PUT request",
        Timing::Awaited,
        HTTP,
    ),
];

/// Functions known by their own name, when a `use` outside the fn hides their path.
const UNMISTAKABLE: &[(&str, &str)] = &[
    ("remove_dir_all", "fs::remove_dir_all"),
    ("remove_file", "fs::remove_file"),
    ("set_current_dir", "env::set_current_dir"),
    ("spawn_blocking", "task::spawn_blocking"),
    ("spawn_local", "task::spawn_local"),
];

/// The effect of calling `path`, whose segments are already freed of aliases.
///
/// `awaited` says whether the call is awaited at once, which tells tokio from std where a `use`
/// outside the fn hides the crate.
pub(crate) fn call(path: &[String], awaited: bool) -> Option<Hit> {
    let row = find(path)?;
    let when = match row.timing {
        Timing::Now => When::Now,
        Timing::Awaited => When::Awaited,
        Timing::ByCrate => match path.first().map(String::as_str) {
            Some("tokio" | "async_std" | "async_fs" | "smol" | "compio") => When::Awaited,
            Some("std" | "fs_err" | "cap_std") => When::Now,
            _ if awaited => When::Awaited,
            _ => When::Now,
        },
    };
    Some(Hit {
        kind: row.kind,
        does: row.does,
        when,
    })
}

fn find(path: &[String]) -> Option<&'static Row> {
    if let [name] = path {
        let (_, full) = UNMISTAKABLE.iter().find(|(short, _)| short == name)?;
        return ROWS.iter().find(|row| row.path == *full);
    }
    ROWS.iter().find(|row| {
        let wanted: Vec<&str> = row.path.split("::").collect();
        let Some(before) = path.len().checked_sub(wanted.len()) else {
            return false;
        };
        let matches = path[before..]
            .iter()
            .zip(&wanted)
            .all(|(have, want)| have == want);
        matches && is_known_crate(&path[..before], row.crates)
    })
}

/// `crate::fs::write` and `self::fs::write` are the user's own, whatever they are called.
fn is_known_crate(before: &[String], crates: &[&str]) -> bool {
    before
        .first()
        .is_none_or(|first| crates.contains(&first.as_str()))
}
