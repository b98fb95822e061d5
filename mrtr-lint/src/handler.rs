//! What the lint is given to judge.

use syn::{Block, Signature};

use crate::allow::Allow;
use crate::level::Policy;

/// What kind of function a handler is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandlerKind {
    /// `#[tool]`.
    Tool,
    /// `#[prompt]`.
    Prompt,
    /// `#[resource]`.
    Resource,
    /// `#[asking]`: a helper that may hold asks.
    Asking,
}

/// One function to judge, as the user wrote it: `#[ask]`, `#[commit]`, `#[memo]` and
/// `#[mrtr::allow]` still stand on its statements and parameters.
#[derive(Clone)]
pub struct Handler<'a> {
    /// What kind of function it is.
    pub kind: HandlerKind,
    /// Its signature, with the attributes of its parameters.
    pub sig: &'a Signature,
    /// Its body.
    pub block: &'a Block,
    /// For a method: the name of the type it is a method of.
    pub self_type: Option<String>,
    /// Whether it is annotated as one that only reads.
    pub read_only: bool,
    /// How strictly it is judged.
    pub policy: Policy,
    /// The allows that stand on the whole handler.
    pub allows: Vec<Allow>,
}

impl<'a> Handler<'a> {
    /// A free function judged by the standard policy; the other fields are public.
    #[must_use]
    pub fn new(kind: HandlerKind, sig: &'a Signature, block: &'a Block) -> Handler<'a> {
        Handler {
            kind,
            sig,
            block,
            self_type: None,
            read_only: false,
            policy: Policy::default(),
            allows: Vec::new(),
        }
    }
}
