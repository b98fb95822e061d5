//! Expansions stand alone: they need nothing in scope, shadow nothing, and give no warning of their own.

#![deny(
    warnings,
    clippy::all,
    unused,
    unreachable_pub,
    missing_docs,
    rust_2018_idioms
)]

/// An argument struct of the user.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

/// No prelude, and the usual names mean something else.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code, reason = "the names are only in the way")]

    use ::mrtr::{Answer, Args, Confirm, Ctx, State, asking, handlers, tool};
    use ::std::string::String;

    use super::Place;

    type Result = u8;
    type Box = u8;
    type Vec = u8;
    struct Option;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    trait Send {}
    trait Fn {}
    trait Future {}
    trait From {}
    trait Into {}
    trait Clone {}
    mod core {}
    mod std {}
    mod mrtr {}

    #[tool(title = "Travel", destructive, flow_ttl = "5m")]
    async fn travel(
        ctx: &Ctx,
        #[arg(header = "City")] city: String,
        State(state): State<u8>,
        #[ask(message = "Go to {city}, {state}?")] go: Confirm,
        #[ask(message = "Again?", if_supported)] again: Answer<bool>,
        #[from_call] call: ::mrtr::Call,
    ) -> String {
        let _ = call;
        #[memo]
        let twice: u8 = state;
        #[ask(message = "Really {twice:>3}?", pin = twice)]
        let sure: bool;
        let _ = (
            ctx,
            go.yes(),
            sure,
            ::core::matches!(again, Answer::Accepted(true)),
        );
        #[commit(c)]
        let key = c.key("travel");
        key
    }

    #[tool]
    async fn place(Args(place): Args<Place>) -> String {
        place.city
    }

    #[asking]
    async fn helper(ctx: &Ctx) -> bool {
        #[ask(message = "Sure?")]
        let sure: bool;
        sure
    }

    pub(crate) struct Desk;

    #[handlers]
    impl Desk {
        #[tool]
        async fn book(&self, seat: String) -> String {
            #[ask(message = "Book {seat}?")]
            let ok: Confirm;
            let _ = ok.yes();
            seat
        }
    }

    pub(crate) fn tools() -> [::mrtr::Tool; 2] {
        let _ = helper;
        [travel(), place()]
    }
}

/// The crate under another path.
mod renamed {
    /// Where somebody re-exports it.
    pub(crate) mod inner {
        pub(crate) use mrtr as tools;
    }

    use inner::tools::{Confirm, Ctx};

    #[inner::tools::tool(crate = crate::renamed::inner::tools)]
    async fn greet(name: String) -> String {
        #[tools::ask(message = "Greet {name}?")]
        let ok: Confirm;
        let agreed = ok.yes();
        #[tools::commit]
        eprintln!("{agreed}");
        name
    }

    #[inner::tools::asking(crate = crate::renamed::inner::tools)]
    async fn helper(ctx: &Ctx) -> u8 {
        #[tools::memo]
        let kept: u8 = 1;
        kept
    }

    struct Desk;

    #[inner::tools::handlers(crate = crate::renamed::inner::tools)]
    impl Desk {
        #[tools::tool]
        async fn book(&self) -> String {
            String::new()
        }
    }

    pub(crate) fn tools() -> Vec<mrtr::AnyHandler> {
        let _ = helper;
        let mut tools = mrtr::Handlers::handlers(std::sync::Arc::new(Desk));
        tools.push(greet().into());
        tools
    }
}

/// Attributes of `tracing` on either side.
mod instrumented {
    use mrtr::prelude::*;
    use tracing::instrument;

    #[instrument]
    #[tool]
    async fn above(name: String) -> String {
        #[ask(message = "Greet {name}?")]
        let ok: Confirm;
        let agreed = ok.yes();
        #[commit]
        eprintln!("{agreed}");
        name
    }

    #[tool]
    #[instrument(skip(desk), fields(desk = 1))]
    async fn below(name: String, State(desk): State<u8>) -> String {
        #[ask(message = "Greet {name}, {desk}?")]
        let ok: Confirm;
        let agreed = ok.yes();
        #[commit]
        eprintln!("{agreed}");
        name
    }

    pub(crate) struct Desk;

    #[handlers]
    impl Desk {
        #[tool]
        #[instrument(skip_all)]
        async fn inside(&self, name: String) -> String {
            #[ask(message = "Greet {name}?")]
            let ok: Confirm;
            let _ = ok.yes();
            name
        }
    }

    pub(crate) fn tools() -> [Tool; 2] {
        [above(), below()]
    }

    use mrtr::Tool;
}

/// Shapes that rustc or clippy could complain about in generated code.
mod shapes {
    use mrtr::prelude::*;

    /// A tool without an `.await`, an argument or an ask.
    #[tool]
    pub(crate) async fn nothing() {}

    /// More parameters than clippy likes, less one.
    #[tool]
    pub(crate) async fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) -> String {
        format!("{a}{b}{c}{d}{e}{f}{g}")
    }

    /// Its body is one block.
    #[tool]
    #[allow(clippy::unused_unit, reason = "a tool may say that it returns nothing")]
    pub(crate) async fn block(mut n: u8, r#type: Option<String>) -> Result<String, ToolError> {
        #[ask(message = "Count?")]
        let ok: bool;
        n += u8::from(ok);
        #[commit]
        {
            Ok(format!("{n}{type:?}", r#type = r#type))
        }
    }

    /// Nested asks, in blocks, branches, loops and async blocks.
    #[tool]
    pub(crate) async fn nested(deep: bool) -> Result<String, ToolError> {
        let mut all = Vec::new();
        if deep {
            #[ask(key = "a", message = "A?")]
            let mut answer: String;
            answer.push('!');
            all.push(answer);
        }
        let inner = async {
            #[ask(key = "b", message = "B?")]
            let answer: String;
            answer
        };
        all.push(inner.await);
        let chosen = match all.len() {
            1 => {
                #[ask(key = "c", message = "C?")]
                let answer: Option<String>;
                answer.ok_or("no c")?
            }
            _ => String::new(),
        };
        #[cfg(any())]
        #[ask(message = "Never?")]
        let never: Missing;
        Ok(all.concat() + &chosen)
    }

    /// The commit in every place a statement can have.
    #[tool]
    pub(crate) async fn commits(how: u8) -> Result<String, ToolError> {
        #[ask(message = "Commit?")]
        let ok: Confirm;
        if !ok.yes() {
            return Err(ToolError::user("no"));
        }
        if how == 0 {
            #[commit(c)]
            return Ok(c.key("a"));
        }
        if how == 1 {
            #[commit(c)]
            let Some(key) = Some(c.key("b")) else {
                return Ok(String::new());
            };
            return Ok(key);
        }
        #[commit(c)]
        Ok(c.key("c"))
    }
}

#[test]
fn expansions_stand_alone() {
    let mounted_names = |handlers: &[mrtr::AnyHandler]| -> Vec<String> {
        handlers
            .iter()
            .map(|handler| handler.name().to_owned())
            .collect()
    };
    let names = |tools: &[mrtr::Tool]| -> Vec<String> {
        tools.iter().map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(names(&without_prelude::tools()), ["travel", "place"]);
    assert_eq!(mounted_names(&renamed::tools()), ["book", "greet"]);
    assert_eq!(names(&instrumented::tools()), ["above", "below"]);
    let mounted = mrtr::Handlers::handlers(std::sync::Arc::new(without_prelude::Desk));
    assert_eq!(mounted_names(&mounted), ["book"]);
    let mounted = mrtr::Handlers::handlers(std::sync::Arc::new(instrumented::Desk));
    assert_eq!(mounted_names(&mounted), ["inside"]);
    let shapes = [
        shapes::nothing(),
        shapes::many(),
        shapes::block(),
        shapes::nested(),
        shapes::commits(),
    ];
    assert_eq!(
        names(&shapes),
        ["nothing", "many", "block", "nested", "commits"]
    );
}
