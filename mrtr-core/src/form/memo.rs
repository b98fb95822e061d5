//! Remembers the form of each type, because making one takes longer than the rest of a request.
//!
//! The table is a memo of a pure function and so no state: what is in it depends only on the types
//! of the program, and is never dropped or changed.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::error::FormError;
use super::schema::FormSchema;
use super::traits::Form;

type Made = Result<FormSchema, FormError>;

static FORMS: LazyLock<RwLock<HashMap<TypeId, Made>>> = LazyLock::new(RwLock::default);

/// The form of a type; two threads that ask at once may both make it, with the same result.
pub(crate) fn form_of<T: Form>() -> Made {
    let id = TypeId::of::<T>();
    // An entry is written whole, so that a panic elsewhere leaves nothing half-made behind.
    let known = FORMS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(form) = known.get(&id) {
        return form.clone();
    }
    // Making a form runs code of the type's author, which must not hold the table.
    drop(known);
    let made = T::form();
    let mut known = FORMS.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(id).or_insert(made).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_own() {
        let text = form_of::<String>().expect("a form");
        assert_eq!(form_of::<String>(), Ok(text.clone()));
        assert_ne!(form_of::<bool>(), Ok(text.clone()));
        assert_eq!(String::form(), Ok(text));
    }
}
