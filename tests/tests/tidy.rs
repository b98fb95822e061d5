//! Rules of the repository that no compiler checks.
