//! A test kit for tools that ask: a client in the same process that answers by script.

mod attack;
mod client;
mod describe;
mod faults;
mod fleet;
mod lab;
mod observed;
mod plan;
mod play;
mod question;
mod recorder;
mod sample;
mod script;
mod scripted;
mod stable;
mod stance;
mod tally;
mod transcript;
mod tree;
mod wire;

pub use attack::{Attack, Move, Report, Row, Verdict};
pub use client::Client;
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
