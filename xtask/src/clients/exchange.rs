//! One HTTP exchange, put together from the lines that the server's layer writes down.

use serde::Deserialize;

/// A line of the server's file.
#[derive(Deserialize)]
pub(crate) struct Line {
    pub(crate) exchange: u64,
    #[serde(flatten)]
    pub(crate) part: Part,
}

/// A part of an exchange, in the order in which they come.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Part {
    Request {
        method: String,
        sent: String,
    },
    #[serde(rename_all = "camelCase")]
    Head {
        status: u16,
        content_type: Option<String>,
    },
    Body {
        received: String,
    },
}

/// An exchange as far as it is known.
#[derive(Default)]
pub(crate) struct Exchange {
    method: String,
    is_stream: bool,
    /// What of a stream has come and is no whole event yet.
    rest: String,
}

impl Exchange {
    /// One that begins with a request of this method.
    pub(crate) fn new(method: String) -> Self {
        Self {
            method,
            ..Self::default()
        }
    }

    /// Says whether a client can make sense of the head of the response.
    pub(crate) fn head(&mut self, status: u16, content_type: Option<&str>) -> Option<String> {
        let is = |kind: &str| content_type.is_some_and(|given| given.starts_with(kind));
        self.is_stream = is("text/event-stream");
        let known = match self.method.as_str() {
            "POST" => is("application/json") || self.is_stream || status == 202,
            "GET" => self.is_stream || status == 405,
            // The Python client takes anything else for a failure, and says so.
            "DELETE" => matches!(status, 200 | 204 | 405),
            _ => false,
        };
        (!known).then(|| format!("{} gave HTTP {status} with {content_type:?}", self.method))
    }

    /// The messages that are whole with this part.
    pub(crate) fn messages(&mut self, part: &str) -> Vec<String> {
        if !self.is_stream {
            let body = Some(part.to_owned());
            return body.filter(|body| !body.is_empty()).into_iter().collect();
        }
        self.rest.push_str(part);
        let mut messages = Vec::new();
        while let Some((event, rest)) = self.rest.split_once("\n\n") {
            let data = event.lines().filter_map(|line| line.strip_prefix("data:"));
            let data = data.collect::<Vec<_>>().join("\n");
            if !data.trim().is_empty() {
                messages.push(data.trim().to_owned());
            }
            self.rest = rest.to_owned();
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_may_come_in_parts_and_a_part_may_hold_several() {
        let mut exchange = Exchange::new("POST".into());
        assert_eq!(exchange.head(200, Some("text/event-stream")), None);
        assert!(exchange.messages("id: 0\ndata:\n\n").is_empty());
        assert!(exchange.messages(": still here\n\ndata: {\"a\"").is_empty());
        let whole = exchange.messages(":1}\n\nid: 1\ndata: {\ndata: }\n\ndata: [");
        assert_eq!(whole, ["{\"a\":1}", "{\n }"]);
    }

    #[test]
    fn a_body_is_one_message_or_none() {
        let mut exchange = Exchange::new("POST".into());
        assert_eq!(exchange.head(404, Some("application/json")), None);
        assert_eq!(exchange.messages("{}\n\n{}"), ["{}\n\n{}"]);
        assert!(exchange.messages("").is_empty());
    }

    #[test]
    fn a_head_that_no_client_can_read_is_a_fault() {
        let fault = |method: &str, status, kind| Exchange::new(method.into()).head(status, kind);
        for (method, status, kind) in [
            ("POST", 200, Some("text/html")),
            ("POST", 200, None),
            ("GET", 200, Some("application/json")),
            ("DELETE", 202, None),
            ("PUT", 200, Some("application/json")),
        ] {
            assert!(fault(method, status, kind).is_some(), "{method} {status}");
        }
        for (method, status, kind) in [
            ("POST", 202, None),
            ("GET", 405, None),
            ("DELETE", 204, None),
        ] {
            assert_eq!(fault(method, status, kind), None);
        }
    }
}
