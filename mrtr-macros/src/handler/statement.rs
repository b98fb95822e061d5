//! The marks on statements: `#[ask]`, `#[memo]`, `#[commit]`, and where syn keeps them.

use mrtr_lint::Allow;
use syn::{Attribute, Expr, Ident, Stmt};

use crate::diag::Diag;
use crate::names::Krate;
use crate::walk::{self, Edit, Node};

/// One of our attributes on a statement.
pub(crate) enum Mark {
    Ask(Attribute),
    Memo(Attribute),
    Commit(Attribute),
}

/// A statement without its mark.
pub(crate) struct Marked {
    pub(crate) mark: Option<Mark>,
    pub(crate) stmt: Stmt,
}

impl Mark {
    /// The mark that the attribute is, if it is one.
    pub(crate) fn of(attr: &Attribute, krate: &Krate) -> Option<Self> {
        let attr = || attr.clone();
        let is = |name| krate.owns(&attr(), name);
        match () {
            () if is("ask") => Some(Self::Ask(attr())),
            () if is("memo") => Some(Self::Memo(attr())),
            () if is("commit") => Some(Self::Commit(attr())),
            () => None,
        }
    }

    /// The attribute's name as written.
    pub(crate) fn name(&self) -> &Ident {
        let (Self::Ask(attr) | Self::Memo(attr) | Self::Commit(attr)) = self;
        let last = attr.path().segments.last();
        &last
            .expect("invariant: a mark's path ends in its name")
            .ident
    }
}

impl Marked {
    /// Takes the mark off a statement; a second one is a mistake.
    pub(crate) fn of(mut stmt: Stmt, krate: &Krate, diag: &mut Diag) -> Self {
        let mut marks = take_marks(&mut stmt, krate).into_iter();
        let mark = marks.next();
        for extra in marks {
            diag.error(
                extra.name(),
                format!("`#[{}]` is one mark too many here", extra.name()),
            )
            .help("split the statement: one mark on each");
        }
        Self { mark, stmt }
    }
}

/// Takes all our attributes off a statement; `mrtr::allow` was for the lint and has no macro of its own.
pub(crate) fn take_marks(stmt: &mut Stmt, krate: &Krate) -> Vec<Mark> {
    let mut marks = Vec::new();
    with_attributes(stmt, &mut |attrs| {
        attrs.retain(|attr| {
            let mark = Mark::of(attr, krate);
            let keep = mark.is_none() && !Allow::is_allow(attr);
            if let Some(mark) = mark {
                marks.push(mark);
            }
            keep
        });
    });
    marks
}

/// Takes the conditions off a statement that is to be wrapped, so that they cover the wrapping as well.
pub(crate) fn take_cfgs(stmt: &mut Stmt) -> Vec<Attribute> {
    let mut cfgs = Vec::new();
    with_attributes(stmt, &mut |attrs| {
        cfgs = attrs
            .extract_if(.., |attr| attr.path().is_ident("cfg"))
            .collect();
    });
    cfgs
}

/// Gives `change` the outer attributes of a statement.
fn with_attributes(stmt: &mut Stmt, change: Edit<'_>) {
    match stmt {
        Stmt::Local(local) => change(&mut local.attrs),
        Stmt::Macro(call) => change(&mut call.attrs),
        Stmt::Expr(expr, _) => walk::with_attributes(Node::Expr(leftmost(expr)), change),
        // An item's attributes are not a statement's: `#[ask] fn f() {}` is found as misplaced.
        Stmt::Item(_) => {}
    }
}

/// The part of an expression statement that syn hangs the statement's attributes on.
fn leftmost(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Assign(assign) => leftmost(&mut assign.left),
        Expr::Binary(binary) => leftmost(&mut binary.left),
        Expr::Cast(cast) => leftmost(&mut cast.expr),
        other => other,
    }
}
