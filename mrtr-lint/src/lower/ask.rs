//! Asks: statements, parameters, and calls of the `Ctx`.

use std::rc::Rc;

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, Ident, Lit, Local, Signature, Token};

use super::Lower;
use super::stmt::name_of;
use super::tokens::parse_list;
use crate::facts::{Ask, AskSite, Key, Place};
use crate::graph::{Event, FactId};
use crate::value::{Deferred, Kind, Trigger, Value, remember};

/// One `key = value` of `#[ask(..)]`, or a bare `key`.
struct AskOption {
    key: Ident,
    value: Option<Expr>,
}

impl Parse for AskOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = Ident::parse_any(input)?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() {
            Some(input.parse()?)
        } else {
            None
        };
        Ok(AskOption { key, value })
    }
}

use syn::ext::IdentExt as _;

/// Malformed options are the macro's to report; the lint sees an ask without options.
fn options(attr: &Attribute) -> Vec<AskOption> {
    if matches!(attr.meta, syn::Meta::Path(_)) {
        return Vec::new();
    }
    attr.parse_args_with(parse_list).unwrap_or_default()
}

impl Lower<'_> {
    /// `#[ask(..)] let who: Traveller;`
    pub(super) fn ask_statement(&mut self, attr: &Attribute, local: &Local) {
        let name = name_of(&local.pat);
        let site = AskSite::Statement(self.statements);
        self.statements += 1;
        let span = match &local.pat {
            syn::Pat::Type(typed) => typed.pat.span(),
            pat => pat.span(),
        };
        let ask = self.marked_ask(attr, name, site, span);
        let value = Value {
            ask: Some(ask),
            ..Value::data()
        };
        self.bind(&local.pat, value);
    }

    /// Parameter asks come before the body.
    pub(super) fn parameter_asks(&mut self, sig: &Signature) {
        for (place, input) in sig.inputs.iter().enumerate() {
            let FnArg::Typed(parameter) = input else {
                continue;
            };
            let Some(attr) = parameter
                .attrs
                .iter()
                .find(|attr| attr.path().is_ident("ask"))
            else {
                continue;
            };
            let span = parameter.pat.span();
            let ask = self.marked_ask(
                attr,
                name_of(&parameter.pat),
                AskSite::Parameter(place),
                span,
            );
            let value = Value {
                ask: Some(ask),
                ..Value::data()
            };
            let value = self.typed(&parameter.ty, value);
            self.bind(&parameter.pat, value);
        }
    }

    fn marked_ask(
        &mut self,
        attr: &Attribute,
        name: Option<String>,
        site: AskSite,
        span: Span,
    ) -> FactId {
        let ask = self.new_ask(span, name.clone(), site);
        let mut key = name.map_or(Key::Dynamic, Key::Constant);
        for option in options(attr) {
            let option_name = option.key.to_string();
            let Some(value) = option.value else {
                self.facts.asks[ask].required &= option_name != "if_supported";
                continue;
            };
            if option_name == "key" {
                key = constant_key(&value);
                if let Key::Constant(text) = &key
                    && self.facts.asks[ask].name.is_none()
                {
                    self.facts.asks[ask].name = Some(text.clone());
                }
            }
            self.ask_option(ask, &value);
        }
        self.facts.asks[ask].key = key;
        self.event(Event::Ask(ask));
        ask
    }

    /// An option is read before the ask suspends, so what it does is inside the ask.
    fn ask_option(&mut self, ask: FactId, value: &Expr) {
        let outer = std::mem::replace(&mut self.place, Place::Ask(ask));
        let mut found = self.expr(value);
        if let Expr::Lit(lit) = value
            && let Lit::Str(text) = &lit.lit
        {
            found.absorb_facts(&self.holes(&text.value(), text.span()));
        }
        let mut ran = self.run_perhaps(&mut found, &[Trigger::Call]);
        found.absorb_facts(&ran);
        // The ask awaits what an async closure returns.
        let awaited = self.run_perhaps(&mut ran, &[Trigger::Await]);
        found.absorb_facts(&awaited);
        self.place = outer;
        self.show(ask, &found);
    }

    /// What an ask's message or options hang on.
    pub(super) fn show(&mut self, ask: FactId, value: &Value) {
        let row = &mut self.facts.asks[ask];
        remember(&mut row.built_from, &value.unstable);
        remember(&mut row.shows, &value.fetched);
    }

    pub(super) fn new_ask(&mut self, span: Span, name: Option<String>, site: AskSite) -> FactId {
        self.facts.asks.push(Ask {
            span,
            name,
            key: Key::Dynamic,
            site,
            required: true,
            confirm: false,
            named: false,
            looked_at_in_commit: false,
            decided_by: self.decided_by.clone(),
            built_from: Vec::new(),
            shows: Vec::new(),
            per_item: false,
            unordered: false,
            allows: Rc::clone(&self.allows),
        });
        self.facts.asks.len() - 1
    }

    /// A lazy ask: it is asked where the returned value is awaited.
    pub(super) fn lazy_ask(&mut self, ask: FactId, mut result: Value) -> Value {
        let answer = Value {
            ask: Some(ask),
            ..Value::data()
        };
        let body = self.body(|lower| {
            lower.event(Event::Ask(ask));
            answer
        });
        result.deferred.push(Deferred {
            trigger: Trigger::Await,
            body,
            many: false,
            perhaps_eager: false,
        });
        result.ask = Some(ask);
        result
    }

    /// `ctx.ask("who", ..)` and the other calls through which a `Ctx` asks.
    ///
    /// `None` when the method does not ask.
    pub(super) fn ctx_ask(&mut self, ctx: &Value, call: &syn::ExprMethodCall) -> Option<Value> {
        let method = call.method.to_string();
        if !matches!(
            method.as_str(),
            "ask" | "ask_form" | "ask_all" | "choose" | "url" | "sample" | "roots" | "back_to"
        ) {
            return None;
        }
        let ask = self.new_ask(call.method.span(), None, AskSite::Call);
        self.facts.asks[ask].confirm = turbofish_is_confirm(call);
        self.facts.asks[ask].required = method != "back_to";
        let outer = std::mem::replace(&mut self.place, Place::Ask(ask));
        let arguments = self.each(&call.args);
        for mut argument in arguments {
            let ran = self.run(&mut argument, &[Trigger::Drive]);
            self.facts.asks[ask].unordered |= argument.unordered;
            self.show(ask, &argument);
            self.show(ask, &ran);
        }
        self.place = outer;
        if !matches!(method.as_str(), "ask_all" | "back_to") {
            self.set_key(ask, ctx, call.args.first());
        }
        Some(self.lazy_ask(ask, Value::default()))
    }

    fn set_key(&mut self, ask: FactId, ctx: &Value, first: Option<&Expr>) {
        let Some(Key::Constant(key)) = first.map(constant_key) else {
            return;
        };
        self.facts.asks[ask].name = Some(key.clone());
        if let Some(scope) = &ctx.scope {
            self.facts.asks[ask].key = Key::Constant(format!("{scope}{key}"));
        }
    }

    /// `.pin(..)`, `.validate(..)`, `.if_supported()` and their like on an ask that is being built.
    pub(super) fn ask_builder(&mut self, ask: FactId, method: &str, arguments: &[Value]) {
        if method == "if_supported" {
            self.facts.asks[ask].required = false;
        }
        for argument in arguments {
            self.show(ask, argument);
        }
    }
}

/// A literal without holes is the same key each time; anything else may differ.
fn constant_key(expr: &Expr) -> Key {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) if !text.value().contains('{') => Key::Constant(text.value()),
            _ => Key::Dynamic,
        },
        Expr::Reference(reference) => constant_key(&reference.expr),
        Expr::Paren(paren) => constant_key(&paren.expr),
        Expr::Group(group) => constant_key(&group.expr),
        _ => Key::Dynamic,
    }
}

fn turbofish_is_confirm(call: &syn::ExprMethodCall) -> bool {
    call.turbofish.as_ref().is_some_and(|generics| {
        generics.args.iter().any(|argument| match argument {
            syn::GenericArgument::Type(syn::Type::Path(path)) => path
                .path
                .segments
                .last()
                .is_some_and(|segment| segment.ident == "Confirm"),
            _ => false,
        })
    })
}

/// How a value of kind `Ctx` is made from another, as `ctx.scope("billing")` does.
pub(super) fn scoped(ctx: &Value, first: Option<&Value>) -> Value {
    let text = first.and_then(|first| first.text.clone());
    let scope = match (&ctx.scope, text) {
        (Some(before), Some(text)) => Some(Rc::from(format!("{before}{text}."))),
        _ => None,
    };
    Value {
        scope,
        ..Value::local(Kind::Ctx)
    }
}
