//! The files of a crate: read when needed, kept for the process, and told apart by their time of change.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use super::cursor;
use super::outline::Outline;
use super::summary::Summary;

/// A file with its outline, which is made when it is first wanted.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    outline: OnceLock<Outline>,
    /// What its functions were found to do, by where each starts, in that order.
    summaries: Mutex<Vec<(usize, Option<Arc<Summary>>)>>,
}

impl File {
    /// What was found of the function at `start`; the outer `None` when it was not read yet.
    pub(crate) fn summary(&self, start: usize) -> Option<Option<Arc<Summary>>> {
        let summaries = self.summaries.lock().ok()?;
        let at = summaries.binary_search_by_key(&start, |known| known.0);
        Some(summaries[at.ok()?].1.clone())
    }

    pub(crate) fn keep_summary(&self, start: usize, summary: Option<Arc<Summary>>) {
        if let Ok(mut summaries) = self.summaries.lock() {
            match summaries.binary_search_by_key(&start, |known| known.0) {
                Ok(at) => summaries[at].1 = summary,
                Err(at) => summaries.insert(at, (start, summary)),
            }
        }
    }

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

/// Sorted by path.
type Kept = Vec<(Stamp, Arc<File>)>;

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
    let place = kept.binary_search_by(|(_, file)| file.path.as_os_str().cmp(path.as_os_str()));
    if let Ok(at) = place
        && kept[at].0 == stamp
    {
        return Some(Arc::clone(&kept[at].1));
    }
    let text = fs::read_to_string(path).ok()?;
    let file = Arc::new(File {
        path: path.to_owned(),
        text,
        outline: OnceLock::new(),
        summaries: Mutex::default(),
    });
    let entry = (stamp, Arc::clone(&file));
    match place {
        Ok(at) => kept[at] = entry,
        Err(at) => kept.insert(at, entry),
    }
    Some(file)
}

/// The files in which the helpers of a handler are looked for, and the functions in each.
pub(crate) struct Index {
    pub(crate) files: Vec<Arc<File>>,
    /// Where each `fn NAME` may stand: the name, and the file by its place in `files`; sorted by
    /// name. It may be in a comment.
    names: Vec<(Range<usize>, usize)>,
    /// The types with a `Drop` of their own, looked for when the first one is asked for.
    dropping: OnceLock<Vec<String>>,
}

/// How long an index is good: a compiler's process lives no longer, an editor's goes on for hours.
const FRESH: Duration = Duration::from_secs(2);

/// Indices by root, each with the time it was made.
type Indices = Vec<(PathBuf, Instant, Arc<Index>)>;

/// The index of the crate that `own` is a file of.
pub(crate) fn index(own: &Path) -> Arc<Index> {
    static KEPT: OnceLock<Mutex<Indices>> = OnceLock::new();
    let kept = KEPT.get_or_init(Mutex::default);
    let key = root_of(own).unwrap_or(own).to_owned();
    if let Ok(kept) = kept.lock()
        && let Some((_, made, index)) = kept.iter().find(|(root, ..)| *root == key)
        && made.elapsed() < FRESH
        && index.files.iter().any(|file| file.path == own)
    {
        return Arc::clone(index);
    }
    let index = Arc::new(Index::of(files_around(own)));
    if let Ok(mut kept) = kept.lock() {
        kept.retain(|(root, ..)| *root != key);
        kept.push((key, Instant::now(), Arc::clone(&index)));
    }
    index
}

impl Index {
    fn of(files: Vec<Arc<File>>) -> Index {
        let mut names = Vec::new();
        for (place, file) in files.iter().enumerate() {
            for at in cursor::places(&file.text, "fn ") {
                names.push((cursor::word_at(&file.text, at + 3), place));
            }
        }
        // Sorted ranges take a tenth of the time of a map, whose hashing is not optimised here.
        names.sort_by(|(one, place), (other, other_place)| {
            files[*place].text.as_bytes()[one.clone()]
                .cmp(&files[*other_place].text.as_bytes()[other.clone()])
        });
        Index {
            files,
            names,
            dropping: OnceLock::new(),
        }
    }

    /// The files that may hold a function of this name.
    pub(crate) fn files_with(&self, name: &str) -> Vec<&Arc<File>> {
        let named = |(range, place): &(Range<usize>, usize)| {
            self.files[*place].text.as_bytes()[range.clone()].cmp(name.as_bytes())
        };
        let first = self.names.partition_point(|entry| named(entry).is_lt());
        let mut files = Vec::new();
        let mut before = None;
        for entry in &self.names[first..] {
            if named(entry).is_ne() {
                break;
            }
            // A stable sort leaves the entries of one file side by side.
            if before.replace(entry.1) != Some(entry.1) {
                files.push(&self.files[entry.1]);
            }
        }
        files
    }

    /// Whether a type of this name may have a `Drop` of its own.
    pub(crate) fn drops(&self, ty: &str) -> bool {
        let dropping = self.dropping.get_or_init(|| {
            let mut types = Vec::new();
            for file in &self.files {
                for at in cursor::places(&file.text, "Drop for ") {
                    types.push(file.text[cursor::word_at(&file.text, at + 9)].to_owned());
                }
            }
            types
        });
        dropping.iter().any(|known| known == ty)
    }
}

/// The `src` directory a file stands in.
///
/// An example or an integration test is a crate of its own file; others beside it are other crates.
fn root_of(own: &Path) -> Option<&Path> {
    own.ancestors().skip(1).find(|directory| {
        directory.file_name().is_some_and(|name| name == "src")
            && directory.parent().is_some_and(|parent| {
                parent.as_os_str().is_empty() || parent.join("Cargo.toml").exists()
            })
    })
}

fn files_around(own: &Path) -> Vec<Arc<File>> {
    let mut paths = vec![own.to_owned()];
    if let Some(root) = root_of(own) {
        let mut bytes = 0;
        collect(root, &mut paths, &mut bytes);
    }
    let mut files = Vec::with_capacity(paths.len());
    for path in &paths {
        if let Some(file) = read(path) {
            files.push(file);
        }
    }
    files
}

/// Adds the files below a directory to `paths`, which are sorted.
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
            if paths.len() < FILES
                && *bytes < BYTES
                && let Err(at) = paths.binary_search(&path)
            {
                paths.insert(at, path);
            }
        }
    }
}
