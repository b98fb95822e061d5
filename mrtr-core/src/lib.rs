//! mrtr-core
