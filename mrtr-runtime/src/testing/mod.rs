//! A test kit for tools that ask: a client in the same process that answers by script.

mod attack;
#[cfg(feature = "legacy")]
mod both;
mod client;
mod describe;
#[cfg(feature = "legacy")]
mod era;
mod faults;
mod fleet;
mod lab;
mod observed;
#[cfg(feature = "legacy")]
mod older;
mod plan;
mod play;
mod question;
mod recorder;
mod sample;
mod script;
mod scripted;
#[cfg(feature = "legacy")]
mod session;
mod stable;
mod stance;
mod tally;
mod transcript;
mod tree;
mod wire;

pub use attack::{Attack, Move, Report, Row, Verdict};
#[cfg(feature = "legacy")]
pub use both::BothEras;
pub use client::Client;
#[cfg(feature = "legacy")]
pub use era::Era;
pub use fleet::Launch;
pub use observed::{Observed, ObservedKind};
pub use plan::Plan;
pub use question::Question;
pub use recorder::Recorder;
pub use script::Answers;
pub use scripted::Scripted;
pub use serde_json::json;
pub use stance::Cap;
pub use transcript::Transcript;
