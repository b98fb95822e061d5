//! The walk through a syntax tree, which shows each change the nodes that it may look at.

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, FnArg, Item, Macro, PatIdent, Signature, Stmt, Type};

/// A part of a syntax tree that some change looks at.
pub(crate) enum Node<'a> {
    Attributes(&'a mut Vec<Attribute>),
    Block(&'a mut Block),
    Expr(&'a mut Expr),
    Input(&'a mut FnArg),
    Item(&'a mut Item),
    Macro(&'a mut Macro),
    Name(&'a mut PatIdent),
    Signature(&'a mut Signature),
    Stmt(&'a mut Stmt),
    Type(&'a mut Type),
}

/// What is shown a node before all that is in it, and decides whether the walk goes on into it.
///
/// Syn's visitor has hundreds of generic functions, and compiling them once for each change took a
/// tenth of this crate's build; behind this trait there is one visitor.
pub(crate) trait Change {
    fn change(&mut self, node: Node<'_>);
}

impl Node<'_> {
    /// Shows `change` what is in this node.
    pub(crate) fn walk(self, change: &mut dyn Change) {
        let shown = &mut Shown(change);
        match self {
            Node::Attributes(attrs) => attrs
                .iter_mut()
                .for_each(|attr| shown.visit_attribute_mut(attr)),
            Node::Block(block) => visit_mut::visit_block_mut(shown, block),
            Node::Expr(expr) => visit_mut::visit_expr_mut(shown, expr),
            Node::Input(input) => visit_mut::visit_fn_arg_mut(shown, input),
            Node::Item(item) => visit_mut::visit_item_mut(shown, item),
            Node::Macro(call) => visit_mut::visit_macro_mut(shown, call),
            Node::Name(name) => visit_mut::visit_pat_ident_mut(shown, name),
            Node::Signature(sig) => visit_mut::visit_signature_mut(shown, sig),
            Node::Stmt(stmt) => visit_mut::visit_stmt_mut(shown, stmt),
            Node::Type(ty) => visit_mut::visit_type_mut(shown, ty),
        }
    }
}

/// What is done to the attributes of one node.
pub(crate) type Edit<'e> = &'e mut dyn FnMut(&mut Vec<Attribute>);

/// Gives `change` the node's own attributes, if nodes of its kind have any, and nothing inside it.
pub(crate) fn with_attributes(node: Node<'_>, change: Edit<'_>) {
    struct Outermost<'a>(Option<Edit<'a>>);
    impl Change for Outermost<'_> {
        fn change(&mut self, node: Node<'_>) {
            // The attributes of a node come before whatever else is in it.
            if let Node::Attributes(attrs) = node
                && let Some(change) = self.0.take()
            {
                change(attrs);
            }
        }
    }
    node.walk(&mut Outermost(Some(change)));
}

struct Shown<'a>(&'a mut dyn Change);

impl VisitMut for Shown<'_> {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        self.0.change(Node::Attributes(attrs));
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.0.change(Node::Block(block));
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.0.change(Node::Expr(expr));
    }

    fn visit_fn_arg_mut(&mut self, input: &mut FnArg) {
        self.0.change(Node::Input(input));
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        self.0.change(Node::Item(item));
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        self.0.change(Node::Macro(call));
    }

    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        self.0.change(Node::Name(name));
    }

    fn visit_signature_mut(&mut self, sig: &mut Signature) {
        self.0.change(Node::Signature(sig));
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        self.0.change(Node::Stmt(stmt));
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        self.0.change(Node::Type(ty));
    }
}
