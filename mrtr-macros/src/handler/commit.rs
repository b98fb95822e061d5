//! `#[commit]` and `#[commit(c)]`: the statement that has the effects.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprParen, Ident, Stmt, token};

use super::ask::arguments;
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
    /// Reads `#[commit]` or `#[commit(name)]`.
    pub(crate) fn parse(attr: &Attribute, diag: &mut Diag) -> Self {
        let at = attr
            .path()
            .segments
            .last()
            .map_or_else(|| attr.span(), |last| last.ident.span());
        let tokens = arguments(attr, diag);
        if tokens.is_empty() {
            return Self { at, name: None };
        }
        let name = Self::name_of(attr);
        if name.is_none() {
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
    pub(crate) fn expand(&self, stmt: Stmt, krate: &Krate) -> Stmt {
        match stmt {
            Stmt::Local(mut local) => {
                if let Some(init) = &mut local.init {
                    let block = self.guard(&init.expr, None, krate);
                    let braces_before_else = init.diverge.is_some();
                    *init.expr = if braces_before_else {
                        self.in_parentheses(block)
                    } else {
                        block
                    };
                }
                Stmt::Local(local)
            }
            Stmt::Expr(expr, semi) => Stmt::Expr(self.guard(&expr, semi, krate), None),
            Stmt::Macro(call) => {
                let (mac, attrs, semi) = (call.mac, call.attrs, call.semi_token);
                let expr = Expr::Macro(syn::ExprMacro { attrs, mac });
                Stmt::Expr(self.guard(&expr, semi, krate), None)
            }
            Stmt::Item(item) => Stmt::Item(item),
        }
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
        match &self.name {
            Some(name) => quote_spanned!(ours(self.at)=>
                let mut #commit = #private::commit(#ctx).await;
                let #name = &mut #commit;
            ),
            None => quote_spanned!(ours(self.at)=> let #commit = #private::commit(#ctx).await;),
        }
    }

    fn in_parentheses(&self, block: Expr) -> Expr {
        let mut paren_token = token::Paren::default();
        paren_token.span =
            proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, quote!()).delim_span();
        Expr::Paren(ExprParen {
            attrs: Vec::new(),
            paren_token,
            expr: Box::new(block),
        })
    }
}
