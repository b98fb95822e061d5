//! A question as it goes to the client, and the digest that binds an answer to it.

use std::borrow::Cow;
use std::fmt;

use crate::capability::Capabilities;
use crate::digest::Framed;
use crate::form::FormSchema;
use crate::json::{MAX_DEPTH, canonical_text, write_string};
use crate::key::AskKey;
use crate::sampling::Sample;
use crate::state::{Kind, QuestionDigest, Root};
use crate::text::{self, TextError};

/// What is asked, without the words around it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum What {
    /// Form-mode elicitation: fields that the user fills in.
    Form(FormSchema),
    /// Form-mode elicitation with choices known at run time only.
    ///
    /// They are no part of the digest: an answer stands while its value is offered under the
    /// title that the user picked, whatever else is offered.
    Options(FormSchema),
    /// URL-mode elicitation: a link that the user opens.
    Url(Link),
    /// A question to the client's model.
    Sampling(Prompt),
    /// The client's roots.
    Roots,
}

/// A link that the user is to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The address as it goes out.
    pub url: String,
    /// The address as a yes depends on it: with names in the place of tickets, which are others
    /// in every round.
    pub meaning: String,
}

/// What the client's model is asked.
#[derive(Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The params as JSON text.
    params: String,
    canonical: String,
    needs: Capabilities,
}

impl Prompt {
    /// The question to the model.
    ///
    /// # Errors
    /// What cannot be asked, in words for the author.
    pub fn new(sample: &Sample) -> Result<Self, String> {
        let params = sample.params()?;
        let canonical = canonical_text(&params, MAX_DEPTH).map_err(|error| error.to_string())?;
        Ok(Self {
            params,
            canonical,
            needs: sample.needs(),
        })
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prompt(..)")
    }
}

impl What {
    /// The kind of the question, as the state records it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Form(_) | Self::Options(_) => Kind::Form,
            Self::Url(_) => Kind::Url,
            Self::Sampling(_) => Kind::Sampling,
            Self::Roots => Kind::Roots,
        }
    }

    /// What a client must declare to be asked this.
    #[must_use]
    pub fn needs(&self) -> Capabilities {
        match self {
            Self::Sampling(prompt) => prompt.needs,
            _ => needs_of(self.kind()),
        }
    }

    /// The digest of the question as far as it depends on neither flow nor wording.
    fn begin(&self) -> Framed {
        let of = |asked: &[u8]| begin(self.kind(), asked);
        match self {
            Self::Form(form) => form.begin().clone(),
            Self::Options(form) if form.takes_several() => of(b"options of which several"),
            Self::Options(_) => of(b"options of which one"),
            Self::Url(link) => of(link.meaning.as_bytes()),
            Self::Sampling(prompt) => of(prompt.canonical.as_bytes()),
            Self::Roots => of(b""),
        }
    }
}

/// Begins the digest of a question: its kind, and the bytes of the kind that a yes depends on.
///
/// Whole blocks, so that a form that is asked again and again is hashed once.
pub(crate) fn begin(kind: Kind, asked: &[u8]) -> Framed {
    let mut digest = Framed::new("mrtr v1 q");
    digest.part(&[kind as u8]).part(asked).whole_blocks();
    digest
}

/// What a client must declare at least to be asked a question of this kind.
#[must_use]
pub fn needs_of(kind: Kind) -> Capabilities {
    let none = Capabilities::NONE;
    match kind {
        Kind::Form => Capabilities { form: true, ..none },
        Kind::Url => Capabilities { url: true, ..none },
        Kind::Sampling => Capabilities {
            sampling: true,
            ..none
        },
        Kind::Roots => Capabilities {
            roots: true,
            ..none
        },
    }
}

/// One question of the author's: a key, a cleaned message, what is asked, and what is pinned.
#[derive(Debug, Clone)]
pub struct Question {
    key: AskKey,
    message: String,
    what: What,
    pin: Option<String>,
    draft: Option<String>,
    confirms: bool,
}

impl Question {
    /// Cleans the message and puts the question together.
    ///
    /// # Errors
    /// When the message is longer than a question may be.
    pub fn new<'a>(
        key: AskKey,
        message: impl Into<Cow<'a, str>>,
        what: What,
    ) -> Result<Self, TextError> {
        Ok(Self {
            key,
            message: text::message(message)?,
            what,
            pin: None,
            draft: None,
            confirms: false,
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

    /// Fills the form in with a value, as JSON text, that the user corrects. It is no part of the
    /// digest.
    #[must_use]
    pub fn drafted(mut self, json: String) -> Self {
        self.draft = Some(json);
        self
    }

    /// Marks it as a confirmation, which is never filled in.
    #[must_use]
    pub fn confirming(mut self) -> Self {
        self.confirms = true;
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
        let mut digest = self.what.begin();
        digest.part(root.as_bytes()).part(self.message.as_bytes());
        // No pin and an empty one differ, because no part and an empty one do.
        if let Some(pin) = &self.pin {
            digest.part(pin.as_bytes());
        }
        QuestionDigest(digest.first())
    }

    /// The `InputRequest` of the specification as JSON text: `{"method":..,"params":{..}}`.
    ///
    /// `reason` says why it is asked again; it stands before the author's message and is not part
    /// of the digest. `draft` is what the form is filled in with instead of the author's draft.
    #[must_use]
    pub fn to_request(&self, reason: Option<&str>, draft: Option<&str>) -> String {
        let message = match reason {
            None => Cow::Borrowed(&*self.message),
            // A validator's words may hold what the user wrote.
            Some(reason) => Cow::Owned(format!("{}\n{}", clean(reason), self.message)),
        };
        match &self.what {
            What::Form(form) | What::Options(form) => {
                let draft = draft.or(self.draft.as_deref()).filter(|_| !self.confirms);
                let schema = match draft {
                    None => form.clone(),
                    Some(draft) => form.drafted(draft),
                };
                let mut out = elicitation("form", &message, schema.requested_schema().len());
                out.push_str(r#","requestedSchema":"#);
                out.push_str(schema.requested_schema());
                out.push_str("}}");
                out
            }
            What::Url(link) => {
                let mut out = elicitation("url", &message, link.url.len());
                out.push_str(r#","url":"#);
                write_string(&link.url, &mut out);
                out.push_str("}}");
                out
            }
            What::Sampling(prompt) => format!(
                r#"{{"method":"sampling/createMessage","params":{}}}"#,
                prompt.params
            ),
            What::Roots => r#"{"method":"roots/list","params":{}}"#.into(),
        }
    }
}

fn clean(reason: &str) -> String {
    text::message(reason).unwrap_or_else(|_| text::hole(reason))
}

/// Begins the request of an elicitation, in a text with room for as many bytes as follow.
fn elicitation(mode: &str, message: &str, follow: usize) -> String {
    // The method and the names of the members take less than a hundred.
    let mut out = String::with_capacity(128 + message.len() + follow);
    out.push_str(r#"{"method":"elicitation/create","params":{"mode":""#);
    out.push_str(mode);
    out.push_str(r#"","message":"#);
    write_string(message, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Field, confirm_form};
    use std::collections::HashSet;

    fn digest(root: u8, message: &str, what: What, pin: Option<&str>) -> QuestionDigest {
        let key = AskKey::new("ok").unwrap();
        let question = Question::new(key, message, what).unwrap();
        let question = match pin {
            Some(pin) => question.pinned(pin.to_owned()),
            None => question,
        };
        question.digest(&Root([root; 16]))
    }

    #[test]
    fn no_part_of_a_question_can_be_changed_or_moved_into_another() {
        let form = || What::Form(confirm_form());
        let text = FormSchema::new([Field::text("ok")]).unwrap();
        let link = |meaning: &str| {
            What::Url(Link {
                url: "https://a.example".into(),
                meaning: meaning.into(),
            })
        };
        let digests = HashSet::from([
            digest(1, "ab", form(), None),
            digest(2, "ab", form(), None),
            digest(1, "a", form(), None),
            digest(1, "ab", form(), Some("")),
            digest(1, "ab", form(), Some("c")),
            digest(1, "abc", form(), Some("")),
            digest(1, "a", form(), Some("bc")),
            digest(1, "ab", What::Form(text), None),
            digest(1, "ab", What::Options(confirm_form()), None),
            digest(1, "ab", What::Roots, None),
            digest(1, "ab", link(""), None),
            digest(1, "b", link("a"), None),
            digest(1, "", link("ab"), None),
        ]);
        assert_eq!(digests.len(), 13);
    }

    #[test]
    fn help_is_no_part_of_what_was_asked() {
        let titled = FormSchema::new([Field::boolean("ok").titled("Really?")]).unwrap();
        assert_eq!(
            digest(1, "Go on?", What::Form(titled), None),
            digest(1, "Go on?", What::Form(confirm_form()), None)
        );
    }
}
