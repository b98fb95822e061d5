//! Patterns: which names they bind to what.

use syn::{Expr, Pat};

use super::Lower;
use super::resolve::plain;
use crate::types;
use crate::value::{Kind, Origin, Value};

impl Lower<'_> {
    /// Binds the names of a pattern to a value.
    pub(super) fn bind(&mut self, pat: &Pat, value: Value) {
        match pat {
            Pat::Ident(ident) => {
                let name = plain(&ident.ident);
                if ident.subpat.is_none() && name.starts_with(|c: char| c.is_uppercase()) {
                    return;
                }
                let mut value = value;
                if ident.mutability.is_some() {
                    owned(&mut value);
                }
                if let Some((_, inner)) = &ident.subpat {
                    self.bind(inner, part(&value));
                }
                if let Some(ask) = value.ask {
                    self.facts.asks[ask].named = true;
                }
                self.locals.bind(name, value);
            }
            Pat::Type(typed) => {
                let value = self.typed(&typed.ty, value);
                self.bind(&typed.pat, value);
            }
            Pat::Reference(reference) => self.bind(&reference.pat, value),
            Pat::Paren(paren) => self.bind(&paren.pat, value),
            Pat::Guard(guard) => self.bind(&guard.pat, value),
            Pat::Tuple(tuple) => self.bind_each(&tuple.elems, &value),
            Pat::Slice(slice) => self.bind_each(&slice.elems, &value),
            Pat::TupleStruct(tuple) => self.bind_each(&tuple.elems, &value),
            Pat::Struct(fields) => {
                for field in &fields.fields {
                    self.bind(&field.pat, part(&value));
                }
            }
            Pat::Or(or) => {
                for case in &or.cases {
                    self.bind(case, part(&value));
                }
            }
            _ => {}
        }
    }

    fn bind_each<'p>(&mut self, parts: impl IntoIterator<Item = &'p Pat>, value: &Value) {
        for pat in parts {
            self.bind(pat, part(value));
        }
    }

    /// `let (a, b) = (x, y)` binds each name to its own value.
    pub(super) fn bind_tuple(&mut self, pat: &Pat, values: Vec<Value>) {
        let Pat::Tuple(tuple) = pat else { return };
        for (pat, value) in tuple.elems.iter().zip(values) {
            self.bind(pat, value);
        }
    }

    /// A value whose type is written: the type says what it is, the value where it came from.
    pub(super) fn typed(&mut self, ty: &syn::Type, mut value: Value) -> Value {
        let written = types::value_of(ty, &|path| self.segments(path));
        let is_confirm = written.ty.as_deref() == Some("Confirm");
        if let Some(ask) = value.ask {
            self.facts.asks[ask].confirm |= is_confirm;
        }
        if written.kind != Kind::Unknown
            && matches!(value.kind, Kind::Unknown | Kind::Data | Kind::Iter)
        {
            value.kind = written.kind;
        }
        if written.kind == Kind::Data && !written.unordered {
            value.unordered = false;
        }
        value.unordered |= written.unordered;
        value.ty = value.ty.or(written.ty);
        value
    }
}

/// `mut x` by value is this round's own copy, unless it is a handle.
fn owned(value: &mut Value) {
    if value.origin == Origin::Shared
        && matches!(value.kind, Kind::Unknown | Kind::Data)
        && !value.by_ref
    {
        value.origin = Origin::Unknown;
    }
}

/// A part of a value: as shared as the whole, and of the same kind where that is passed on.
fn part(value: &Value) -> Value {
    Value {
        text: None,
        name: None,
        on_drop: None,
        ..value.clone()
    }
}

/// The elements of a tuple expression, for [`Lower::bind_tuple`].
pub(super) fn tuple_elements<'e>(pat: &Pat, expr: &'e Expr) -> Option<Vec<&'e Expr>> {
    match (pat, expr) {
        (Pat::Tuple(pat), Expr::Tuple(tuple)) if pat.elems.len() == tuple.elems.len() => {
            Some(tuple.elems.iter().collect())
        }
        _ => None,
    }
}
