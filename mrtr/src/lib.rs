//! mrtr
