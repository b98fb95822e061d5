//! Reachability: which ask lies ahead of a node, and on which paths.

use std::collections::VecDeque;

use crate::facts::Facts;
use crate::graph::{ENTRY, Edge, Event, FactId, Graph, NodeId};

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
            forward: nearest_ask(graph, |edge| edge != Edge::Back),
            any: nearest_ask(graph, |edge| edge != Edge::Leave),
            beside: ask_beside(graph),
            live: from(graph, [ENTRY], |_| false),
        }
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
    pub(crate) fn ask_before(
        &self,
        starts: &[NodeId],
        stops: impl Fn(&Event) -> bool,
    ) -> Option<FactId> {
        let reached = self.beyond(starts, |node| self.has(node, &stops));
        self.events(&reached).find_map(|event| match event {
            Event::Ask(ask) if !stops(event) => Some(*ask),
            _ => None,
        })
    }

    /// The ask by way of which some path goes from one of `starts` to an event where `meets` holds.
    ///
    /// `passes` says which asks count, and a path ends where `stops` holds.
    pub(crate) fn passes_then_meets(
        &self,
        starts: &[NodeId],
        passes: impl Fn(&Event) -> bool,
        meets: impl Fn(&Event) -> bool,
        stops: impl Fn(&Event) -> bool,
    ) -> Option<FactId> {
        let stop = |node| self.has(node, &stops);
        let first = self.beyond(starts, stop);
        let passed: Vec<NodeId> = (0..first.len())
            .filter(|&node| first[node] && self.has(node, &passes))
            .collect();
        let by_way_of = passed
            .first()
            .and_then(|&node| match &self.graph.nodes[node].event {
                Some(Event::Ask(ask)) => Some(*ask),
                _ => None,
            });
        let second = self.beyond(&passed, stop);
        let met = self.events(&second).any(meets);
        if met { by_way_of } else { None }
    }

    /// Which nodes can be reached from behind any of `starts`.
    pub(crate) fn after(&self, starts: &[NodeId]) -> Vec<bool> {
        self.beyond(starts, |_| false)
    }

    fn beyond(&self, starts: &[NodeId], stops: impl Fn(NodeId) -> bool) -> Vec<bool> {
        from(
            self.graph,
            starts.iter().flat_map(|&node| next(self.graph, node)),
            stops,
        )
    }

    /// Whether a path leads from `start` to `target` without passing a node where `stops` holds.
    pub(crate) fn leads_past(
        &self,
        start: NodeId,
        target: NodeId,
        stops: impl Fn(&Event) -> bool,
    ) -> bool {
        self.beyond(&[start], |node| self.has(node, &stops))[target]
    }

    /// Whether the entry leads to `target` without passing a node where `stops` holds.
    pub(crate) fn avoids(&self, target: NodeId, stops: impl Fn(&Event) -> bool) -> bool {
        from(self.graph, [ENTRY], |node| self.has(node, &stops))[target]
            && !self.has(target, &stops)
    }

    fn has(&self, node: NodeId, wanted: impl Fn(&Event) -> bool) -> bool {
        self.graph.nodes[node].event.as_ref().is_some_and(wanted)
    }

    fn events(&self, reached: &[bool]) -> impl Iterator<Item = &Event> {
        let nodes = self.graph.nodes.iter();
        nodes
            .zip(reached.to_vec())
            .filter(|(_, reached)| *reached)
            .filter_map(|(node, _)| node.event.as_ref())
    }
}

/// The nodes an execution can go to next.
fn next(graph: &Graph, node: NodeId) -> impl Iterator<Item = NodeId> {
    graph.nodes[node]
        .next
        .iter()
        .filter(|(_, edge)| *edge != Edge::Leave)
        .map(|(to, _)| *to)
}

/// Every node that can be reached from `starts`; where `stops` holds the walk goes no further.
fn from(
    graph: &Graph,
    starts: impl IntoIterator<Item = NodeId>,
    stops: impl Fn(NodeId) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; graph.nodes.len()];
    let mut queue: Vec<NodeId> = starts.into_iter().collect();
    while let Some(node) = queue.pop() {
        if !std::mem::replace(&mut reached[node], true) && !stops(node) {
            queue.extend(next(graph, node));
        }
    }
    reached
}

/// For each node, the nearest ask after it, by a walk backwards from all asks at once.
fn nearest_ask(graph: &Graph, counts: impl Fn(Edge) -> bool) -> Vec<Option<FactId>> {
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); graph.nodes.len()];
    for (from, node) in graph.nodes.iter().enumerate() {
        for (to, edge) in &node.next {
            if counts(*edge) {
                before[*to].push(from);
            }
        }
    }
    let mut found: Vec<Option<FactId>> = vec![None; graph.nodes.len()];
    let mut queue = VecDeque::new();
    for (node, event) in graph.nodes.iter().enumerate() {
        if let Some(Event::Ask(ask)) = event.event {
            queue.extend(before[node].iter().map(|&from| (from, ask)));
        }
    }
    while let Some((node, ask)) = queue.pop_front() {
        if found[node].is_none() {
            found[node] = Some(ask);
            queue.extend(before[node].iter().map(|&from| (from, ask)));
        }
    }
    found
}

/// For each node in a branch of a `join!`, an ask in another branch.
fn ask_beside(graph: &Graph) -> Vec<Option<FactId>> {
    let mut beside = vec![None; graph.nodes.len()];
    for branches in &graph.parallel {
        let asks: Vec<(usize, FactId)> = branches
            .iter()
            .enumerate()
            .filter_map(|(place, range)| {
                let ask = graph.nodes[range.clone()]
                    .iter()
                    .find_map(|node| match node.event {
                        Some(Event::Ask(ask)) => Some(ask),
                        _ => None,
                    });
                ask.map(|ask| (place, ask))
            })
            .take(2)
            .collect();
        for (place, range) in branches.iter().enumerate() {
            let other = asks.iter().find(|(branch, _)| *branch != place);
            if let Some((_, ask)) = other {
                beside[range.clone()]
                    .iter_mut()
                    .for_each(|slot| *slot = slot.or(Some(*ask)));
            }
        }
    }
    beside
}
