//! One file per mistake: what rustc and our macros say is committed beside it.

// STABLE: these texts are those of the toolchain in `rust-toolchain.toml`.
#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
