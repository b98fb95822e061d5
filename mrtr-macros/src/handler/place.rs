//! Where marks may stand, and what to write where they may not.

use syn::Ident;

use super::kind::Kind;
use super::statement::Mark;
use crate::diag::Diag;

/// Which statements a function may hold.
#[derive(Clone, Copy)]
pub(crate) enum Role<'a> {
    /// A tool: all of them.
    Handler(Context<'a>),
    /// An `#[asking]` helper: a commit is the handler's own.
    Helper,
}

/// How the body of a handler knows its context.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The handler's name, where what is generated for the context is shown.
    pub(crate) at: &'a Ident,
    /// The user's name for the context, if the handler takes one.
    pub(crate) name: Option<&'a Ident>,
    pub(crate) kind: Kind,
}

/// What surrounds a statement.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Body,
    Closure,
    NestedItem,
}

/// Whether a mark may stand in this place; if not, it is reported.
pub(crate) fn check_place(place: Place, role: Role<'_>, mark: &Mark, diag: &mut Diag) -> bool {
    let name = mark.name();
    match (place, mark, role) {
        (Place::Closure, ..) => {
            diag.error(name, format!("`#[{name}]` does not work in a closure"))
                .help(closure_remedy(mark));
        }
        (Place::NestedItem, ..) => {
            diag.error(name, format!("`#[{name}]` does not work in a nested item"))
                .help("put `#[asking]` on the inner `async fn` and give it a `ctx: &Ctx`");
        }
        (Place::Body, Mark::Commit(_), Role::Helper) => {
            diag.error(name, "`#[commit]` does not work in an `#[asking]` function")
                .help("commit in the handler and pass `c` on: `async fn book(c: &mut Commit, ..)`")
                .note("a commit takes the handler's own context, which a helper only borrows");
        }
        (Place::Body, Mark::Commit(_), Role::Handler(context)) if context.kind != Kind::Tool => {
            let noun = context.kind.noun();
            diag.error(name, format!("`#[commit]` does not work in a {noun}"))
                .help("move what has the effect into a tool")
                .note(format!(
                    "clients read a {noun} whenever they like, so it must not have effects"
                ));
        }
        (Place::Body, ..) => return true,
    }
    false
}

/// Refuses a mark on something that is no statement.
pub(crate) fn refuse_position(mark: &Mark, diag: &mut Diag) {
    let name = mark.name();
    let form = match mark {
        Mark::Ask(_) => "write `#[ask(message = \"..\")] let answer: Confirm;` as a statement",
        Mark::Memo(_) => "write `#[memo] let quote: Quote = ..;` as a statement",
        Mark::Commit(_) => {
            "write it on `let x = ..;`, on an expression statement or on a block `{ .. }`"
        }
    };
    diag.error(name, format!("`#[{name}]` stands on a whole statement"))
        .help(form);
}

/// Refuses a mark among the tokens of a macro call.
pub(crate) fn refuse_in_macro(name: &Ident, diag: &mut Diag) {
    let help = if name == "ask" {
        "use `ctx.ask(\"key\", \"question\").await` inside a macro call"
    } else {
        "move the statement out of the macro call"
    };
    diag.error(
        name,
        format!("`#[{name}]` does not work in the arguments of a macro"),
    )
    .help(help)
    .note("another macro decides what these tokens become");
}

fn closure_remedy(mark: &Mark) -> &'static str {
    match mark {
        Mark::Ask(_) => {
            "use `ctx.ask(\"key\", \"question\").await` there, or a `for` loop with `key = format!(..)`"
        }
        Mark::Memo(_) | Mark::Commit(_) => "move the statement into the body of the handler",
    }
}
