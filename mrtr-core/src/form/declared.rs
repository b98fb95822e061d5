//! Puts a form together from what a type declares: its schema, its fields' order and defaults.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::VALUE;
use super::error::{FormError, Misfit};
use super::field::Field;
use super::from_schema::{Hints, field_from};
use super::schema::FormSchema;
use super::traits::{Described, InForm, Readable, Single};

/// One field as `#[derive(Form)]` saw it.
pub struct Declared {
    name: &'static str,
    default: Option<Value>,
    hints: Hints,
}

/// A field of type `T` under its wire name.
#[must_use]
pub fn declared<T: InForm>(name: &'static str) -> Declared {
    Declared {
        name,
        default: None,
        hints: hints_of::<T::Inner>(),
    }
}

/// A field with a default, which schemars knows only of types that implement `Serialize`.
#[must_use]
pub fn declared_or<T: InForm>(name: &'static str, default: &T) -> Declared {
    Declared {
        default: default.default_json(),
        ..declared::<T>(name)
    }
}

/// The default of a choice: the wire name of a variant.
#[must_use]
pub fn choice_named(wire_name: &'static str) -> Option<Value> {
    Some(wire_name.into())
}

/// Checks the derives that a field type needs; the only place where an expansion does.
pub fn check_derives<T: Described + Readable>() {}

/// The form of a struct; `owner` is the name that errors show.
///
/// # Errors
/// When a field does not fit, or serde and schemars disagree about the fields.
pub fn form_of<T: Described>(
    owner: &'static str,
    fields: impl IntoIterator<Item = Declared>,
) -> Result<FormSchema, FormError> {
    let fields: Vec<Declared> = fields.into_iter().collect();
    let schema = schema_of::<T>();
    let properties = schema.get("properties").and_then(Value::as_object);
    let none = Map::new();
    let properties = properties.unwrap_or(&none);
    let required = names(schema.get("required"));
    if let Some(extra) = properties
        .keys()
        .find(|key| fields.iter().all(|field| field.name != *key))
    {
        return Err(FormError::of_field(Some(owner), extra, disagreement()));
    }
    let made = fields.into_iter().map(|declared| {
        let name = declared.name;
        declared
            .into_field(properties.get(name), required.contains(&name))
            .map_err(|misfit| FormError::of_field(Some(owner), name, misfit))
    });
    FormSchema::of_owner(Some(owner), made.collect::<Result<_, _>>()?)
}

/// The form of a type that is one field.
pub(crate) fn scalar_form<T: Single>() -> Result<FormSchema, FormError> {
    let owner = T::schema_name();
    let field = field_from(VALUE, &schema_of::<T>(), hints_of::<T>());
    let field = field.map_err(|misfit| FormError::new(&*owner, misfit))?;
    FormSchema::of_owner(Some(&owner), vec![field])
}

impl Declared {
    fn into_field(self, property: Option<&Value>, required: bool) -> Result<Field, Misfit> {
        let property = property.ok_or_else(disagreement)?;
        let mut field = field_from(self.name, property, self.hints)?;
        if let Some(default) = self.default {
            field.default = Some(default.to_string());
        }
        field.required = required && field.default.is_none();
        Ok(field)
    }
}

fn hints_of<T: Single>() -> Hints {
    Hints {
        order: T::choice_order(),
        enum_names: T::with_enum_names(),
    }
}

/// The schema of a type with everything inlined, for a form has no `$defs`.
fn schema_of<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut generator = SchemaGenerator::new(settings);
    T::json_schema(&mut generator).to_value()
}

fn names(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn disagreement() -> Misfit {
    Misfit::new(
        "serde and schemars disagree about this name",
        "give both the same `rename`, `skip` and `with` attributes",
    )
}
