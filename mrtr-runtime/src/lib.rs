//! mrtr-runtime
