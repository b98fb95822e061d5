//! Holding an instance at one point of a commit, so that something can happen to it just there.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncBufReadExt, BufReader, stdin};

macro_rules! points {
    ($($(#[$doc:meta])* $point:ident = $name:literal,)*) => {
        /// A point in the life of a commit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Point {
            $($(#[$doc])* $point,)*
        }

        impl Point {
            fn named(name: &str) -> Result<Self, String> {
                match name {
                    $($name => Ok(Self::$point),)*
                    _ => Err(format!("HOLD_AT: there is no point `{name}`")),
                }
            }
        }
    };
}

points! {
    /// The flow is about to be looked up.
    Look = "look",
    /// The flow is about to be claimed.
    Claim = "claim",
    /// The store was sent the claim, and the server knows no reply.
    ClaimSent = "claim-sent",
    /// The claim is won, nothing is done yet.
    Claimed = "claimed",
    /// The effect is half done: nothing is in the ledger.
    Half = "half",
    /// The effect is done: the line is in the ledger.
    Done = "done",
    /// The result is about to be recorded.
    Finish = "finish",
    /// The store was sent the result, and the server knows no reply.
    FinishSent = "finish-sent",
    /// The result is recorded, the client knows nothing.
    Finished = "finished",
}

/// Where the instance holds, if anywhere; it does so once.
pub(crate) struct Hold {
    at: Option<Point>,
    held: AtomicBool,
}

impl Hold {
    /// What `HOLD_AT` says.
    pub(crate) fn from_env() -> Result<Self, String> {
        let at = match env::var("HOLD_AT") {
            Ok(name) => Some(Point::named(&name)?),
            Err(_) => None,
        };
        let held = AtomicBool::new(false);
        Ok(Self { at, held })
    }

    /// Whether the instance holds at this point.
    pub(crate) fn is_at(&self, point: Point) -> bool {
        self.at == Some(point)
    }

    /// Says on stderr that the point is reached, and waits for a line on stdin; goes on at once
    /// where the instance does not hold.
    pub(crate) async fn reached(&self, point: Point) {
        if !self.is_at(point) || self.held.swap(true, Ordering::Relaxed) {
            return;
        }
        eprintln!("held");
        // The end of stdin lets it go on, too: nothing waits for a run that is over.
        let _ = BufReader::new(stdin()).read_line(&mut String::new()).await;
    }
}
