//! `cargo xtask lint-report --timing`: what the lint costs a run of rustc, body and helpers apart.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mrtr_lint::{Handler, HandlerKind, Source, check};
use syn::visit::Visit;
use syn::{Block, ImplItemFn, ItemFn, Signature, Stmt, parse_quote};

/// How many functions of a crate are taken for its handlers.
const HANDLERS: usize = 40;

/// An async function that an ask was put into, and where it stands.
struct Function {
    file: PathBuf,
    sig: Signature,
    block: Block,
    self_type: Option<String>,
}

/// Judges functions of each crate as if they were its handlers, and prints what it took.
///
/// A run of rustc is played by one pass over a crate that was not looked at before: what the lint
/// keeps, it keeps for the process. Built without optimisation, as macros are.
///
/// # Errors
///
/// A text when no directory is given, or one has no async functions.
pub(crate) fn run(directories: &[String]) -> Result<(), String> {
    if directories.is_empty() {
        return Err(
            "usage: cargo xtask lint-report --timing CRATE.. (directories with `src`)".into(),
        );
    }
    println!("   lines  handlers  bodies ms  helpers ms  crate");
    for directory in directories.iter().map(Path::new) {
        let mut files = Vec::new();
        rust_files(&directory.join("src"), &mut files);
        let texts: Vec<(PathBuf, String)> = files
            .into_iter()
            .filter_map(|file| fs::read_to_string(&file).ok().map(|text| (file, text)))
            .collect();
        let lines: usize = texts.iter().map(|(_, text)| text.lines().count()).sum();
        let chosen = handlers(&texts);
        if chosen.is_empty() {
            return Err(format!("no async functions in {}/src", directory.display()));
        }
        let bodies = judge_all(&chosen, |_| Source::none());
        let whole = judge_all(&chosen, |function| {
            let name = &function.sig.ident;
            Source::from_file(&function.file, name.span().start().line, &name.to_string())
        });
        println!(
            "{lines:>8}  {:>8}  {:>9.1}  {:>10.1}  {}",
            chosen.len(),
            milliseconds(bodies),
            milliseconds(whole.saturating_sub(bodies)),
            directory.file_name().unwrap_or_default().to_string_lossy(),
        );
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn judge_all(functions: &[Function], source: impl Fn(&Function) -> Source) -> Duration {
    let start = clock();
    for function in functions {
        let mut handler = Handler::new(HandlerKind::Tool, &function.sig, &function.block);
        handler.self_type.clone_from(&function.self_type);
        let _ = check(&handler, &source(function));
    }
    clock().saturating_sub(start)
}

/// The time this thread was computing; where the system does not tell, the time that went by.
///
/// On a busy machine the two are far apart.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let computing = told.and_then(|text| text.split(' ').next()?.parse().ok());
    computing.map_or_else(
        || START.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}

fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
}

/// Async functions of the size of a handler, from all over the crate.
fn handlers(texts: &[(PathBuf, String)]) -> Vec<Function> {
    let mut found = Vec::new();
    for (file, text) in texts {
        if let Ok(parsed) = syn::parse_file(text) {
            let mut functions = Functions {
                file,
                self_type: None,
                found: &mut found,
            };
            functions.visit_file(&parsed);
        }
    }
    let step = found.len().div_ceil(HANDLERS).max(1);
    found.into_iter().step_by(step).collect()
}

struct Functions<'a> {
    file: &'a Path,
    self_type: Option<String>,
    found: &'a mut Vec<Function>,
}

impl Functions<'_> {
    fn keep(&mut self, sig: &Signature, block: &Block, self_type: Option<String>) {
        let lines = block.brace_token.span.close().end().line - sig.ident.span().start().line;
        if sig.asyncness.is_none() || !(5..=60).contains(&lines) {
            return;
        }
        let mut block = block.clone();
        let ask: Stmt = parse_quote!(#[ask(message = "ok?")] let ok: Confirm;);
        block.stmts.insert(block.stmts.len().saturating_sub(1), ask);
        self.found.push(Function {
            file: self.file.to_owned(),
            sig: sig.clone(),
            block,
            self_type,
        });
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.keep(&item.sig, &item.block, None);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.self_type = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.keep(&item.sig, &item.block, self.self_type.clone());
    }
}
