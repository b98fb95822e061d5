//! A type that may be a form, as the checks leave it.

use syn::{Expr, Ident, Type};

/// The three shapes of form types.
pub(crate) enum Shape {
    /// A struct with named fields: a form.
    Fields(Vec<FieldModel>),
    /// An enum of unit variants: a choice.
    Choice(ChoiceModel),
    /// A newtype: a field.
    Newtype(Box<NewtypeModel>),
}

/// One field that an answer holds.
pub(crate) struct FieldModel {
    /// The name on the wire.
    pub(crate) wire: String,
    /// The type that serde reads and schemars describes.
    pub(crate) ty: Type,
    /// The default, as an expression of the field's type.
    pub(crate) default: Option<Expr>,
}

/// An enum of unit variants.
pub(crate) struct ChoiceModel {
    pub(crate) variants: Vec<VariantModel>,
    /// Publish `enumNames`.
    pub(crate) enum_names: bool,
}

/// One variant.
pub(crate) struct VariantModel {
    pub(crate) ident: Ident,
    /// The name on the wire; none if serde skips the variant.
    pub(crate) wire: Option<String>,
}

/// A tuple struct of one field.
pub(crate) struct NewtypeModel {
    /// The type that serde reads and schemars describes.
    pub(crate) ty: Type,
    /// Whether the field is of that type, so that its value can be shown as a default.
    pub(crate) is_inner: bool,
}
