//! What a written type says of a value.

use std::rc::Rc;

use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

use crate::effects::kinds;
use crate::value::{Kind, Origin, Value};

/// Wrappers that share what they hold.
const SHARING: &[&str] = &[
    "Arc",
    "Rc",
    "State",
    "Extension",
    "Data",
    "Weak",
    "LazyLock",
    "Lazy",
];

/// Wrappers that are as what they hold.
const TRANSPARENT: &[&str] = &[
    "Option",
    "Box",
    "Pin",
    "Result",
    "ManuallyDrop",
    "Cow",
    "MaybeUninit",
];

/// What is known of a parameter or a field of this type.
///
/// Owned data is fresh in every round. What comes by `&mut` belongs to the caller, who is judged for
/// himself.
pub(crate) fn value_of(ty: &Type, resolve: &dyn Fn(&syn::Path) -> Vec<String>) -> Value {
    match ty {
        Type::Reference(reference) => {
            let inner = value_of(&reference.elem, resolve);
            let origin = match (reference.mutability, inner.kind) {
                (None, _) => Origin::Shared,
                (Some(_), Kind::Data) => Origin::Local,
                (Some(_), _) => Origin::Unknown,
            };
            Value {
                origin,
                by_ref: true,
                ..inner
            }
        }
        Type::Paren(paren) => value_of(&paren.elem, resolve),
        Type::Group(group) => value_of(&group.elem, resolve),
        Type::Path(path) => of_path(&path.path, resolve),
        Type::ImplTrait(ty) => of_bounds(&ty.bounds, resolve),
        Type::TraitObject(ty) => of_bounds(&ty.bounds, resolve),
        Type::Tuple(_) | Type::Array(_) | Type::Slice(_) => Value::data(),
        _ => Value::default(),
    }
}

fn of_path(path: &syn::Path, resolve: &dyn Fn(&syn::Path) -> Vec<String>) -> Value {
    let segments = resolve(path);
    let Some(last) = segments.last() else {
        return Value::default();
    };
    if SHARING.contains(&last.as_str()) {
        let inner = argument(path)
            .map(|ty| value_of(ty, resolve))
            .unwrap_or_default();
        return Value {
            origin: Origin::Shared,
            ..inner
        };
    }
    if TRANSPARENT.contains(&last.as_str()) {
        return argument(path)
            .map(|ty| value_of(ty, resolve))
            .unwrap_or_default();
    }
    let kind = kinds::of_type(&segments);
    let origin = if kind == Kind::Data {
        Origin::Local
    } else {
        Origin::Unknown
    };
    let unordered = kinds::is_unordered(&segments);
    Value {
        origin,
        kind,
        unordered,
        ty: Some(last.as_str().into()),
        ..Value::default()
    }
}

fn of_bounds<'a>(
    bounds: impl IntoIterator<Item = &'a TypeParamBound>,
    resolve: &dyn Fn(&syn::Path) -> Vec<String>,
) -> Value {
    let first = bounds.into_iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => resolve(&bound.path)
            .last()
            .map(|name| Rc::from(name.as_str())),
        _ => None,
    });
    Value {
        ty: first,
        ..Value::default()
    }
}

fn argument(path: &syn::Path) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
