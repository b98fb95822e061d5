//! The requests that the floor reads.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// One JSON-RPC request.
#[derive(Deserialize)]
pub(crate) struct Request<'a> {
    #[serde(borrow)]
    pub(crate) id: &'a RawValue,
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) params: Params<'a>,
}

/// Its params; the answers are read when it is known what was asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, default)]
    pub(crate) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_state: Option<Cow<'a, str>>,
}

/// An answer to a form.
#[derive(Deserialize)]
pub(crate) struct Answer<C> {
    pub(crate) action: Action,
    pub(crate) content: Option<C>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Accept,
    Decline,
    Cancel,
}

impl<C> Answer<C> {
    /// What the user has sent, if not a no.
    pub(crate) fn accepted(self) -> Option<C> {
        self.content.filter(|_| self.action == Action::Accept)
    }
}
