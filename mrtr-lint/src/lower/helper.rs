//! Helpers: functions of the body itself, and functions whose source was summarised.

use std::rc::Rc;

use proc_macro2::Span;
use syn::{ExprCall, FnArg, ItemFn};

use super::Lower;
use crate::source::Summary;
use crate::types;
use crate::value::{Deferred, Kind, Trigger, Value};

impl Lower<'_> {
    /// A function that stands inside the body: it is read where it is called.
    pub(super) fn call_of_nested(&mut self, name: &str, call: &ExprCall) -> Value {
        let arguments: Vec<Value> = call
            .args
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let Some(item) = self.nested.get(name).map(Rc::clone) else {
            return Value::default();
        };
        if self.entered.iter().any(|entered| entered == name) || self.is_full() {
            return Value::default();
        }
        self.entered.push(name.to_owned());
        let body = self.body(|lower| lower.nested_body(&item, arguments));
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
        given_ctx: bool,
        what: String,
        span: Span,
        mut result: Value,
    ) -> Value {
        let asks = given_ctx && summary.is_none_or(|summary| summary.asks);
        let name = what.rsplit("::").next().map(str::to_owned);
        let Some(summary) = summary else {
            return if asks {
                self.asking_helper(name, span, result)
            } else {
                result
            };
        };
        if !summary.is_async {
            if let Some(effect) = &summary.effect {
                self.helper_effect(effect, span, what);
            }
            if summary.diverges {
                return self.diverge();
            }
            return if asks {
                self.asking_helper(name, span, result)
            } else {
                result
            };
        }
        let ask = asks.then(|| self.new_ask(span, name, crate::facts::AskSite::Helper));
        let body = self.body(|lower| {
            if let Some(ask) = ask {
                lower.event(crate::graph::Event::Ask(ask));
            }
            if let Some(effect) = &summary.effect {
                lower.helper_effect(effect, span, what);
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
