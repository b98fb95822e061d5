//! Walks a handler's body and lowers ask, memo and commit statements where they stand.

use std::mem::{replace, take};

use mrtr_lint::{Allow, AskSite};
use syn::{Attribute, Block, Expr, Ident, Item, Local, Macro, Pat, Stmt};

use super::ask::{Ask, Binding};
use super::commit::Commit;
use super::facts::Facts;
use super::foreign::{attributes_in, without_attributes};
use super::function::{borrow_context, prepend};
use super::memo::lower_memo;
use super::place::{Context, Place, Role, check_place, refuse_in_macro, refuse_position};
use super::rounds::Round;
use super::statement::{Mark, Marked};
use crate::diag::Diag;
use crate::names::Krate;
use crate::walk::{Change, Node};

/// Lowers the body in place.
pub(crate) fn lower_body(
    block: &mut Block,
    role: Role<'_>,
    krate: &Krate,
    diag: &mut Diag,
) -> Facts {
    let role = match role {
        Role::Handler(context) if binds_again(block, context.name) => Role::Handler(Context {
            name: None,
            ..context
        }),
        other => other,
    };
    let mut walk = Walk {
        role,
        krate,
        diag,
        place: Place::Body,
        facts: Facts::default(),
        statements: 0,
    };
    walk.change(Node::Block(block));
    walk.facts
}

/// Whether the body gives the name of its context to something else as well.
///
/// Nothing is changed; there is no walk that only looks.
pub(super) fn binds_again(block: &mut Block, name: Option<&Ident>) -> bool {
    struct Bindings<'a>(&'a Ident, bool);
    impl Change for Bindings<'_> {
        fn change(&mut self, node: Node<'_>) {
            if let Node::Name(bound) = &node {
                self.1 |= bound.ident == *self.0;
            }
            node.walk(self);
        }
    }
    name.is_some_and(|name| {
        let mut bindings = Bindings(name, false);
        bindings.change(Node::Block(block));
        bindings.1
    })
}

struct Walk<'a> {
    role: Role<'a>,
    krate: &'a Krate,
    diag: &'a mut Diag,
    place: Place,
    facts: Facts,
    /// How many asks there were so far.
    statements: usize,
}

impl Change for Walk<'_> {
    fn change(&mut self, node: Node<'_>) {
        match node {
            Node::Block(block) => self.block(block),
            Node::Expr(expr @ Expr::Closure(_)) => self.within(Place::Closure, Node::Expr(expr)),
            Node::Expr(expr) => self.expr(expr),
            Node::Item(item) if has_own_macro(item, self.krate) => {}
            Node::Item(item) => self.within(Place::NestedItem, Node::Item(item)),
            Node::Macro(call) => self.call(call),
            Node::Attributes(attrs) => self.attributes(attrs),
            other => other.walk(self),
        }
    }
}

impl Walk<'_> {
    fn within(&mut self, place: Place, node: Node<'_>) {
        let outer = replace(&mut self.place, place);
        node.walk(self);
        self.place = outer;
    }

    fn block(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.stmts.len());
        let mut round = Round::default();
        for stmt in take(&mut block.stmts) {
            let Marked { mark, mut stmt } = Marked::of(stmt, self.krate, self.diag);
            let mark = mark.filter(|mark| check_place(self.place, self.role, mark, self.diag));
            if let Some(Mark::Ask(attr)) = &mark {
                match self.parse_ask(attr, stmt) {
                    Ok(ask) => round.push(ask, self.krate, &mut out),
                    Err(stmt) => out.push(*stmt),
                }
                continue;
            }
            round.flush(self.krate, &mut out);
            self.change(Node::Stmt(&mut stmt));
            out.push(self.lower(mark, stmt));
        }
        round.flush(self.krate, &mut out);
        block.stmts = out;
    }

    /// A block that commits takes the context with it, so it asks through a borrow of its own.
    ///
    /// `#[instrument]` above `#[tool]` puts the whole body into such a block.
    fn expr(&mut self, expr: &mut Expr) {
        let before = self.facts.commits.len();
        Node::Expr(expr).walk(self);
        if let (Expr::Async(block), Role::Handler(context)) = (expr, self.role)
            && self.facts.commits.len() > before
        {
            let head = borrow_context(context.at, context.name);
            prepend(&mut block.block, head);
        }
    }

    fn call(&mut self, call: &mut Macro) {
        for name in attributes_in(call.tokens.clone()) {
            refuse_in_macro(&name, self.diag);
        }
        call.tokens = without_attributes(take(&mut call.tokens));
    }

    /// Statements gave up their marks before they are walked, so a mark that is left is on something else.
    fn attributes(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| {
            let mark = Mark::of(attr, self.krate);
            if let Some(mark) = &mark
                && check_place(self.place, self.role, mark, self.diag)
            {
                refuse_position(mark, self.diag);
            }
            mark.is_none() && !Allow::is_allow(attr)
        });
    }

    fn parse_ask(&mut self, attr: &Attribute, stmt: Stmt) -> Result<Ask, Box<Stmt>> {
        self.facts.lowered = true;
        let site = AskSite::Statement(self.statements);
        self.statements += 1;
        let Stmt::Local(local) = stmt else {
            self.diag
                .error(attr.path(), "`#[ask]` stands on `let NAME: TYPE;`")
                .help("write `#[ask(message = \"..\")] let answer: Confirm;`")
                .note("the type says what is asked, and the answer becomes the value");
            return Err(Box::new(stmt));
        };
        let binding = self.parse_declaration(&local);
        let ask = binding.and_then(|binding| Ask::parse(attr, binding, site, self.diag));
        let ask = ask.ok_or_else(|| Box::new(Stmt::Local(local)))?;
        self.facts.declare(&ask);
        Ok(ask)
    }

    fn parse_declaration(&mut self, local: &Local) -> Option<Binding> {
        if let Some(init) = &local.init {
            self.diag
                .error(&init.expr, "an ask declares its variable without a value")
                .help("remove `= ..`: the answer becomes the value");
            return None;
        }
        let Pat::Type(typed) = &local.pat else {
            self.diag
                .error(&local.pat, "an ask needs the type of its answer")
                .help(match &local.pat {
                    Pat::Ident(pat) => format!(
                        "write `let {}: Confirm;`, or the form to fill in",
                        pat.ident
                    ),
                    _ => "write `let answer: Confirm;`, or the form to fill in".to_owned(),
                })
                .note("the type says what an answer may be");
            return None;
        };
        Binding::of(typed, local.attrs.clone(), "an answer", self.diag)
    }

    fn lower(&mut self, mark: Option<Mark>, stmt: Stmt) -> Stmt {
        self.facts.lowered |= mark.is_some();
        match mark {
            Some(Mark::Commit(attr)) => {
                let commit = Commit::parse(&attr, &stmt, self.diag);
                self.facts.note(&commit);
                commit.expand(stmt, self.krate)
            }
            Some(Mark::Memo(attr)) => lower_memo(&attr, stmt, self.diag),
            Some(Mark::Ask(_)) | None => stmt,
        }
    }
}

/// Items whose own macro will lower their bodies.
pub(crate) fn has_own_macro(item: &Item, krate: &Krate) -> bool {
    let attrs = match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    ["asking", "tool", "prompt", "resource", "handlers"]
        .iter()
        .any(|name| attrs.iter().any(|attr| krate.owns(attr, name)))
}
