//! Effects called by path, such as `std::fs::write` and `tokio::spawn`.

use super::{Hit, When, ends_with};
use crate::facts::EffectKind::{self, File, Http, State, Task};

/// When the functions of a group do what they do.
#[derive(Clone, Copy, PartialEq)]
enum Timing {
    Now,
    Awaited,
    /// `std` runs at the call, `tokio` and its like when awaited.
    ByCrate,
}

/// Functions that are judged alike.
struct Group {
    kind: EffectKind,
    timing: Timing,
    /// Which first segments may stand before the path.
    crates: &'static [&'static str],
    /// The last segments of each path, with what it does.
    rows: &'static [(&'static str, &'static str)],
}

/// `fs::create_dir_all` is left out because it can be repeated.
const GROUPS: &[Group] = &[
    Group {
        kind: File,
        timing: Timing::ByCrate,
        crates: &[
            "std",
            "tokio",
            "async_std",
            "async_fs",
            "smol",
            "fs_err",
            "cap_std",
            "compio",
        ],
        rows: &[
            ("fs::write", "writes a file"),
            ("fs::remove_file", "removes a file"),
            ("fs::remove_dir", "removes a directory"),
            ("fs::remove_dir_all", "removes a directory"),
            ("fs::rename", "renames a file"),
            ("fs::copy", "copies over a file"),
            ("fs::hard_link", "links a file"),
            ("fs::soft_link", "links a file"),
            ("fs::symlink", "links a file"),
            ("fs::symlink_file", "links a file"),
            ("fs::symlink_dir", "links a file"),
            ("fs::chown", "changes a file's owner"),
            ("fs::set_permissions", "changes a file's permissions"),
            ("fs::create_dir", "creates a directory"),
            ("File::create", "creates or truncates a file"),
            ("File::create_new", "creates a file"),
        ],
    },
    Group {
        kind: State,
        timing: Timing::Now,
        crates: &["std"],
        rows: &[
            ("env::set_var", "changes the environment of the process"),
            ("env::remove_var", "changes the environment of the process"),
            (
                "env::set_current_dir",
                "changes the directory of the process",
            ),
            ("panic::set_hook", "changes the panic hook of the process"),
        ],
    },
    Group {
        kind: Task,
        timing: Timing::Now,
        crates: &[
            "std",
            "tokio",
            "async_std",
            "smol",
            "actix_web",
            "wasm_bindgen_futures",
        ],
        rows: &[
            ("tokio::spawn", "starts a task"),
            ("task::spawn", "starts a task"),
            ("task::spawn_local", "starts a task"),
            ("task::spawn_blocking", "starts a task"),
            ("smol::spawn", "starts a task"),
            ("rt::spawn", "starts a task"),
            ("actix_rt::spawn", "starts a task"),
            ("wasm_bindgen_futures::spawn_local", "starts a task"),
            ("thread::spawn", "starts a thread"),
            ("rayon::spawn", "starts a job"),
            ("rayon::spawn_fifo", "starts a job"),
        ],
    },
    Group {
        kind: Http,
        // A request of surf is itself a future.
        timing: Timing::Awaited,
        crates: &[],
        rows: &[
            ("surf::post", "sends a POST request"),
            ("surf::put", "sends a PUT request"),
            ("surf::patch", "sends a PATCH request"),
            ("surf::delete", "sends a DELETE request"),
            ("isahc::post_async", "sends a POST request"),
            ("isahc::put_async", "sends a PUT request"),
            ("isahc::delete_async", "sends a DELETE request"),
        ],
    },
    Group {
        kind: Http,
        timing: Timing::Now,
        crates: &[],
        rows: &[
            ("isahc::post", "sends a POST request"),
            ("isahc::put", "sends a PUT request"),
            ("isahc::delete", "sends a DELETE request"),
        ],
    },
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
    let (group, does) = find(path)?;
    let when = match group.timing {
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
        kind: group.kind,
        does,
        when,
    })
}

fn find(path: &[String]) -> Option<(&'static Group, &'static str)> {
    let full = match path {
        [name] => Some(UNMISTAKABLE.iter().find(|(short, _)| short == name)?.1),
        _ => None,
    };
    for group in GROUPS {
        for (row, does) in group.rows {
            let matches = match full {
                Some(full) => *row == full,
                None => ends_with(path, row).is_some_and(|before| is_known_crate(before, group)),
            };
            if matches {
                return Some((group, does));
            }
        }
    }
    None
}

/// `crate::fs::write` and `self::fs::write` are the user's own, whatever they are called.
fn is_known_crate(before: &[String], group: &Group) -> bool {
    before
        .first()
        .is_none_or(|first| group.crates.contains(&first.as_str()))
}
