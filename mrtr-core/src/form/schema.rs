//! A form as a whole: checked when it is made, with its wire text and digest input built once.

use std::sync::{Arc, LazyLock};

use super::VALUE;
use super::check;
use super::digest;
use super::error::{FormError, Misfit};
use super::field::Field;
use super::memo;
use super::problem::Problem;
use super::publish;
use super::read;
use super::traits::Form;
use crate::digest::Framed;
use crate::question;
use crate::state::Kind;
use crate::text;

/// What a form asks, in the author's order.
///
/// A value of this type can be sent: its texts are clean, its bounds hold some value, and its
/// defaults fit their own fields. Cloning is cheap.
#[derive(Debug, Clone, PartialEq)]
pub struct FormSchema(Arc<Made>);

/// The fields, and what is made of them once.
#[derive(Debug)]
struct Made {
    fields: Vec<Field>,
    requested: String,
    /// The digest of the questions that ask this, as far as it goes.
    begin: Framed,
}

/// The rest follows from the fields.
impl PartialEq for Made {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields
    }
}

impl FormSchema {
    /// Makes a form by hand.
    ///
    /// # Errors
    /// When two fields have one name, or a field cannot be sent as it is: a text that is too
    /// long, bounds that no value meets, no choice or too many, a default that does not fit.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Result<Self, FormError> {
        Self::of_owner(None, fields.into_iter().collect())
    }

    /// The form of a type, made once: what a type asks never changes while a program runs.
    ///
    /// # Errors
    /// When something about the type does not fit in a form.
    pub fn of<T: Form>() -> Result<Self, FormError> {
        memo::form_of::<T>()
    }

    pub(crate) fn of_owner(owner: Option<&str>, fields: Vec<Field>) -> Result<Self, FormError> {
        let mut checked: Vec<Field> = Vec::with_capacity(fields.len());
        for field in fields {
            let name = field.name.clone();
            let misfit = |misfit| FormError::of_field(owner, &name, misfit);
            if checked.iter().any(|other| other.name == name) {
                return Err(misfit(Misfit::new(
                    "two fields have this name",
                    "rename one of them",
                )));
            }
            checked.push(check::field(field).map_err(misfit)?);
        }
        Ok(Self::of_checked(checked))
    }

    pub(crate) fn of_checked(fields: Vec<Field>) -> Self {
        FormSchema(Arc::new(Made {
            requested: publish::requested_schema(&fields),
            begin: question::begin(Kind::Form, &digest::input(&fields)),
            fields,
        }))
    }

    /// The fields in order.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.0.fields
    }

    /// The JSON text of `requestedSchema`; the same form always gives the same bytes.
    #[must_use]
    pub fn requested_schema(&self) -> &str {
        &self.0.requested
    }

    /// What a yes to this form depends on: of each field the name, the type, whether it is
    /// required, its bounds, format and choices; not its title, help text or default.
    #[must_use]
    pub fn digest_input(&self) -> Vec<u8> {
        digest::input(self.fields())
    }

    /// The digest of a question that asks this, as far as the form alone says it.
    pub(crate) fn begin(&self) -> &Framed {
        &self.0.begin
    }

    /// Gives the one field of a scalar form a title, unless its type brought one.
    ///
    /// The title is the first line of the question. A line that is too long for a label is left
    /// out, because the question itself stands above the form. A form with several fields, or
    /// with a field of another name than [`VALUE`], is left as it is.
    #[must_use]
    pub fn titled(self, question: &str) -> Self {
        let [field] = self.fields() else {
            return self;
        };
        let line = question.lines().next().unwrap_or_default();
        let (Ok(line), VALUE, None) = (text::label(line), &*field.name, &field.title) else {
            return self;
        };
        if line.trim().is_empty() {
            return self;
        }
        let field = check::field(field.clone().titled(line));
        Self::of_checked(vec![
            field.expect("invariant: only a title was added, and it fits"),
        ])
    }

    /// Validates the content of an accepted answer and normalises it for serde: defaults filled
    /// in, unknown members dropped, `30.0` written as `30` where a whole number is asked.
    ///
    /// No content counts as `{}`. A member that is `null` counts as absent if its field may be.
    ///
    /// # Errors
    /// All rules that the answer breaks, in the order of the fields; never the answer's values.
    pub fn read(&self, content: Option<&str>) -> Result<String, Vec<Problem>> {
        read::content(self.fields(), content)
    }
}

/// The form of a confirmation: one required boolean `ok` without a default, because consent that
/// is filled in is none.
#[must_use]
pub fn confirm_form() -> FormSchema {
    static FORM: LazyLock<FormSchema> =
        LazyLock::new(|| FormSchema::of_checked(vec![Field::boolean("ok")]));
    FORM.clone()
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
