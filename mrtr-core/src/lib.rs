//! The pure core of [mrtr](https://docs.rs/mrtr): questions, answers, rounds, forms and the sealed
//! request state. No I/O, no clock, no randomness: time, keys and random bytes are arguments.

pub mod answer;
pub mod answers;
pub mod capability;
pub mod consent;
pub mod digest;
pub mod form;
pub mod ident;
pub mod json;
pub mod key;
pub mod keyring;
pub mod limits;
pub mod principal;
pub mod question;
pub mod reply;
pub mod roots;
pub mod round;
pub mod sampling;
pub mod seal;
pub mod state;
pub mod text;
pub mod ticket;
pub mod url;
mod varint;
