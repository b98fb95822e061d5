//! Turns facts and reachability into findings.

mod commits;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// Judges one handler; the findings come in the order of the source.
///
/// It never panics on what a handler holds, and takes time linear in its size in practice.
#[must_use]
pub fn check(handler: &Handler<'_>, source: &Source) -> Vec<Finding> {
    let facts = lower(handler, source);
    let judge = Judge {
        handler,
        facts: &facts,
        reach: Reach::new(&facts),
        used: RefCell::new(vec![false; facts.allows.len()]),
        found: RefCell::new(Vec::new()),
    };
    judge.all();
    let mut found = judge.found.into_inner();
    found.sort_by_key(|finding| (position(finding.span), finding.code));
    found.dedup_by_key(|finding| (position(finding.span), finding.code));
    found
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
    used: RefCell<Vec<bool>>,
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
        self.found.borrow_mut().push(Finding {
            code,
            severity,
            span,
            message,
        });
    }

    /// Live nodes with their events.
    fn live(&self) -> impl Iterator<Item = (NodeId, &Event)> {
        let nodes = self.facts.graph.nodes.iter().enumerate();
        nodes
            .filter(|(node, _)| self.reach.is_live(*node))
            .filter_map(|(node, row)| Some((node, row.event.as_ref()?)))
    }

    /// The live nodes of one fact.
    fn nodes_of(&self, wanted: &Event) -> Vec<NodeId> {
        self.live()
            .filter(|(_, event)| *event == wanted)
            .map(|(node, _)| node)
            .collect()
    }

    fn effects(&self) {
        let mut nodes: HashMap<FactId, Vec<NodeId>> = HashMap::new();
        for (node, event) in self.live() {
            if let Event::Effect(id) = event {
                nodes.entry(*id).or_default().push(node);
            }
        }
        for (id, effect) in self.facts.effects.iter().enumerate() {
            if let Some(nodes) = nodes.get(&id) {
                self.effect(effect, nodes);
            }
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
            .live()
            .filter_map(|(node, event)| Some((node, ask_of(event)?)));
        let asks: Vec<(NodeId, FactId)> = asks.filter(|(_, ask)| certain(ask)).collect();
        let below = |node: NodeId| {
            let behind = |(from, _): &&(NodeId, FactId)| self.reach.after(&[*from])[node];
            let ahead = self.reach.ahead_on_any_path(node).is_some();
            (!ahead).then(|| asks.iter().rfind(behind))?
        };
        for (node, event) in self.live() {
            let Event::Effect(id) = event else { continue };
            let effect = &self.facts.effects[*id];
            let known = effect.kind.is_kept_elsewhere() || effect.is_marked();
            if !known || effect.on_drop || effect.place != Place::Body {
                continue;
            }
            if let Some((_, ask)) = below(node) {
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
            let ahead = self.reach.ask_before(&nodes, joined);
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
            let asks = |event: &Event| matches!(event, Event::Ask(_));
            let uses = |event: &Event| matches!(event, Event::Use(ids) if ids.contains(&id));
            let made = |event: &Event| *event == Event::Unstable(id);
            let across = self.reach.passes_then_meets(&nodes, asks, uses, made);
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
        let live: BTreeSet<FactId> = self.live().filter_map(|(_, event)| ask_of(event)).collect();
        for id in live {
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
        let mut nodes: BTreeMap<&str, BTreeMap<FactId, Vec<NodeId>>> = BTreeMap::new();
        for (node, event) in self.live() {
            if let Some(ask) = ask_of(event)
                && let Key::Constant(key) = &self.facts.asks[ask].key
            {
                nodes
                    .entry(key)
                    .or_default()
                    .entry(ask)
                    .or_default()
                    .push(node);
            }
        }
        for (key, asks) in nodes {
            let mut said = BTreeSet::new();
            for (first, places) in &asks {
                let after = self.reach.after(places);
                let again = asks
                    .iter()
                    .filter(|(_, places)| places.iter().any(|&node| after[node]));
                for (second, _) in again.filter(|(second, _)| said.insert(**second)) {
                    let (first, second) = (&self.facts.asks[*first], &self.facts.asks[*second]);
                    let parts = message::duplicate_key(key, first, second);
                    self.report(Code::DuplicateKey, second.span, &second.allows, parts);
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

fn ask_of(event: &Event) -> Option<FactId> {
    match event {
        Event::Ask(ask) => Some(*ask),
        _ => None,
    }
}
