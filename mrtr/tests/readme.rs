//! The README shows code that compiles: it is that of an example, word for word.

#[test]
fn the_readme_shows_the_example() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).expect(path);
    let (readme, example) = (read("README.md"), read("examples/examples/readme.rs"));
    let shown = example
        .split_once("\n\n")
        .and_then(|(_, code)| code.split_once("\n\n// ---- what the README leaves out"))
        .map(|(code, _)| code)
        .expect("the example has a first line and an end of what is shown");
    assert!(
        readme.contains(shown),
        "the README's tool differs from examples/readme.rs"
    );
}
