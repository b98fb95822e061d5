//! mrtr-lint
