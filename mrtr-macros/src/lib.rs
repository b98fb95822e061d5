//! mrtr-macros
