//! What is asked beside the words: what the type of the answer does not say.

use mrtr_core::form::{Field, FormError, FormSchema, Offer, form_of_offers};
use mrtr_core::key::AskKey;
use mrtr_core::question::{Link, Prompt, What};
use mrtr_core::sampling::Sample;

use super::Typed;
use crate::ctx::Ctx;

/// What is asked beside the words.
pub(crate) enum Subject {
    /// What the type of the answer says.
    Typed,
    /// A form made at run time.
    Fields(Result<FormSchema, FormError>),
    /// Choices known at run time.
    Options(Vec<Offer>),
    /// A link to open.
    Url(String),
    /// A question to the client's model.
    Sample(Box<Sample>),
    /// The client's roots.
    Roots,
}

impl Subject {
    /// The question's own part, or why it cannot be asked.
    pub(super) fn what<T>(self, ctx: &Ctx, typed: &Typed<T>, key: &AskKey) -> Result<What, String> {
        let bad = |error: FormError| error.to_string();
        match self {
            Self::Typed => match (typed.form)(key.as_str()).map_err(bad)? {
                Some(form) => Ok(What::Form(form)),
                None => Err("its type does not say what is asked".into()),
            },
            Self::Fields(form) => form.map(What::Form).map_err(bad),
            Self::Options(offers) => {
                let form = form_of_offers(offers, typed.many).map_err(bad)?;
                Ok(What::Options(form.titled(key.as_str())))
            }
            Self::Url(url) => link(ctx, url).map(What::Url),
            Self::Sample(sample) => Prompt::new(&sample).map(What::Sampling),
            Self::Roots => Ok(What::Roots),
        }
    }
}

/// A link that may be opened. Tickets are others in every round and so no part of what it means.
fn link(ctx: &Ctx, url: String) -> Result<Link, String> {
    let policy = &ctx.call().0.shared.urls;
    policy.check(&url).map_err(|problem| problem.to_string())?;
    let run = ctx.run().lock();
    let meaning = run.tickets.iter().fold(url.clone(), |url, (key, ticket)| {
        url.replace(ticket, &format!("{{ticket:{key}}}"))
    });
    Ok(Link { url, meaning })
}

/// What a form that is made at run time can be given as.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no form",
    label = "not a form made at run time",
    note = "give a `FormSchema`, the `Result` of `FormSchema::new(..)`, or the `Field`s in an array or a `Vec`"
)]
pub trait IntoForm {
    /// The form.
    ///
    /// # Errors
    /// What cannot be sent of it.
    fn into_form(self) -> Result<FormSchema, FormError>;
}

impl IntoForm for FormSchema {
    fn into_form(self) -> Result<FormSchema, FormError> {
        Ok(self)
    }
}

impl IntoForm for Result<FormSchema, FormError> {
    fn into_form(self) -> Result<FormSchema, FormError> {
        self
    }
}

impl IntoForm for Vec<Field> {
    fn into_form(self) -> Result<FormSchema, FormError> {
        FormSchema::new(self)
    }
}

impl<const N: usize> IntoForm for [Field; N] {
    fn into_form(self) -> Result<FormSchema, FormError> {
        FormSchema::new(self)
    }
}
