//! Expressions, in the order in which they are evaluated.

use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, ExprField, ExprPath, Lit, Member, Token, UnOp};

use super::Lower;
use super::place::is_assignment;
use super::resolve::plain;
use super::stmt::attrs_of;
use crate::allow::Allow;
use crate::facts::EffectKind;
use crate::graph::Edge;
use crate::value::{Deferred, Kind, Origin, Trigger, Value};

impl Lower<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        self.eval(expr, false)
    }

    /// Reads an expression; `awaited` says that `.await` follows at once.
    ///
    /// What nests deeper than the bound is left unjudged: silence is allowed, a crash is not.
    pub(super) fn eval(&mut self, expr: &Expr, awaited: bool) -> Value {
        if self.depth >= super::DEPTH {
            return Value::default();
        }
        self.depth += 1;
        let value = if attrs_of(expr).iter().any(Allow::is_allow) && self.depth > 1 {
            let before = Rc::clone(&self.allows);
            self.take_allows_once(expr);
            let value = self.eval_kind(expr, awaited);
            self.allows = before;
            value
        } else {
            self.eval_kind(expr, awaited)
        };
        self.depth -= 1;
        value
    }

    /// The allows of an expression that is a statement were taken with the statement.
    fn take_allows_once(&mut self, expr: &Expr) {
        let attrs = attrs_of(expr);
        let taken = attrs
            .iter()
            .filter_map(|attr| Allow::parse(attr).ok())
            .any(|allow| {
                let at = (allow.span.start().line, allow.span.start().column);
                self.allows.iter().any(|&id| {
                    let known = &self.facts.allows[id];
                    known.code == allow.code
                        && (known.span.start().line, known.span.start().column) == at
                })
            });
        if !taken {
            self.take_allows(attrs);
        }
    }

    fn eval_kind(&mut self, expr: &Expr, awaited: bool) -> Value {
        match expr {
            Expr::Path(path) => self.path(path),
            Expr::Lit(lit) => literal(&lit.lit),
            Expr::Call(call) => self.call(call, awaited),
            Expr::MethodCall(call) => self.method_call(call, awaited),
            Expr::Macro(mac) => self.mac(&mac.mac, awaited),
            Expr::Await(inner) => self.awaited(&inner.base),
            Expr::Try(inner) => self.question_mark(&inner.expr, awaited),
            Expr::Paren(inner) => self.eval(&inner.expr, awaited),
            Expr::Group(inner) => self.eval(&inner.expr, awaited),
            Expr::Reference(inner) => self.reference(inner),
            Expr::RawAddr(inner) => self.expr(&inner.expr),
            Expr::Cast(inner) => self.expr(&inner.expr),
            Expr::Unary(inner) => self.unary(inner),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(&index.expr, &index.index),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Array(array) => self.all(array.elems.iter()),
            Expr::Tuple(tuple) => self.all(tuple.elems.iter()),
            Expr::Repeat(repeat) => self.all([&*repeat.expr, &*repeat.len]),
            Expr::Range(range) => {
                let value = self.all(range.start.iter().chain(&range.end).map(|bound| &**bound));
                value.with_kind(Kind::Iter)
            }
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Closure(closure) => self.closure(closure),
            Expr::Async(block) => self.async_block(&block.block),
            _ => self.control(expr),
        }
    }

    /// What a commit is given by `&mut` is a handle it works through, not a value it uses.
    fn reference(&mut self, reference: &syn::ExprReference) -> Value {
        let commit = self.commit;
        if reference.mutability.is_some() {
            self.commit = None;
        }
        let value = self.expr(&reference.expr);
        self.commit = commit;
        Value {
            by_ref: true,
            ..value
        }
    }

    fn path(&mut self, path: &ExprPath) -> Value {
        if let Some(ident) = path.path.get_ident() {
            let name = plain(ident);
            if let Some(value) = self.locals.get(&name) {
                let mut value = value.clone();
                self.read(&name, &value, ident.span());
                value.name = Some(name.into());
                return value;
            }
        }
        let segments = self.segments(&path.path);
        let last = segments.last().cloned().unwrap_or_default();
        let constant = last.len() > 1
            && last
                .chars()
                .all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_');
        let origin = if constant {
            Origin::Shared
        } else {
            Origin::Unknown
        };
        let text = if constant {
            self.source.constant(&last)
        } else {
            None
        };
        let mut value = Value {
            origin,
            name: Some(segments.join("::").into()),
            text: text.map(Into::into),
            ..Value::default()
        };
        // A struct without fields is made by its name alone. `None` is no reason to read the crate.
        if !constant && last != "None" && last.starts_with(char::is_uppercase) {
            self.dropping(&last, &mut value);
        }
        value
    }

    /// Each argument of a call, read in order.
    pub(super) fn each(&mut self, arguments: &Punctuated<Expr, Token![,]>) -> Vec<Value> {
        arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect()
    }

    /// Several expressions, one after the other, as one value.
    pub(super) fn all<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Value {
        let mut whole = Value::data();
        for part in parts {
            let value = self.expr(part);
            whole.origin = whole.origin.join(value.origin);
            whole.unordered |= value.unordered;
            whole.absorb(&value);
        }
        if whole.origin == Origin::Shared {
            // It holds something shared, and is itself this round's own.
            whole.origin = Origin::Unknown;
        }
        whole
    }

    fn awaited(&mut self, base: &Expr) -> Value {
        let mut value = self.eval(base, true);
        let mut result = self.await_value(&mut value);
        if result.ask.is_none()
            && let Some(name) = fetched_by(base)
        {
            self.fetch(name, &mut result);
        }
        result
    }

    /// `?` leaves the function, the closure or the async block.
    fn question_mark(&mut self, inner: &Expr, awaited: bool) -> Value {
        let mut value = self.eval(inner, awaited);
        self.run_eager(&mut value);
        let exit = self.frame().exit;
        self.link(exit);
        self.step();
        value
    }

    /// Something that a future does not have was done to a value: it was no future after all.
    pub(super) fn run_eager(&mut self, value: &mut Value) {
        if value.deferred.iter().any(|deferred| deferred.perhaps_eager) {
            let now = value.take_deferred(&|deferred| deferred.perhaps_eager);
            self.run_together(&now, false);
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let value = self.expr(&unary.expr);
        match unary.op {
            UnOp::Deref(_) => value,
            _ => {
                let mut result = Value::data();
                result.absorb_facts(&value);
                result
            }
        }
    }

    /// A field is as shared as what it is a field of; its type may be in the crate's source.
    fn field(&mut self, field: &ExprField) -> Value {
        let base = self.expr(&field.base);
        let member = match &field.member {
            Member::Named(name) => plain(name),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let typed = base
            .ty
            .as_deref()
            .and_then(|ty| self.source.field(ty, &member));
        let kind = match (&typed, base.kind) {
            (_, Kind::Guard) => Kind::Guard,
            (_, Kind::Data) => Kind::Data,
            (Some(typed), _) => typed.kind,
            (None, _) => Kind::Unknown,
        };
        let origin = match base.kind {
            Kind::Ctx | Kind::Call | Kind::Commit => Origin::Local,
            _ => base.origin,
        };
        let mut value = Value {
            origin,
            kind,
            ty: typed.and_then(|typed| typed.ty),
            ..Value::default()
        };
        value.name = base
            .name
            .as_ref()
            .map(|name| format!("{name}.{member}").into());
        value.unordered = base.unordered;
        value.parameter = base.parameter;
        value.absorb(&base);
        value
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Value {
        let base = self.expr(base);
        let index = self.expr(index);
        let mut value = Value { text: None, ..base };
        value.absorb_facts(&index);
        value
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            return self.short_circuit(&binary.left, &binary.right);
        }
        if is_assignment(&binary.op) {
            let value = self.expr(&binary.right);
            return self.write_place(&binary.left, &value);
        }
        let mut result = Value::data();
        for side in [&binary.left, &binary.right] {
            let value = self.expr(side);
            result.absorb_facts(&value);
        }
        result
    }

    /// The right side runs or does not.
    fn short_circuit(&mut self, left: &Expr, right: &Expr) -> Value {
        let mut value = Value::data();
        value.absorb_facts(&self.expr(left));
        let decided = self.decided_by.len();
        self.decided_by.extend_from_slice(&value.unstable);
        let before = self.step();
        self.step();
        value.absorb_facts(&self.expr(right));
        self.decided_by.truncate(decided);
        let after = self.step();
        self.graph.link(before, after, Edge::Step);
        value
    }

    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Value {
        let fields = literal.fields.iter().map(|field| &field.expr);
        let mut value = self.all(fields.chain(literal.rest.as_deref()));
        value.kind = Kind::Data;
        let ty = self
            .segments(&literal.path)
            .last()
            .cloned()
            .unwrap_or_default();
        value.origin = if value.origin == Origin::Local {
            Origin::Local
        } else {
            Origin::Unknown
        };
        self.dropping(&ty, &mut value);
        value.ty = Some(ty.into());
        value
    }

    /// Notes that dropping a value of this type has an effect, if its `Drop` in the crate says so.
    pub(super) fn dropping(&mut self, ty: &str, value: &mut Value) {
        let summary = self.source.drop_of(ty);
        let effect = summary.as_deref().and_then(|summary| summary.effect());
        if let Some(effect) = effect.filter(|effect| !effect.weak) {
            value.on_drop = Some((EffectKind::Helper, effect.does.as_str().into()));
        }
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Value {
        let parameter = self.closure_parameter.take();
        let is_async = closure.asyncness.is_some();
        let body = self.body(|lower| {
            let mark = lower.locals.mark();
            for pat in &closure.inputs {
                lower.bind(pat, parameter.clone().unwrap_or_default());
            }
            let value = if is_async {
                let body = lower.body(|lower| lower.expr(&closure.body));
                deferred(Trigger::Await, body)
            } else {
                lower.expr(&closure.body)
            };
            lower.locals.release(mark);
            value
        });
        deferred(Trigger::Call, body)
    }

    fn async_block(&mut self, block: &syn::Block) -> Value {
        let body = self.body(|lower| lower.block(block));
        deferred(Trigger::Await, body)
    }
}

fn deferred(trigger: Trigger, body: Rc<crate::value::Body>) -> Value {
    let deferred = Deferred {
        trigger,
        body,
        many: false,
        perhaps_eager: false,
    };
    Value {
        origin: Origin::Local,
        deferred: vec![deferred],
        ..Value::default()
    }
}

fn literal(lit: &Lit) -> Value {
    let text = match lit {
        Lit::Str(text) => Some(text.value().into()),
        Lit::Bool(value) => Some(if value.value {
            "true".into()
        } else {
            "false".into()
        }),
        _ => None,
    };
    Value {
        text,
        ..Value::data()
    }
}

/// What an awaited expression calls, if it calls something.
fn fetched_by(expr: &Expr) -> Option<String> {
    match expr {
        Expr::MethodCall(call) => Some(call.method.to_string()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .map(|segment| segment.ident.to_string()),
            _ => None,
        },
        Expr::Paren(inner) => fetched_by(&inner.expr),
        _ => None,
    }
}
