//! Macro calls: the well-known ones by what they do, the others by their arguments.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::{Expr, Macro};

use super::Lower;
use super::tokens::{Argument, first_text, parse_arguments};
use crate::effects::{makers, unstable};
use crate::facts::EffectKind;
use crate::value::{Kind, Origin, Trigger, Value};

/// Macros that do not return.
const DIVERGING: &[&str] = &[
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "bail",
    "yeet",
    "throw",
    "exit",
];

/// Macros that return early when a condition does not hold.
const LEAVING: &[&str] = &["ensure", "try", "ready", "ensure_eq", "require"];

/// Macros that only write a line for the operator.
const LOGS: &[&str] = &[
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "event",
    "log",
    "span",
    "trace_span",
    "debug_span",
    "info_span",
    "warn_span",
    "error_span",
    "eprintln",
    "eprint",
    "dbg",
    "counter",
    "gauge",
    "histogram",
    "increment_counter",
    "println",
    "print",
];

/// Macros whose arguments are expressions and that do nothing else.
const PURE: &[&str] = &[
    "format",
    "format_args",
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "matches",
    "concat",
    "stringify",
    "anyhow",
    "eyre",
    "json",
    "cfg",
    "env",
    "option_env",
    "include_str",
    "include_bytes",
    "line",
    "file",
    "column",
    "module_path",
    "smallvec",
    "hashmap",
    "btreemap",
    "hashset",
    "btreeset",
    "format_ident",
    "quote",
    "indoc",
    "formatdoc",
    "doc",
    "bson",
    "params",
    "named_params",
    "compile_error",
    "pin",
    "pin_mut",
    "error_span",
    "maplit",
    "serde_json",
    "html",
    "uuid",
    "regex",
    "static_assert",
    "write_str",
    "format_compact",
    "ordered_map",
    "indexmap",
    "named",
    "field",
    "array",
    "const_format",
    "rsx",
];

impl Lower<'_> {
    pub(super) fn mac(&mut self, mac: &Macro, _awaited: bool) -> Value {
        let Some(segment) = mac.path.segments.last() else {
            return Value::default();
        };
        let name = super::resolve::plain(&segment.ident);
        let span = segment.ident.span();
        match name.as_str() {
            "join" | "try_join" => self.join(&mac.tokens, true),
            "select" | "select_biased" => self.select(&mac.tokens, span),
            "write" | "writeln" => self.write_macro(&mac.tokens, &name, span),
            "defer" | "defer_on_success" | "defer_on_unwind" => self.defer(&mac.tokens, span),
            "println" | "print" => {
                self.stdout(span, format!("{name}!"));
                self.quietly(&mac.tokens)
            }
            "query" | "query_as" | "query_scalar" | "query_unchecked" | "query_as_unchecked"
            | "query_file" => self.query_macro(&mac.tokens),
            "stream" | "try_stream" => self.stream(&mac.tokens),
            "pin" | "pin_mut" => self.pin(&mac.tokens),
            _ if DIVERGING.contains(&name.as_str()) => {
                self.arguments(&mac.tokens);
                self.diverge()
            }
            _ if LEAVING.contains(&name.as_str()) => {
                let value = self.arguments(&mac.tokens);
                self.may_leave();
                value
            }
            _ if LOGS.contains(&name.as_str()) => self.quietly(&mac.tokens),
            "format" | "format_args" | "concat" => {
                let text = first_text(&mac.tokens);
                Value {
                    text,
                    ..self.arguments(&mac.tokens)
                }
            }
            _ if PURE.contains(&name.as_str()) => self.arguments(&mac.tokens),
            _ => self.unknown_macro(mac, &name, span),
        }
    }

    fn may_leave(&mut self) {
        let exit = self.frame().exit;
        self.link(exit);
        self.step();
    }

    /// Arguments that only reach a log: an unstable value in one harms nobody.
    fn quietly(&mut self, tokens: &TokenStream) -> Value {
        let before = std::mem::replace(&mut self.quiet, true);
        self.arguments(tokens);
        self.quiet = before;
        Value::data()
    }

    /// Reads the arguments of a macro as far as they are expressions.
    pub(super) fn arguments(&mut self, tokens: &TokenStream) -> Value {
        let mut whole = Value::data();
        for argument in parse_arguments(tokens) {
            let value = self.argument(&argument);
            whole.origin = whole.origin.join(value.origin);
            whole.absorb(&value);
        }
        Value {
            origin: Origin::Local,
            ..whole
        }
    }

    fn argument(&mut self, argument: &Argument) -> Value {
        match argument {
            Argument::Expr(expr) => {
                let mut value = self.expr(expr);
                if let Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) = expr
                {
                    value.absorb_facts(&self.holes(&text.value(), text.span()));
                }
                value
            }
            Argument::Tokens(tokens) => self.names_in(tokens),
        }
    }

    /// `{name}` in a string reads a variable.
    pub(super) fn holes(&mut self, text: &str, span: Span) -> Value {
        let mut whole = Value::data();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            rest = &rest[open + 1..];
            if let Some(escaped) = rest.strip_prefix('{') {
                rest = escaped;
                continue;
            }
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            self.read_name(&rest[..end], span, &mut whole);
            rest = &rest[end..];
        }
        whole
    }

    /// Tokens that are no expression: the variables they name are read.
    fn names_in(&mut self, tokens: &TokenStream) -> Value {
        let mut whole = Value::data();
        self.collect_names(tokens, &mut whole);
        whole
    }

    fn collect_names(&mut self, tokens: &TokenStream, whole: &mut Value) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(ident) => self.read_name(&ident.to_string(), ident.span(), whole),
                TokenTree::Group(group) => self.collect_names(&group.stream(), whole),
                _ => {}
            }
        }
    }

    fn read_name(&mut self, name: &str, span: Span, whole: &mut Value) {
        if let Some(value) = self.locals.get(name) {
            let value = value.clone();
            self.read(name, &value, span);
            whole.absorb_facts(&value);
        }
    }

    /// `write!` changes the world when it goes to a file, a socket or stdout.
    fn write_macro(&mut self, tokens: &TokenStream, name: &str, span: Span) -> Value {
        let arguments = parse_arguments(tokens);
        let mut target = Value::default();
        for (place, argument) in arguments.iter().enumerate() {
            let value = self.argument(argument);
            if place == 0 {
                target = value;
            }
        }
        match target.kind {
            Kind::File => self.effect(
                EffectKind::File,
                span,
                format!("{name}!"),
                "writes to a file",
            ),
            Kind::Socket => self.effect(
                EffectKind::File,
                span,
                format!("{name}!"),
                "sends bytes over the network",
            ),
            Kind::Stdout => self.stdout(span, format!("{name}!")),
            _ => {}
        }
        Value::data()
    }

    /// `defer!` runs its body when the scope ends, which a suspended round does too.
    fn defer(&mut self, tokens: &TokenStream, span: Span) -> Value {
        let Ok(stmts) = syn::Block::parse_within.parse2(tokens.clone()) else {
            return Value::data();
        };
        let body = self.body(|lower| {
            for stmt in &stmts {
                if let syn::Stmt::Local(local) = stmt {
                    if let Some(init) = &local.init {
                        let value = lower.expr(&init.expr);
                        lower.bind(&local.pat, value);
                    }
                } else if let syn::Stmt::Expr(expr, _) = stmt {
                    lower.expr(expr);
                }
            }
            Value::data()
        });
        let first = body.graph.nodes.iter().find_map(|node| match node.event {
            Some(crate::graph::Event::Effect(id)) => Some(id),
            _ => None,
        });
        if let Some(id) = first {
            let effect = self.facts.effects[id].clone();
            self.drop_effect(effect.kind, span, "defer!".to_owned(), &effect.does);
        }
        Value::data()
    }

    fn query_macro(&mut self, tokens: &TokenStream) -> Value {
        let mut values = Vec::new();
        for argument in parse_arguments(tokens) {
            values.push(self.argument(&argument));
        }
        let mut query = makers::query(&values);
        values.iter().for_each(|value| query.absorb(value));
        query
    }

    /// A stream runs its body when it is driven.
    fn stream(&mut self, tokens: &TokenStream) -> Value {
        let Ok(stmts) = syn::Block::parse_within.parse2(tokens.clone()) else {
            return Value::default();
        };
        let block = syn::Block {
            brace_token: syn::token::Brace::default(),
            stmts,
        };
        let body = self.body(|lower| lower.block(&block));
        let deferred = crate::value::Deferred {
            trigger: Trigger::Drive,
            body,
            many: false,
            perhaps_eager: false,
        };
        Value {
            kind: Kind::Iter,
            origin: Origin::Local,
            deferred: vec![deferred],
            ..Value::default()
        }
    }

    /// `pin!(future)` yields the future; `pin!(name)` pins it in place.
    fn pin(&mut self, tokens: &TokenStream) -> Value {
        match syn::parse2::<Expr>(tokens.clone()) {
            Ok(expr) => self.expr(&expr),
            Err(_) => Value::default(),
        }
    }

    /// A macro of the crate is judged by its source; any other by what it is given.
    ///
    /// One that is given the `Ctx` may ask, and one may return from the function.
    fn unknown_macro(&mut self, mac: &Macro, name: &str, span: Span) -> Value {
        if let Some(sort) = unstable::macro_call(name) {
            let mut value = self.arguments(&mac.tokens);
            self.unstable(sort, span, format!("{name}!"), &mut value);
            return value;
        }
        let summary = self.source.macro_rules(name);
        let gives_ctx = self.gives_ctx(&mac.tokens);
        let mut value = self.arguments(&mac.tokens);
        let ran = self.run_perhaps(&mut value, &[Trigger::Call]);
        value.absorb_facts(&ran);
        if let Some(effect) = summary.as_deref().and_then(|summary| summary.effect()) {
            self.helper_effect(effect, span, format!("{name}!"), None);
        }
        if gives_ctx && summary.is_none_or(|summary| summary.asks) {
            let ask = self.new_ask(
                span,
                Some(format!("{name}!")),
                crate::facts::AskSite::Helper,
            );
            self.event(crate::graph::Event::Ask(ask));
        }
        self.may_leave();
        Value {
            kind: Kind::Unknown,
            origin: Origin::Unknown,
            ..value
        }
    }

    /// Whether a `Ctx` itself is among the arguments, rather than something it yields.
    fn gives_ctx(&self, tokens: &TokenStream) -> bool {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        tokens.iter().enumerate().any(|(place, token)| match token {
            TokenTree::Ident(ident) => {
                let is_ctx = self
                    .locals
                    .get(&ident.to_string())
                    .is_some_and(Value::is_ctx);
                let next = tokens.get(place + 1);
                is_ctx && !matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
            }
            _ => false,
        })
    }
}
