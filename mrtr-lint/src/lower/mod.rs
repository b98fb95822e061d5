//! Turns a body into the control-flow graph and the facts, walking in the order of evaluation.

mod ask;
mod bind;
mod call;
mod construct;
mod control;
mod deferred;
mod emit;
mod expr;
mod helper;
mod macros;
mod method;
mod place;
mod resolve;
mod select;
mod stmt;
mod task;
mod tokens;

pub(crate) use resolve::names_of;
pub use tokens::parse_list;

use std::rc::Rc;

use syn::{FnArg, ItemFn, Signature};

use crate::allow::Allow;
use crate::facts::{AllowIds, Facts, Place, Through};
use crate::graph::{ENTRY, Edge, FactId, Graph, NodeId};
use crate::handler::Handler;
use crate::locals::Locals;
use crate::source::Source;
use crate::types;
use crate::value::{Kind, Origin, Value};

/// How deep expressions may nest before the rest of one is left unjudged.
///
/// The walk is recursive; the bound keeps it within the stack of the thread rustc gives a macro.
const DEPTH: usize = 150;

/// How many nodes may be copied, over all the graphs of one handler.
///
/// A closure that runs inside a closure is copied twice per level, so only a bound keeps the work
/// linear. What is left out after that is not judged. A body of 100 lines copies some 100 nodes.
const COPIES: usize = 20_000;

/// A loop or a labelled block that `break` and `continue` can name.
pub(crate) struct Loop {
    label: Option<String>,
    /// Where `continue` goes; `None` for a labelled block.
    head: Option<NodeId>,
    after: NodeId,
    /// What its `break`s yield.
    value: Option<Value>,
    /// Whether it takes one item after the other.
    per_item: bool,
    unordered: bool,
    /// Whether a `break` or a `return` leaves it early.
    left_early: bool,
    /// Whether there is a way past it other than its condition.
    has_break: bool,
    asks: Vec<FactId>,
    /// The nodes from which a next iteration begins.
    ends: Vec<NodeId>,
}

/// A function body, a closure or an async block: what `return` and `?` leave.
struct Frame {
    exit: NodeId,
    loops: Vec<Loop>,
    result: Option<Value>,
}

/// The state of the walk.
pub(crate) struct Lower<'a> {
    source: &'a Source,
    self_type: Option<String>,
    facts: Facts,
    graph: Graph,
    at: NodeId,
    frames: Vec<Frame>,
    locals: Locals,
    /// The names of `use` items in the body; a later one goes before an earlier one.
    aliases: Vec<(String, Vec<String>)>,
    /// The functions in the body, likewise.
    nested: Vec<(String, Rc<ItemFn>)>,
    /// Nested functions that are being judged, against recursion.
    entered: Vec<String>,
    place: Place,
    allows: AllowIds,
    /// Unstable values that decide whether this point is reached.
    decided_by: Vec<FactId>,
    /// The commit that is being read, to collect what it uses.
    commit: Option<FactId>,
    /// Whether reads of values count for nothing, as inside a log line.
    quiet: bool,
    /// What the parameters of a closure hold that is an argument of the call being read.
    closure_parameter: Option<Value>,
    /// Whether this is a helper, whose caller decides how shared its parameters are.
    is_helper: bool,
    /// The parameter through which the effect goes that is being noted.
    through: Option<Through>,
    /// Whether the `send` that is read next is bound to a name, and so answered.
    answered: bool,
    statements: usize,
    depth: usize,
    /// How many nodes were copied so far.
    copied: usize,
}

/// Reads a handler into facts.
pub(crate) fn lower(handler: &Handler<'_>, source: &Source) -> Facts {
    let mut lower = Lower::new(source, handler.self_type.clone());
    lower.handler_allows(&handler.allows);
    lower.parameters(handler.sig);
    lower.parameter_asks(handler.sig);
    let value = lower.block(handler.block);
    lower.leave(value);
    lower.finish()
}

/// Reads a function that is no handler: what it changes through its parameters, its caller decides.
pub(crate) fn lower_function(
    sig: &Signature,
    block: &syn::Block,
    self_type: Option<String>,
    source: &Source,
) -> Facts {
    let mut lower = Lower::new(source, self_type);
    lower.is_helper = true;
    lower.parameters(sig);
    let value = lower.block(block);
    lower.leave(value);
    lower.finish()
}

/// Reads what the arms of a `macro_rules!` expand to, as far as that is expressions.
pub(crate) fn lower_macro(text: &str, source: &Source) -> Option<Facts> {
    let bodies = tokens::transcribers(text)?;
    let mut lower = Lower::new(source, None);
    for (stmts, asks) in bodies {
        let brace_token = syn::token::Brace::default();
        let before = lower.at;
        let value = lower.block(&syn::Block { brace_token, stmts });
        if asks {
            let ask = lower.new_ask(
                proc_macro2::Span::call_site(),
                None,
                crate::facts::AskSite::Helper,
            );
            lower.event(crate::graph::Event::Ask(ask));
        }
        lower.leave(value);
        lower.at = before;
        lower.step();
    }
    Some(lower.finish())
}

impl<'a> Lower<'a> {
    fn new(source: &'a Source, self_type: Option<String>) -> Self {
        let mut graph = Graph::new();
        let exit = graph.add();
        Lower {
            source,
            self_type,
            facts: Facts::default(),
            graph,
            at: ENTRY,
            frames: vec![Frame {
                exit,
                loops: Vec::new(),
                result: None,
            }],
            locals: Locals::default(),
            aliases: Vec::new(),
            nested: Vec::new(),
            entered: Vec::new(),
            place: Place::Body,
            allows: Rc::from([]),
            decided_by: Vec::new(),
            commit: None,
            quiet: false,
            closure_parameter: None,
            is_helper: false,
            through: None,
            answered: false,
            statements: 0,
            depth: 0,
            copied: 0,
        }
    }

    fn finish(mut self) -> Facts {
        self.facts.exit = self.frames[0].exit;
        self.facts.graph = self.graph;
        self.facts
    }

    fn handler_allows(&mut self, allows: &[Allow]) {
        self.facts.allows.extend_from_slice(allows);
        self.allows = Vec::from_iter(0..allows.len()).into();
    }

    fn parameters(&mut self, sig: &Signature) {
        let mut place = 0;
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    // `mut self` by value is this call's own.
                    let by_value = matches!(receiver.kind, syn::ReceiverKind::Value);
                    let origin = if by_value {
                        Origin::Unknown
                    } else {
                        Origin::Shared
                    };
                    let ty = self.self_type.as_deref().map(Rc::from);
                    let parameter = self.is_helper.then_some(Through::Receiver);
                    let value = Value {
                        origin,
                        ty,
                        parameter,
                        ..Value::default()
                    };
                    self.locals.bind("self".to_owned(), value);
                }
                FnArg::Typed(parameter) => {
                    let mut value = types::value_of(&parameter.ty, &|path| self.segments(path));
                    self.generic_bound(sig, &mut value);
                    if value.is_ctx() {
                        value.scope = Some(Rc::from(""));
                    }
                    value.parameter = self.is_helper.then_some(Through::Argument(place));
                    place += 1;
                    self.bind(&parameter.pat, value);
                }
            }
        }
    }

    /// For `n: &N` with `N: Notifier`, the methods are those of the trait.
    fn generic_bound(&self, sig: &Signature, value: &mut Value) {
        let Some(name) = value.ty.clone() else { return };
        let bound = sig
            .generics
            .type_params()
            .find(|param| param.ident == *name);
        let predicate = || {
            let clauses = sig.generics.where_clause.as_ref()?;
            clauses
                .predicates
                .iter()
                .find_map(|predicate| match predicate {
                    syn::WherePredicate::Type(clause) => match &clause.bounded_ty {
                        syn::Type::Path(path) if path.path.is_ident(&*name) => Some(&clause.bounds),
                        _ => None,
                    },
                    _ => None,
                })
        };
        let Some(param) = bound else { return };
        let bounds = if param.bounds.is_empty() {
            predicate()
        } else {
            Some(&param.bounds)
        };
        let first = bounds.and_then(|bounds| {
            bounds.iter().find_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => bound.path.segments.last(),
                _ => None,
            })
        });
        value.ty = first.map(|segment| Rc::from(segment.ident.to_string()));
        value.kind = Kind::Unknown;
    }

    // ----- the graph ------------------------------------------------------------------------

    /// A new node after the current one; it becomes the current one.
    fn step(&mut self) -> NodeId {
        let node = self.graph.add();
        self.graph.link(self.at, node, Edge::Step);
        self.at = node;
        node
    }

    fn link(&mut self, to: NodeId) {
        self.graph.link(self.at, to, Edge::Step);
    }

    /// What follows cannot be reached from here.
    fn diverge(&mut self) -> Value {
        self.at = self.graph.add();
        Value::default()
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("invariant: the body's own frame is never popped")
    }

    /// Goes to the end of the function, the closure or the async block.
    fn leave(&mut self, value: Value) -> Value {
        let exit = self.frame().exit;
        self.link(exit);
        let frame = self.frame();
        frame.result = Some(match frame.result.take() {
            Some(before) => before.merge(&value),
            None => value,
        });
        self.diverge()
    }

    /// Takes note of a copy of this many nodes; `false` when there were too many already.
    fn may_copy(&mut self, nodes: usize) -> bool {
        self.copied += nodes;
        self.copied <= COPIES
    }
}
