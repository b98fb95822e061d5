//! What a type says by its last path segment, which is all a macro can know of it.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The last segment of a path type, seen through parentheses and invisible groups.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Paren(inner) => last_segment(&inner.elem),
        Type::Group(inner) => last_segment(&inner.elem),
        _ => None,
    }
}

/// Whether the type's last segment is `name`.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == name)
}

/// Whether the type's name is that of a number.
pub(crate) fn is_number(ty: &Type) -> bool {
    const NUMBERS: [&str; 14] = [
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
        "f32", "f64",
    ];
    last_segment(ty).is_some_and(|segment| NUMBERS.iter().any(|name| segment.ident == name))
}

/// The only type argument of the last segment, as in `Option<T>`.
pub(crate) fn type_argument(ty: &Type) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &last_segment(ty)?.arguments else {
        return None;
    };
    match (arguments.args.len(), arguments.args.first()?) {
        (1, GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

/// Whether a path type passes through a segment `name`, such as `axum` in `axum::extract::State<T>`.
pub(crate) fn passes_through(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .iter()
            .any(|segment| segment.ident == name),
        _ => false,
    }
}
