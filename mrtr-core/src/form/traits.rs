//! The traits that say which types are forms and which may be fields.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::content::{ContentError, from_content};
use super::declared::scalar_form;
use super::error::FormError;
use super::order;
use super::schema::FormSchema;

/// A type whose value the user gives in a form.
///
/// `#[derive(Form)]` implements it for structs with named fields, for enums of unit variants and
/// for newtypes. A type that may be a field ([`FormField`]) is a form with the one field `value`.
/// `Option<T>` is no form: as the type of an answer it says that the user may decline.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "the user cannot be asked for this type",
    note = "a form is a type with `#[derive(Deserialize, JsonSchema, Form)]`, a `String`, a number, a `bool`, a date, or a `Vec` of an enum with `Form`"
)]
pub trait Form: Sized + Send + 'static {
    /// What the form asks.
    ///
    /// # Errors
    /// When something about the type does not fit in a form that only its schema shows.
    fn form() -> Result<FormSchema, FormError>;

    /// Reads the value from an answer that [`FormSchema::read`] accepted and normalised.
    ///
    /// # Errors
    /// When the type's own `Deserialize` refuses what the form allows.
    fn from_content(content: &str) -> Result<Self, ContentError>;
}

/// A type that may be a field of a form.
///
/// `#[derive(Form)]` on an enum of unit variants or on a newtype implements it. For a type of
/// your own that reads and describes itself as a text, a number or a boolean an empty
/// `impl FormField for T {}` is enough; its schema is checked when the server is built.
///
/// `Deserialize` and `JsonSchema` are needed where the field is used. They are no supertraits,
/// because rustc's words about a missing supertrait hide what to do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit in a form field",
    label = "a form cannot ask for this type",
    note = "a form field is a `String`, a number, a `bool`, a date or moment, an enum with `#[derive(Form)]`, a `Vec` of such an enum, or an `Option` of one of these"
)]
pub trait FormField {
    /// The value as JSON, for a field that has it as its default; none publishes no default.
    fn to_default(&self) -> Option<Value> {
        None
    }

    /// Whether the choices go out as `enum` with the older `enumNames`.
    #[doc(hidden)]
    fn enum_names() -> bool {
        false
    }
}

/// An enum of unit variants with `#[derive(Form)]`, of which a `Vec` takes several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a choice",
    label = "only choices can be picked several at a time",
    note = "a choice is an enum of unit variants with `#[derive(Deserialize, JsonSchema, Form)]`"
)]
pub trait Choice {}

/// A type that serde can read from an answer.
///
/// The trait exists for its error text: serde's own lists a dozen other types.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "form `{Self}` lacks `Deserialize`",
    label = "answers cannot be read as this type",
    note = "write `#[derive(Deserialize, JsonSchema, Form)]`"
)]
pub trait Readable: DeserializeOwned {}

/// A type whose schema is known; the trait exists for its error text.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "form `{Self}` lacks `JsonSchema`",
    label = "the client cannot be told what this type is",
    note = "write `#[derive(Deserialize, JsonSchema, Form)]`"
)]
pub trait Described: JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> Described for T {}

/// What stands in a field without `Option`: a field type, or several of a choice.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit in a form field",
    label = "a form cannot ask for this type",
    note = "a form field is a `String`, a number, a `bool`, a date or moment, an enum with `#[derive(Form)]`, a `Vec` of such an enum, or an `Option` of one of these"
)]
pub trait Single: JsonSchema + DeserializeOwned + Send + 'static {
    /// The value as JSON, for a default.
    fn default_json(&self) -> Option<Value>;

    /// The names of the choices in the author's order.
    fn choice_order() -> Option<&'static [&'static str]>;

    /// Whether the choices go out as `enum` with `enumNames`.
    fn with_enum_names() -> bool;
}

/// What may be the type of a form's field: a [`Single`], or an `Option` of it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit in a form field",
    label = "a form cannot ask for this type",
    note = "a form field is a `String`, a number, a `bool`, a date or moment, an enum with `#[derive(Form)]`, a `Vec` of such an enum, or an `Option` of one of these"
)]
pub trait InForm {
    /// The type without `Option`.
    type Inner: Single;

    /// The value as JSON, for a default; `None` of an `Option` is no default.
    fn default_json(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: FormField + JsonSchema + DeserializeOwned + Send + 'static> Single for T {
    fn default_json(&self) -> Option<Value> {
        self.to_default()
    }

    fn choice_order() -> Option<&'static [&'static str]> {
        order::variants_of::<T>()
    }

    fn with_enum_names() -> bool {
        T::enum_names()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Choice + FormField + JsonSchema + DeserializeOwned + Send + 'static> Single for Vec<T> {
    fn default_json(&self) -> Option<Value> {
        self.iter().map(FormField::to_default).collect()
    }

    fn choice_order() -> Option<&'static [&'static str]> {
        order::variants_of::<T>()
    }

    fn with_enum_names() -> bool {
        // `enumNames` exists for single choices only.
        false
    }
}

#[diagnostic::do_not_recommend]
impl<T: Single> InForm for T {
    type Inner = T;

    fn default_json(&self) -> Option<Value> {
        Single::default_json(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Single> InForm for Option<T> {
    type Inner = T;

    fn default_json(&self) -> Option<Value> {
        self.as_ref().and_then(Single::default_json)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Single> Form for T {
    fn form() -> Result<FormSchema, FormError> {
        scalar_form::<T>()
    }

    fn from_content(content: &str) -> Result<Self, ContentError> {
        from_content::<Scalar<T>>(content).map(|scalar| scalar.value)
    }
}

/// The content of a scalar form.
#[derive(serde::Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Scalar<T> {
    value: T,
}
