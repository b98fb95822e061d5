//! Puts events on the graph and rows in the tables.

use std::rc::Rc;

use proc_macro2::Span;

use super::Lower;
use crate::effects::{Hit, When};
use crate::facts::{Effect, EffectKind, Place, Stdout, Through, Unstable, UnstableSort};
use crate::graph::{Event, FactId};
use crate::source::HelperEffect;
use crate::value::{Body, Deferred, Kind, Trigger, Value, remember};

/// Calls that bring a handle rather than a value somebody could be shown.
const HANDLES: &[&str] = &[
    "connect",
    "acquire",
    "begin",
    "open",
    "lock",
    "build",
    "transaction",
    "client",
    "session",
    "checkout",
    "handle",
    "new",
    "bind",
    "subscribe",
    "reserve",
    "permit",
    "pool",
    "login",
];

impl Lower<'_> {
    pub(super) fn event(&mut self, event: Event) {
        if let Event::Ask(ask) = event {
            self.note_asks(&[ask]);
        }
        let node = self.step();
        self.graph.nodes[node].event = Some(event);
    }

    /// Tells the innermost loop that it asks.
    pub(super) fn note_asks(&mut self, asks: &[FactId]) {
        if let Some(innermost) = self.frame().loops.last_mut() {
            innermost.asks.extend_from_slice(asks);
        }
    }

    fn effect_row(&mut self, kind: EffectKind, span: Span, what: String, does: &str) -> Effect {
        Effect {
            kind,
            root: kind,
            span,
            what,
            does: does.to_owned(),
            chain: Vec::new(),
            weak: kind.is_weak(),
            place: self.place,
            on_drop: false,
            through: self.through.filter(|_| kind.hangs_on_parameter()),
            allows: Rc::clone(&self.allows),
        }
    }

    /// An effect that happens here.
    pub(super) fn effect(&mut self, kind: EffectKind, span: Span, what: String, does: &str) {
        let effect = self.effect_row(kind, span, what, does);
        self.push_effect(effect);
    }

    pub(super) fn push_effect(&mut self, effect: Effect) -> FactId {
        self.facts.effects.push(effect);
        let id = self.facts.effects.len() - 1;
        self.event(Event::Effect(id));
        id
    }

    /// An effect that a rule recognised, now or in what the call returns.
    pub(super) fn hit(&mut self, hit: Hit, span: Span, what: String, result: &mut Value) {
        match hit.when {
            When::Now => self.effect(hit.kind, span, what, hit.does),
            When::Awaited => {
                let yields = result.clone();
                let perhaps_eager = matches!(hit.kind, EffectKind::Http | EffectKind::GivenRequest);
                let body = self.body(|lower| {
                    lower.effect(hit.kind, span, what, hit.does);
                    yields
                });
                result.deferred.push(Deferred {
                    trigger: Trigger::Await,
                    body,
                    many: false,
                    perhaps_eager,
                });
            }
        }
    }

    /// The effect of a helper, at its call.
    pub(super) fn helper_effect(
        &mut self,
        effect: &HelperEffect,
        span: Span,
        what: String,
        through: Option<Through>,
    ) {
        let mut row = self.effect_row(EffectKind::Helper, span, what, &effect.does);
        row.root = effect.root;
        row.chain.clone_from(&effect.chain);
        row.through = through;
        row.weak = effect.weak;
        self.push_effect(row);
    }

    /// The effect of dropping a value, put where the value is bound: from there on each round that
    /// suspends runs it, and so does the end of its scope.
    pub(super) fn drop_effect(&mut self, kind: EffectKind, span: Span, what: String, does: &str) {
        let mut row = self.effect_row(kind, span, what, does);
        row.on_drop = true;
        self.push_effect(row);
    }

    /// A clock, random or unique value that is made here.
    pub(super) fn unstable(
        &mut self,
        sort: UnstableSort,
        span: Span,
        what: String,
        result: &mut Value,
    ) {
        if self.place == Place::Memo {
            return;
        }
        let allows = Rc::clone(&self.allows);
        self.facts.unstable.push(Unstable {
            span,
            what,
            sort,
            allows,
        });
        let id = self.facts.unstable.len() - 1;
        self.event(Event::Unstable(id));
        remember(&mut result.unstable, &[id]);
    }

    pub(super) fn stdout(&mut self, span: Span, what: String) {
        let allows = Rc::clone(&self.allows);
        self.facts.stdout.push(Stdout { span, what, allows });
    }

    /// A value that an awaited call brought from outside.
    pub(super) fn fetch(&mut self, name: String, result: &mut Value) {
        let value = matches!(result.kind, Kind::Unknown | Kind::Data);
        if !value || self.place != Place::Body || HANDLES.iter().any(|verb| name.contains(verb)) {
            return;
        }
        self.facts.fetches.push(name);
        let id = self.facts.fetches.len() - 1;
        self.event(Event::Fetch(id));
        remember(&mut result.fetched, &[id]);
    }

    /// Reads a variable: unstable values it hangs on are used here, an answer is looked at, and a
    /// commit uses it.
    pub(super) fn read(&mut self, name: &str, value: &Value, span: Span) {
        if self.quiet {
            return;
        }
        if !value.unstable.is_empty() {
            self.event(Event::Use(value.unstable.clone()));
        }
        if let Some(ask) = value.ask.filter(|ask| self.facts.asks[*ask].confirm) {
            self.event(Event::Look(ask));
            self.facts.asks[ask].looked_at_in_commit |= self.place == Place::Commit;
        }
        if let Some(commit) = self.commit {
            for fetch in &value.fetched {
                self.facts.commits[commit]
                    .uses
                    .push((*fetch, name.to_owned(), span));
            }
        }
    }

    /// Lowers into a graph of its own: a closure, an async block, or a lazy call.
    pub(super) fn body(&mut self, run: impl FnOnce(&mut Self) -> Value) -> Rc<Body> {
        let outer = std::mem::replace(&mut self.graph, crate::graph::Graph::new());
        let at = std::mem::replace(&mut self.at, crate::graph::ENTRY);
        let exit = self.graph.add();
        self.frames.push(super::Frame {
            exit,
            loops: Vec::new(),
            result: None,
        });
        let value = run(self);
        self.leave(value);
        let frame = self.frames.pop().expect("invariant: pushed above");
        self.at = at;
        let graph = std::mem::replace(&mut self.graph, outer);
        Rc::new(Body {
            graph,
            exit,
            result: frame.result.unwrap_or_default(),
        })
    }
}
