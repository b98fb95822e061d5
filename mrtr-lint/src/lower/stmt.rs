//! Blocks and statements, with the marks that stand on them.

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, Item, Local, Pat, Stmt, Token};

use super::Lower;
use super::bind::tuple_elements;
use super::resolve::plain;
use crate::allow::Allow;
use crate::facts::{Commit, Place};
use crate::graph::Event;
use crate::value::{Kind, Trigger, Value};

/// What stands on a statement.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    None,
    Commit,
    Memo,
    /// `#[memo(repeatable = "..")]`: its effects may happen again.
    RepeatableMemo,
}

impl Lower<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Value {
        let mark = self.locals.mark();
        self.declare(&block.stmts);
        let mut last = Value::data();
        for (place, stmt) in block.stmts.iter().enumerate() {
            let value = self.stmt(stmt);
            let is_last = place + 1 == block.stmts.len();
            last = match stmt {
                Stmt::Expr(_, None) if is_last => value,
                Stmt::Macro(mac) if is_last && mac.semi_token.is_none() => value,
                _ => {
                    self.discard(value, stmt);
                    Value::data()
                }
            };
        }
        self.locals.release(mark);
        last
    }

    /// Items of a block are in scope in all of it.
    fn declare(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Item(Item::Use(item)) => self.take_use(item),
                Stmt::Item(Item::Fn(item)) => {
                    self.nested
                        .push((plain(&item.sig.ident), Rc::new(item.clone())));
                }
                _ => {}
            }
        }
    }

    /// A value that nobody keeps is dropped at once.
    fn discard(&mut self, value: Value, stmt: &Stmt) {
        if let Some((kind, does)) = value.on_drop
            && let Stmt::Expr(expr, _) = stmt
        {
            self.drop_effect(kind, expr.span(), "this value".to_owned(), &does);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Value {
        match stmt {
            Stmt::Local(local) => self.with_attrs(&local.attrs, |lower, mark| {
                lower.local(local, mark);
                Value::data()
            }),
            Stmt::Item(_) => Value::data(),
            Stmt::Expr(expr, _) => {
                let attrs = attrs_of(expr);
                self.with_attrs(attrs, |lower, mark| {
                    lower.marked(attrs, mark, |lower| lower.expr(expr))
                })
            }
            Stmt::Macro(mac) => self.with_attrs(&mac.attrs, |lower, mark| {
                lower.marked(&mac.attrs, mark, |lower| lower.mac(&mac.mac, false))
            }),
        }
    }

    /// Reads the marks and the allows of a statement, and has them in force while it is read.
    fn with_attrs(
        &mut self,
        attrs: &[Attribute],
        run: impl FnOnce(&mut Self, Mark) -> Value,
    ) -> Value {
        let before = Rc::clone(&self.allows);
        self.take_allows(attrs);
        let marked = attrs.iter().find(|attr| mark_of(attr) != Mark::None);
        let mark = marked.map_or(Mark::None, mark_of);
        let value = run(self, mark);
        self.allows = before;
        value
    }

    /// Puts the allows among `attrs` in force; the caller restores.
    pub(super) fn take_allows(&mut self, attrs: &[Attribute]) {
        let mut ids = self.allows.to_vec();
        for attr in attrs.iter().filter(|attr| Allow::is_allow(attr)) {
            match Allow::parse(attr) {
                Ok(allow) => {
                    ids.push(self.facts.allows.len());
                    self.facts.allows.push(allow);
                }
                Err(error) => self.facts.malformed.push((error.span(), error.to_string())),
            }
        }
        if ids.len() > self.allows.len() {
            self.allows = ids.into();
        }
    }

    /// Reads the expression of a `#[commit]` or `#[memo]` statement.
    fn marked(
        &mut self,
        attrs: &[Attribute],
        mark: Mark,
        run: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        match mark {
            Mark::None => run(self),
            Mark::Commit => self.commit(attrs, run),
            Mark::Memo | Mark::RepeatableMemo => self.memo(mark == Mark::RepeatableMemo, run),
        }
    }

    fn commit(&mut self, attrs: &[Attribute], run: impl FnOnce(&mut Self) -> Value) -> Value {
        let attr = attrs.iter().find(|attr| mark_of(attr) == Mark::Commit);
        let span = attr.map_or_else(proc_macro2::Span::call_site, |attr| attr.path().span());
        let allows = Rc::clone(&self.allows);
        let CommitArguments { name, key, in_flow } = attr.map(commit_arguments).unwrap_or_default();
        self.facts.commits.push(Commit {
            span,
            in_flow,
            uses: Vec::new(),
            allows,
        });
        let id = self.facts.commits.len() - 1;
        // What the commit is about is worked out before the flow is claimed.
        if let Some(key) = key {
            self.expr(&key);
        }
        self.event(Event::Commit(id));
        let scope = self.locals.mark();
        if let Some(name) = name {
            self.locals.bind(plain(&name), Value::local(Kind::Commit));
        }
        let outer = (
            self.commit.replace(id),
            std::mem::replace(&mut self.place, Place::Commit),
        );
        let value = run(self);
        (self.commit, self.place) = outer;
        self.locals.release(scope);
        value
    }

    /// A memo's value is the same in each round, whatever it was made from.
    fn memo(&mut self, repeatable: bool, run: impl FnOnce(&mut Self) -> Value) -> Value {
        let outer = std::mem::replace(&mut self.place, Place::Memo);
        let known = self.facts.effects.len();
        let value = run(self);
        self.place = outer;
        if repeatable {
            self.forget_effects_since(known);
        }
        Value {
            unstable: Vec::new(),
            fetched: Vec::new(),
            unordered: false,
            ..value
        }
    }

    /// Takes the effects of a repeatable memo off the graph.
    fn forget_effects_since(&mut self, known: usize) {
        for node in &mut self.graph.nodes {
            if matches!(node.event, Some(Event::Effect(id)) if id >= known) {
                node.event = None;
            }
        }
    }

    fn local(&mut self, local: &Local, mark: Mark) {
        if let Some(attr) = local.attrs.iter().find(|attr| attr.path().is_ident("ask"))
            && local.init.is_none()
        {
            return self.ask_statement(attr, local);
        }
        let Some(init) = &local.init else {
            return self.bind(
                &local.pat,
                Value {
                    origin: crate::value::Origin::Local,
                    ..Value::default()
                },
            );
        };
        if let Some(parts) = tuple_elements(&local.pat, &init.expr)
            && mark == Mark::None
        {
            let mut values = Vec::new();
            for part in parts {
                values.push(self.expr(part));
            }
            return self.bind_tuple(&local.pat, values);
        }
        self.answered = name_of(&local.pat).is_some() && is_awaited_send(&init.expr);
        let value = self.marked(&local.attrs, mark, |lower| lower.expr(&init.expr));
        self.answered = false;
        if let Some((_, otherwise)) = &init.diverge {
            let before = self.at;
            self.step();
            self.expr(otherwise);
            self.at = before;
            self.step();
        }
        self.bind_local(&local.pat, value);
    }

    fn bind_local(&mut self, pat: &Pat, mut value: Value) {
        if matches!(pat, Pat::Wild(_)) {
            // An iterator that is thrown away never ran; a future neither.
            value
                .deferred
                .retain(|deferred| deferred.trigger != Trigger::Drive);
        }
        if let Some((kind, does)) = value.on_drop.clone() {
            let name = name_of(pat).unwrap_or_else(|| "_".to_owned());
            self.drop_effect(kind, pat.span(), name, &does);
            value.on_drop = None;
        }
        self.bind(pat, value);
    }
}

/// The one name a pattern binds.
pub(super) fn name_of(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(ident) => Some(plain(&ident.ident)),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

/// `x.send(request).await?`: who waits for an answer talks to a client, not to a channel.
fn is_awaited_send(expr: &Expr) -> bool {
    match expr {
        Expr::Try(inner) => is_awaited_send(&inner.expr),
        Expr::Paren(inner) => is_awaited_send(&inner.expr),
        Expr::MethodCall(call) if call.method != "send" => is_awaited_send(&call.receiver),
        Expr::Await(inner) => {
            matches!(&*inner.base, Expr::MethodCall(call) if call.method == "send")
        }
        _ => false,
    }
}

/// What `#[commit(c, key = EXPR)]` says.
#[derive(Default)]
struct CommitArguments {
    name: Option<syn::Ident>,
    key: Option<Expr>,
    in_flow: bool,
}

fn commit_arguments(attr: &Attribute) -> CommitArguments {
    let mut read = CommitArguments::default();
    // The macro has words for a mistake; here what was read before it is enough.
    let _ = attr.parse_args_with(|input: ParseStream<'_>| {
        let mut first = true;
        while !input.is_empty() {
            let word: syn::Ident = input.call(syn::Ident::parse_any)?;
            if input.parse::<Option<Token![=]>>()?.is_some() {
                let value: Expr = input.parse()?;
                if word == "key" {
                    read.key = Some(value);
                }
            } else if word == "in_flow" {
                read.in_flow = true;
            } else if first && word != "idempotent" {
                read.name = Some(word);
            }
            first = false;
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    });
    read
}

fn mark_of(attr: &Attribute) -> Mark {
    if attr.path().is_ident("commit") {
        return Mark::Commit;
    }
    if !attr.path().is_ident("memo") {
        return Mark::None;
    }
    let arguments = attr
        .meta
        .require_list()
        .map(|list| list.tokens.to_string())
        .unwrap_or_default();
    if arguments.contains("repeatable") {
        Mark::RepeatableMemo
    } else {
        Mark::Memo
    }
}

/// The attributes of an expression, where it can have any of ours.
pub(super) fn attrs_of(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Array(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Async(e) => &e.attrs,
        Expr::Await(e) => &e.attrs,
        Expr::Binary(e) => &e.attrs,
        Expr::Block(e) => &e.attrs,
        Expr::Break(e) => &e.attrs,
        Expr::Call(e) => &e.attrs,
        Expr::Closure(e) => &e.attrs,
        Expr::ForLoop(e) => &e.attrs,
        Expr::Group(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Index(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Paren(e) => &e.attrs,
        Expr::Path(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Struct(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::Unsafe(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        _ => &[],
    }
}
