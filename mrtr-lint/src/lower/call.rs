//! Calls by path or of a closure: what they do, and what they yield.

use std::rc::Rc;

use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

use super::Lower;
use super::construct::{
    WRAPPERS, constructed, is, is_variant, keeps_closures, owner, wrapped, written,
};
use super::helper::Given;
use super::place::root_name;
use crate::effects::{kinds, makers, methods, paths, results, unstable};
use crate::facts::AskSite;
use crate::graph::{Event, Node};
use crate::value::{Kind, Origin, Trigger, Value};

/// Functions that do not return.
const DIVERGING: &[&str] = &[
    "process::exit",
    "process::abort",
    "panic::panic_any",
    "panic::resume_unwind",
    "hint::unreachable_unchecked",
    "intrinsics::abort",
];

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &ExprCall, awaited: bool) -> Value {
        let Expr::Path(func) = strip(&call.func) else {
            return self.call_of_value(call);
        };
        if let Some(name) = func.path.get_ident().map(super::resolve::plain) {
            if self.locals.get(&name).is_some() {
                return self.call_of_value(call);
            }
            let nested = self.nested.iter().rfind(|(known, _)| *known == name);
            if let Some(item) = nested.map(|(_, item)| Rc::clone(item)) {
                return self.call_of_nested(&name, &item, call);
            }
        }
        let path = self.segments(&func.path);
        let span = func
            .path
            .segments
            .last()
            .map_or_else(|| func.span(), |segment| segment.ident.span());
        if let Some(value) = self.special_call(&path, call, span) {
            return value;
        }
        let mut arguments = self.each(&call.args);
        let what = written(&func.path);
        if is(&path, DIVERGING) {
            return self.diverge();
        }
        if let Some(value) = self.task_call(&path, &mut arguments, &what, span) {
            return value;
        }
        let mut result = self.call_result(&path, &mut arguments);
        if let Some(hit) = paths::call(&path, awaited) {
            self.hit(hit, span, what, &mut result);
            return result;
        }
        if let Some(sort) = unstable::call(&path) {
            self.unstable(sort, span, what, &mut result);
            return result;
        }
        if let Some(value) = self.as_method(&path, call, &arguments, awaited, span) {
            return value;
        }
        self.helper_call(&path, &arguments, what, span, result)
    }

    /// A closure, or the field of a struct, that is called.
    fn call_of_value(&mut self, call: &ExprCall) -> Value {
        let mut callee = self.expr(&call.func);
        let mut arguments = self.each(&call.args);
        let carried = callee
            .deferred
            .iter()
            .any(|deferred| deferred.trigger == Trigger::Call);
        let mut result = self.run(&mut callee, &[Trigger::Call]);
        result.absorb_facts(&callee);
        if !carried {
            result.origin = Origin::Unknown;
        }
        let given_ctx = arguments.iter().any(Value::is_ctx);
        for argument in &mut arguments {
            self.run_perhaps(argument, &[Trigger::Call]);
            result.absorb(argument);
        }
        if given_ctx && !carried {
            return self.asking_helper(root_name(&call.func), call.func.span(), result);
        }
        result
    }

    /// Calls that treat their arguments in a way of their own.
    fn special_call(
        &mut self,
        path: &[String],
        call: &ExprCall,
        span: proc_macro2::Span,
    ) -> Option<Value> {
        let last = path.last()?.as_str();
        if is(
            path,
            &["mem::forget", "ScopeGuard::into_inner", "ManuallyDrop::new"],
        ) || is(path, &["forget"])
        {
            self.disarm(call.args.first());
            return Some(Value::data());
        }
        if is(path, &["mem::drop"]) || path.len() == 1 && last == "drop" {
            let value = call
                .args
                .first()
                .map(|argument| self.expr(argument))
                .unwrap_or_default();
            if let Some((kind, does)) = value.on_drop {
                self.drop_effect(kind, span, "drop".to_owned(), &does);
            }
            return Some(Value::data());
        }
        if path.iter().any(|segment| segment == "scopeguard") && last.starts_with("guard") {
            return Some(self.scope_guard(call));
        }
        if is(path, &["thread::scope"]) {
            self.closure_parameter = Some(Value {
                ty: Some(Rc::from("Scope")),
                ..Value::default()
            });
            let mut value = self.all(&call.args);
            return Some(self.run(&mut value, &[Trigger::Call]));
        }
        None
    }

    /// `scopeguard::guard(value, |value| ..)` runs its closure when it is dropped.
    fn scope_guard(&mut self, call: &ExprCall) -> Value {
        let mut whole = self.all(&call.args);
        let mut deferred = whole.deferred.iter();
        let effect = deferred.find_map(|it| it.body.graph.nodes.iter().find_map(Node::effect));
        whole.deferred.clear();
        whole.on_drop = effect.map(|id| {
            let effect = &self.facts.effects[id];
            (effect.kind, effect.does.as_str().into())
        });
        whole
    }

    /// A guard that is taken apart no longer acts.
    pub(super) fn disarm(&mut self, guard: Option<&Expr>) {
        let Some(name) = guard.and_then(root_name) else {
            return;
        };
        for node in &mut self.graph.nodes {
            if let Some(Event::Effect(id)) = node.event
                && self.facts.effects[id].on_drop
                && self.facts.effects[id].what == name
            {
                node.event = None;
            }
        }
    }

    /// What a call yields whose function the table does not know by itself.
    fn call_result(&mut self, path: &[String], arguments: &mut [Value]) -> Value {
        let stored = path.last().is_some_and(|name| keeps_closures(name));
        for argument in arguments.iter_mut() {
            if !stored {
                let ran = self.run_perhaps(argument, &[Trigger::Call]);
                argument.absorb(&ran);
            }
        }
        if is(path, WRAPPERS) {
            return wrapped(path, arguments);
        }
        let mut result =
            makers::of_call(path, arguments).unwrap_or_else(|| constructed(path, arguments));
        for argument in arguments.iter() {
            result.absorb(argument);
            result.unordered |= argument.unordered
                && path
                    .last()
                    .is_some_and(|name| name == "iter" || name == "join_all");
        }
        if let Some(owner) = owner(path) {
            self.dropping(owner, &mut result);
        }
        result
    }

    /// `AtomicU64::fetch_add(&COUNT, 1, ..)` is the method of its first argument.
    fn as_method(
        &mut self,
        path: &[String],
        call: &ExprCall,
        arguments: &[Value],
        awaited: bool,
        span: proc_macro2::Span,
    ) -> Option<Value> {
        if is_variant(path) {
            return None;
        }
        let kind = kinds::of_type(&path[..path.len() - 1]);
        let (receiver, rest) = arguments.split_first()?;
        let known = matches!(
            kind,
            Kind::Atomic | Kind::Lock | Kind::Sender | Kind::Notify | Kind::File | Kind::Command
        );
        if !known
            || path
                .last()
                .is_some_and(|name| name == "new" || name == "open")
        {
            return None;
        }
        let ordering = call.args.iter().any(super::method::is_ordering);
        let receiver = Value {
            kind,
            ..receiver.clone()
        };
        let name = path.last()?.clone();
        let facts = methods::MethodCall {
            name: &name,
            receiver: &receiver,
            arguments: rest,
            awaited,
            answered: false,
            ordering,
        };
        let hit = methods::effect(&facts);
        let mut result = results::result_of(&name, &receiver, rest);
        if let Some(hit) = hit {
            self.hit(hit, span, path[path.len() - 2..].join("::"), &mut result);
        }
        Some(result)
    }

    /// A helper: what it does if its source says so, and whether it asks if it is given the `Ctx`.
    fn helper_call(
        &mut self,
        path: &[String],
        arguments: &[Value],
        what: String,
        span: proc_macro2::Span,
        result: Value,
    ) -> Value {
        let summary = self.source.function(path);
        let call = match arguments.split_first() {
            Some((receiver, rest))
                if summary
                    .as_deref()
                    .is_some_and(|summary| summary.has_receiver) =>
            {
                Given {
                    receiver: Some(receiver),
                    arguments: rest,
                }
            }
            _ => Given {
                receiver: None,
                arguments,
            },
        };
        self.apply_summary(summary.as_deref(), &call, what, span, result)
    }

    pub(super) fn asking_helper(
        &mut self,
        name: Option<String>,
        span: proc_macro2::Span,
        result: Value,
    ) -> Value {
        let ask = self.new_ask(span, name, AskSite::Helper);
        self.lazy_ask(ask, result)
    }
}

fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip(&inner.expr),
        Expr::Group(inner) => strip(&inner.expr),
        other => other,
    }
}
