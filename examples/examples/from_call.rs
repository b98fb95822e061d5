//! `FromCall`: a parameter of your own that is loaded before the body runs, and may itself ask.

use mrtr::prelude::*;
use mrtr::{ServeError, Server};

/// The branches of a library.
#[derive(Clone)]
pub struct Branches(Vec<String>);

/// The branch that a call is about: the only one there is, or the one the user names.
pub struct Branch(String);

impl FromCall for Branch {
    async fn from_call(ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        let State(Branches(names)) = State::<Branches>::from_call(ctx, call).await?;
        if let [only] = &names[..] {
            return Ok(Self(only.clone()));
        }
        let list = names.join(", ");
        let name: String = ctx.ask("branch", format!("Which branch: {list}?")).await;
        match names
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(&name))
        {
            Some(known) => Ok(Self(known)),
            None => Err(ToolError::user(format!(
                "there is no branch of that name, only {list}"
            ))),
        }
    }

    fn needs(needs: &mut mrtr::Needs) {
        State::<Branches>::needs(needs);
    }
}

/// When a branch opens.
#[tool(read_only)]
async fn opening_hours(#[from_call] branch: Branch) -> String {
    format!("{} opens at nine", branch.0)
}

/// Where the shelves of a subject are.
#[tool(read_only)]
async fn find_shelf(subject: String, #[from_call] branch: Branch) -> String {
    format!("{subject} is on the first floor of {}", branch.0)
}

/// The server, of a library with these branches.
pub fn server(branches: &[&str]) -> Server {
    let branches = branches.iter().map(|&name| name.to_owned()).collect();
    Server::new("from-call", "1.0.0")
        .state(Branches(branches))
        .tools([opening_hours(), find_shelf()])
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server(&["North", "South"]).run().await
}
