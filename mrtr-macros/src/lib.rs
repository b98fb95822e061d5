//! mrtr-macros

mod attr;
mod diag;
mod docs;
