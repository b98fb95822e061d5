//! `#[commit]` and `#[commit(c)]`: the statement that has the effects.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprParen, Ident, Stmt, Token, token};

use super::ask::arguments;
use super::statement::take_cfgs;
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::names::{CTX, Krate, hidden, ours};

/// What `#[commit(..)]` accepts after the name.
const COMMIT: Grammar = Grammar {
    attribute: "commit",
    legal: &["idempotent", "in_flow", "key"],
    elsewhere: &[
        ("pin", "`#[ask(..)]`"),
        ("repeatable", "`#[memo(..)]`"),
        ("flow_ttl", "`#[tool(..)]`"),
    ],
};

/// A commit statement's attribute, read.
pub(crate) struct Commit {
    /// The `commit` token, where errors about passing the commit are shown.
    pub(crate) at: Span,
    /// The user's name for the commit.
    pub(crate) name: Option<Ident>,
    /// All it does may be done again: its claim may be taken over from a holder that vanished.
    pub(crate) idempotent: Option<Ident>,
    /// It wants a flow, also where nothing was asked.
    in_flow: Option<Ident>,
    /// What the commit is about, in place of the flow.
    key: Option<(Ident, Expr)>,
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
        let (name, options) = split_name(arguments(attr, diag));
        let options = if name.is_none() {
            without_late_name(options, diag)
        } else {
            options
        };
        let mut options = Options::parse(options, &COMMIT, diag);
        Self {
            at,
            name,
            idempotent: options.flag("idempotent", diag),
            in_flow: options.flag("in_flow", diag),
            key: options.expr("key", diag),
        }
    }

    /// The name in `#[commit(name)]`, if one was written.
    pub(crate) fn name_of(attr: &Attribute) -> Option<Ident> {
        let list = attr.meta.require_list().ok()?;
        split_name(list.tokens.clone()).0
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
        let in_flow = self
            .in_flow
            .as_ref()
            .map(|at| quote_spanned!(ours(at.span())=> .in_flow()));
        // Borrowed, so that the statement may go on with what the key is made of.
        let about = self
            .key
            .as_ref()
            .map(|(_, key)| quote_spanned!(ours(key.span())=> .key(&#key)));
        let claim =
            quote_spanned!(ours(self.at)=> #private::commit(#commit) #in_flow #about .await;);
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

/// The name at the beginning, and what follows it. A word that is an option is none.
fn split_name(tokens: TokenStream) -> (Option<Ident>, TokenStream) {
    let parser = |input: ParseStream<'_>| {
        let ahead = input.fork();
        let name = match ahead.parse::<Ident>() {
            Ok(word) if !COMMIT.legal.contains(&word.to_string().as_str()) => Some(word),
            _ => None,
        };
        let ends = ahead.is_empty() || ahead.peek(Token![,]);
        let Some(name) = name.filter(|_| ends) else {
            return Ok((None, input.parse()?));
        };
        input.parse::<Ident>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((Some(name), input.parse()?))
    };
    parser.parse2(tokens).unwrap_or_default()
}

/// A lone word that is no option can only be the name, in the wrong place.
fn without_late_name(tokens: TokenStream, diag: &mut Diag) -> TokenStream {
    let parts = split_at_commas(tokens);
    let is_name = |part: &TokenStream| {
        let word = syn::parse2::<Ident>(part.clone()).ok();
        word.filter(|word| {
            let known = COMMIT.legal.contains(&word.to_string().as_str());
            !known && !COMMIT.elsewhere.iter().any(|(other, _)| word == other)
        })
    };
    let Some((at, name)) = (parts.iter().enumerate())
        .skip(1)
        .find_map(|(at, part)| Some((at, is_name(part)?)))
    else {
        return quote!(#(#parts),*);
    };
    diag.error(&name, format!("the name `{name}` of a commit comes first"))
        .help(format!("write `#[commit({name}, ..)]`"));
    let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
    let others = others.map(|(_, part)| part);
    quote!(#(#others),*)
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.extend([token]);
                }
            }
        }
    }
    parts
}

/// `let .. = { .. } else` does not parse: a brace must not stand before `else`.
fn in_parentheses(block: Expr) -> Expr {
    Expr::Paren(ExprParen {
        attrs: Vec::new(),
        paren_token: token::Paren::default(),
        expr: Box::new(block),
    })
}
