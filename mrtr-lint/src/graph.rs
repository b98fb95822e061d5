//! The control-flow graph: nodes that carry at most one event each, and edges between them.

use std::ops::Range;

/// A node's place in its graph.
pub(crate) type NodeId = usize;

/// An index into one of the tables of [`crate::facts::Facts`].
pub(crate) type FactId = usize;

/// What happens at a node.
#[derive(Clone, PartialEq)]
pub(crate) enum Event {
    /// A known effect.
    Effect(FactId),
    /// A question.
    Ask(FactId),
    /// The answer of this ask, a `Confirm`, is looked at.
    Look(FactId),
    /// The commit.
    Commit(FactId),
    /// A clock, random or uuid value is made.
    Unstable(FactId),
    /// A value that hangs on these unstable values is used.
    Use(Vec<FactId>),
    /// A value is fetched from outside.
    Fetch(FactId),
    /// A detached task starts.
    Spawn(FactId),
    /// A task that was started is waited for.
    Joined(FactId),
}

impl Event {
    /// The effect, if it is one.
    pub(crate) fn effect(&self) -> Option<FactId> {
        match self {
            Event::Effect(effect) => Some(*effect),
            _ => None,
        }
    }

    /// The ask, if it is a question.
    pub(crate) fn ask(&self) -> Option<FactId> {
        match self {
            Event::Ask(ask) => Some(*ask),
            _ => None,
        }
    }
}

/// Why control goes from one node to the next.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Edge {
    /// To what follows.
    Step,
    /// Back to a loop's head, for the next iteration.
    Back,
    /// From the end of a loop's body to what follows the loop, leaving out further iterations.
    ///
    /// No execution takes it where the loop has no condition; it exists so that "an ask is ahead
    /// below the loop" can be told from "an ask is ahead in the next iteration only".
    Leave,
}

#[derive(Clone, Default)]
pub(crate) struct Node {
    pub(crate) event: Option<Event>,
    pub(crate) next: Vec<(NodeId, Edge)>,
}

impl Node {
    pub(crate) fn effect(&self) -> Option<FactId> {
        self.event.as_ref()?.effect()
    }

    pub(crate) fn ask(&self) -> Option<FactId> {
        self.event.as_ref()?.ask()
    }
}

/// Branches that run at the same time, as under `join!`: each is a range of nodes.
pub(crate) type Parallel = Vec<Range<NodeId>>;

/// A graph with one entry, node 0.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) parallel: Vec<Parallel>,
}

/// The entry of every graph.
pub(crate) const ENTRY: NodeId = 0;

impl Graph {
    /// A graph that holds its entry only.
    pub(crate) fn new() -> Graph {
        Graph {
            nodes: vec![Node::default()],
            parallel: Vec::new(),
        }
    }

    /// Adds a node that nothing leads to yet.
    pub(crate) fn add(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    /// Adds an edge.
    pub(crate) fn link(&mut self, from: NodeId, to: NodeId, edge: Edge) {
        self.nodes[from].next.push((to, edge));
    }

    /// Copies `body` in and returns where its entry went.
    ///
    /// A body that runs at two places is copied twice: shared nodes would join the paths of both
    /// places, and an effect after the second would seem to reach an ask after the first.
    pub(crate) fn splice(&mut self, body: &Graph) -> NodeId {
        let offset = self.nodes.len();
        for node in &body.nodes {
            let mut node = node.clone();
            for (to, _) in &mut node.next {
                *to += offset;
            }
            self.nodes.push(node);
        }
        for branches in &body.parallel {
            let mut branches = branches.clone();
            for range in &mut branches {
                *range = range.start + offset..range.end + offset;
            }
            self.parallel.push(branches);
        }
        offset
    }
}
