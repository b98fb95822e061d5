//! A macro never panics: broken, odd and half-typed items all come out as tokens.

use proc_macro2::TokenStream;

use super::{Kind, expand_asking, expand_handlers, expand_item, expand_misplaced};

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("balanced tokens")
}

/// Sources that a person may have while typing, or by mistake.
const ODD: &[&str] = &[
    "",
    "async",
    "async fn f",
    "async fn f()",
    "async fn f() {",
    "async fn f(x: ) {}",
    "async fn f(x: u8) -> {}",
    "async fn f(self) { x. }",
    "async fn f(x: u8) { x. }",
    "async fn f(x: u8) { let y = ; #[ask] let z: u8 }",
    "async fn f() { #[ask(] let z: u8; }",
    "async fn f() { #[ask(key = )] let z: u8; }",
    "async fn f() { #[ask = 3] let z: u8; #[commit = 1] z; #[memo = 2] let y: u8 = z; }",
    "async fn f() { #[ask(message = 1, message = 2, pin, validate, alone = 3)] let z: u8; }",
    "async fn f() { #[ask] #[memo] #[commit] let z: u8; }",
    "async fn f() { #[commit(a, b)] g(); #[commit()] g(); #[memo()] g(); }",
    "async fn f() { #[ask] struct S; #[commit] use a::b; #[memo] fn g() {} }",
    "async fn f() { match x { #[commit] _ => #[ask] 1, } }",
    "async fn f(#[ask] #[from_call] #[arg(header = \"\")] x: &dyn T, ..: u8) {}",
    "async fn f(mut self: Box<Self>, ref x @ Some(y): _, #[arg(header)] z: [u8; 3]) {}",
    "unsafe extern \"C\" fn f<'a, T, const N: usize>(x: impl A, ...) -> impl B where T: C {}",
    "const async fn f() {}",
    "pub(in a::b) default async fn f() {}",
    "struct S;",
    "impl A { #[tool] async fn f(&self) { x. } fn g() {} const N: u8 = 1; }",
    "impl A { #[tool] fn f }",
    "impl<T> A<T> for B where T: C { #[tool(name = 3)] async fn f(&mut self) {} m!{} }",
    "impl A { #[tool = 1] async fn f(&self) {} #[tool] const N: u8 = 1; }",
    "trait A { async fn f(&self); }",
    "fn f() -> u8 { #![ask] 1 }",
    "let x: u8;",
    "{ } } {",
];

#[test]
fn odd_items() {
    for source in ODD {
        let Ok(item) = source.parse::<TokenStream>() else {
            continue;
        };
        for options in [
            "",
            "name",
            "crate = 1",
            "crate = a::b, effects = 2",
            "=",
            "title = \"\", , x",
        ] {
            let options = tokens(options);
            let kinds = Kind::ALL.map(|kind| expand_item(kind, options.clone(), item.clone()));
            let others = [expand_handlers, expand_asking]
                .map(|expand| expand(options.clone(), item.clone()));
            for out in kinds.into_iter().chain(others) {
                assert!(source.is_empty() || !out.is_empty(), "{source}");
            }
        }
        for attribute in ["ask", "memo", "commit"] {
            expand_misplaced(attribute, item.clone());
        }
    }
}
