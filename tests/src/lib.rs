//! A client for tests: it says exactly what it is told to, and every answer it gets is judged.
//!
//! A [`Peer`] talks to a built server by plain values, as a transport would; [`Round`] is one
//! response and the way to the next request of the flow.

mod frame;
mod peer;
mod round;

pub use frame::{META, capabilities, frame};
pub use peer::Peer;
pub use round::{Round, accept, cancel, decline};
