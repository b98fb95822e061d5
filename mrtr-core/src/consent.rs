//! What a user's yes to opening a link is worth.

use crate::reply::{Accepted, UrlQuestion};

/// The user agreed to open the link; whether anything came of it, it does not say.
///
/// A question with `until` yields it only when what the link is for is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the user has only agreed to open the link"]
#[non_exhaustive]
pub struct Consented;

impl Accepted for Consented {
    type Kind = UrlQuestion;

    fn decode(_content: &str) -> Result<Self, String> {
        Ok(Self)
    }
}
