//! The crate's own source: what the functions do that a handler calls.

mod cursor;
mod files;
mod find;
mod outline;
mod scan;
mod summary;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use files::{File, Index};
pub(crate) use summary::{HelperEffect, Summary};

/// Access to the source of the crate that is being compiled.
///
/// Nothing is read before a handler calls something whose source could tell more.
#[derive(Clone, Default)]
pub struct Source {
    krate: Option<Rc<Crate>>,
    /// The file whose names are in scope.
    here: Option<Arc<File>>,
}

/// What is known of one crate while one handler is judged.
struct Crate {
    own: PathBuf,
    index: std::cell::OnceCell<Arc<Index>>,
    /// The functions that are being read, against recursion: each by its file and its start.
    entered: RefCell<Vec<(PathBuf, usize)>>,
}

impl Source {
    /// No source: a body is judged alone.
    #[must_use]
    pub fn none() -> Source {
        Source::default()
    }

    /// The source around the function `name` at `line` (counted from 1) of `path`.
    ///
    /// The file is believed only if that line holds `fn NAME`: a documentation test names a file
    /// that has other lines, and a macro of another crate another file.
    #[must_use]
    pub fn from_file(path: &Path, line: usize, name: &str) -> Source {
        let Some(own) = files::read(path) else {
            return Source::none();
        };
        let name = name.strip_prefix("r#").unwrap_or(name);
        let holds = own
            .text
            .lines()
            .nth(line.saturating_sub(1))
            .is_some_and(|text| holds_function(text, name));
        if !holds {
            return Source::none();
        }
        let krate = Crate {
            own: path.to_owned(),
            index: std::cell::OnceCell::new(),
            entered: RefCell::default(),
        };
        Source {
            krate: Some(Rc::new(krate)),
            here: Some(own),
        }
    }

    /// The same crate seen from another of its files.
    fn at(&self, file: &Arc<File>) -> Source {
        Source {
            krate: self.krate.clone(),
            here: Some(Arc::clone(file)),
        }
    }
}

/// Whether a line holds `fn NAME`, the name as a whole word.
fn holds_function(line: &str, name: &str) -> bool {
    line.match_indices("fn ").any(|(at, _)| {
        let rest = line[at + 3..].trim_start().trim_start_matches("r#");
        rest.strip_prefix(name).is_some_and(|rest| {
            rest.chars()
                .next()
                .is_none_or(|c| !(c.is_alphanumeric() || c == '_'))
        })
    })
}
