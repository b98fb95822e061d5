//! What the client's model is asked: the params of `sampling/createMessage`.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::answer::Sampled;
use super::block::{SampleBlock, SampleMessage, SampleRole, ToolUse, canonical};
use super::order;
use crate::capability::Capabilities;

/// How many tokens an answer may have, unless it is said.
const MAX_TOKENS: u32 = 1024;

/// The longest params, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// What the client's model is asked.
///
/// The user may look at it, change it and refuse it. `Debug` shows no text of it.
///
/// # Examples
/// ```
/// # mod mrtr { pub use mrtr_core::sampling::Sample; }
/// use mrtr::Sample;
/// let sample = Sample::new("Sum this up: ..").system("Be brief.").max_tokens(200);
/// # let _ = sample;
/// ```
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use = "nothing is asked until it is given to `ctx.sample(..)` or `#[ask(sample = ..)]`"]
pub struct Sample {
    messages: Vec<SampleMessage>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_preferences: Option<Preferences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stop_sequences: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include_context: Option<IncludeContext>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<SampleTool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
}

/// What kind of model is wished for.
#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Preferences {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<Hint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intelligence_priority: Option<f64>,
}

#[derive(Clone, Serialize)]
struct Hint {
    name: String,
}

/// Which servers' context the client adds; it must declare `sampling.context` for others than none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum IncludeContext {
    /// None.
    None,
    /// That of this server.
    ThisServer,
    /// That of all servers.
    AllServers,
}

/// A tool that the model may ask to be used; the handler carries it out.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleTool {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(serialize_with = "canonical")]
    input_schema: Value,
}

/// Whether the model uses tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum ToolChoice {
    /// As it sees fit.
    Auto,
    /// At least one.
    Required,
    /// Not at all.
    None,
}

impl Sample {
    /// A question to the model, as a user's message.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self::of([]).user(prompt)
    }

    /// A conversation to go on with.
    pub fn of(messages: impl IntoIterator<Item = SampleMessage>) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            max_tokens: MAX_TOKENS,
            system_prompt: None,
            model_preferences: None,
            temperature: None,
            stop_sequences: Vec::new(),
            include_context: None,
            tools: Vec::new(),
            tool_choice: None,
        }
    }

    /// Adds a user's message.
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message(SampleMessage::new(
            SampleRole::User,
            [SampleBlock::text(text)],
        ))
    }

    /// Adds a message of the model.
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message(SampleMessage::new(
            SampleRole::Assistant,
            [SampleBlock::text(text)],
        ))
    }

    /// Adds a message of any parts, such as a picture.
    pub fn message(mut self, message: SampleMessage) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds what the model answered before, and what the tools came to that it wanted to use.
    pub fn after<T: Into<String>>(
        self,
        answer: &Sampled,
        results: impl IntoIterator<Item = (ToolUse, T)>,
    ) -> Self {
        let said = SampleMessage::new(answer.role(), answer.blocks().iter().cloned());
        let results: Vec<_> = results
            .into_iter()
            .map(|(tool, text)| SampleBlock::tool_result(&tool, text))
            .collect();
        let with_answer = self.message(said);
        if results.is_empty() {
            return with_answer;
        }
        with_answer.message(SampleMessage::new(SampleRole::User, results))
    }

    /// The most tokens of an answer; 1,024 unless it is said.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// What the model is told beforehand.
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// A model, or a part of its name, that would be good; the first that the client knows counts.
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.preferences().hints.push(Hint { name: name.into() });
        self
    }

    /// How much a low price matters, from 0 to 1.
    pub fn cost_priority(mut self, priority: f64) -> Self {
        self.preferences().cost_priority = Some(priority);
        self
    }

    /// How much speed matters, from 0 to 1.
    pub fn speed_priority(mut self, priority: f64) -> Self {
        self.preferences().speed_priority = Some(priority);
        self
    }

    /// How much intelligence matters, from 0 to 1.
    pub fn intelligence_priority(mut self, priority: f64) -> Self {
        self.preferences().intelligence_priority = Some(priority);
        self
    }

    /// How freely the model writes.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// A text at which the model stops.
    pub fn stop_at(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// Asks for the context of servers; the client must declare `sampling.context`.
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = Some(context);
        self
    }

    /// A tool that the model may use; the client must declare `sampling.tools`.
    pub fn tool(mut self, tool: SampleTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Whether the model uses tools; the client must declare `sampling.tools`.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    fn preferences(&mut self) -> &mut Preferences {
        self.model_preferences.get_or_insert_default()
    }

    /// What the client must declare.
    #[must_use]
    pub fn needs(&self) -> Capabilities {
        Capabilities {
            sampling: true,
            sampling_tools: !self.tools.is_empty() || self.tool_choice.is_some(),
            sampling_context: self
                .include_context
                .is_some_and(|context| context != IncludeContext::None),
            ..Capabilities::NONE
        }
    }

    /// The params as JSON text; the same question always gives the same bytes.
    ///
    /// # Errors
    /// What cannot be asked, in words for the author.
    pub fn params(&self) -> Result<String, String> {
        self.check()?;
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        if text.len() > MAX_BYTES {
            return Err(format!(
                "what the model is asked is longer than {MAX_BYTES} bytes"
            ));
        }
        Ok(text)
    }

    fn check(&self) -> Result<(), String> {
        if self.messages.is_empty() {
            return Err("the model is asked nothing: add `.user(..)`".into());
        }
        if self.max_tokens == 0 {
            return Err("`max_tokens` is 0".into());
        }
        let wish = self.model_preferences.clone().unwrap_or_default();
        let priorities = [
            wish.cost_priority,
            wish.speed_priority,
            wish.intelligence_priority,
        ];
        let mut priorities = priorities.into_iter().flatten();
        if !priorities.all(|priority| (0.0..=1.0).contains(&priority)) {
            return Err("a priority lies between 0 and 1".into());
        }
        if self.temperature.is_some_and(|value| !value.is_finite()) {
            return Err("the temperature is no number".into());
        }
        order::check(&self.messages)
    }
}

impl SampleTool {
    /// A tool by its name, and the JSON Schema of its arguments.
    pub fn new(name: impl Into<String>, input_schema: Value) -> Self {
        Self {
            name: name.into(),
            description: None,
            input_schema,
        }
    }

    /// What the tool does.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample")
            .field("messages", &self.messages)
            .field("max_tokens", &self.max_tokens)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SampleTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SampleTool({})", self.name)
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
