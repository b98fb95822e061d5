//! What the user of a test says, question by question.

use std::fmt;

use serde_json::{Value, json};

use super::stance::Change;

/// What is said to one question.
#[derive(Clone)]
pub(super) enum Said {
    Answer(Value),
    Yes,
    No,
    Consent,
    Sampled(String),
    Roots(Vec<String>),
    Decline,
    Cancel,
    Silent,
    Invalid(Value),
    Leave,
}

/// One step of a script.
#[derive(Clone)]
pub(super) enum Step {
    Says { key: String, said: Said, used: bool },
    Changes { change: Change, made: bool },
}

/// What a user answers, question by question: the answers of an [attack](super::Client::attack).
///
/// A [`Scripted`](super::Scripted) call has the same methods.
#[derive(Clone, Default)]
#[must_use = "answers do nothing until a call or an attack has them"]
pub struct Answers(pub(super) Vec<Step>);

impl Answers {
    /// No answer yet.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn says(&mut self, key: &str, said: Said) {
        self.0.push(Step::Says {
            key: key.to_owned(),
            said,
            used: false,
        });
    }

    pub(super) fn changes(&mut self, change: Change) {
        let made = false;
        self.0.push(Step::Changes { change, made });
    }

    /// Takes the next answer to a question, and the changes of the world that come before it.
    pub(super) fn take(&mut self, question: &str) -> Option<(usize, Said)> {
        self.0
            .iter_mut()
            .enumerate()
            .find_map(|(at, step)| match step {
                Step::Says { key, said, used } if key == question && !*used => {
                    *used = true;
                    Some((at, said.clone()))
                }
                _ => None,
            })
    }

    /// Takes the changes of the world that come before a step.
    pub(super) fn changes_before(&mut self, step: usize) -> Vec<Change> {
        let before = self.0.iter_mut().take(step);
        before
            .filter_map(|step| match step {
                Step::Changes { change, made } if !*made => {
                    *made = true;
                    Some(change.clone())
                }
                _ => None,
            })
            .collect()
    }

    /// The steps that were never taken.
    pub(super) fn left(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter(|step| match step {
            Step::Says { used, .. } => !used,
            Step::Changes { made, .. } => !made,
        })
    }

    /// The question of the last yes.
    pub(super) fn last_yes(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|step| match step {
            Step::Says {
                key,
                said: Said::Yes,
                ..
            } => Some(key.as_str()),
            _ => None,
        })
    }
}

impl Said {
    /// The member of `inputResponses`, if it is answered at all.
    pub(super) fn response(&self) -> Option<Value> {
        match self {
            Self::Answer(value) | Self::Invalid(value) => Some(accept(value.clone())),
            Self::Yes => Some(accept(json!({ "ok": true }))),
            Self::No => Some(accept(json!({ "ok": false }))),
            Self::Consent => Some(json!({ "action": "accept" })),
            Self::Sampled(text) => Some(json!({
                "role": "assistant",
                "content": { "type": "text", "text": text },
                "model": "test-model",
                "stopReason": "endTurn",
            })),
            Self::Roots(uris) => {
                let roots: Vec<Value> = uris.iter().map(|uri| json!({ "uri": uri })).collect();
                Some(json!({ "roots": roots }))
            }
            Self::Decline => Some(json!({ "action": "decline" })),
            Self::Cancel => Some(json!({ "action": "cancel" })),
            Self::Silent | Self::Leave => None,
        }
    }
}

/// An accepted form. What is no object is the answer to a scalar question.
fn accept(content: Value) -> Value {
    let content = match content {
        Value::Object(_) => content,
        scalar => json!({ "value": scalar }),
    };
    json!({ "action": "accept", "content": content })
}

impl fmt::Display for Step {
    /// The line of the test that makes the step.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, said) = match self {
            Self::Changes { change, .. } => return change.fmt(f),
            Self::Says { key, said, .. } => (key, said),
        };
        match said {
            Said::Answer(Value::Object(value)) => {
                write!(f, ".answer({key:?}, json!({}))", json!(value))
            }
            Said::Answer(value) => write!(f, ".answer({key:?}, {value})"),
            Said::Yes => write!(f, ".yes({key:?})"),
            Said::No => write!(f, ".no({key:?})"),
            Said::Consent => write!(f, ".consent({key:?})"),
            Said::Sampled(text) => write!(f, ".sampled({key:?}, {text:?})"),
            Said::Roots(uris) => write!(f, ".roots({key:?}, {uris:?})"),
            Said::Decline => write!(f, ".decline({key:?})"),
            Said::Cancel => write!(f, ".cancel({key:?})"),
            Said::Silent => write!(f, ".silent({key:?})"),
            Said::Invalid(value) => write!(f, ".invalid({key:?}, json!({value}))"),
            Said::Leave => write!(f, ".leave({key:?})"),
        }
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answers")?;
        self.0.iter().try_for_each(|step| write!(f, "{step}"))
    }
}

/// The methods that say something, for [`Answers`] and for a call that holds some.
macro_rules! sayings {
    ($kind:ty, $answers:ident) => {
        impl $kind {
            /// Fills in the form of a question. What is no JSON object is the answer to a scalar
            /// question: `.answer("nights", 3)`.
            pub fn answer(mut self, key: &str, content: impl Into<::serde_json::Value>) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Answer(content.into()));
                self
            }

            /// Confirms.
            pub fn yes(mut self, key: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Yes);
                self
            }

            /// Does not confirm: the form comes back with the box not ticked.
            pub fn no(mut self, key: &str) -> Self {
                self.$answers().says(key, $crate::testing::script::Said::No);
                self
            }

            /// Agrees to open a link. Whether what it is for is done, the server finds out itself.
            pub fn consent(mut self, key: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Consent);
                self
            }

            /// Answers as the client's model, with words.
            pub fn sampled(mut self, key: &str, text: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Sampled(text.to_owned()));
                self
            }

            /// Names the folders that the client works in, by their `file:` addresses.
            pub fn roots<U: Into<String>>(
                mut self,
                key: &str,
                uris: impl IntoIterator<Item = U>,
            ) -> Self {
                let uris = uris.into_iter().map(Into::into).collect();
                self.$answers()
                    .says(key, $crate::testing::script::Said::Roots(uris));
                self
            }

            /// Declines to answer.
            pub fn decline(mut self, key: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Decline);
                self
            }

            /// Closes the question without an answer.
            pub fn cancel(mut self, key: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Cancel);
                self
            }

            /// Sends the request of this round without an answer to the question. It is asked
            /// again, and the next answer to it in the script is used then.
            pub fn silent(mut self, key: &str) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Silent);
                self
            }

            /// Fills in the form wrongly: the test fails if the server takes it. It is asked
            /// again, and the next answer to it in the script is used then.
            pub fn invalid(mut self, key: &str, content: impl Into<::serde_json::Value>) -> Self {
                self.$answers()
                    .says(key, $crate::testing::script::Said::Invalid(content.into()));
                self
            }
        }
    };
}
pub(super) use sayings;

impl Answers {
    fn answers(&mut self) -> &mut Self {
        self
    }
}

sayings!(Answers, answers);
