//! Method calls: what they do, and what they yield.

use std::sync::Arc;

use proc_macro2::Span;
use syn::{Expr, ExprMethodCall};

use super::Lower;
use super::ask::scoped;
use super::helper::Given;
use super::place::root_name;
use crate::effects::{adapters, methods, results, services, unstable, words};
use crate::facts::{EffectKind, UnstableSort};
use crate::source::Summary;
use crate::value::{Kind, Origin, Trigger, Value};

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall, awaited: bool) -> Value {
        let name = super::resolve::plain(&call.method);
        let answered = name == "send" && std::mem::take(&mut self.answered);
        let mut receiver = self.receiver(&call.receiver, &name);
        if receiver.is_ctx() {
            return self.ctx_method(&receiver, call, &name);
        }
        self.closure_parameter = Some(closure_parameter(&receiver, &name));
        let mut arguments: Vec<Value> = Vec::new();
        for argument in &call.args {
            if !matches!(argument, Expr::Closure(_)) {
                self.closure_parameter = None;
            }
            arguments.push(self.expr(argument));
            self.closure_parameter = Some(closure_parameter(&receiver, &name));
        }
        self.closure_parameter = None;
        if let Some(ask) = receiver.ask {
            self.ask_builder(ask, &name, &arguments);
        }
        if let Some(value) = self.task_method(call, &name, &mut receiver, &mut arguments) {
            return value;
        }
        self.run_closures(&name, &mut receiver, &mut arguments);
        let own = receiver.name.as_deref() == Some("self");
        let way = Way {
            awaited,
            answered: answered || own,
        };
        self.known_method(call, &name, receiver, &mut arguments, way)
    }

    /// A commit that calls a method of a value acts through it; that does not show its content.
    fn receiver(&mut self, receiver: &Expr, name: &str) -> Value {
        let copies = name == "clone" || adapters::COPIES.contains(&name);
        if copies || !matches!(receiver, Expr::Path(_)) {
            return self.expr(receiver);
        }
        let commit = self.commit.take();
        let value = self.expr(receiver);
        self.commit = commit;
        value
    }

    /// A `Ctx` asks, scopes, or yields values that are the same in each round.
    fn ctx_method(&mut self, ctx: &Value, call: &ExprMethodCall, name: &str) -> Value {
        if let Some(value) = self.ctx_ask(ctx, call) {
            return value;
        }
        let arguments = self.each(&call.args);
        match name {
            "scope" => scoped(ctx, arguments.first()),
            "clone" => ctx.clone(),
            "call" => Value::local(Kind::Call),
            _ => Value::data(),
        }
    }

    /// Spawning and racing through a method.
    fn task_method(
        &mut self,
        call: &ExprMethodCall,
        name: &str,
        receiver: &mut Value,
        arguments: &mut [Value],
    ) -> Option<Value> {
        let span = call.method.span();
        if matches!(
            name,
            "now_or_never" | "timeout" | "abortable" | "race" | "or" | "until_cancelled"
        ) && self.race(
            receiver,
            &format!(".{name}()"),
            "BY may drop ASK unanswered",
            span,
        ) {
            return Some(receiver.clone());
        }
        if name == "block_on" {
            let mut whole = Value::data();
            arguments.iter().for_each(|argument| whole.absorb(argument));
            self.race(
                &whole,
                "block_on",
                "BY blocks its thread until ASK is answered",
                span,
            );
            return Some(self.run(&mut whole, &[Trigger::Await]));
        }
        let carries = arguments
            .iter()
            .any(|argument| !argument.deferred.is_empty());
        if !name.starts_with("spawn") || !carries || receiver.kind == Kind::Command {
            return None;
        }
        if receiver.ty.as_deref() == Some("Scope") {
            let mut whole = Value::data();
            arguments.iter().for_each(|argument| whole.absorb(argument));
            return Some(self.run(&mut whole, &[Trigger::Call, Trigger::Await]));
        }
        let task = self.spawn(arguments, &format!(".{name}()"), span);
        if let Some(set) = root_name(&call.receiver).and_then(|root| self.locals.get_mut(&root)) {
            set.absorb(&task);
        }
        Some(task)
    }

    /// Closures among the arguments: an iterator keeps them, others call them at once.
    fn run_closures(&mut self, name: &str, receiver: &mut Value, arguments: &mut [Value]) {
        let lazily = adapters::LAZY_ADAPTERS.contains(&name);
        let over_items = receiver.kind == Kind::Iter;
        let future = receiver
            .deferred
            .iter()
            .any(|deferred| deferred.trigger == Trigger::Await);
        for argument in arguments.iter_mut() {
            let is_closure = argument
                .deferred
                .iter()
                .any(|deferred| deferred.trigger == Trigger::Call);
            if !is_closure {
                continue;
            }
            if lazily && (over_items || future) {
                let trigger = if over_items {
                    Trigger::Drive
                } else {
                    Trigger::Await
                };
                for deferred in &mut argument.deferred {
                    deferred.trigger = trigger;
                    deferred.many |= over_items;
                }
            } else if !super::construct::keeps_closures(name) {
                let mut ran = self.run_perhaps(argument, &[Trigger::Call]);
                ran.deferred
                    .iter_mut()
                    .for_each(|deferred| deferred.many |= over_items);
                argument.absorb(&ran);
            }
        }
    }

    fn known_method(
        &mut self,
        call: &ExprMethodCall,
        name: &str,
        mut receiver: Value,
        arguments: &mut [Value],
        way: Way,
    ) -> Value {
        let span = call.method.span();
        let ordering = call.args.iter().any(is_ordering);
        let facts = methods::MethodCall {
            name,
            receiver: &receiver,
            arguments,
            awaited: way.awaited,
            answered: way.answered,
            ordering,
        };
        let hit = methods::effect(&facts);
        let by_name = services::by_name(&facts);
        if adapters::DRIVERS.contains(&name) && receiver.kind == Kind::Iter {
            let ran = self.run(&mut receiver, &[Trigger::Drive]);
            receiver.absorb(&futures_of_items(ran));
        }
        if matches!(
            name,
            "unwrap" | "expect" | "is_ok" | "is_err" | "ok" | "unwrap_or_default" | "err"
        ) {
            self.run_eager(&mut receiver);
        }
        let mut result = results::result_of(name, &receiver, arguments);
        result.name = chained_name(&receiver);
        result.parameter = receiver
            .parameter
            .filter(|_| result.origin != Origin::Local);
        result.absorb(&receiver);
        arguments
            .iter()
            .for_each(|argument| result.absorb(argument));
        self.write_back(call, name, arguments);
        self.draw(name, span, &receiver, arguments, &mut result);
        // What is called `insert` may be a method of the crate's own that does something else.
        let guessed = hit.is_none_or(|hit| hit.kind == EffectKind::State);
        let summary = guessed.then(|| self.source_of(&receiver, name)).flatten();
        let hit = match summary.as_deref() {
            Some(summary) if summary.tells() => None,
            Some(_) => by_name,
            None => hit.or(by_name),
        };
        if let Some(hit) = hit {
            self.through = receiver.parameter;
            self.hit(hit, span, shown(&receiver, name), &mut result);
            self.through = None;
            return result;
        }
        let given = Given {
            receiver: Some(&receiver),
            arguments,
        };
        self.apply_summary(
            summary.as_deref(),
            &given,
            shown(&receiver, name),
            span,
            result,
        )
    }

    /// What a method puts into its receiver, the receiver hangs on; what it sorts has an order.
    fn write_back(&mut self, call: &ExprMethodCall, name: &str, arguments: &[Value]) {
        let Some(known) = root_name(&call.receiver).and_then(|root| self.locals.get_mut(&root))
        else {
            return;
        };
        if name.starts_with("sort") {
            known.unordered = false;
        }
        if words::MUTATORS.contains(&name) || name == "spawn" || name == "push_async" {
            arguments.iter().for_each(|argument| known.absorb(argument));
        }
        if let (Kind::OpenOptions(_), Kind::OpenOptions(access)) =
            (known.kind, results::next_kind(name, known, arguments))
        {
            known.kind = Kind::OpenOptions(access);
        }
        if matches!(name, "disarm" | "defuse" | "cancel" | "dismiss") {
            self.disarm(Some(&call.receiver));
        }
    }

    /// A generator that no seed fixes yields another value in each round.
    fn draw(
        &mut self,
        name: &str,
        span: Span,
        receiver: &Value,
        arguments: &[Value],
        result: &mut Value,
    ) {
        let drawn = receiver.kind == Kind::Rng && unstable::is_draw(name)
            || arguments.iter().any(|argument| argument.kind == Kind::Rng);
        if drawn {
            self.unstable(UnstableSort::Random, span, shown(receiver, name), result);
            result.kind = Kind::Data;
        }
    }

    /// What the source says of a method of a type of this crate.
    fn source_of(&self, receiver: &Value, name: &str) -> Option<Arc<Summary>> {
        let known = !matches!(receiver.kind, Kind::Unknown | Kind::Lock | Kind::Guard);
        if known {
            return None;
        }
        self.source.method(receiver.ty.as_deref(), name)
    }
}

/// How a method is called.
#[derive(Clone, Copy)]
struct Way {
    awaited: bool,
    /// Whether it is a `send` whose answer is kept, or a method of `self`, which no channel is.
    answered: bool,
}

/// What a closure gets that is given to a method: the items of its receiver.
fn closure_parameter(receiver: &Value, name: &str) -> Value {
    if words::SENDS.contains(&name) {
        // The send itself is the effect, not what its closure does to the value.
        return Value::data();
    }
    let guarded = name.starts_with("with")
        || matches!(name, "and_modify" | "alter" | "modify" | "send_modify");
    let kind = match receiver.kind {
        Kind::Guard => Kind::Guard,
        _ if guarded && receiver.origin == Origin::Shared => Kind::Guard,
        _ => Kind::Unknown,
    };
    let mut value = Value {
        origin: receiver.origin,
        kind,
        parameter: receiver.parameter,
        ..Value::default()
    };
    value.absorb_facts(receiver);
    value
}

/// A future per item, as `map(|x| async move { .. })` yields, runs once for each.
fn futures_of_items(mut value: Value) -> Value {
    value
        .deferred
        .iter_mut()
        .for_each(|deferred| deferred.many = true);
    value
}

/// `a.b` stays the name of `a.b.unwrap()`.
fn chained_name(receiver: &Value) -> Option<std::rc::Rc<str>> {
    match receiver.kind {
        Kind::Data => None,
        _ => receiver.name.clone(),
    }
}

/// How a message shows a method: `mailer.send`, or `.send()` when the receiver has no plain name.
fn shown(receiver: &Value, name: &str) -> String {
    match receiver.name.as_deref() {
        Some(root) if root.len() < 40 => format!("{root}.{name}"),
        _ => format!(".{name}()"),
    }
}

/// Whether an argument is an `Ordering`, which only atomics take.
pub(super) fn is_ordering(expr: &Expr) -> bool {
    let Expr::Path(path) = expr else { return false };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    matches!(
        last.as_deref(),
        Some("Relaxed" | "SeqCst" | "AcqRel" | "Release" | "Acquire")
    )
}
