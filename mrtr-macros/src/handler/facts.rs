//! What a walk through a body learns: the asks a server may know of before any call, and the commits.

use mrtr_lint::AskSite;
use proc_macro2::Span;
use syn::{Ident, LitStr, Type};

use super::ask::{Ask, Key};
use super::ask_kind::Kind;
use super::commit::Commit;
use crate::diag::Diag;

/// What the walk learned about a body, which is lowered in place.
#[derive(Default)]
pub(crate) struct Facts {
    /// The asks whose key and type are known outside the body.
    pub(crate) asks: Vec<Declared>,
    /// Where options stand that must not be beside a commit.
    pub(crate) unsolicited: Vec<Ident>,
    /// Where the body commits.
    pub(crate) commits: Vec<Span>,
    /// Where commits stand that are not declared idempotent.
    once_only: Vec<Span>,
    /// Whether any statement was lowered.
    pub(crate) lowered: bool,
}

/// An ask that the server knows of before any call.
pub(crate) struct Declared {
    pub(crate) key: LitStr,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    pub(crate) if_supported: bool,
    /// Whether an answer may come without the question, from a client that can ask nothing.
    pub(crate) unsolicited: bool,
    /// Where it is, for the lint to say whether every path asks it.
    pub(crate) site: AskSite,
}

impl Facts {
    /// Notes what the server may know of an ask before any call.
    pub(crate) fn declare(&mut self, ask: &Ask) {
        if let Some(flag) = &ask.accept_unsolicited {
            self.unsolicited.push(flag.clone());
        }
        if let Key::Literal(key) = &ask.key
            && !ask.is_conditional()
        {
            self.asks.push(Declared {
                key: key.clone(),
                ty: ask.ty.clone(),
                kind: ask.kind.clone(),
                if_supported: ask.if_supported.is_some(),
                unsolicited: ask.accept_unsolicited.is_some(),
                site: ask.site,
            });
        }
    }

    /// Notes a commit.
    pub(crate) fn note(&mut self, commit: &Commit) {
        self.commits.push(commit.at);
        if commit.idempotent.is_none() {
            self.once_only.push(commit.at);
        }
    }

    /// Whether a commit may be taken over from a holder that vanished.
    pub(crate) fn may_be_taken_over(&self) -> bool {
        self.once_only.len() < self.commits.len()
    }

    /// What holds for the commits of one tool together.
    pub(crate) fn check(&self, diag: &mut Diag) {
        self.check_unsolicited(diag);
        self.check_idempotent(diag);
    }

    /// Which commit a holder that vanished had reached is not known, so all of them must agree.
    fn check_idempotent(&self, diag: &mut Diag) {
        if !self.may_be_taken_over() {
            return;
        }
        for at in &self.once_only {
            diag.error_at(
                *at,
                "this commit lacks the `idempotent` of another one of the tool",
            )
            .help("write `idempotent` on each commit of the tool, or on none")
            .note("where the server vanished, nobody knows which of its commits it had reached");
        }
    }

    /// An unasked answer must not lead to an effect: nothing shows that anybody saw the question.
    fn check_unsolicited(&self, diag: &mut Diag) {
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
