//! Runs what values carry: closures that are called, futures that are awaited, iterators that are driven.

use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Span;

use super::Lower;
use crate::facts::{Place, Raced};
use crate::graph::{Event, FactId, Node, NodeId};
use crate::value::{Body, Deferred, Kind, Trigger, Value};

impl Lower<'_> {
    /// Runs one body here.
    ///
    /// A graph that is full takes no more copies; what the body does is then not judged here.
    pub(super) fn run_body(&mut self, body: &Body) -> Range<NodeId> {
        let start = self.graph.nodes.len();
        if !self.may_copy(body.graph.nodes.len()) {
            return start..start;
        }
        let offset = self.graph.splice(&body.graph);
        self.link(offset);
        self.at = offset + body.exit;
        self.note_asks(&asks_of(body));
        self.take_place(body);
        start..self.graph.nodes.len()
    }

    /// A closure from above that a commit or a memo runs does its effects there.
    fn take_place(&mut self, body: &Body) {
        if self.place == Place::Body {
            return;
        }
        for node in &body.graph.nodes {
            if let Some(Event::Effect(id)) = node.event
                && self.facts.effects[id].place == Place::Body
            {
                self.facts.effects[id].place = self.place;
            }
        }
    }

    /// Runs what `value` carries for one of these triggers, and takes it off.
    ///
    /// Several bodies run at the same time, as in `join!`.
    pub(super) fn run(&mut self, value: &mut Value, triggers: &[Trigger]) -> Value {
        let now = value.take_deferred(&|deferred| triggers.contains(&deferred.trigger));
        self.run_together(&now, value.unordered)
    }

    pub(super) fn run_together(&mut self, bodies: &[Deferred], unordered: bool) -> Value {
        let mut branches = Vec::new();
        let mut result: Option<Value> = None;
        for deferred in bodies {
            if unordered {
                for ask in asks_of(&deferred.body) {
                    self.facts.asks[ask].unordered = true;
                }
            }
            branches.push(self.run_body(&deferred.body));
            if deferred.many {
                branches.push(self.run_body(&deferred.body));
            }
            result = Some(match result {
                Some(before) => before.merge(&deferred.body.result),
                None => deferred.body.result.clone(),
            });
        }
        if branches.len() > 1 {
            self.graph.parallel.push(branches);
        }
        result.unwrap_or_default()
    }

    /// Runs what `value` carries, or does not: a closure that is handed to a call.
    pub(super) fn run_perhaps(&mut self, value: &mut Value, triggers: &[Trigger]) -> Value {
        if !value.deferred.iter().any(|d| triggers.contains(&d.trigger)) {
            return Value::default();
        }
        let before = self.at;
        self.step();
        let result = self.run(value, triggers);
        let after = self.step();
        self.graph.link(before, after, crate::graph::Edge::Step);
        result
    }

    /// Notes every ask that `value` would run as raced.
    pub(super) fn race(&mut self, value: &Value, by: &str, how: &'static str, span: Span) -> bool {
        let mut deferred = value.deferred.iter();
        let first = deferred.find_map(|it| it.body.graph.nodes.iter().find_map(Node::ask));
        if let Some(ask) = first {
            let allows = Rc::clone(&self.allows);
            self.facts.raced.push(Raced {
                span,
                by: by.to_owned(),
                how,
                ask,
                allows,
            });
        }
        first.is_some()
    }

    /// Awaits a value: its futures run, its tasks are joined.
    pub(super) fn await_value(&mut self, value: &mut Value) -> Value {
        for task in std::mem::take(&mut value.tasks) {
            self.event(Event::Joined(task));
        }
        let carried = !value.deferred.is_empty();
        // `join_all(items.map(f))` drives the iterator, then awaits what each item yielded.
        let mut driven = self.run(value, &[Trigger::Drive]);
        driven
            .deferred
            .iter_mut()
            .for_each(|deferred| deferred.many = true);
        value.absorb(&driven);
        let mut result = self.run(value, &[Trigger::Await]);
        if !carried || result.kind == Kind::Unknown && result.deferred.is_empty() {
            let mut same = value.clone();
            same.deferred = std::mem::take(&mut result.deferred);
            if matches!(
                same.kind,
                Kind::Operation(_) | Kind::Request(_) | Kind::Query(_) | Kind::RedisCommand(_)
            ) {
                // What was being built is done; this is its answer.
                same.kind = Kind::Unknown;
            }
            same.absorb_facts(&result);
            same.ask = same.ask.or(result.ask);
            return same;
        }
        result.absorb_facts(value);
        result.ask = result.ask.or(value.ask);
        result
    }
}

/// The asks in a body's graph.
pub(super) fn asks_of(body: &Body) -> Vec<FactId> {
    body.graph.nodes.iter().filter_map(Node::ask).collect()
}
