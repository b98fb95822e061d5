//! Places: what an assignment writes to.

use syn::spanned::Spanned;
use syn::{BinOp, Expr};

use super::Lower;
use super::resolve::plain;
use crate::facts::EffectKind;
use crate::value::{Kind, Origin, Value};

impl Lower<'_> {
    /// `place = value` evaluates the value first.
    pub(super) fn assign(&mut self, left: &Expr, right: &Expr) -> Value {
        let value = self.expr(right);
        self.write_place(left, &value)
    }

    pub(super) fn write_place(&mut self, place: &Expr, value: &Value) -> Value {
        if let Expr::Path(path) = place
            && let Some(name) = path.path.get_ident().map(plain)
            && let Some(known) = self.locals.get_mut(&name)
        {
            if known.kind == Kind::Unknown && known.name.is_none() {
                known.kind = value.kind;
                known.ty.clone_from(&value.ty);
                known.origin = if known.origin == Origin::Local {
                    value.origin
                } else {
                    known.origin.join(value.origin)
                };
            }
            known.absorb(value);
            return Value::data();
        }
        let known = self.facts.effects.len();
        let target = self.expr(place);
        // `*map.entry(k).or_insert(0) += 1` has said it already.
        let said = self.facts.effects.len() > known;
        if target.origin == Origin::Shared && is_place(place) && !said {
            self.through = target.parameter;
            let what = target.name.as_deref().map_or_else(
                || "this assignment".to_owned(),
                |name| format!("{name} = .."),
            );
            self.effect(
                EffectKind::State,
                place_span(place),
                what,
                "changes shared state",
            );
            self.through = None;
        } else if let Some(known) = root_name(place).and_then(|root| self.locals.get_mut(&root)) {
            known.absorb(value);
        }
        Value::data()
    }
}

pub(super) fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Whether assigning to this writes through something, rather than to a variable.
pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_none_or(|name| name.to_string().chars().any(char::is_uppercase)),
        Expr::Paren(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// The smallest token that shows what is assigned.
pub(super) fn place_span(expr: &Expr) -> proc_macro2::Span {
    match expr {
        Expr::Field(field) => field.member.span(),
        Expr::Unary(unary) => unary.expr.span(),
        Expr::Index(index) => index.expr.span(),
        other => other.span(),
    }
}

/// The variable at the root of a place.
pub(super) fn root_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(plain),
        Expr::Field(field) => root_name(&field.base),
        Expr::Index(index) => root_name(&index.expr),
        Expr::Unary(unary) => root_name(&unary.expr),
        Expr::Paren(inner) => root_name(&inner.expr),
        Expr::Reference(reference) => root_name(&reference.expr),
        Expr::MethodCall(call) => root_name(&call.receiver),
        _ => None,
    }
}
