//! What of a message goes on to the SDK.
//!
//! The SDK keeps the last of two equal members, so that an answer could say no to one reader and
//! yes to another, and passes over answers that it cannot read, so that their question would wait
//! for nothing until its time is over. Both are found here, before it sees the message.

use std::borrow::Cow;

use mrtr_core::json::{Json, MAX_DEPTH};
use rmcp::model::ClientJsonRpcMessage;

use crate::error::{INVALID_PARAMS, RpcError};
use crate::protocol::{Id, Message, Refusal, Reply, read};

/// What becomes of a message of a session.
pub(crate) enum Examined<'a> {
    /// This goes on.
    Pass(Cow<'a, [u8]>),
    /// It is answered so; nothing where nobody waits for an answer.
    Refuse(Option<Reply>),
}

impl<'a> Examined<'a> {
    /// Looks at one message, which is no batch.
    pub(crate) fn of(message: &'a [u8]) -> Self {
        let Some(why) = fault(message) else {
            return Self::Pass(Cow::Borrowed(message));
        };
        match answered_id(message) {
            Some(id) => {
                tracing::warn!(%why, "an answer to a question cannot be read");
                Self::Pass(Cow::Owned(no_answer(id).into_bytes()))
            }
            None => Self::Refuse(unread(message, &why)),
        }
    }
}

/// Why a message cannot be read, or not by everybody in the same way.
fn fault(message: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(message).ok();
    match text.map(|text| Json::parse(text, MAX_DEPTH)) {
        None => Some("the text is not UTF-8".into()),
        Some(Err(error)) => Some(error.to_string()),
        Some(Ok(_)) => {
            let unknown = serde_json::from_slice::<ClientJsonRpcMessage>(message).is_err();
            unknown.then(|| "the id or the params are not what they must be".into())
        }
    }
}

/// The id of an answer to a question, as JSON text.
fn answered_id(message: &[u8]) -> Option<&str> {
    let json = Json::scan(std::str::from_utf8(message).ok()?).ok()?;
    let root = json.root();
    if root.get("method").is_some() || root.get("result").or(root.get("error")).is_none() {
        return None;
    }
    Id::read(root.get("id")?)?;
    root.get("id").map(|id| json.raw_of(id))
}

/// What the SDK is given in the place of an answer that cannot be read: one that answers nothing,
/// so that the question is asked again and says why.
fn no_answer(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// The answer, in the words of the modern reader. What that one can read has wrong params.
fn unread(message: &[u8], why: &str) -> Option<Reply> {
    let (id, error) = match read(message) {
        Ok(Message::Request(request)) => (Some(request.id), RpcError::new(INVALID_PARAMS, why)),
        Err(malformed) if !malformed.unanswerable => (malformed.id, malformed.error),
        Ok(Message::Notification(_)) | Err(_) => return None,
    };
    Some(Reply::refused(
        id.map(Id::as_json),
        Refusal::new(400, error),
    ))
}
