//! Helpers: functions of the body itself, and functions whose source was summarised.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{ExprCall, FnArg, ItemFn};

use super::Lower;
use crate::facts::{AskSite, EffectKind, Through};
use crate::graph::Event;
use crate::source::{HelperEffect, Summary};
use crate::types;
use crate::value::{Access, Deferred, Kind, Origin, Trigger, Value};

impl Lower<'_> {
    /// A function that stands inside the body: it is read where it is called.
    pub(super) fn call_of_nested(&mut self, name: &str, item: &ItemFn, call: &ExprCall) -> Value {
        let arguments = self.each(&call.args);
        if let Some(summary) = marked(item) {
            let given = Given {
                receiver: None,
                arguments: &arguments,
            };
            let span = call.func.span();
            return self.apply_summary(
                Some(&summary),
                &given,
                name.to_owned(),
                span,
                Value::default(),
            );
        }
        if self.entered.iter().any(|entered| entered == name)
            || !self.may_copy(item.block.stmts.len() * 8)
        {
            return Value::default();
        }
        self.entered.push(name.to_owned());
        let body = self.body(|lower| lower.nested_body(item, arguments));
        self.entered.pop();
        if item.sig.asyncness.is_some() {
            let deferred = Deferred {
                trigger: Trigger::Await,
                body,
                many: false,
                perhaps_eager: false,
            };
            return Value {
                deferred: vec![deferred],
                ..Value::default()
            };
        }
        self.run_body(&body);
        body.result.clone()
    }

    fn nested_body(&mut self, item: &ItemFn, arguments: Vec<Value>) -> Value {
        let outer = std::mem::take(&mut self.locals);
        let given = item.sig.inputs.iter().zip(arguments);
        for (input, argument) in given {
            let FnArg::Typed(parameter) = input else {
                continue;
            };
            let mut value = types::value_of(&parameter.ty, &|path| self.segments(path));
            value.origin = argument.origin;
            value.scope.clone_from(&argument.scope);
            value.absorb(&argument);
            if value.kind == Kind::Unknown {
                value.kind = argument.kind;
            }
            self.bind(&parameter.pat, value);
        }
        let value = self.block(&item.block);
        self.locals = outer;
        value
    }

    /// Puts what a summary says at a call.
    ///
    /// An async helper does it when it is awaited. Its asks come first: an effect above an ask
    /// inside the helper is the helper's own mistake, found there.
    pub(super) fn apply_summary(
        &mut self,
        summary: Option<&Summary>,
        given: &Given<'_>,
        what: String,
        span: Span,
        mut result: Value,
    ) -> Value {
        let given_ctx = given.arguments.iter().any(Value::is_ctx);
        let asks = given_ctx && summary.is_none_or(|summary| summary.asks);
        let name = what.rsplit("::").next().map(str::to_owned);
        let reads = name.as_deref().is_some_and(is_called_a_read);
        let effect = summary.and_then(|summary| given.seen(summary, reads));
        if !summary.is_some_and(|summary| summary.is_async) {
            if let Some((effect, through)) = effect {
                self.helper_effect(effect, span, what, through);
            }
            if summary.is_some_and(|summary| summary.diverges) {
                return self.diverge();
            }
            return if asks {
                self.asking_helper(name, span, result)
            } else {
                result
            };
        }
        let ask = asks.then(|| self.new_ask(span, name, AskSite::Helper));
        let body = self.body(|lower| {
            if let Some(ask) = ask {
                lower.event(Event::Ask(ask));
            }
            if let Some((effect, through)) = effect {
                lower.helper_effect(effect, span, what, through);
            }
            Value::default()
        });
        result.deferred.push(Deferred {
            trigger: Trigger::Await,
            body,
            many: false,
            perhaps_eager: false,
        });
        result
    }
}

/// What the author said of a function inside the body, if anything.
fn marked(item: &ItemFn) -> Option<Summary> {
    let says = |mark: &str| {
        let mut last = item
            .attrs
            .iter()
            .filter_map(|attr| attr.path().segments.last());
        last.any(|segment| segment.ident == mark)
    };
    let summary = if says("effect") {
        Summary::marked_effect(&item.sig.ident.to_string())
    } else if says("read_only") {
        Summary::marked_read_only()
    } else {
        return None;
    };
    Some(Summary {
        is_async: item.sig.asyncness.is_some(),
        ..summary
    })
}

/// Verbs of functions that read or construct; what state they change is a cache or a counter.
const READS: &[&str] = &[
    "get",
    "list",
    "find",
    "load",
    "fetch",
    "read",
    "query",
    "is",
    "has",
    "lookup",
    "resolve",
    "cached",
    "check",
    "count",
    "describe",
    "search",
    "peek",
    "view",
    "show",
    "select",
    "can",
    "try_get",
    "compute",
    "parse",
    "as",
    "to",
    "exists",
    "contains",
    "validate",
    "verify",
    "ensure",
    "poll",
    "next",
    "wait",
    "connect",
    "acquire",
    "new",
    "default",
    "with",
    "from",
    "try_new",
    "open",
    "client",
    "subscribe",
    "current",
    "snapshot",
    "status",
    "info",
    "stats",
    "metrics",
    "render",
    "format",
    "build",
    "quote",
];

fn is_called_a_read(name: &str) -> bool {
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let name = name.trim_end_matches("()");
    READS.iter().any(|verb| {
        name.strip_prefix(verb)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

/// What a helper is called with.
pub(super) struct Given<'v> {
    pub(super) receiver: Option<&'v Value>,
    pub(super) arguments: &'v [Value],
}

impl Given<'_> {
    /// The effect that is seen with these arguments, and the caller's own parameter it goes through.
    fn seen<'s>(
        &self,
        summary: &'s Summary,
        reads: bool,
    ) -> Option<(&'s HelperEffect, Option<Through>)> {
        let mut counts = summary.effects.iter().filter(|effect| {
            !(effect.weak && reads || self.waits_for_a_commit(effect) || self.asks_a_task(effect))
        });
        counts.find_map(|effect| {
            let value = match effect.through {
                None => return Some((effect, None)),
                Some(Through::Receiver) => self.receiver?,
                Some(Through::Argument(place)) => self.arguments.get(place)?,
            };
            let seen = match (effect.root, value.kind) {
                (EffectKind::GivenRequest, Kind::Request(Access::Write)) => true,
                (EffectKind::GivenRequest, Kind::Request(Access::Unknown)) => {
                    value.parameter.is_some()
                }
                (EffectKind::GivenRequest, _) => false,
                _ => value.origin == Origin::Shared,
            };
            seen.then_some((effect, value.parameter))
        })
    }

    /// What a helper does in a transaction that it is given happens when that is committed.
    fn waits_for_a_commit(&self, effect: &HelperEffect) -> bool {
        let given = |argument: &Value| argument.kind == Kind::Transaction;
        effect.root == EffectKind::Sql && self.arguments.iter().any(given)
    }

    /// A message that brings its own way back asks another task something, perhaps only to read.
    fn asks_a_task(&self, effect: &HelperEffect) -> bool {
        let given = |argument: &Value| {
            argument.reply || argument.kind == Kind::Sender && argument.origin == Origin::Local
        };
        effect.root == EffectKind::Channel && self.arguments.iter().any(given)
    }
}
