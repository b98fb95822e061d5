//! The members of `params`, and those of its `inputResponses`.

use std::borrow::Cow;

use mrtr_core::answer::Given;
use mrtr_core::digest::{ParamsDigest, params_digest};
use mrtr_core::json::{JsonError, Value};

use super::refusal::Refusal;

/// The `params` of a request, and the members of it that any method knows. Others are passed over.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Params<'a> {
    whole: Option<Value<'a>>,
    pub(crate) meta: Option<Value<'a>>,
    pub(crate) name: Option<Value<'a>>,
    pub(crate) arguments: Option<Value<'a>>,
    pub(crate) uri: Option<Value<'a>>,
    pub(crate) cursor: Option<Value<'a>>,
    pub(crate) reference: Option<Value<'a>>,
    pub(crate) argument: Option<Value<'a>>,
    pub(crate) context: Option<Value<'a>>,
    pub(crate) notifications: Option<Value<'a>>,
    pub(crate) input_responses: Option<Value<'a>>,
    pub(crate) request_state: Option<Value<'a>>,
}

impl<'a> Params<'a> {
    /// Reads the members; `params` is an object already.
    pub(super) fn read(whole: Option<Value<'a>>) -> Result<Self, Refusal> {
        // Two readers could see two values in it.
        if whole.is_some_and(Value::repeats_a_key) {
            return Err(Refusal::invalid_params("a member of `params` occurs twice"));
        }
        let mut params = Self {
            whole,
            ..Self::default()
        };
        for (name, value) in whole.and_then(Value::as_object).into_iter().flatten() {
            let member = match &*name {
                "_meta" => &mut params.meta,
                "name" => &mut params.name,
                "arguments" => &mut params.arguments,
                "uri" => &mut params.uri,
                "cursor" => &mut params.cursor,
                "ref" => &mut params.reference,
                "argument" => &mut params.argument,
                "context" => &mut params.context,
                "notifications" => &mut params.notifications,
                "inputResponses" => &mut params.input_responses,
                "requestState" => &mut params.request_state,
                _ => continue,
            };
            *member = Some(value);
        }
        Ok(params)
    }

    /// Checks all of it, as what states are bound to is worked out from all of it: two readers
    /// could read it in two ways, or it nests too deep to look at.
    pub(super) fn check(&self, depth: usize) -> Result<(), Refusal> {
        self.whole
            .map_or(Ok(()), |params| params.check(depth))
            .map_err(|error| unusable(&error))
    }

    /// What states are bound to, of params that were checked.
    pub(super) fn digest(&self) -> Result<ParamsDigest, Refusal> {
        self.whole
            .map_or_else(|| params_digest("{}", 1), ParamsDigest::of)
            .map_err(|error| unusable(&error))
    }
}

fn unusable(error: &JsonError) -> Refusal {
    Refusal::invalid_params(format!("`params` cannot be used: {error}"))
}

/// The members of `inputResponses`.
pub(super) type Responses<'a> = Vec<(Cow<'a, str>, Sent<'a>)>;

/// One of them: as it was read, or as text where the request is gone by the time it is looked at.
#[derive(Debug)]
pub(super) enum Sent<'a> {
    Read(Value<'a>),
    Kept(Box<str>),
}

impl Sent<'_> {
    pub(super) fn into_owned(self) -> Sent<'static> {
        Sent::Kept(match self {
            Self::Read(value) => value.raw().into(),
            Self::Kept(text) => text,
        })
    }

    pub(super) fn given(&self) -> Given<'_> {
        match self {
            Self::Read(value) => Given::Read(*value),
            Self::Kept(text) => Given::Text(text),
        }
    }
}

/// Reads `inputResponses` of params that were checked; null is as good as absent.
pub(super) fn responses(given: Option<Value<'_>>, most: usize) -> Result<Responses<'_>, Refusal> {
    let Some(given) = given.filter(|given| !given.is_null()) else {
        return Ok(Vec::new());
    };
    let members = given
        .as_object()
        .ok_or_else(|| Refusal::invalid_params("`inputResponses` must be an object"))?;
    if members.clone().nth(most).is_some() {
        return Err(Refusal::invalid_params(format!(
            "`inputResponses` has more than {most} members"
        )));
    }
    Ok(members
        .map(|(name, value)| (name, Sent::Read(value)))
        .collect())
}

#[cfg(test)]
mod tests {
    use mrtr_core::json::Json;

    use super::*;

    #[test]
    fn absent_and_null_are_told_apart() {
        let json = Json::scan(r#"{"requestState":null,"x":1}"#).unwrap();
        let params = Params::read(Some(json.root())).unwrap();
        assert_eq!(params.request_state.map(Value::raw), Some("null"));
        assert!(params.arguments.is_none());
    }

    #[test]
    fn a_member_that_occurs_twice_is_refused() {
        for text in [
            r#"{"name":"a","name":"b"}"#,
            r#"{"requestState":"a","requestState":"a"}"#,
            r#"{"_meta":{},"_meta":{}}"#,
        ] {
            let json = Json::scan(text).unwrap();
            assert_eq!(
                Params::read(Some(json.root())).unwrap_err().error.code,
                -32602,
                "{text}"
            );
        }
    }

    #[test]
    fn responses_are_a_bounded_object() {
        let read = |text: &str| {
            let json = Json::scan(text).unwrap();
            responses(Some(json.root()), 2).map(|members| members.len())
        };
        assert_eq!(read("null").unwrap(), 0);
        assert_eq!(read("{}").unwrap(), 0);
        assert_eq!(read(r#"{"a":1,"b":{}}"#).unwrap(), 2);
        assert!(responses(None, 2).unwrap().is_empty());
        for text in [
            "[]",
            r#""x""#,
            "5",
            "true",
            r#"{"a":1,"b":2,"c":3}"#,
            r#"[{"a":1}]"#,
        ] {
            assert_eq!(read(text).unwrap_err().error.code, -32602, "{text}");
        }
    }
}
