//! Walks a handler's body, lowers ask, memo and commit statements, and finds those that stand in a wrong place.

use std::mem::{replace, take};

use mrtr_lint::{Allow, AskSite};
use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, ExprClosure, Item, Local, Macro, Pat, Stmt, Type};

use super::ask::{Ask, Binding, Key, Kind};
use super::commit::Commit;
use super::foreign::{attributes_in, without_attributes};
use super::memo::lower_memo;
use super::rounds::Round;
use super::statement::{Mark, Marked};
use crate::diag::Diag;
use crate::names::Krate;

/// What the walk learned about a body, which is lowered in place.
#[derive(Default)]
pub(crate) struct Facts {
    /// The asks whose key and type are known outside the body.
    pub(crate) asks: Vec<Declared>,
    /// Where options stand that must not be beside a commit.
    pub(crate) unsolicited: Vec<syn::Ident>,
    /// Where the body commits.
    pub(crate) commits: Vec<Span>,
    /// Whether any statement was lowered.
    pub(crate) lowered: bool,
}

/// An ask that the server knows of before any call.
pub(crate) struct Declared {
    pub(crate) key: syn::LitStr,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    pub(crate) if_supported: bool,
    /// Whether an answer may come without the question, from a client that can ask nothing.
    pub(crate) unsolicited: bool,
    /// Where it is, for the lint to say whether every path asks it.
    pub(crate) site: AskSite,
}

/// Which statements a function may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A tool: all of them.
    Handler,
    /// An `#[asking]` helper: a commit is the handler's own.
    Helper,
}

/// Lowers the body in place.
pub(crate) fn lower_body(block: &mut Block, role: Role, krate: &Krate, diag: &mut Diag) -> Facts {
    let mut walk = Walk {
        role,
        krate,
        diag,
        place: Place::Body,
        facts: Facts::default(),
        statements: 0,
    };
    walk.visit_block_mut(block);
    walk.facts
}

struct Walk<'a> {
    role: Role,
    krate: &'a Krate,
    diag: &'a mut Diag,
    place: Place,
    facts: Facts,
    /// How many asks there were so far.
    statements: usize,
}

/// What surrounds a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Body,
    Closure,
    NestedItem,
}

impl VisitMut for Walk<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.stmts.len());
        let mut round = Round::default();
        for stmt in take(&mut block.stmts) {
            let Marked { mark, mut stmt } = Marked::of(stmt, self.krate, self.diag);
            let mark = mark.filter(|mark| self.admits(mark));
            if let Some(Mark::Ask(attr)) = &mark {
                match self.parse_ask(attr, stmt) {
                    Ok(ask) => round.push(ask, self.krate, &mut out),
                    Err(stmt) => out.push(stmt),
                }
                continue;
            }
            round.flush(self.krate, &mut out);
            self.visit_stmt_mut(&mut stmt);
            out.push(self.lower(mark, stmt));
        }
        round.flush(self.krate, &mut out);
        block.stmts = out;
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let outer = replace(&mut self.place, Place::Closure);
        visit_mut::visit_expr_closure_mut(self, closure);
        self.place = outer;
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if !has_own_macro(item, self.krate) {
            let outer = replace(&mut self.place, Place::NestedItem);
            visit_mut::visit_item_mut(self, item);
            self.place = outer;
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        for name in attributes_in(call.tokens.clone()) {
            self.diag
                .error(
                    &name,
                    format!("`#[{name}]` does not work in the arguments of a macro"),
                )
                .help(macro_remedy(&name.to_string()))
                .note("another macro decides what these tokens become");
        }
        call.tokens = without_attributes(take(&mut call.tokens));
    }

    /// Statements gave up their marks before they are walked, so a mark that is left is on something else.
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| {
            let mark = Mark::of(attr, self.krate);
            if let Some(mark) = &mark
                && self.admits(mark)
            {
                self.diag
                    .error(
                        mark.name(),
                        format!("`#[{}]` stands on a whole statement", mark.name()),
                    )
                    .help(mark.statement_form());
            }
            mark.is_none() && !Allow::is_allow(attr)
        });
    }
}

impl Walk<'_> {
    /// Whether a mark may stand in this place; if not, it is reported and gone.
    fn admits(&mut self, mark: &Mark) -> bool {
        let name = mark.name();
        match (self.place, mark, self.role) {
            (Place::Closure, ..) => {
                self.diag
                    .error(name, format!("`#[{name}]` does not work in a closure"))
                    .help(closure_remedy(&name.to_string()));
                false
            }
            (Place::NestedItem, ..) => {
                self.diag
                    .error(name, format!("`#[{name}]` does not work in a nested item"))
                    .help("put `#[asking]` on the inner `async fn` and give it a `ctx: &Ctx`");
                false
            }
            (Place::Body, Mark::Commit(_), Role::Helper) => {
                self.diag
                    .error(name, "`#[commit]` does not work in an `#[asking]` function")
                    .help("commit in the handler and pass `c` on: `async fn book(c: &mut Commit, ..)`")
                    .note("a commit takes the handler's own context, which a helper only borrows");
                false
            }
            (Place::Body, ..) => true,
        }
    }

    fn parse_ask(&mut self, attr: &Attribute, stmt: Stmt) -> Result<Ask, Stmt> {
        self.facts.lowered = true;
        let site = AskSite::Statement(self.statements);
        self.statements += 1;
        let Stmt::Local(local) = stmt else {
            self.diag
                .error(attr.path(), "`#[ask]` stands on `let NAME: TYPE;`")
                .help("write `#[ask(message = \"..\")] let answer: Confirm;`")
                .note("the type says what is asked, and the answer becomes the value");
            return Err(stmt);
        };
        let binding = self.parse_declaration(&local);
        let ask = binding.and_then(|binding| Ask::parse(attr, binding, site, self.diag));
        let ask = ask.ok_or(Stmt::Local(local))?;
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
                .help("write `let answer: Confirm;`, or the form to fill in")
                .note("the type says what an answer may be");
            return None;
        };
        Binding::of(typed, local.attrs.clone(), "an answer", self.diag)
    }

    fn lower(&mut self, mark: Option<Mark>, stmt: Stmt) -> Stmt {
        self.facts.lowered |= mark.is_some();
        match mark {
            Some(Mark::Commit(attr)) => {
                let commit = Commit::parse(&attr, self.diag);
                self.facts.commits.push(commit.at);
                commit.expand(stmt, self.krate)
            }
            Some(Mark::Memo(attr)) => lower_memo(&attr, stmt, self.diag),
            Some(Mark::Ask(_)) | None => stmt,
        }
    }
}

impl Facts {
    /// Notes what the server may know of an ask before any call.
    pub(crate) fn declare(&mut self, ask: &Ask) {
        self.unsolicited.extend(ask.accept_unsolicited.clone());
        if let Key::Literal(key) = &ask.key
            && !ask.is_conditional()
        {
            self.asks.push(Declared {
                key: key.clone(),
                ty: ask.ty.clone(),
                kind: ask.kind,
                if_supported: ask.if_supported.is_some(),
                unsolicited: ask.accept_unsolicited.is_some(),
                site: ask.site,
            });
        }
    }

    /// An unasked answer must not lead to an effect: nothing shows that anybody saw the question.
    pub(crate) fn check(&self, diag: &mut Diag) {
        if self.commits.is_empty() {
            return;
        }
        for option in &self.unsolicited {
            diag.error(
                option,
                "`accept_unsolicited` does not work in a tool that commits",
            )
            .help("remove `accept_unsolicited`")
            .note("an effect needs an answer to a question that was really asked");
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
    ["asking", "tool", "handlers"]
        .iter()
        .any(|name| attrs.iter().any(|attr| krate.owns(attr, name)))
}

fn macro_remedy(name: &str) -> &'static str {
    match name {
        "ask" => "use `ctx.ask(\"key\", \"question\").await` inside a macro call",
        _ => "move the statement out of the macro call",
    }
}

fn closure_remedy(name: &str) -> &'static str {
    match name {
        "ask" => {
            "use `ctx.ask(\"key\", \"question\").await` there, or a `for` loop with `key = format!(..)`"
        }
        _ => "move the statement into the body of the handler",
    }
}

impl Mark {
    fn statement_form(&self) -> &'static str {
        match self {
            Self::Ask(_) => "write `#[ask(message = \"..\")] let answer: Confirm;` as a statement",
            Self::Memo(_) => "write `#[memo] let quote: Quote = ..;` as a statement",
            Self::Commit(_) => {
                "write it on `let x = ..;`, on an expression statement or on a block `{ .. }`"
            }
        }
    }
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
