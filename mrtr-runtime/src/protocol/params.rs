//! The members of `params`, and those of its `inputResponses`.

use std::borrow::Cow;

use mrtr_core::answer::Given;
use mrtr_core::digest::{ParamsDigest, params_digest};
use mrtr_core::json::{JsonError, Value};

use super::refusal::Refusal;

/// The `params` of a request. One that has none has no members.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Params<'a>(Option<Value<'a>>);

impl<'a> Params<'a> {
    /// Takes the members; `params` is an object already.
    pub(super) fn read(params: Option<Value<'a>>) -> Result<Self, Refusal> {
        // Two readers could see two values in it.
        if params.is_some_and(Value::repeats_a_key) {
            return Err(Refusal::invalid_params("a member of `params` occurs twice"));
        }
        Ok(Self(params))
    }

    /// A member; what is not asked for is passed over.
    pub(super) fn get(self, name: &str) -> Option<Value<'a>> {
        self.0?.get(name)
    }

    /// Checks all of it, as what states are bound to is worked out from all of it: two readers
    /// could read it in two ways, or it nests too deep to look at.
    pub(super) fn check(self, depth: usize) -> Result<(), Refusal> {
        self.0
            .map_or(Ok(()), |params| params.check(depth))
            .map_err(|error| unusable(&error))
    }

    /// What states are bound to, of params that were checked.
    pub(super) fn digest(self) -> Result<ParamsDigest, Refusal> {
        self.0
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
        assert_eq!(params.get("requestState").map(Value::raw), Some("null"));
        assert!(params.get("arguments").is_none());
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
