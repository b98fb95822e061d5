//! A question as it goes to the client, and the digest that binds an answer to it.

use crate::digest::Framed;
use crate::form::FormSchema;
use crate::key::AskKey;
use crate::state::{Kind, QuestionDigest, Root};
use crate::text::{self, TextError};

/// What is asked, without the words around it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum What {
    /// Form-mode elicitation: fields that the user fills in.
    Form(FormSchema),
}

impl What {
    /// The kind of the question, as the state records it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Form(_) => Kind::Form,
        }
    }

    /// The bytes of the kind that a yes depends on.
    fn digest_input(&self) -> &[u8] {
        match self {
            Self::Form(form) => form.digest_input(),
        }
    }
}

/// One question of the author's: a key, a cleaned message, what is asked, and what is pinned.
#[derive(Debug, Clone)]
pub struct Question {
    key: AskKey,
    message: String,
    what: What,
    pin: Option<String>,
}

impl Question {
    /// Cleans the message and puts the question together.
    ///
    /// # Errors
    /// When the message is longer than a question may be.
    pub fn new(key: AskKey, message: &str, what: What) -> Result<Self, TextError> {
        Ok(Self {
            key,
            message: text::message(message)?,
            what,
            pin: None,
        })
    }

    /// Adds a value that consent depends on although the question does not show it.
    ///
    /// `canonical` is the value's canonical JSON, so that equal values pin equally.
    #[must_use]
    pub fn pinned(mut self, canonical: String) -> Self {
        self.pin = Some(canonical);
        self
    }

    /// The name under which the answer comes back.
    #[must_use]
    pub fn key(&self) -> &AskKey {
        &self.key
    }

    /// The message as it is shown.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What is asked.
    #[must_use]
    pub fn what(&self) -> &What {
        &self.what
    }

    /// The keyed digest that an answer is bound to.
    ///
    /// It covers what the author asked (kind, message, fields, types, bounds, choices) and the
    /// pin, never help texts or the reason added when a question is asked again. The flow's root
    /// keys it, so that nobody can search for a colliding question offline.
    #[must_use]
    pub fn digest(&self, root: &Root) -> QuestionDigest {
        let kind = [self.what.kind() as u8];
        let pin = self.pin.as_deref();
        let full = Framed::new("mrtr v1 q")
            .part(root.as_bytes())
            .part(&kind)
            .part(self.message.as_bytes())
            .part(self.what.digest_input())
            // No pin and an empty one differ.
            .part(&[u8::from(pin.is_some())])
            .part(pin.unwrap_or_default().as_bytes())
            .finish();
        let mut short = [0; 16];
        short.copy_from_slice(&full[..16]);
        QuestionDigest(short)
    }

    /// The `InputRequest` of the specification as JSON text: `{"method":..,"params":{..}}`.
    ///
    /// `reason` says why it is asked again; it stands before the author's message and is not part
    /// of the digest.
    #[must_use]
    pub fn to_request(&self, reason: Option<&str>) -> String {
        let message = match reason {
            None => json_text(&self.message),
            Some(reason) => json_text(&format!("{reason}\n{}", self.message)),
        };
        match &self.what {
            What::Form(form) => format!(
                r#"{{"method":"elicitation/create","params":{{"mode":"form","message":{message},"requestedSchema":{}}}}}"#,
                form.requested_schema()
            ),
        }
    }
}

fn json_text(text: &str) -> String {
    serde_json::to_string(text).expect("a string always serialises")
}
