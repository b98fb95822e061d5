//! Refuses `?` behind an ask on the handler's context: an ask yields its value or never, and has no error.

use syn::{Block, Expr, ExprMethodCall, ExprTry, FnArg, Ident, Signature};

use super::body::binds_again;
use super::params::{context_name, is_context};
use crate::diag::Diag;
use crate::walk::{Change, Node};

/// The methods of the context that ask.
const ASKS: [&str; 7] = [
    "ask", "ask_all", "ask_form", "choose", "url", "sample", "roots",
];

/// Reports each `?` and takes it away, so that rustc, which only misses a type there, says no more.
pub(crate) fn refuse_tried(sig: &Signature, block: &mut Block, diag: &mut Diag) {
    let context = sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if is_context(&typed.ty) => context_name(typed),
        _ => None,
    });
    if let Some(context) = context
        && !binds_again(block, Some(context))
    {
        Tried { context, diag }.change(Node::Block(block));
    }
}

struct Tried<'a> {
    context: &'a Ident,
    diag: &'a mut Diag,
}

impl Change for Tried<'_> {
    fn change(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => self.expr(expr),
            // A function in the body has a context of its own.
            Node::Item(_) => {}
            other => other.walk(self),
        }
    }
}

impl Tried<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        Node::Expr(expr).walk(self);
        if let Expr::Try(tried) = expr
            && self.is_ask(&tried.expr)
        {
            self.diag
                .error(tried.question_token, "an ask has no error")
                .help("remove the `?`")
                .note(
                    "awaiting an ask yields its value or never; `Option<..>` takes a no for `None`",
                );
            *expr = inside(tried);
        }
    }

    /// Whether it is `ctx.ask(..).await`; with a turbofish rustc knows the type and says it well.
    fn is_ask(&self, expr: &Expr) -> bool {
        let Expr::Await(awaited) = expr else {
            return false;
        };
        let Expr::MethodCall(ExprMethodCall {
            receiver,
            method,
            turbofish: None,
            ..
        }) = &*awaited.base
        else {
            return false;
        };
        let on_context =
            matches!(&**receiver, Expr::Path(path) if path.path.is_ident(self.context));
        on_context && ASKS.iter().any(|name| method == name)
    }
}

/// What stands before the `?`.
fn inside(tried: &mut ExprTry) -> Expr {
    std::mem::replace(&mut *tried.expr, Expr::PLACEHOLDER)
}

#[cfg(test)]
mod tests {
    use syn::ItemFn;

    use super::*;

    /// How many `?` are refused in a body, and whether none is left.
    fn refused(body: &str) -> (usize, bool) {
        let source = format!("async fn t(ctx: &Ctx, other: Other) {{ {body} }}");
        let ItemFn { sig, mut block, .. } = syn::parse_str(&source).expect(body);
        let mut diag = Diag::new();
        refuse_tried(&sig, &mut block, &mut diag);
        let count = diag.count();
        diag.forget();
        let left = quote::quote!(#block).to_string().contains('?');
        (count, !left)
    }

    #[test]
    fn what_is_certain_is_refused() {
        let bodies = [
            "let a: String = ctx.ask(k, m).await?;",
            "f(ctx.choose(k, m, o).await?);",
            "if x { return ctx.roots(k).await?; }",
            "let a = async { ctx.ask(k, m).await? };",
        ];
        for body in bodies {
            assert_eq!(refused(body), (1, true), "{body}");
        }
    }

    #[test]
    fn what_may_be_right_stays() {
        let bodies = [
            "let a = ctx.ask::<Option<String>>(k, m).await?;",
            "let a = other.ask(k, m).await?;",
            "let a = ctx.load(k).await?;",
            "let a = ctx.ask(k, m).default(d).await?;",
            "let ctx = client(); let a = ctx.ask(k, m).await?;",
            "async fn inner(ctx: &Client) { ctx.ask(k, m).await?; }",
        ];
        for body in bodies {
            assert_eq!(refused(body), (0, false), "{body}");
        }
    }
}
