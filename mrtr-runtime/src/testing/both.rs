//! One call on the revision of today and on the newest one with sessions, compared.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::Pin;

use serde_json::Value;

use super::era::Era;
use super::play::Play;
use super::question::Question;
use super::scripted::Scripted;
use super::transcript::Transcript;

/// A call that is played on two revisions; see [`Scripted::both_eras`].
#[must_use = "a call does nothing until it is awaited"]
pub struct BothEras(pub(super) Scripted);

impl IntoFuture for BothEras {
    type Output = [Transcript; 2];
    type IntoFuture = Pin<Box<dyn Future<Output = [Transcript; 2]> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self(call) = self;
            let at = call.at;
            let today = play(&call, Era::V2026_07_28).await;
            let older = play(&call, Era::V2025_11_25).await;
            compare(&today, &older, at);
            [today, older]
        })
    }
}

async fn play(call: &Scripted, era: Era) -> Transcript {
    let mut call = call.clone();
    call.client.stance.era = era;
    Play::new(call).run().await
}

/// Fails where a user would see something else.
fn compare(today: &Transcript, older: &Transcript, at: &Location<'_>) {
    let same = today
        .questions()
        .map(shown)
        .eq(older.questions().map(shown));
    if !same || today.is_error() != older.is_error() {
        panic!(
            "the call is another one on the older revision\n\
             {}: {today}\n{}: {older}\n\
             help: let questions depend on arguments and answers; what only one revision can show \
             is asked for `if_supported`\ntest: {at}",
            Era::V2026_07_28,
            Era::V2025_11_25
        );
    }
}

/// What a user sees of a question. The fields of its form come in another order in sessions, and
/// links have tickets of their own in each call.
fn shown(question: &Question) -> (&str, &str, Option<Value>) {
    let schema = serde_json::from_str(&question.schema()).ok();
    (question.key(), question.message(), schema)
}

impl fmt::Debug for BothEras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.both_eras()", self.0)
    }
}
