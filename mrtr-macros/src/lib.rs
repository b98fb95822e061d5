//! The attribute and derive macros of mrtr; users reach them through the `mrtr` crate, which documents them.

mod attr;
mod diag;
mod docs;
mod fallback;
mod form;
mod handler;
mod names;
mod walk;

use proc_macro::TokenStream;

use handler::Kind;

/// Makes a type a form, a choice or a field, whose value the user can be asked for.
///
/// | on | it is |
/// |---|---|
/// | a struct with named fields | a form: one field each, of a scalar, a choice, an `Option` or a `Vec` of choices |
/// | an enum without fields | a choice among its variants |
/// | a struct with one unnamed field | a field of its own type, with its own rules |
///
/// It needs `Deserialize` and `JsonSchema` beside it. Doc comments become titles, `#[schemars(..)]`
/// says what a value must look like (`length`, `range`, `email`, `url`, `regex`, `title`,
/// `description`), `#[serde(..)]` renames. What a form of MCP cannot hold is an error at the field.
///
/// | `#[form(..)]` | on | |
/// |---|---|---|
/// | `not_secret` | a field, or a newtype | its name looks like that of a secret, and it is none |
/// | `enum_names` | an enum | titles go out as `enumNames`, for clients that know nothing newer |
/// | `crate = path` | a type | where `mrtr` is, if the crate was renamed |
///
/// ```
/// use mrtr::prelude::*;
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// struct Traveller {
///     /// Name as in the passport
///     #[schemars(length(min = 1, max = 80))]
///     name: String,
///     seat: Option<Seat>,
/// }
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// enum Seat {
///     /// By the window
///     Window,
///     /// On the aisle
///     Aisle,
/// }
/// ```
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(item: TokenStream) -> TokenStream {
    form::derive(item.into()).into()
}

/// Makes an `async fn` a tool.
///
/// Its plain parameters are the tool's arguments, with their doc comments as descriptions; `Args<T>`
/// takes all of them as one struct. `ctx: &Ctx`, `State<T>`, `Principal` and what else implements
/// `FromCall` come from the server. It returns `String`, `Json<T>`, `ToolResult`, or a `Result` of one
/// of them with `ToolError`.
///
/// ```
/// use mrtr::prelude::*;
///
/// /// Deletes a note.
/// #[tool(title = "Delete a note", destructive, flow_ttl = "10m")]
/// async fn delete(
///     /// Name of the note
///     name: String,
/// ) -> Result<String, ToolError> {
///     #[ask(message = "Delete {name}?")]
///     let ok: Confirm;
///     if !ok.yes() {
///         return Err(ToolError::user("not deleted"));
///     }
///
///     #[commit]
///     std::fs::remove_file(&name)?;
///     Ok(format!("{name} is deleted"))
/// }
/// # let server = mrtr::Server::new("notes", "1.0.0").tool(delete);
/// # server.build_lines().expect("the server builds");
/// ```
///
/// | option | |
/// |---|---|
/// | `name = ".."` | the name on the wire; the function's own if left out |
/// | `title = ".."`, `description = ".."` | for people and for the model; the doc comment is the description if left out |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | the annotations of the specification; `= false` says that it is not so |
/// | `meta = EXPR` | the tool's `_meta`, a JSON object |
/// | `flow_ttl`, `round_ttl`, `time_limit = ".."` | instead of the server's: how long a call may take, one round, and the handler itself; `"90s"`, `"10m"`, `"1h"`, `"500ms"` |
/// | `effects = ".."` | the level of the lint: `warn`, `deny`, `allow`, `commit_only` |
/// | `crate = path` | where `mrtr` is, if the crate was renamed |
///
/// On a parameter, `#[arg(header = "..")]` has HTTP clients repeat it in `Mcp-Param-..`.
///
/// `fn book(..)` becomes `fn book() -> Tool`, which `.tool(book)` takes by its name. Nobody calls it:
/// `book("LH123")` is the error E0061, "this function takes 0 arguments", and what rustc offers there,
/// to remove the argument, is no remedy. Move what other code shall call into a function of its own.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_item(Kind::Tool, options.into(), item.into()).into()
}

/// Makes an `async fn` a prompt.
///
/// Parameters, asks and memos are those of [`macro@tool`]; a prompt has no commit. It returns `String`,
/// `Vec<PromptMessage>`, `PromptResult`, or a `Result` of one of them with `ToolError`.
///
/// Its options are `name`, `title`, `description`, `meta`, `flow_ttl`, `round_ttl`, `time_limit`,
/// `effects` and `crate`, as for a tool. On a parameter, `#[arg(complete = function)]` says who
/// completes it.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_item(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes an `async fn` a resource, or a template of resources.
///
/// It asks and remembers as a [`macro@tool`] does; a resource has no commit. It returns `String`, `Vec<u8>`,
/// `ResourceContents`, or a `Result` of one of them with `ToolError`.
///
/// | option | |
/// |---|---|
/// | `uri = ".."` or `template = ".."` | where it is; the variables of a template are the parameters |
/// | `mime_type = ".."`, `size = N` | what it holds, and how many bytes |
/// | `audience = ".."`, `priority = X`, `last_modified = ".."` | the annotations: `user`, `assistant` or `both`; 0.0 to 1.0; a date and time of RFC 3339 |
/// | `ttl = ".."`, `scope = ".."` | how long clients may keep it, and whether for everybody (`public`) or for this user (`private`) |
///
/// The other options are `name`, `title`, `description`, `meta`, `flow_ttl`, `round_ttl`, `time_limit`,
/// `effects` and `crate`, as for a tool.
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
///
/// ```
/// use mrtr::prelude::*;
///
/// #[asking]
/// async fn name(ctx: &Ctx) -> String {
///     #[ask(message = "What is your name?")]
///     let name: String;
///     name
/// }
///
/// /// Greets somebody.
/// #[tool]
/// async fn greet(ctx: &Ctx) -> String {
///     format!("Hello {}", name(ctx).await)
/// }
/// ```
#[proc_macro_attribute]
pub fn asking(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_asking(options.into(), item.into()).into()
}

/// Declares an ask; works inside a handler, whose macro takes it away.
///
/// It stands on a declaration, `#[ask(..)] let who: Traveller;`, or on a parameter. The handler goes on
/// below it once it is answered. The type says what an answer may be: `Traveller` ends the call on a no,
/// `Option<Traveller>` makes it `None`, `Answer<Traveller>` tells decline from cancel, and `Confirm` is
/// yes or no.
///
/// | option | |
/// |---|---|
/// | `message = ".."` | the question; `{name}` takes what is in scope, cleaned. A doc comment will do, too |
/// | `key = ".."` | its name on the wire; the variable's if left out. In a loop an expression |
/// | `pin = EXPR` | the yes holds only while this value is the same, which the question need not show |
/// | `default = EXPR` | fills the form in, as a draft |
/// | `validate = function` | looks at an accepted value; its `Err` is shown, and the question asked again |
/// | `options = ITER` | choices known at run time: `Select<T>`, `MultiSelect<T>` |
/// | `url = EXPR`, `until = EXPR` | a link that the user opens, and what must have become true there: `Consented` |
/// | `sample = EXPR` | a question to the client's model: `Sampled` |
/// | `roots` | the client's roots: `Roots` |
/// | `if_supported` | a client that cannot be asked this is `Answer::Unsupported` |
/// | `alone` | in a round of its own |
/// | `accept_unsolicited` | an answer counts that was sent before it was asked; for harmless questions |
///
/// On a parameter of a function that is no handler rustc says "expected non-macro attribute, found
/// attribute macro `ask`", before any macro could say more: put `#[tool]`, `#[prompt]` or
/// `#[resource]` on the function.
#[proc_macro_attribute]
pub fn ask(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("ask", item.into()).into()
}

/// Remembers a value along the rounds; works inside a handler, whose macro takes it away.
///
/// `#[memo] let quote: Quote = EXPR;` runs `EXPR` once and takes its value from the state in later
/// rounds, as long as the answers above it stand. It is for what is read, not for what is done: a round
/// that is sent again runs it again. `Quote` needs `Serialize` and `Deserialize`.
///
/// `#[memo(repeatable = "reason")]` says why running it twice does no harm, where the lint asks for it.
#[proc_macro_attribute]
pub fn memo(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("memo", item.into()).into()
}

/// Marks the statement that has the effects; works inside a tool, whose macro takes it away.
///
/// It stands after the last ask. The statement runs at most once for a call, whoever sends its last
/// round again, as far as the server's flow store can promise that.
///
/// | | |
/// |---|---|
/// | `#[commit]` | the statement |
/// | `#[commit(c)]` | `c: &mut Commit` in it, for helpers that may be called nowhere else, and for `c.key("name")`, an idempotency key |
/// | `idempotent` | all of it may be done twice; a claim whose server vanished is taken over |
/// | `key = EXPR` | once also for this thing, whichever call it is |
/// | `in_flow` | with a flow even where nothing was asked; the client is sent round once |
#[proc_macro_attribute]
pub fn commit(_: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_misplaced("commit", item.into()).into()
}

/// Tells the replay-safety lint that calling this function has an effect: above an ask it is reported.
#[proc_macro_attribute]
pub fn effect(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_marker("effect", options.into(), item.into()).into()
}

/// Tells the replay-safety lint that calling this function has no effect: it may stand above an ask.
#[proc_macro_attribute]
pub fn read_only(options: TokenStream, item: TokenStream) -> TokenStream {
    handler::expand_marker("read_only", options.into(), item.into()).into()
}
