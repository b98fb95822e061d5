//! The span of a request, with the names of the OpenTelemetry conventions for MCP.
//!
//! Source: OpenTelemetry semantic conventions, "Model Context Protocol"; W3C Trace Context, level 1.

use mrtr_core::text::log_name;
use tracing::Span;
use tracing::field::Empty;

use crate::handler::{Handler, HandlerKind};

use super::message::Incoming;

/// Makes the span of a request. It never holds arguments, answers or states.
pub(super) fn span(request: &Incoming<'_>, version: &str, parent: Option<&str>) -> Span {
    let span = tracing::info_span!(
        "mcp.server",
        otel.name = Empty,
        otel.kind = "server",
        mcp.method.name = Empty,
        mcp.protocol.version = version,
        jsonrpc.request.id = Empty,
        gen_ai.operation.name = Empty,
        gen_ai.tool.name = Empty,
        gen_ai.prompt.name = Empty,
        rpc.response.status_code = Empty,
        error.type = Empty,
        traceparent = Empty,
        mrtr.flow = Empty,
        mrtr.round = Empty,
    );
    if !span.is_disabled() {
        // The method is known by now, so it cannot be anything a client made up.
        span.record("otel.name", &*request.method);
        span.record("mcp.method.name", &*request.method);
        span.record("jsonrpc.request.id", log_name(request.id.as_json()));
        if let Some(parent) = parent {
            span.record("traceparent", parent);
        }
    }
    span
}

/// Names the handler, the flow and the round in the span.
pub(super) fn in_flow(
    span: &Span,
    method: &str,
    handler: &Handler,
    flow: impl FnOnce() -> String,
    round: u8,
) {
    if !span.is_disabled() {
        span.record("otel.name", format!("{method} {}", handler.name));
        match handler.kind {
            HandlerKind::Tool => {
                span.record("gen_ai.operation.name", "execute_tool");
                span.record("gen_ai.tool.name", handler.name);
            }
            HandlerKind::Prompt => {
                span.record("gen_ai.prompt.name", handler.name);
            }
            HandlerKind::Resource => {}
        }
        span.record("mrtr.flow", flow());
        span.record("mrtr.round", round);
    }
}

/// Names the error in the span.
pub(super) fn failed(span: &Span, code: i32) {
    if !span.is_disabled() {
        span.record("rpc.response.status_code", code);
        span.record("error.type", code.to_string());
    }
}

/// Says that the result tells of a failure.
pub(super) fn tool_error(span: &Span) {
    span.record("error.type", "tool_error");
}

/// Whether the text is a `traceparent` of a version that can be read. Others are ignored.
pub(super) fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length
            && part
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let not_zero = |part: &str| part.bytes().any(|byte| byte != b'0');
    let mut parts = text.split('-');
    let (Some(version), Some(trace), Some(parent), Some(flags)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let known_end = version != "00" || parts.next().is_none();
    hex(version, 2)
        && version != "ff"
        && hex(trace, 32)
        && not_zero(trace)
        && hex(parent, 16)
        && not_zero(parent)
        && hex(flags, 2)
        && known_end
        // Later versions may add parts; nothing that long is one.
        && text.len() <= 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_valid_traceparent_counts() {
        let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(is_traceparent(valid));
        assert!(is_traceparent(&format!(
            "{}-more",
            valid.replacen("00", "01", 1)
        )));
        for text in [
            "",
            "00",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        ] {
            assert!(!is_traceparent(text), "{text}");
        }
    }
}
