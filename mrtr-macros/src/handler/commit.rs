//! `#[commit]` and `#[commit(c)]`: the statement that has the effects.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprParen, Ident, Stmt, token};

use super::ask::arguments;
use super::statement::take_cfgs;
use crate::diag::Diag;
use crate::names::{CTX, Krate, hidden, ours};

/// A commit statement's attribute, read.
pub(crate) struct Commit {
    /// The `commit` token, where errors about passing the commit are shown.
    pub(crate) at: Span,
    /// The user's name for the commit.
    pub(crate) name: Option<Ident>,
}

impl Commit {
    /// Reads `#[commit]` or `#[commit(name)]` on a statement.
    pub(crate) fn parse(attr: &Attribute, stmt: &Stmt, diag: &mut Diag) -> Self {
        let last = attr.path().segments.last();
        let at = last.map_or_else(|| attr.span(), |last| last.ident.span());
        if matches!(stmt, Stmt::Local(local) if local.init.is_none()) {
            diag.error_at(
                at,
                "`#[commit]` stands on a declaration, which has no effect",
            )
            .help("move it to the statement that has the effects");
        }
        let tokens = arguments(attr, diag);
        let name = Self::name_of(attr);
        if name.is_none() && !tokens.is_empty() {
            diag.error(tokens, "`#[commit(..)]` takes one name and nothing else")
                .help("write `#[commit(c)]` and use `c` in the statement, as in `c.key(\"book\")`");
        }
        Self { at, name }
    }

    /// The name in `#[commit(name)]`, if that is what was written.
    pub(crate) fn name_of(attr: &Attribute) -> Option<Ident> {
        attr.parse_args().ok()
    }

    /// The statement with the claim in front of its effects.
    ///
    /// The context moves into the claim, so that rustc refuses an ask behind it and a second commit on the path.
    pub(crate) fn expand(&self, mut stmt: Stmt, krate: &Krate) -> Stmt {
        let cfgs = match stmt {
            // On a `let` they cover the commit where they are.
            Stmt::Local(_) => Vec::new(),
            _ => take_cfgs(&mut stmt),
        };
        match stmt {
            Stmt::Local(mut local) => {
                if let Some(init) = &mut local.init {
                    let block = self.guard(&init.expr, None, krate);
                    let braces_before_else = init.diverge.is_some();
                    *init.expr = if braces_before_else {
                        in_parentheses(block)
                    } else {
                        block
                    };
                }
                Stmt::Local(local)
            }
            Stmt::Expr(expr, semi) => self.statement(&cfgs, &expr, semi, krate),
            Stmt::Macro(call) => {
                let (mac, attrs, semi) = (call.mac, call.attrs, call.semi_token);
                let expr = Expr::Macro(syn::ExprMacro { attrs, mac });
                self.statement(&cfgs, &expr, semi, krate)
            }
            Stmt::Item(item) => Stmt::Item(item),
        }
    }

    fn statement(
        &self,
        cfgs: &[Attribute],
        expr: &Expr,
        semi: Option<token::Semi>,
        krate: &Krate,
    ) -> Stmt {
        let block = self.guard(expr, semi, krate);
        Stmt::Expr(Expr::Verbatim(quote!(#(#cfgs)* #block)), None)
    }

    fn guard(&self, expr: &Expr, semi: Option<token::Semi>, krate: &Krate) -> Expr {
        let open = self.open(krate);
        let block = quote_spanned!(ours(self.at)=> { #open #expr #semi });
        Expr::Verbatim(block)
    }

    fn open(&self, krate: &Krate) -> TokenStream {
        let private = krate.private_at(self.at);
        let ctx = hidden(CTX, self.at);
        // At another place than the context: rustc finds the variable that it offers to borrow by its span.
        let commit = hidden("commit", Span::call_site());
        // Moved by a statement of its own: for an argument rustc would propose to write the call elsewhere.
        let taken = quote_spanned!(ours(self.at)=> let #commit = #ctx;);
        let claim = quote_spanned!(ours(self.at)=> #private::commit(#commit).await;);
        match &self.name {
            Some(name) => quote_spanned!(ours(self.at)=>
                #taken
                let mut #commit = #claim
                let #name = &mut #commit;
            ),
            None => quote_spanned!(ours(self.at)=> #taken let #commit = #claim),
        }
    }
}

/// `let .. = { .. } else` does not parse: a brace must not stand before `else`.
fn in_parentheses(block: Expr) -> Expr {
    Expr::Paren(ExprParen {
        attrs: Vec::new(),
        paren_token: token::Paren::default(),
        expr: Box::new(block),
    })
}
