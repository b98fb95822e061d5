//! The fixed texts that a request is told when its flow's record, or the lack of one, is in its way.

use std::fmt;

use super::verb::{Ended, Limit, Met};

/// Why a request got no result of its own. A request that is told one of these had no effect, save
/// [`FlowError::Unknown`] after its own commit took too long.
///
/// The texts are for the model that called the tool, and for the user behind it: each says whether
/// anything was carried out, as far as that is known, and what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlowError {
    /// The holder of the claim vanished, or the commit took too long.
    #[error("the outcome of the call is unknown")]
    Unknown,
    /// The flow ended with other answers.
    #[error("the call ended with other answers")]
    Ended,
    /// The flow ended with these answers; the result is gone.
    #[error("the result of the call is no longer kept")]
    NotKept,
    /// The effect is being carried out.
    #[error("the call is being carried out")]
    Busy,
    /// Nothing was done: the store does not answer.
    #[error("nothing was done: the flow store does not answer")]
    Unavailable,
    /// Nothing was done: there is no room for another record.
    #[error("nothing was done: the flow store is full")]
    Full(Limit),
    /// Nothing was done: the store lost its memory since the call began.
    #[error("nothing was done: the flow store has another epoch")]
    OtherEpoch,
}

impl FlowError {
    /// The text of the tool error, with the public id of the flow.
    #[must_use]
    pub fn text(self, flow_id: impl fmt::Display) -> String {
        format!("{} Reference {flow_id}", self.sentence())
    }

    /// The text without a reference, where no flow is known.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::Unknown => {
                "The outcome of this call is not known: it may have been carried out, fully, in part or not at all. \
                 Do not start it anew before somebody has checked."
            }
            Self::Ended => {
                "This call has already ended with other answers, and only that end counts. Start a new call."
            }
            Self::NotKept => {
                "This call has already ended with these answers, but its result is no longer kept. \
                 Do not start it anew before somebody has checked."
            }
            Self::Busy => {
                "This call is being carried out. Send this same request again for its result; do not start it anew."
            }
            Self::Unavailable => {
                "This request carried out nothing: the server cannot reach its record of calls. \
                 Send this same request again later; do not start it anew."
            }
            Self::Full(Limit::Store) => {
                "This request carried out nothing: the server is too busy. Send this same request again later."
            }
            Self::Full(Limit::Caller) => {
                "This request carried out nothing: you have made too many calls lately. \
                 Send this same request again later."
            }
            Self::OtherEpoch => {
                "This request carried out nothing: the server no longer knows this call. Start it again, \
                 unless an earlier attempt may have gone through: then check first."
            }
        }
    }
}

impl Met {
    /// Why the request cannot go on; `None` when the record has its own result.
    ///
    /// A busy flow with the same answers is worth waiting for before this is said.
    #[must_use]
    pub fn error(&self) -> Option<FlowError> {
        match self {
            Self::Busy { .. } => Some(FlowError::Busy),
            Self::Lost { .. } => Some(FlowError::Unknown),
            Self::Ended(ended) => ended.error(),
        }
    }
}

impl Ended {
    /// Why the request gets no result; `None` when it does.
    #[must_use]
    pub fn error(&self) -> Option<FlowError> {
        match self {
            Self::Recorded(_) => None,
            Self::NotKept => Some(FlowError::NotKept),
            Self::OtherAnswers => Some(FlowError::Ended),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [FlowError; 8] = [
        FlowError::Unknown,
        FlowError::Ended,
        FlowError::NotKept,
        FlowError::Busy,
        FlowError::Unavailable,
        FlowError::Full(Limit::Store),
        FlowError::Full(Limit::Caller),
        FlowError::OtherEpoch,
    ];

    #[test]
    fn every_text_names_the_flow_and_is_no_other_text() {
        let mut texts = ALL.map(|error| error.text("3f8a"));
        assert!(
            texts.iter().all(|text| text.ends_with(". Reference 3f8a")),
            "{texts:?}"
        );
        texts.sort();
        assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{texts:?}");
    }

    /// A repeat of a call that went through meets a store that is down: the text speaks of this
    /// request only, for the call itself may well have been carried out.
    #[test]
    fn a_text_never_says_that_the_call_was_not_carried_out() {
        let met_no_record = |error: &FlowError| {
            matches!(
                error,
                FlowError::Unavailable | FlowError::Full(_) | FlowError::OtherEpoch
            )
        };
        for error in ALL.into_iter().filter(met_no_record) {
            assert!(
                error
                    .text("x")
                    .starts_with("This request carried out nothing: "),
                "{error:?}"
            );
        }
    }

    #[test]
    fn an_unknown_or_running_call_is_not_to_be_started_anew() {
        for error in [
            FlowError::Unknown,
            FlowError::NotKept,
            FlowError::Busy,
            FlowError::Unavailable,
        ] {
            assert!(
                error
                    .text("x")
                    .to_lowercase()
                    .contains("do not start it anew"),
                "{error:?}"
            );
        }
    }
}
