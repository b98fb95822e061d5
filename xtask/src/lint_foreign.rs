//! Async functions of published crates, judged as if they were handlers.

use std::fs;
use std::path::{Path, PathBuf};

use mrtr_lint::{Finding, Handler, HandlerKind, Source, check};
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, ImplItemFn, ItemFn, Signature, Stmt, parse_quote};

/// How many lines a function of the size of a handler has.
const LINES: std::ops::RangeInclusive<usize> = 5..=60;

/// An async function that an ask was put into, and where it stands.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) file: PathBuf,
    pub(crate) sig: Signature,
    block: Block,
    self_type: Option<String>,
    /// Its last line, and that of its closing brace.
    pub(crate) end: usize,
}

impl Function {
    /// The findings; an empty source judges the body alone.
    pub(crate) fn check(&self, source: &Source) -> Vec<Finding> {
        let mut handler = Handler::new(HandlerKind::Tool, &self.sig, &self.block);
        handler.self_type.clone_from(&self.self_type);
        check(&handler, source)
    }

    /// The sources of its crate.
    pub(crate) fn source(&self) -> Source {
        let name = &self.sig.ident;
        Source::from_file(&self.file, name.span().start().line, &name.to_string())
    }

    pub(crate) fn start(&self) -> usize {
        self.sig.ident.span().start().line
    }
}

/// The files below a directory, in order.
pub(crate) fn rust_files(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    collect(directory, &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|file| fs::read_to_string(&file).ok().map(|text| (file, text)))
        .collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The async functions of the size of a handler, in the order of the source, without tests.
pub(crate) fn functions(texts: &[(PathBuf, String)]) -> Vec<Function> {
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
    found
}

struct Functions<'a> {
    file: &'a Path,
    self_type: Option<String>,
    found: &'a mut Vec<Function>,
}

impl Functions<'_> {
    fn keep(&mut self, attrs: &[Attribute], sig: &Signature, block: &Block) {
        let end = block.brace_token.span.close().end().line;
        let lines = end - sig.ident.span().start().line;
        if sig.asyncness.is_none() || !LINES.contains(&lines) || is_test(attrs) {
            return;
        }
        self.found.push(Function {
            file: self.file.to_owned(),
            sig: sig.clone(),
            block: with_an_ask(block.clone()),
            self_type: self.self_type.clone(),
            end,
        });
    }
}

/// Puts an ask behind everything else, so that each line that can reach the end is above it.
fn with_an_ask(mut block: Block) -> Block {
    let ask: Stmt = parse_quote!(#[ask(message = "ok?")] let mrtr_ok: Confirm;);
    let Some(Stmt::Expr(value, None)) = block.stmts.last().cloned() else {
        block.stmts.push(ask);
        return block;
    };
    block.stmts.pop();
    let last: Expr = parse_quote!(mrtr_last);
    block.stmts.push(parse_quote!(let mrtr_last = #value;));
    block.stmts.push(ask);
    block.stmts.push(Stmt::Expr(last, None));
    block
}

fn is_test(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let is = |name: &str| attr.path().segments.iter().any(|part| part.ident == name);
        is("test")
            || is("cfg")
                && attr
                    .meta
                    .require_list()
                    .is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.keep(&item.attrs, &item.sig, &item.block);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.self_type = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        syn::visit::visit_item_impl(self, item);
        self.self_type = None;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.keep(&item.attrs, &item.sig, &item.block);
    }
}
