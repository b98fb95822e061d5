//! The attribute and derive macros of mrtr; users reach them through the `mrtr` crate, which documents them.

mod attr;
mod diag;
mod docs;
mod fallback;
mod form;
mod handler;
mod names;

use proc_macro::TokenStream;

use handler::Kind;

/// Makes a type a form, a choice or a field, whose value the user can be asked for.
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(item: TokenStream) -> TokenStream {
    form::derive(item.into()).into()
}

/// Makes an `async fn` a tool.
///
/// `fn book(..)` becomes `fn book() -> Tool`, which `.tool(book)` takes by its name. Nobody calls it:
/// `book("LH123")` is the error E0061, "this function takes 0 arguments", and what rustc offers there,
/// to remove the argument, is no remedy. Move what other code shall call into a function of its own.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_item(Kind::Tool, options.into(), item.into()).into()
}

/// Makes an `async fn` a prompt.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_item(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes an `async fn` a resource, or a template of resources.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_item(Kind::Resource, options.into(), item.into()).into()
}

/// Makes the `#[tool]`, `#[prompt]` and `#[resource]` methods of an `impl` block handlers that share one value.
///
/// A type has one such block. A second one is the error E0119, "conflicting implementations of trait
/// `Handlers`": move its methods into the first. A method that asks, remembers or commits is gone from
/// the type ("no method named .. found", E0599), because only a client can answer it; the others stay
/// callable.
#[proc_macro_attribute]
pub fn handlers(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_handlers(options.into(), item.into()).into()
}

/// Lets a helper that takes `ctx: &Ctx` hold `#[ask]` and `#[memo]` statements.
#[proc_macro_attribute]
pub fn asking(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_asking(options.into(), item.into()).into()
}

/// Declares an ask; works inside a handler, whose macro takes it away.
///
/// On a parameter of a function that is no handler rustc says "expected non-macro attribute, found
/// attribute macro `ask`", before any macro could say more: put `#[tool]`, `#[prompt]` or
/// `#[resource]` on the function.
#[proc_macro_attribute]
pub fn ask(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("ask", item.into()).into()
}

/// Remembers a value along the rounds; works inside a handler, whose macro takes it away.
#[proc_macro_attribute]
pub fn memo(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("memo", item.into()).into()
}

/// Marks the statement that has the effects; works inside a tool, whose macro takes it away.
#[proc_macro_attribute]
pub fn commit(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("commit", item.into()).into()
}

/// Tells the replay-safety lint that calling this function has an effect.
#[proc_macro_attribute]
pub fn effect(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_marker("effect", options.into(), item.into()).into()
}

/// Tells the replay-safety lint that calling this function has no effect.
#[proc_macro_attribute]
pub fn read_only(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_marker("read_only", options.into(), item.into()).into()
}
