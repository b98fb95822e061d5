//! The lint never panics, and its work grows with the size of what it reads.

use std::fs;
use std::path::{Path, PathBuf};

use mrtr_lint::{Handler, HandlerKind, Source, asks_on_every_path, check, graph_size};
use quote::ToTokens as _;
use syn::visit::Visit;
use syn::{Block, ImplItemFn, ItemFn, Signature, Stmt, parse_quote};

/// How many nodes of the graph one token may cost: a macro that awaits, in a loop, costs some ten.
const NODES_PER_TOKEN: usize = 12;

#[derive(Default)]
struct Functions(Vec<(Signature, Block)>);

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.0.push((item.sig.clone(), (*item.block).clone()));
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.0.push((item.sig.clone(), item.block.clone()));
        syn::visit::visit_impl_item_fn(self, item);
    }
}

fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Asks at the start, in the middle and at the end, so that everything lies between two asks.
fn with_asks(block: &mut Block) {
    let ask: Stmt = parse_quote!(#[ask(message = "a {x}?")] let x: Confirm;);
    let keyed: Stmt = parse_quote!(#[ask(key = "b", message = "b?")] let y: Option<String>;);
    let commit: Stmt = parse_quote!(#[commit(c)] done(c, &x).await?;);
    let middle = block.stmts.len() / 2;
    let end = block.stmts.len().saturating_sub(1);
    block.stmts.insert(end, commit);
    block.stmts.insert(end, ask.clone());
    block.stmts.insert(middle, keyed);
    block.stmts.insert(0, ask);
}

/// Judges a function, and returns how many nodes its graph has per token.
fn judge(sig: &Signature, block: &Block, source: &Source) -> usize {
    let handler = Handler::new(HandlerKind::Tool, sig, block);
    let _ = (check(&handler, source), asks_on_every_path(&handler));
    let tokens = count(block.to_token_stream());
    graph_size(&handler) / tokens.max(20)
}

fn count(tokens: proc_macro2::TokenStream) -> usize {
    let inner = |token: proc_macro2::TokenTree| match token {
        proc_macro2::TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(inner).sum()
}

/// The functions of this project, which are of every kind, each with asks put in.
#[test]
fn every_function_of_the_project_is_judged_in_bounds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    let mut judged = 0;
    for path in files {
        let text = fs::read_to_string(&path).expect("a file of the project");
        let Ok(file) = syn::parse_file(&text) else {
            continue;
        };
        let mut functions = Functions::default();
        functions.visit_file(&file);
        for (sig, mut block) in functions.0 {
            with_asks(&mut block);
            let line = sig.ident.span().start().line;
            let source = Source::from_file(&path, line, &sig.ident.to_string());
            let cost = judge(&sig, &block, &source);
            assert!(
                cost <= NODES_PER_TOKEN,
                "{cost} nodes per token: {}:{line}",
                path.display()
            );
            judged += 1;
        }
    }
    assert!(judged > 500, "the project has functions: {judged}");
}

fn function(body: &str) -> ItemFn {
    let text = format!(
        "async fn f(ctx: &Ctx, State(tx): State<Sender<u8>>) -> Result<(), E> {{ {body} }}"
    );
    syn::parse_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Bodies whose naive reading is exponential or endless.
fn explosive_bodies() -> Vec<String> {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    let closures: String = (0..40)
        .map(|n| {
            format!(
                "let f{} = || {{ f{n}(); f{n}(); std::fs::write(\"a\", \"1\") }};",
                n + 1
            )
        })
        .collect();
    let futures: String = (0..40)
        .map(|n| {
            format!(
                "let g{} = async {{ join!(g{n}, g{n}, ctx.ask::<bool>(\"k\", \"q\")) }};",
                n + 1
            )
        })
        .collect();
    let nested: String = (0..40)
        .map(|n| format!("fn h{n}() {{ h{}(); h{}(); }}", n + 1, n + 1))
        .collect();
    let asks: String = (0..600)
        .map(|n| format!("#[ask(key = \"k{n}\", message = \"q\")] let a{n}: bool;"))
        .collect();
    let taints: String = (0..400)
        .map(|n| format!("let t{n} = Uuid::new_v4(); use_it(&t{n});"))
        .collect();
    let chain = format!("let x = a{};", ".b(1)".repeat(400));
    let sum = format!("let x = {}1;", "1 + ".repeat(800));
    vec![
        format!(
            "{}; ctx.ask::<bool>(\"k\", \"q\").await",
            deep("(", ")", 60)
        ),
        deep("{ if c() ", "}", 30).replace('1', "{}"),
        format!(
            "let f0 = || std::fs::write(\"a\", \"1\"); {closures} f40(); ctx.ask::<bool>(\"k\", \"q\").await"
        ),
        format!("let g0 = ctx.ask::<bool>(\"k\", \"q\"); {futures} g40.await"),
        format!("{nested} h0(); ctx.ask::<bool>(\"k\", \"q\").await"),
        format!("{asks} tx.send(1)"),
        format!(
            "{taints} ctx.ask::<bool>(\"k\", \"q\").await; {}",
            "use_it(&t1);".repeat(100)
        ),
        format!("{chain} ctx.ask::<bool>(\"k\", \"q\").await"),
        format!("{sum} ctx.ask::<bool>(\"k\", \"q\").await"),
    ]
}

/// Marks and macros that are written wrongly, or that name what is not there.
const MALFORMED: &[&str] = &[
    "let f = |f| f(f); f(f); ctx.ask::<bool>(\"k\", \"q\").await",
    "break; continue; 'a: {} break 'b; ctx.ask::<bool>(\"k\", \"q\").await",
    "select! { } join!(); join!(,); format!(); write!(); query!(); vec![]; ctx.ask()",
    "#[ask(=)] let x: u8; #[ask] let y = 1; #[memo] let z; #[commit(1 2)] f();",
    "#[mrtr::allow] f(); #[mrtr::allow()] f(); #[mrtr::allow(x y)] f();",
];

#[test]
fn what_could_explode_does_not() {
    for body in explosive_bodies()
        .into_iter()
        .chain(MALFORMED.iter().map(|body| (*body).to_owned()))
    {
        let item = function(&body);
        let cost = judge(&item.sig, &item.block, &Source::none());
        assert!(
            cost <= 1_000,
            "{cost} nodes per token: {}",
            &body[..body.len().min(200)]
        );
    }
}
