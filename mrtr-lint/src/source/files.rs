//! The files of a crate: read when needed, kept for the process, and told apart by their time of change.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use super::outline::Outline;

/// A file with its outline, which is made when it is first wanted.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    outline: OnceLock<Outline>,
}

impl File {
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(&self.text))
    }

    /// The name of the module the file is.
    pub(crate) fn module(&self) -> Option<&str> {
        let stem = self.path.file_stem()?.to_str()?;
        if stem == "mod" {
            self.path.parent()?.file_name()?.to_str()
        } else {
            Some(stem)
        }
    }
}

/// How many files, and how much text, of one crate are looked at.
const FILES: usize = 4_000;
const BYTES: u64 = 16 << 20;

/// A text with the time it was last changed and its size.
type Stamp = (Option<SystemTime>, u64);

type Kept = HashMap<PathBuf, (Stamp, Arc<File>)>;

/// Files outlive one macro call: rustc calls the macro once per handler, in one process.
///
/// An editor's process lives on while files change, so an entry is good only for its stamp. Only
/// plain text is kept: tokens of a macro are dead after its call.
fn kept() -> &'static Mutex<Kept> {
    static KEPT: OnceLock<Mutex<Kept>> = OnceLock::new();
    KEPT.get_or_init(Mutex::default)
}

/// Reads a file, or takes the one that is kept; `None` when it cannot be read.
pub(crate) fn read(path: &Path) -> Option<Arc<File>> {
    let about = fs::metadata(path).ok()?;
    let stamp = (about.modified().ok(), about.len());
    let mut kept = kept().lock().ok()?;
    if let Some((known, file)) = kept.get(path)
        && *known == stamp
    {
        return Some(Arc::clone(file));
    }
    let text = fs::read_to_string(path).ok()?;
    let file = Arc::new(File {
        path: path.to_owned(),
        text,
        outline: OnceLock::new(),
    });
    kept.insert(path.to_owned(), (stamp, Arc::clone(&file)));
    Some(file)
}

/// The files that may hold the helpers of `own`: the `src` directory it stands in.
///
/// An example or an integration test is a crate of its own file; others beside it are other crates.
pub(crate) fn around(own: &Path) -> Vec<Arc<File>> {
    let root = own.ancestors().skip(1).find(|directory| {
        directory.file_name().is_some_and(|name| name == "src")
            && directory.parent().is_some_and(|parent| {
                parent.join("Cargo.toml").exists() || parent.as_os_str().is_empty()
            })
    });
    let mut paths = Vec::new();
    if let Some(root) = root {
        let mut bytes = 0;
        collect(root, &mut paths, &mut bytes);
    }
    paths.sort();
    paths
        .iter()
        .filter(|path| *path != own)
        .filter_map(|path| read(path))
        .collect()
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>, bytes: &mut u64) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let Ok(about) = entry.metadata() else {
            continue;
        };
        if about.is_dir() {
            collect(&path, paths, bytes);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *bytes += about.len();
            if paths.len() < FILES && *bytes < BYTES {
                paths.push(path);
            }
        }
    }
}
