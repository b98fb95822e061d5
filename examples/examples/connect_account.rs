//! `url`: the user signs in on a page of the server's own, and the client never sees how.
//!
//! The link holds a ticket. Its page opens it for the user who is signed in *there*, so that
//! nobody can have a stranger sign in for them. `until` says when it is done: that the user agreed
//! to open the link says nothing.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Query, State as Page};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use mrtr::prelude::*;
use mrtr::{AuthError, BuildError, Endpoint, Server};

/// Which users have connected their calendar. A real one keeps the tokens of the third party.
#[derive(Clone, Default)]
pub struct Calendars(Arc<Mutex<HashSet<String>>>);

impl Calendars {
    #[read_only]
    fn is_connected(&self, user: &Principal) -> bool {
        let connected = self
            .0
            .lock()
            .expect("nothing panics while it holds the lock");
        connected.contains(user.subject())
    }

    fn connect(&self, user: &Principal) {
        let mut connected = self
            .0
            .lock()
            .expect("nothing panics while it holds the lock");
        connected.insert(user.subject().to_owned());
    }
}

/// Says what is in the user's calendar today.
#[tool]
async fn today(ctx: &Ctx, user: Principal, State(calendars): State<Calendars>) -> String {
    #[ask(
        message = "Please connect your calendar.",
        url = format!("https://calendar.example/connect?ticket={}", ctx.link("connected")),
        until = calendars.is_connected(&user),
    )]
    let connected: Consented;
    let Consented { .. } = connected;
    format!("{} has a free day", user.subject())
}

/// What the page needs: the server that made the ticket, and where to note what was done.
#[derive(Clone)]
struct Callback {
    endpoint: Endpoint,
    calendars: Calendars,
}

#[derive(Deserialize)]
struct Opened {
    ticket: String,
}

/// The page behind the link. `user` comes from the page's own session, never from the link.
async fn connect(
    Page(callback): Page<Callback>,
    Query(opened): Query<Opened>,
    headers: HeaderMap,
) -> (StatusCode, String) {
    let Some(user) = signed_in(&headers, "x-session-user") else {
        return (StatusCode::UNAUTHORIZED, "please sign in".to_owned());
    };
    match callback.endpoint.open_ticket(&opened.ticket, &user) {
        Ok(_) => {
            // Here the third party is asked for a token, which stays with the server.
            callback.calendars.connect(&user);
            (StatusCode::OK, "connected; go back to your chat".to_owned())
        }
        Err(why) => (StatusCode::FORBIDDEN, why.to_string()),
    }
}

/// A stand-in for real sign-in: the user's name in a header. A real server checks a token.
fn signed_in(headers: &HeaderMap, name: &str) -> Option<Principal> {
    let user = headers.get(name)?.to_str().ok()?;
    Principal::new("https://login.example", user).ok()
}

/// The server's endpoint, and the page, in one router.
///
/// # Errors
/// When the server cannot be built.
pub fn app() -> Result<(Endpoint, Router), BuildError> {
    let calendars = Calendars::default();
    let endpoint = Server::new("connect-account", "1.0.0")
        .state(calendars.clone())
        .principal(
            async |parts: &mrtr::Parts| -> Result<Option<Principal>, AuthError> {
                Ok(signed_in(&parts.headers, "x-mcp-user"))
            },
        )
        .url_hosts(["calendar.example"])
        .ephemeral_key()
        .allow_host("127.0.0.1")
        .tool(today)
        .build()?;
    let callback = Callback {
        endpoint: endpoint.clone(),
        calendars,
    };
    let page = Router::new()
        .route("/connect", get(connect))
        .with_state(callback);
    Ok((endpoint.clone(), endpoint.router().merge(page)))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, app) = app()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    Ok(axum::serve(listener, app).await?)
}
