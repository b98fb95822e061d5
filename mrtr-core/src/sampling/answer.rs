//! What the client's model answered.

use std::fmt;

use serde::Deserialize;

use super::block::{SampleBlock, SampleRole, ToolUse};
use crate::reply::{Accepted, SamplingQuestion};

/// What the client's model answered, after the user may have changed it.
///
/// `Debug` shows no text of it.
#[derive(Clone, PartialEq)]
#[must_use = "an answer that is not looked at was not worth a question"]
pub struct Sampled {
    role: SampleRole,
    blocks: Vec<SampleBlock>,
    model: String,
    stop_reason: Option<StopReason>,
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// It was done.
    EndTurn,
    /// It came to a text at which it was to stop.
    StopSequence,
    /// It wrote as many tokens as it may.
    MaxTokens,
    /// It wants tools to be used.
    ToolUse,
    /// The client's own word.
    Other(String),
}

/// What a client answers; members beyond these are skipped.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    role: SampleRole,
    content: Content,
    model: String,
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Many(Vec<SampleBlock>),
    One(SampleBlock),
}

/// Validates an answer.
///
/// # Errors
/// What is wrong with it, never what it holds.
pub(crate) fn check(content: &str) -> Result<(), String> {
    read(content).map(drop)
}

fn read(content: &str) -> Result<Sampled, String> {
    let wire: Wire = serde_json::from_str(content).map_err(|_| {
        "it needs a `role`, a `content` of known blocks and the name of the `model`".to_owned()
    })?;
    let blocks = match wire.content {
        Content::Many(blocks) => blocks,
        Content::One(block) => vec![block],
    };
    if !blocks.iter().all(SampleBlock::is_sound) {
        return Err("`data` is not base64".into());
    }
    Ok(Sampled {
        role: wire.role,
        blocks,
        model: wire.model,
        stop_reason: wire.stop_reason.map(StopReason::of),
    })
}

impl Accepted for Sampled {
    type Kind = SamplingQuestion;

    fn decode(content: &str) -> Result<Self, String> {
        read(content)
    }
}

impl Sampled {
    /// Who said it; the assistant, as a rule.
    #[must_use]
    pub fn role(&self) -> SampleRole {
        self.role
    }

    /// The parts of the answer.
    #[must_use]
    pub fn blocks(&self) -> &[SampleBlock] {
        &self.blocks
    }

    /// All the words of the answer, a line between parts.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.blocks.iter().filter_map(|block| match block {
            SampleBlock::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The tools that the model wants to be used.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.blocks.iter().filter_map(|block| match block {
            SampleBlock::ToolUse(tool) => Some(tool),
            _ => None,
        })
    }

    /// The model, as the client names it.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Why the model stopped, if the client says.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.stop_reason.as_ref()
    }
}

impl StopReason {
    fn of(text: String) -> Self {
        match text.as_str() {
            "endTurn" => Self::EndTurn,
            "stopSequence" => Self::StopSequence,
            "maxTokens" => Self::MaxTokens,
            "toolUse" => Self::ToolUse,
            _ => Self::Other(text),
        }
    }
}

impl fmt::Debug for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sampled{:?}", self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_and_several_are_read_alike() {
        let one = read(
            r#"{"role":"assistant","content":{"type":"text","text":"Hi","_meta":{}},"model":"m","x":1}"#,
        );
        let many = read(
            r#"{"role":"assistant","content":[{"type":"text","text":"Hi"}],"model":"m","stopReason":null}"#,
        );
        assert_eq!(one, many);
        let said = one.expect("a plain answer");
        assert_eq!(
            (said.text().as_str(), said.model(), said.stop_reason()),
            ("Hi", "m", None)
        );
        assert_eq!(format!("{said:?}"), "Sampled[Text(..)]");
    }

    #[test]
    fn tools_that_the_model_wants_are_typed() {
        let said = read(
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"add","input":{"a":1}}],"model":"m","stopReason":"toolUse"}"#,
        )
        .expect("a tool use");
        let wanted: Vec<_> = said
            .tool_uses()
            .map(|tool| (&*tool.id, &*tool.name))
            .collect();
        assert_eq!(wanted, [("1", "add")]);
        assert_eq!(said.stop_reason(), Some(&StopReason::ToolUse));
    }

    #[test]
    fn what_is_no_answer_is_refused_without_quoting_it() {
        for text in [
            "{}",
            r#"{"role":"system","content":[],"model":"m"}"#,
            r#"{"role":"assistant","content":"hunter2","model":"m"}"#,
            r#"{"role":"assistant","content":[{"type":"video"}],"model":"m"}"#,
            r#"{"role":"assistant","content":[{"type":"text"}],"model":"m"}"#,
            r#"{"role":"assistant","content":[],"model":7}"#,
            r#"{"role":"assistant","content":[{"type":"image","data":"%","mimeType":"image/png"}],"model":"m"}"#,
            r#"{"role":"assistant","content":[],"model":"m","stopReason":1}"#,
        ] {
            let why = read(text).expect_err(text);
            assert!(!why.contains("hunter2"), "{why}");
        }
    }
}
