//! mrtr-core
pub mod key;
pub mod text;
