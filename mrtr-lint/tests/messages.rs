//! What each finding says in full, for its reader: the wrong examples of the pages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::expect_file;
use mrtr_lint::{Code, Handler, HandlerKind, Source, check};
use syn::Item;

/// The first example of a page, with the lines that the page hides.
fn wrong_example(code: Code) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../mrtr/src/docs/lint/{}.md", code.name()));
    let page = fs::read_to_string(path).expect("each finding has a page");
    let block = page
        .split("```rust")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let lines = block
        .lines()
        .skip(1)
        .map(|line| line.strip_prefix("# ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_read_well() {
    let mut all = String::new();
    let directory = std::env::temp_dir().join(format!("mrtr-lint-messages-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory can be written");
    for code in Code::ALL {
        let text = wrong_example(*code);
        // The notes name the file, so it has the same name on every machine.
        let own = directory.join(code.name());
        fs::create_dir(&own).expect("the directory was just made");
        let path = own.join("example.rs");
        fs::write(&path, &text).expect("the directory was just made");
        let file = syn::parse_file(&text).expect("the pages are tested to parse");
        for item in &file.items {
            let Item::Fn(function) = item else { continue };
            let Some(tool) = function
                .attrs
                .iter()
                .find(|attr| attr.path().is_ident("tool"))
            else {
                continue;
            };
            let mut handler = Handler::new(HandlerKind::Tool, &function.sig, &function.block);
            handler.read_only = tool
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string().contains("read_only"));
            let line = function.sig.ident.span().start().line;
            let source = Source::from_file(&path, line, &function.sig.ident.to_string());
            for finding in check(&handler, &source) {
                let at = finding.span.start();
                let token = finding.span.source_text().unwrap_or_default();
                let severity = format!("{:?}", finding.severity).to_lowercase();
                writeln!(
                    all,
                    "{severity} at line {} `{token}`: {}\n",
                    at.line, finding.message
                )
                .expect("a string takes all");
            }
        }
    }
    fs::remove_dir_all(&directory).expect("the directory was just made");
    expect_file!["messages.txt"].assert_eq(&all);
}

#[test]
fn only_an_unmarked_helper_may_turn_out_to_read() {
    let marked = message_of("#[effect]\nfn clear() {}", "clear()");
    assert!(!marked.contains("#[read_only]"), "{marked}");
    let unmarked = message_of(
        "fn clear() { std::fs::remove_file(\"a\").ok(); }",
        "clear()",
    );
    assert!(
        unmarked.contains("if it only reads, mark the helper `#[read_only]`"),
        "{unmarked}"
    );
}

#[test]
fn a_helper_that_calls_a_marked_function_is_not_said_to_be_marked() {
    let helpers = "#[effect]\nfn charge() {}\nfn settle() { charge(); }\nfn close() { settle(); }";
    for call in ["settle()", "close()"] {
        let message = message_of(helpers, call);
        let name = call.trim_end_matches("()");
        let fact = format!("`{name}` calls `charge`, which is marked `#[effect]`, and `ok`");
        assert!(message.contains(&fact), "{message}");
        assert!(
            message.contains("mark the helper `#[read_only]`"),
            "{message}"
        );
    }
}

/// What is said of a helper's call above an ask.
fn message_of(helpers: &str, call: &str) -> String {
    let text = format!(
        "{helpers}\n\
         async fn tool(ctx: &Ctx) {{ {call}; let ok: Confirm = ctx.ask(\"ok\", \"Ok?\").await; }}"
    );
    let directory = std::env::temp_dir().join(format!(
        "mrtr-lint-helper-{}-{}-{call}",
        std::process::id(),
        helpers.len()
    ));
    fs::create_dir_all(&directory).expect("the temporary directory can be written");
    let path = directory.join("example.rs");
    fs::write(&path, &text).expect("the directory was just made");
    let file = syn::parse_file(&text).expect("the text is Rust");
    let Some(Item::Fn(tool)) = file.items.last() else {
        panic!("the last item is the tool");
    };
    let handler = Handler::new(HandlerKind::Tool, &tool.sig, &tool.block);
    let line = tool.sig.ident.span().start().line;
    let findings = check(&handler, &Source::from_file(&path, line, "tool"));
    fs::remove_dir_all(&directory).expect("the directory was just made");
    let [finding] = findings.as_slice() else {
        panic!("one finding, not {}", findings.len());
    };
    finding.message.to_string()
}
