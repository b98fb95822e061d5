//! What is wrong with where a commit stands, and with what it uses.

use super::Judge;
use crate::code::Code;
use crate::graph::{Event, FactId, NodeId};
use crate::message;

impl Judge<'_> {
    pub(super) fn commits(&self) {
        for &(node, event) in &self.live {
            let Event::Commit(id) = event else { continue };
            let commit = &self.facts.commits[*id];
            if self.handler.read_only {
                self.report(
                    Code::EffectInReadOnlyTool,
                    commit.span,
                    &commit.allows,
                    message::commit_in_read_only(),
                );
            }
            if let Some(ask) = self.reach.ahead_on_any_path(node) {
                let parts = message::ask_after_commit(&self.facts.asks[ask]);
                self.report(Code::AskAfterCommit, commit.span, &commit.allows, parts);
            } else {
                self.second_commit(node, *id);
            }
            let required =
                |event: &Event| event.ask().is_some_and(|ask| self.facts.asks[ask].required);
            if !commit.in_flow && self.reach.avoids(node, &required) {
                let parts = message::commit_without_ask(self.facts.asks.is_empty());
                self.report(Code::CommitWithoutAsk, commit.span, &commit.allows, parts);
            }
            self.unread(node);
            self.unshown(node, *id);
        }
    }

    /// A path leads from a confirmation to the commit, and nobody looked whether it is a yes.
    fn unread(&self, commit: NodeId) {
        for &(node, event) in &self.live {
            let Some(id) = event.ask() else { continue };
            let ask = &self.facts.asks[id];
            let looks = |event: &Event| *event == Event::Look(id);
            if ask.confirm
                && ask.named
                && !ask.looked_at_in_commit
                && self.reach.leads_past(node, commit, &looks)
            {
                let parts = message::unread_confirm(ask);
                self.report(Code::UnreadConfirm, ask.span, &ask.allows, parts);
            }
        }
    }

    /// A path meets this commit after another one, or again in the next iteration of a loop.
    fn second_commit(&self, node: NodeId, id: FactId) {
        let mut firsts: Vec<FactId> = Vec::new();
        for (from, event) in &self.live {
            if let Event::Commit(first) = event
                && self.reach.after(&[*from])[node]
            {
                firsts.push(*first);
            }
        }
        let other = firsts.iter().find(|first| **first != id);
        if firsts.is_empty() {
            return;
        }
        let commit = &self.facts.commits[id];
        let first = other.map(|first| self.facts.commits[*first].span);
        let parts = message::second_commit(first);
        self.report(Code::SecondCommit, commit.span, &commit.allows, parts);
    }

    /// A value fetched above the last confirmation, used by the commit, and not shown.
    fn unshown(&self, commit: NodeId, id: FactId) {
        let row = &self.facts.commits[id];
        let confirms = |event: &Event| event.ask().is_some_and(|ask| self.facts.asks[ask].confirm);
        for (fetch, name, span) in &row.uses {
            if self.facts.asks.iter().any(|ask| ask.shows.contains(fetch)) {
                continue;
            }
            let nodes = self.nodes_of(&Event::Fetch(*fetch));
            let meets = |event: &Event| *event == Event::Commit(id);
            let fetched = |event: &Event| *event == Event::Fetch(*fetch);
            let above = self
                .reach
                .passes_then_meets(&nodes, &confirms, &meets, &fetched);
            if let Some(ask) = above.filter(|_| self.reach.is_live(commit)) {
                let parts =
                    message::unshown(name, &self.facts.fetches[*fetch], &self.facts.asks[ask]);
                self.report(Code::UnshownValue, *span, &row.allows, parts);
            }
        }
    }
}
