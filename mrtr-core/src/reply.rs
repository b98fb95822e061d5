//! What an answer means for the type that the author wrote: value, no, or asked again.

use crate::form::{Form, FormError, FormSchema, confirm_form};

/// An answer as a round found it, before the author's type has a say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Accepted; the normalised content as JSON text.
    Accepted(&'a str),
    /// The user said no.
    Declined,
    /// The user went away without saying no.
    Cancelled,
    /// The client cannot be asked this, and the ask allows for that.
    Unsupported,
}

/// What a type makes of a [`Reply`].
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The ask yields this.
    Value(T),
    /// The type has no room for a no: the call ends.
    No,
    /// Fits the schema but not the type: asked again. The text names path and kind, no value.
    Refused(String),
}

/// The answer with everything that can become of it; no variant is ever an error to swallow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "an answer that is not looked at may be a no"]
#[non_exhaustive]
pub enum Answer<T> {
    /// The user accepted and sent this.
    Accepted(T),
    /// The user said no.
    Declined,
    /// The user closed the question without an answer.
    Cancelled,
    /// The client cannot ask this; only with `if_supported`.
    Unsupported,
}

impl<T> Answer<T> {
    /// The accepted value, if there is one.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled | Self::Unsupported => None,
        }
    }
}

/// A yes or a no: one required boolean, `ok`, without a default.
///
/// An accepted `false`, a decline and a cancel are all a no; an accept without the boolean is
/// asked again. A yes proves that the holder of the caller's credentials sent it, nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a confirmation that is not looked at confirms nothing"]
pub struct Confirm(bool);

impl Confirm {
    /// Whether the user accepted and ticked yes.
    #[must_use]
    pub fn yes(self) -> bool {
        self.0
    }

    /// Whether the user did anything else.
    #[must_use]
    pub fn no(self) -> bool {
        !self.0
    }
}

/// The kind of an ask that is answered by the form of a type.
#[derive(Debug)]
#[non_exhaustive]
pub struct FormQuestion;

/// The kind of an ask whose choices are known at run time only.
#[derive(Debug)]
#[non_exhaustive]
pub struct OptionsQuestion;

/// The kind of an ask whose form is made at run time.
#[derive(Debug)]
#[non_exhaustive]
pub struct FieldsQuestion;

/// The kind of an ask that has the user open a link.
#[derive(Debug)]
#[non_exhaustive]
pub struct UrlQuestion;

/// The kind of an ask that goes to the client's model.
#[derive(Debug)]
#[non_exhaustive]
pub struct SamplingQuestion;

/// The kind of an ask for the client's roots.
#[derive(Debug)]
#[non_exhaustive]
pub struct RootsQuestion;

/// What an accepted answer holds: one implementation per kind of question.
///
/// Not for users: implement [`Form`] instead.
pub trait Accepted: Sized {
    /// The kind of question that yields it.
    type Kind;

    /// Whether it takes several of the choices that it is offered.
    const MANY: bool = false;

    /// The form of the type, if the type says what is asked. `title` names a scalar's only field.
    ///
    /// # Errors
    /// When the type's schema does not fit in a form.
    fn form(_title: &str) -> Result<Option<FormSchema>, FormError> {
        Ok(None)
    }

    /// Reads the normalised content.
    ///
    /// # Errors
    /// A text that names path and kind, never a value.
    fn decode(content: &str) -> Result<Self, String>;
}

#[diagnostic::do_not_recommend]
impl<T: Form> Accepted for T {
    type Kind = FormQuestion;

    fn form(title: &str) -> Result<Option<FormSchema>, FormError> {
        Ok(Some(FormSchema::of::<T>()?.titled(title)))
    }

    fn decode(content: &str) -> Result<Self, String> {
        T::from_content(content).map_err(|error| error.to_string())
    }
}

/// A type that an ask can yield: `T`, `Option<T>`, [`Answer<T>`] or [`Confirm`].
///
/// Not for users: the bounds they meet are in [`crate::answers`].
pub trait FromAnswer: Sized {
    /// The kind of question that yields it.
    type Kind;

    /// What a validator looks at: the accepted value inside the type.
    type Value;

    /// Whether it is a confirmation, which must have been asked for.
    const CONFIRMS: bool = false;

    /// Whether it takes several of the choices that it is offered.
    const MANY: bool = false;

    /// The form of the type, if the type says what is asked. `title` names a scalar's only field.
    ///
    /// # Errors
    /// When the type's schema does not fit in a form.
    fn form(title: &str) -> Result<Option<FormSchema>, FormError>;

    /// What the type makes of an answer.
    fn from_reply(reply: &Reply<'_>) -> Verdict<Self>;

    /// The accepted value inside, if there is one.
    fn accepted(&self) -> Option<&Self::Value>;

    /// Whether the value is a no.
    fn is_no(&self) -> bool {
        self.accepted().is_none()
    }
}

/// An accepted value of `T`, wrapped as the outer type wants it.
fn accepted<T: Accepted, U>(content: &str, wrap: impl FnOnce(T) -> U) -> Verdict<U> {
    match T::decode(content) {
        Ok(value) => Verdict::Value(wrap(value)),
        Err(why) => Verdict::Refused(why),
    }
}

#[diagnostic::do_not_recommend]
impl<T: Accepted> FromAnswer for T {
    type Kind = T::Kind;
    type Value = T;

    fn accepted(&self) -> Option<&T> {
        Some(self)
    }

    const MANY: bool = T::MANY;

    fn form(title: &str) -> Result<Option<FormSchema>, FormError> {
        <T as Accepted>::form(title)
    }

    fn from_reply(reply: &Reply<'_>) -> Verdict<Self> {
        match reply {
            Reply::Accepted(content) => accepted(content, |value| value),
            Reply::Declined | Reply::Cancelled | Reply::Unsupported => Verdict::No,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Accepted> FromAnswer for Option<T> {
    type Kind = T::Kind;
    type Value = T;

    fn accepted(&self) -> Option<&T> {
        self.as_ref()
    }

    const MANY: bool = T::MANY;

    fn form(title: &str) -> Result<Option<FormSchema>, FormError> {
        T::form(title)
    }

    fn from_reply(reply: &Reply<'_>) -> Verdict<Self> {
        match reply {
            Reply::Accepted(content) => accepted(content, Some),
            Reply::Declined | Reply::Cancelled => Verdict::Value(None),
            Reply::Unsupported => Verdict::No,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Accepted> FromAnswer for Answer<T> {
    type Kind = T::Kind;
    type Value = T;

    fn accepted(&self) -> Option<&T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled | Self::Unsupported => None,
        }
    }

    fn is_no(&self) -> bool {
        matches!(self, Self::Declined | Self::Cancelled)
    }

    const MANY: bool = T::MANY;

    fn form(title: &str) -> Result<Option<FormSchema>, FormError> {
        T::form(title)
    }

    fn from_reply(reply: &Reply<'_>) -> Verdict<Self> {
        match reply {
            Reply::Accepted(content) => accepted(content, Answer::Accepted),
            Reply::Declined => Verdict::Value(Self::Declined),
            Reply::Cancelled => Verdict::Value(Self::Cancelled),
            Reply::Unsupported => Verdict::Value(Self::Unsupported),
        }
    }
}

impl FromAnswer for Confirm {
    type Kind = FormQuestion;
    type Value = Self;

    fn accepted(&self) -> Option<&Self> {
        self.yes().then_some(self)
    }

    const CONFIRMS: bool = true;

    fn form(_title: &str) -> Result<Option<FormSchema>, FormError> {
        Ok(Some(confirm_form()))
    }

    fn from_reply(reply: &Reply<'_>) -> Verdict<Self> {
        match reply {
            // The form has been validated: the boolean is there.
            Reply::Accepted(content) => Verdict::Value(Self(*content == r#"{"ok":true}"#)),
            Reply::Declined | Reply::Cancelled => Verdict::Value(Self(false)),
            Reply::Unsupported => Verdict::No,
        }
    }
}
