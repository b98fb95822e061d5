//! Reachability: which ask lies ahead of a node, and on which paths.

use std::collections::VecDeque;

use crate::facts::Facts;
use crate::graph::{ENTRY, Edge, Event, FactId, Graph, Node, NodeId};

/// Says of an event whether it is one of those that are looked for.
///
/// It is an object, so that the walks are compiled once and not for each question.
type Test<'t> = &'t dyn Fn(&Event) -> bool;

/// For every node, the nearest ask ahead of it.
pub(crate) struct Reach<'a> {
    graph: &'a Graph,
    /// Without going back to a loop's head.
    forward: Vec<Option<FactId>>,
    /// On every path an execution can take.
    any: Vec<Option<FactId>>,
    /// In another branch of the same `join!`.
    beside: Vec<Option<FactId>>,
    /// Whether the body's entry leads there.
    live: Vec<bool>,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(facts: &'a Facts) -> Reach<'a> {
        let graph = &facts.graph;
        Reach {
            graph,
            forward: nearest_ask(graph, Edge::Back),
            any: nearest_ask(graph, Edge::Leave),
            beside: ask_beside(graph),
            live: from(graph, vec![ENTRY], &|_| false),
        }
    }

    /// The nodes that the body's entry leads to, with their events.
    pub(crate) fn live(&self) -> Vec<(NodeId, &'a Event)> {
        let mut live = Vec::new();
        for (node, row) in self.graph.nodes.iter().enumerate() {
            if let Some(event) = &row.event
                && self.live[node]
            {
                live.push((node, event));
            }
        }
        live
    }

    pub(crate) fn is_live(&self, node: NodeId) -> bool {
        self.live[node]
    }

    /// The ask ahead of a node in the order of the source, or beside it.
    pub(crate) fn ahead(&self, node: NodeId) -> Option<FactId> {
        self.forward[node].or(self.beside[node])
    }

    /// The ask ahead of a node on any path, the next iteration of a loop included.
    pub(crate) fn ahead_on_any_path(&self, node: NodeId) -> Option<FactId> {
        self.any[node].or(self.beside[node])
    }

    /// The first ask after any of `starts` on a path that does not pass a node where `stops` holds.
    pub(crate) fn ask_before(&self, starts: &[NodeId], stops: Test<'_>) -> Option<FactId> {
        let reached = self.beyond(starts, stops);
        let ask = |event: &Event| event.ask().is_some() && !stops(event);
        self.first(&reached, &ask)?.ask()
    }

    /// The ask by way of which some path goes from one of `starts` to an event where `meets` holds.
    ///
    /// `passes` says which asks count, and a path ends where `stops` holds.
    pub(crate) fn passes_then_meets(
        &self,
        starts: &[NodeId],
        passes: Test<'_>,
        meets: Test<'_>,
        stops: Test<'_>,
    ) -> Option<FactId> {
        let first = self.beyond(starts, stops);
        let passed: Vec<NodeId> = (0..first.len())
            .filter(|&node| first[node] && has(self.graph, node, passes))
            .collect();
        let by_way_of = self.graph.nodes[*passed.first()?].ask()?;
        let second = self.beyond(&passed, stops);
        self.first(&second, meets).map(|_| by_way_of)
    }

    /// Which nodes can be reached from behind any of `starts`.
    pub(crate) fn after(&self, starts: &[NodeId]) -> Vec<bool> {
        self.beyond(starts, &|_| false)
    }

    fn beyond(&self, starts: &[NodeId], stops: Test<'_>) -> Vec<bool> {
        let mut behind = Vec::new();
        for &start in starts {
            push_next(self.graph, start, &mut behind);
        }
        from(self.graph, behind, stops)
    }

    /// Whether a path leads from `start` to `target` without passing a node where `stops` holds.
    pub(crate) fn leads_past(&self, start: NodeId, target: NodeId, stops: Test<'_>) -> bool {
        self.beyond(&[start], stops)[target]
    }

    /// Whether the entry leads to `target` without passing a node where `stops` holds.
    pub(crate) fn avoids(&self, target: NodeId, stops: Test<'_>) -> bool {
        from(self.graph, vec![ENTRY], stops)[target] && !has(self.graph, target, stops)
    }

    /// The first event among the nodes that were reached where `wanted` holds.
    fn first(&self, reached: &[bool], wanted: Test<'_>) -> Option<&'a Event> {
        for (node, row) in self.graph.nodes.iter().enumerate() {
            if let Some(event) = &row.event
                && reached[node]
                && wanted(event)
            {
                return Some(event);
            }
        }
        None
    }
}

fn has(graph: &Graph, node: NodeId, wanted: Test<'_>) -> bool {
    graph.nodes[node].event.as_ref().is_some_and(wanted)
}

/// Adds the nodes an execution can go to next.
fn push_next(graph: &Graph, node: NodeId, to: &mut Vec<NodeId>) {
    for (next, edge) in &graph.nodes[node].next {
        if *edge != Edge::Leave {
            to.push(*next);
        }
    }
}

/// Every node that can be reached from `queue`; where `stops` holds the walk goes no further.
fn from(graph: &Graph, mut queue: Vec<NodeId>, stops: Test<'_>) -> Vec<bool> {
    let mut reached = vec![false; graph.nodes.len()];
    while let Some(node) = queue.pop() {
        if !std::mem::replace(&mut reached[node], true) && !has(graph, node, stops) {
            push_next(graph, node, &mut queue);
        }
    }
    reached
}

/// For each node, the nearest ask after it, by a walk backwards from all asks at once that takes no
/// edge of the kind `left_out`.
fn nearest_ask(graph: &Graph, left_out: Edge) -> Vec<Option<FactId>> {
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); graph.nodes.len()];
    let mut queue = VecDeque::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        for (to, edge) in &node.next {
            if *edge != left_out {
                before[*to].push(from);
            }
        }
        if let Some(ask) = node.ask() {
            queue.push_back((from, ask));
        }
    }
    let mut found: Vec<Option<FactId>> = vec![None; graph.nodes.len()];
    while let Some((node, ask)) = queue.pop_front() {
        for &from in &before[node] {
            if found[from].is_none() {
                found[from] = Some(ask);
                queue.push_back((from, ask));
            }
        }
    }
    found
}

/// For each node in a branch of a `join!`, an ask in another branch.
fn ask_beside(graph: &Graph) -> Vec<Option<FactId>> {
    let mut beside = vec![None; graph.nodes.len()];
    for branches in &graph.parallel {
        let mut asks: Vec<(usize, FactId)> = Vec::new();
        for (place, range) in branches.iter().enumerate() {
            let nodes = &graph.nodes[range.clone()];
            let ask = nodes.iter().find_map(Node::ask);
            if let Some(ask) = ask {
                asks.push((place, ask));
            }
        }
        for (place, range) in branches.iter().enumerate() {
            // One of the first two is in another branch, if any is.
            let other = asks.iter().take(2).find(|(branch, _)| *branch != place);
            let Some((_, ask)) = other else { continue };
            for slot in &mut beside[range.clone()] {
                slot.get_or_insert(*ask);
            }
        }
    }
    beside
}
