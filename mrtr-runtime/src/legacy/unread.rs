//! What a session answers to a message that the SDK cannot read.

use crate::error::{INVALID_PARAMS, RpcError};
use crate::protocol::{Id, Message, Refusal, Reply, read};

/// The answer, in the words of the modern reader; nothing where nobody waits for one. A request that
/// the modern reader can read has wrong params.
pub(crate) fn unread(message: &[u8]) -> Option<Reply> {
    let (id, error) = match read(message) {
        Ok(Message::Request(request)) => {
            let error = "the params are not what they must be";
            (Some(request.id), RpcError::new(INVALID_PARAMS, error))
        }
        Err(malformed) if !malformed.unanswerable => (malformed.id, malformed.error),
        Ok(Message::Notification(_)) | Err(_) => return None,
    };
    Some(Reply::refused(
        id.map(Id::as_json),
        Refusal::new(400, error),
    ))
}
