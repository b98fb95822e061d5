//! What a sampling request may be made of.

use serde_json::json;

use super::*;

#[test]
fn params_hold_what_was_said_in_one_order() {
    let sample = Sample::new("Hi")
        .max_tokens(9)
        .system("Short.")
        .hint("claude")
        .cost_priority(0.5)
        .temperature(0.0)
        .stop_at("END")
        .include_context(IncludeContext::ThisServer)
        .tool(SampleTool::new("add", json!({"type": "object", "b": 1, "a": 2})).described("Adds."))
        .tool_choice(ToolChoice::Auto);
    let expected = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],"maxTokens":9,"systemPrompt":"Short.","modelPreferences":{"hints":[{"name":"claude"}],"costPriority":0.5},"temperature":0.0,"stopSequences":["END"],"includeContext":"thisServer","tools":[{"name":"add","description":"Adds.","inputSchema":{"a":2,"b":1,"type":"object"}}],"toolChoice":{"mode":"auto"}}"#;
    assert_eq!(sample.params().as_deref(), Ok(expected));
    let needs = sample.needs();
    assert!(needs.sampling && needs.sampling_tools && needs.sampling_context && !needs.form);
    assert_eq!(
        Sample::new("x")
            .include_context(IncludeContext::None)
            .needs()
            .to_json(),
        r#"{"sampling":{}}"#
    );
    assert!(!format!("{sample:?}").contains("Hi"));
}

#[test]
fn what_no_model_can_be_asked_is_refused() {
    let tool = |id: &str| ToolUse {
        id: id.into(),
        name: "add".into(),
        input: json!({}),
    };
    let uses = |ids: &[&str]| {
        let blocks = ids.iter().map(|id| SampleBlock::ToolUse(tool(id)));
        SampleMessage::new(SampleRole::Assistant, blocks)
    };
    let results = |ids: &[&str]| {
        let blocks = ids
            .iter()
            .map(|id| SampleBlock::tool_result(&tool(id), "3"));
        SampleMessage::new(SampleRole::User, blocks)
    };
    let mixed = SampleMessage::new(
        SampleRole::User,
        [
            SampleBlock::tool_result(&tool("a"), "3"),
            SampleBlock::text("and"),
        ],
    );
    let fine = Sample::new("x")
        .message(uses(&["a", "b"]))
        .message(results(&["b", "a"]));
    assert!(fine.clone().user("go on").params().is_ok() && fine.params().is_ok());
    let bad = [
        Sample::of([]),
        Sample::new("x").max_tokens(0),
        Sample::new("x").cost_priority(1.5),
        Sample::new("x").speed_priority(f64::NAN),
        Sample::new("x").temperature(f64::INFINITY),
        Sample::new("x").message(uses(&["a"])),
        Sample::new("x").message(uses(&["a"])).user("go on"),
        Sample::new("x")
            .message(uses(&["a"]))
            .message(results(&["b"])),
        Sample::new("x").message(uses(&["a"])).message(mixed),
        Sample::new("x").message(results(&["a"])),
        Sample::new("x".repeat(MAX_BYTES)),
    ];
    for sample in bad {
        assert!(sample.params().is_err(), "{sample:?}");
    }
}
