//! Turns facts and reachability into findings.

mod commits;

use std::cell::RefCell;

use proc_macro2::Span;

use crate::code::{Code, Severity};
use crate::facts::{AskSite, Effect, Facts, Key, Place};
use crate::graph::{Event, FactId, NodeId};
use crate::handler::{Handler, HandlerKind};
use crate::level::Level;
use crate::lower::lower;
use crate::message::{self, Parts};
use crate::reach::Reach;
use crate::source::Source;

/// One thing to tell the user.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What it is about.
    pub code: Code,
    /// How much it weighs under the handler's policy.
    pub severity: Severity,
    /// The smallest token that shows it.
    pub span: Span,
    /// One line that says the fact and where the ask is, then `help:` and `note:` lines.
    pub message: String,
}

impl Finding {
    fn order(&self) -> ((usize, usize), Code) {
        (position(self.span), self.code)
    }
}

/// Judges one handler; the findings come in the order of the source.
///
/// It never panics on what a handler holds, and takes time linear in its size in practice.
#[must_use]
pub fn check(handler: &Handler<'_>, source: &Source) -> Vec<Finding> {
    let facts = lower(handler, source);
    let reach = Reach::new(&facts);
    let judge = Judge {
        handler,
        facts: &facts,
        live: reach.live(),
        reach,
        used: RefCell::new(vec![false; facts.allows.len()]),
        found: RefCell::new(Vec::new()),
    };
    judge.all();
    judge.found.into_inner()
}

/// How many nodes the graph of a handler has, by which a test bounds the work of [`check`].
#[doc(hidden)]
#[must_use]
pub fn graph_size(handler: &Handler<'_>) -> usize {
    lower(handler, &Source::none()).graph.nodes.len()
}

fn position(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

struct Judge<'a> {
    handler: &'a Handler<'a>,
    facts: &'a Facts,
    reach: Reach<'a>,
    live: Vec<(NodeId, &'a Event)>,
    used: RefCell<Vec<bool>>,
    /// In the order of the source.
    found: RefCell<Vec<Finding>>,
}

impl Judge<'_> {
    fn all(&self) {
        self.effects();
        self.without_commit();
        self.spawns();
        self.unstable();
        self.asks();
        self.raced();
        self.duplicate_keys();
        self.commits();
        self.stdout();
        self.allows();
    }

    /// Reports unless an allow or the policy says otherwise.
    fn report(&self, code: Code, span: Span, allows: &[usize], parts: Parts) {
        let allowed = allows
            .iter()
            .find(|&&id| self.facts.allows[id].code == code);
        if let Some(&id) = allowed {
            self.used.borrow_mut()[id] = true;
            return;
        }
        let Some(severity) = self.handler.policy.severity(code) else {
            return;
        };
        let message = parts.render(code);
        let finding = Finding {
            code,
            severity,
            span,
            message,
        };
        let mut found = self.found.borrow_mut();
        // Of what is said twice of one place the first is kept.
        if let Err(at) = found.binary_search_by_key(&finding.order(), Finding::order) {
            found.insert(at, finding);
        }
    }

    /// The live nodes of one fact.
    fn nodes_of(&self, wanted: &Event) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for (node, event) in &self.live {
            if *event == wanted {
                nodes.push(*node);
            }
        }
        nodes
    }

    /// The live asks, each with its nodes, in their own order.
    fn asks_by_id(&self) -> Vec<(FactId, Vec<NodeId>)> {
        self.by_id(self.facts.asks.len(), Event::ask)
    }

    /// The live nodes of each of `count` facts that has any; `id` says which fact an event is of.
    fn by_id(&self, count: usize, id: fn(&Event) -> Option<FactId>) -> Vec<(FactId, Vec<NodeId>)> {
        let mut nodes = vec![Vec::new(); count];
        for (node, event) in &self.live {
            if let Some(id) = id(event) {
                nodes[id].push(*node);
            }
        }
        let mut found: Vec<_> = nodes.into_iter().enumerate().collect();
        found.retain(|(_, nodes)| !nodes.is_empty());
        found
    }

    fn effects(&self) {
        for (id, nodes) in self.by_id(self.facts.effects.len(), Event::effect) {
            self.effect(&self.facts.effects[id], &nodes);
        }
    }

    fn effect(&self, effect: &Effect, nodes: &[NodeId]) {
        if self.handler.read_only && (effect.kind.is_external()) {
            let parts = message::read_only(effect);
            self.report(
                Code::EffectInReadOnlyTool,
                effect.span,
                &effect.allows,
                parts,
            );
        }
        match effect.place {
            Place::Commit => {}
            Place::Memo => self.report(
                Code::EffectInMemo,
                effect.span,
                &effect.allows,
                message::in_memo(effect),
            ),
            Place::Ask(ask) => {
                let parts = message::in_ask(effect, &self.facts.asks[ask]);
                self.report(Code::EffectInAsk, effect.span, &effect.allows, parts);
            }
            Place::Body => self.effect_in_body(effect, nodes),
        }
    }

    fn effect_in_body(&self, effect: &Effect, nodes: &[NodeId]) {
        let ahead = nodes.iter().find_map(|&node| self.reach.ahead(node));
        let again = nodes
            .iter()
            .find_map(|&node| self.reach.ahead_on_any_path(node));
        let Some(ask) = ahead.or(again) else {
            if self.handler.policy.level == Level::CommitOnly {
                self.outside_commit(effect);
            }
            return;
        };
        let code = effect.code(ahead.is_none());
        let parts = message::above(
            effect,
            &self.facts.asks[ask],
            ahead.is_none(),
            self.has_commit(),
        );
        self.report(code, effect.span, &effect.allows, parts);
    }

    fn outside_commit(&self, effect: &Effect) {
        let parts = message::outside_commit(effect);
        self.report(Code::EffectAboveAsk, effect.span, &effect.allows, parts);
    }

    /// Below the asks of a tool an effect belongs into a commit. One word per tool is enough.
    fn without_commit(&self) {
        let judged = self.handler.kind == HandlerKind::Tool
            && !self.handler.read_only
            && self.handler.policy.level != Level::CommitOnly;
        if !judged || !self.facts.commits.is_empty() {
            return;
        }
        let certain = |ask: &FactId| self.facts.asks[*ask].site != AskSite::Helper;
        let asks = self
            .live
            .iter()
            .filter_map(|(node, event)| Some((*node, event.ask().filter(certain)?)));
        let asks: Vec<(NodeId, FactId)> = asks.collect();
        let below = |node: NodeId| {
            let behind = |(from, _): &&(NodeId, FactId)| self.reach.after(&[*from])[node];
            let ahead = self.reach.ahead_on_any_path(node).is_some();
            (!ahead).then(|| asks.iter().rfind(behind))?
        };
        for (node, event) in &self.live {
            let Some(id) = event.effect() else { continue };
            let effect = &self.facts.effects[id];
            let known = effect.kind.is_kept_elsewhere() || effect.is_marked();
            if !known || effect.on_drop || effect.place != Place::Body {
                continue;
            }
            if let Some((_, ask)) = below(*node) {
                let parts = message::without_commit(effect, &self.facts.asks[*ask]);
                let code = Code::EffectWithoutCommit;
                return self.report(code, effect.span, &effect.allows, parts);
            }
        }
    }

    fn has_commit(&self) -> bool {
        self.handler.kind == HandlerKind::Tool
    }

    /// A task that is waited for before the next ask is no detached one.
    fn spawns(&self) {
        for (id, spawn) in self.facts.spawns.iter().enumerate() {
            let nodes = self.nodes_of(&Event::Spawn(id));
            let joined = |event: &Event| *event == Event::Joined(id);
            let ahead = self.reach.ask_before(&nodes, &joined);
            let Some(ask) = ahead.filter(|_| spawn.place == Place::Body) else {
                continue;
            };
            if self
                .facts
                .raced
                .iter()
                .any(|raced| position(raced.span) == position(spawn.span))
            {
                continue;
            }
            let again = nodes.iter().all(|&node| self.reach.ahead(node).is_none());
            let parts = message::above(spawn, &self.facts.asks[ask], again, self.has_commit());
            self.report(Code::SendOrSpawnAboveAsk, spawn.span, &spawn.allows, parts);
        }
    }

    fn unstable(&self) {
        for (id, unstable) in self.facts.unstable.iter().enumerate() {
            let hangs = |ids: &[FactId]| ids.contains(&id);
            let built = self.facts.asks.iter().find(|ask| hangs(&ask.built_from));
            let decided = self.facts.asks.iter().find(|ask| hangs(&ask.decided_by));
            let nodes = self.nodes_of(&Event::Unstable(id));
            if nodes.is_empty() {
                continue;
            }
            if let Some(ask) = built.or(decided) {
                let parts = message::unstable_ask(unstable, ask, built.is_some());
                self.report(Code::UnstableAsk, unstable.span, &unstable.allows, parts);
                continue;
            }
            let asks = |event: &Event| event.ask().is_some();
            let uses = |event: &Event| matches!(event, Event::Use(ids) if ids.contains(&id));
            let made = |event: &Event| *event == Event::Unstable(id);
            let across = self.reach.passes_then_meets(&nodes, &asks, &uses, &made);
            if let Some(ask) = across {
                let parts = message::unstable_across(unstable, &self.facts.asks[ask]);
                self.report(
                    Code::UnstableValueAcrossAsk,
                    unstable.span,
                    &unstable.allows,
                    parts,
                );
            }
        }
    }

    fn asks(&self) {
        for (id, _) in self.asks_by_id() {
            let ask = &self.facts.asks[id];
            if ask.unordered {
                self.report(
                    Code::UnorderedAsks,
                    ask.span,
                    &ask.allows,
                    message::unordered(ask),
                );
            }
            let own = matches!(ask.site, AskSite::Statement(_) | AskSite::Call);
            if ask.per_item && own && ask.key == Key::Dynamic {
                self.report(
                    Code::AskPerIteration,
                    ask.span,
                    &ask.allows,
                    message::per_iteration(ask),
                );
            }
        }
    }

    fn raced(&self) {
        for raced in &self.facts.raced {
            let parts = message::raced(raced, &self.facts.asks[raced.ask]);
            self.report(Code::RacedAsk, raced.span, &raced.allows, parts);
        }
    }

    /// One constant key at two asks of one path, or at one ask that comes again.
    fn duplicate_keys(&self) {
        let asks = self.asks_by_id();
        let mut said = vec![false; self.facts.asks.len()];
        for (first, places) in &asks {
            let Key::Constant(key) = &self.facts.asks[*first].key else {
                continue;
            };
            let after = self.reach.after(places);
            for (second, places) in &asks {
                let (first, ask) = (&self.facts.asks[*first], &self.facts.asks[*second]);
                let again = ask.key == first.key && places.iter().any(|&node| after[node]);
                if again && !std::mem::replace(&mut said[*second], true) {
                    let parts = message::duplicate_key(key, first, ask);
                    self.report(Code::DuplicateKey, ask.span, &ask.allows, parts);
                }
            }
        }
    }

    fn stdout(&self) {
        for stdout in &self.facts.stdout {
            self.report(
                Code::StdoutInHandler,
                stdout.span,
                &stdout.allows,
                message::stdout(stdout),
            );
        }
    }

    /// After everything else: only then is it known which allows silenced something.
    fn allows(&self) {
        for (span, text) in &self.facts.malformed {
            self.report(Code::MalformedAllow, *span, &[], Parts::from_text(text));
        }
        let used = self.used.borrow().clone();
        for (allow, used) in self.facts.allows.iter().zip(used) {
            if !used {
                self.report(
                    Code::UnusedAllow,
                    allow.span,
                    &[],
                    message::unused_allow(allow.code),
                );
            }
        }
    }
}
