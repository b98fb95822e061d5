//! Whoever answers: a person at a terminal, or a script in a person's place.

use std::error::Error;

use serde_json::Value;

use super::question::Question;

/// What became of one question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// The form was filled in and sent.
    Accept(Value),
    /// "No."
    Decline,
    /// The form was closed without an answer.
    Cancel,
}

/// Somebody who can be asked.
pub(crate) trait Person: Send {
    /// Shows a question of the server's and takes the reply.
    ///
    /// # Errors
    /// When there is nobody to ask any more.
    fn answer(&mut self, server: &str, question: &Question) -> Result<Reply, Box<dyn Error>>;
}
