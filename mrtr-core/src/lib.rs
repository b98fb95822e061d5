//! mrtr-core
pub mod digest;
pub mod form;
pub mod json;
pub mod key;
pub mod keyring;
pub mod principal;
pub mod text;
