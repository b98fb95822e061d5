//! Reading one JSON-RPC message out of the bytes of a body or a line.
//!
//! Source: MCP 2026-07-28, basic, "Messages". Nothing is copied: a message borrows from its bytes.

use std::borrow::Cow;

use mrtr_core::json::{Json, Place, Value};

use crate::error::{INVALID_REQUEST, PARSE_ERROR, RpcError};

/// A message that a client may send in this revision.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// It wants an answer.
    Request(Incoming<'a>),
    /// It wants none, whatever it says.
    Notification(Notice<'a>),
}

/// A request as it came in; its params are not looked at yet.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    pub(crate) id: Id<'a>,
    pub(crate) method: Cow<'a, str>,
    params: Params<'a>,
}

/// A notification as it came in.
#[derive(Debug)]
pub(crate) struct Notice<'a> {
    pub(crate) method: Cow<'a, str>,
    params: Params<'a>,
}

/// The message and where its params are in it: an object, if there are any.
#[derive(Debug)]
struct Params<'a> {
    message: Json<'a>,
    place: Option<Place>,
}

/// Bytes that are no such message.
#[derive(Debug)]
pub(crate) struct Malformed<'a> {
    /// The id, if it could be read; an answer without it is all that is left otherwise.
    pub(crate) id: Option<Id<'a>>,
    pub(crate) error: RpcError,
    /// It is a notification or a response, so nobody waits for an answer to it.
    pub(crate) unanswerable: bool,
}

/// A request id, as it is written: a string or an integer, and never null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id<'a>(&'a str);

/// A request id by its value, so that two spellings of one string are the same id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum IdKey {
    Number(Box<str>),
    Text(Box<str>),
}

/// The members of a message. Others are passed over.
#[derive(Default)]
struct Envelope<'j> {
    jsonrpc: Option<Value<'j>>,
    id: Option<Value<'j>>,
    method: Option<Value<'j>>,
    params: Option<Value<'j>>,
    /// It has a result or an error.
    answers: bool,
}

/// Reads one message.
pub(crate) fn read(bytes: &[u8]) -> Result<Message<'_>, Malformed<'_>> {
    let text = std::str::from_utf8(bytes).map_err(|_| unparsable("the message is not UTF-8"))?;
    let json = Json::scan(text).map_err(|_| unparsable("the message is not JSON"))?;
    if !json.root().is_object() {
        let error = "a message is one JSON object; batches are not supported";
        return Err(invalid(None, error));
    }
    if json.root().repeats_a_key() {
        return Err(invalid(None, "a member of the message occurs twice"));
    }
    judge(json)
}

fn judge(message: Json<'_>) -> Result<Message<'_>, Malformed<'_>> {
    let envelope = Envelope::of(message.root());
    let id = match envelope.id {
        None => None,
        Some(id) if Id::read(id).is_some() => Some(Id(message.raw_of(id))),
        Some(_) => return Err(invalid(None, "an id is a string or an integer")),
    };
    let Some(method) = envelope.method else {
        return Err(no_method(id, envelope.answers));
    };
    let refuse = |error| Malformed {
        unanswerable: id.is_none(),
        ..invalid(id, error)
    };
    if envelope
        .jsonrpc
        .is_none_or(|version| version.raw() != r#""2.0""#)
    {
        return Err(refuse(r#"`jsonrpc` must be "2.0""#));
    }
    let method = message.str_of(method);
    let method = method.ok_or_else(|| refuse("`method` must be a string"))?;
    if envelope.answers {
        let error = "a message with a method has neither result nor error";
        return Err(refuse(error));
    }
    if envelope.params.is_some_and(|params| !params.is_object()) {
        return Err(refuse("`params` must be an object"));
    }
    let place = envelope.params.map(Value::place);
    let params = Params { message, place };
    Ok(match id {
        Some(id) => Message::Request(Incoming { id, method, params }),
        None => Message::Notification(Notice { method, params }),
    })
}

impl<'j> Envelope<'j> {
    fn of(message: Value<'j>) -> Self {
        let mut envelope = Self::default();
        for (name, value) in message.as_object().into_iter().flatten() {
            match &*name {
                "jsonrpc" => envelope.jsonrpc = Some(value),
                "id" => envelope.id = Some(value),
                "method" => envelope.method = Some(value),
                "params" => envelope.params = Some(value),
                "result" | "error" => envelope.answers = true,
                _ => {}
            }
        }
        envelope
    }
}

/// A message without a method: a response, or nothing at all.
fn no_method(id: Option<Id<'_>>, answers: bool) -> Malformed<'_> {
    let error = if answers {
        "this server sends no requests, so there is nothing to respond to"
    } else {
        "the message has no method"
    };
    Malformed {
        unanswerable: answers,
        ..invalid(id.filter(|_| !answers), error)
    }
}

impl Incoming<'_> {
    pub(crate) fn params(&self) -> Option<Value<'_>> {
        self.params.value()
    }
}

impl Notice<'_> {
    pub(crate) fn params(&self) -> Option<Value<'_>> {
        self.params.value()
    }
}

impl Params<'_> {
    fn value(&self) -> Option<Value<'_>> {
        self.place.map(|place| self.message.at(place))
    }
}

impl<'a> Id<'a> {
    /// The id that the JSON value is, if it is one.
    pub(crate) fn read(value: Value<'a>) -> Option<Self> {
        let written = value.raw();
        let digits = written.strip_prefix('-').unwrap_or(written);
        let integer = digits.bytes().all(|byte| byte.is_ascii_digit());
        (integer || value.as_str().is_some()).then_some(Self(written))
    }

    /// The id as JSON text.
    pub(crate) fn as_json(self) -> &'a str {
        self.0
    }

    /// The id by its value.
    pub(crate) fn key(self) -> IdKey {
        if !self.0.starts_with('"') {
            return IdKey::Number(self.0.into());
        }
        let text: String = serde_json::from_str(self.0).expect("invariant: it was read as a text");
        IdKey::Text(text.into())
    }
}

fn unparsable(error: &str) -> Malformed<'static> {
    Malformed {
        id: None,
        error: RpcError::new(PARSE_ERROR, error),
        unanswerable: false,
    }
}

fn invalid<'a>(id: Option<Id<'a>>, error: &str) -> Malformed<'a> {
    Malformed {
        id,
        error: RpcError::new(INVALID_REQUEST, error),
        unanswerable: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (i32, Option<&str>, bool) {
        let malformed = read(text.as_bytes()).expect_err(text);
        (
            malformed.error.code,
            malformed.id.map(Id::as_json),
            malformed.unanswerable,
        )
    }

    #[test]
    fn what_is_no_message_says_so_and_echoes_what_id_it_has() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"#, (-32700, None, false)),
            ("", (-32700, None, false)),
            ("nonsense", (-32700, None, false)),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"m"} x"#,
                (-32700, None, false),
            ),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#,
                (-32600, None, false),
            ),
            (r#"["2.0",1,"m",{}]"#, (-32600, None, false)),
            ("17", (-32600, None, false)),
            ("{}", (-32600, None, false)),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":[],"method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"\ud800","method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#,
                (-32600, None, false),
            ),
            (
                r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
                (-32600, Some("1"), false),
            ),
            (
                r#"{"id":"a","method":"m"}"#,
                (-32600, Some(r#""a""#), false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
                (-32600, Some("1"), false),
            ),
            (r#"{"jsonrpc":"2.0","id":1}"#, (-32600, Some("1"), false)),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#,
                (-32600, Some("1"), false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#,
                (-32600, Some("1"), false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#,
                (-32600, Some("1"), false),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                (-32600, None, true),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":null}"#,
                (-32600, None, true),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
                (-32600, None, true),
            ),
            (r#"{"jsonrpc":"2.0","method":7}"#, (-32600, None, true)),
        ];
        for (text, expected) in cases {
            assert_eq!(refused(text), expected, "{text}");
        }
        let malformed =
            read(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}").expect_err("not UTF-8");
        assert_eq!((malformed.error.code, malformed.id), (-32700, None));
    }

    #[test]
    fn an_id_is_echoed_as_it_is_written() {
        for id in [
            r#""""#,
            r#""a""#,
            "0",
            "-1",
            "9007199254740991",
            r#""\u0061""#,
        ] {
            let text = format!(r#" {{"jsonrpc":"2.0","id":{id},"method":"m"}} "#);
            let Ok(Message::Request(request)) = read(text.as_bytes()) else {
                panic!("{id}")
            };
            assert_eq!(request.id.as_json(), id);
        }
    }

    #[test]
    fn ids_are_told_apart_by_value_and_kind() {
        let key = |id: &str| {
            let json = Json::scan(id).unwrap();
            Id::read(json.root()).unwrap().key()
        };
        assert_eq!(key(r#""\u0061""#), key(r#""a""#));
        assert_ne!(key("1"), key(r#""1""#));
    }

    #[test]
    fn a_message_without_id_is_a_notification() {
        let text =
            br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        let Ok(Message::Notification(notice)) = read(text) else {
            panic!("a notification")
        };
        assert_eq!(notice.method, "notifications/cancelled");
        assert!(notice.params().is_some());
    }
}
