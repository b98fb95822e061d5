//! What the build of a crate with handlers depends on beside its source.

use std::fs;

/// A level that is added to a manifest must be seen, so the manifest is an input also without one.
#[test]
fn the_manifest_of_a_crate_with_handlers_is_an_input_of_its_build() {
    let program = std::env::current_exe().expect("a test is a program");
    let inputs = fs::read_to_string(program.with_extension("d")).expect("rustc told the inputs");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(inputs.contains(manifest), "{inputs}");
}
