//! The page of each finding: it exists, its wrong example has the finding, and its right one has none.

use std::fs;
use std::path::{Path, PathBuf};

use mrtr_lint::{Allow, Code, Finding, Handler, HandlerKind, Level, Policy, Source, check};
use syn::Item;

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrtr/src/docs/lint")
}

/// The Rust blocks of a page, with the lines that the page hides.
fn examples(page: &str) -> Vec<String> {
    let blocks = page
        .split("```rust")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let shown = blocks.map(|block| {
        let lines = block
            .lines()
            .skip(1)
            .map(|line| line.strip_prefix("# ").unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    });
    shown.collect()
}

/// Judges every tool of an example, with the example as the crate's source.
fn judge(name: &str, text: &str) -> Vec<Finding> {
    let path =
        std::env::temp_dir().join(format!("mrtr-lint-page-{}-{name}.rs", std::process::id()));
    fs::write(&path, text).expect("the temporary directory can be written");
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    let mut found = Vec::new();
    for item in &file.items {
        let Item::Fn(function) = item else { continue };
        let Some(tool) = function
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("tool"))
        else {
            continue;
        };
        let options = tool
            .meta
            .require_list()
            .map(|list| list.tokens.to_string())
            .unwrap_or_default();
        let mut handler = Handler::new(HandlerKind::Tool, &function.sig, &function.block);
        handler.read_only = options.contains("read_only");
        let level = options.contains("deny").then_some(Level::Deny);
        handler.policy = Policy::default().with_tool_level(level);
        let allows = function.attrs.iter().filter(|attr| Allow::is_allow(attr));
        handler.allows = allows
            .map(|attr| Allow::parse(attr).expect("well formed"))
            .collect();
        let line = function.sig.ident.span().start().line;
        let source = Source::from_file(&path, line, &function.sig.ident.to_string());
        found.extend(check(&handler, &source));
    }
    fs::remove_file(&path).expect("the file was just written");
    found
}

#[test]
fn each_finding_has_a_page_with_a_wrong_and_a_right_example() {
    for code in Code::ALL {
        let name = code.name();
        let path = pages().join(format!("{name}.md"));
        let page = fs::read_to_string(&path).unwrap_or_else(|_| panic!("no page for `{name}`"));
        assert!(
            page.starts_with(&format!("# {name}\n\n{}, ", code.number())),
            "{name}: title and number"
        );
        let default = format!("{:?} by default", code.severity()).to_lowercase();
        assert!(
            page.to_lowercase().contains(&default),
            "{name}: says its default"
        );
        let [wrong, right] = &examples(&page)[..] else {
            panic!("{name}: a wrong and a right example")
        };
        let found: Vec<Code> = judge(name, wrong)
            .iter()
            .map(|finding| finding.code)
            .collect();
        assert!(
            found.contains(code),
            "{name}: the wrong example has {found:?}"
        );
        let found: Vec<String> = judge(name, right)
            .iter()
            .map(|finding| finding.message.clone())
            .collect();
        assert!(found.is_empty(), "{name}: the right example has {found:?}");
    }
}

#[test]
fn each_page_is_of_a_finding() {
    for entry in fs::read_dir(pages()).expect("the pages") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        assert!(Code::from_name(name).is_some(), "`{name}` is no finding");
    }
}
