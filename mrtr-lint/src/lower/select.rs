//! `join!` and `select!`: futures that are polled side by side.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Expr, Pat, Token};

use super::Lower;
use super::tokens::parse_arguments;
use crate::graph::Edge;
use crate::value::{Trigger, Value};

/// One branch of `select!`: `pattern = future, if guard => handler`.
struct Branch {
    pat: Option<Pat>,
    future: Option<Expr>,
    guard: Option<Expr>,
    handler: Expr,
}

struct Branches(Vec<Branch>);

impl Parse for Branches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut branches = Vec::new();
        if input.peek(syn::Ident) && input.peek2(Token![;]) {
            input.parse::<syn::Ident>()?;
            input.parse::<Token![;]>()?;
        }
        while !input.is_empty() {
            branches.push(branch(input)?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Branches(branches))
    }
}

fn branch(input: ParseStream<'_>) -> syn::Result<Branch> {
    let ends =
        (input.peek(Token![else]) || is_word(input, "complete") || is_word(input, "default"))
            && (input.peek2(Token![=>]));
    let (mut pat, mut future, mut guard) = (None, None, None);
    if ends {
        input.parse::<TokenTree>()?;
    } else {
        pat = Some(Pat::parse_multi_with_leading_vert(input)?);
        input.parse::<Token![=]>()?;
        future = Some(input.parse()?);
        if input.parse::<Option<Token![,]>>()?.is_some() && input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            guard = Some(input.parse()?);
        }
    }
    input.parse::<Token![=>]>()?;
    Ok(Branch {
        pat,
        future,
        guard,
        handler: handler(input)?,
    })
}

fn is_word(input: ParseStream<'_>, word: &str) -> bool {
    input
        .fork()
        .parse::<syn::Ident>()
        .is_ok_and(|ident| ident == word)
}

/// A block that is a handler ends at its brace, even without a comma.
fn handler(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(syn::token::Brace) {
        let block: syn::Block = input.parse()?;
        return Ok(Expr::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: None,
            block,
        }));
    }
    input.parse()
}

impl Lower<'_> {
    /// `join!`: each branch runs while the others are suspended.
    pub(super) fn join(&mut self, tokens: &TokenStream, awaited: bool) -> Value {
        let mut values = Vec::new();
        for argument in parse_arguments(tokens) {
            if let super::tokens::Argument::Expr(expr) = argument {
                values.push(self.expr(&expr));
            }
        }
        let mut whole = Value::data();
        for value in &values {
            whole.absorb(value);
        }
        if !awaited {
            return whole;
        }
        let mut result = self.await_value(&mut whole);
        result.deferred.clear();
        result.text = None;
        result
    }

    /// `select!`: every future is polled, one handler runs.
    pub(super) fn select(&mut self, tokens: &TokenStream, span: Span) -> Value {
        let Ok(Branches(branches)) = Branches::parse.parse2(tokens.clone()) else {
            return self.join(tokens, true);
        };
        let mut whole = Value::data();
        for branch in &branches {
            if let Some(guard) = &branch.guard {
                self.expr(guard);
            }
            if let Some(future) = &branch.future {
                let value = self.expr(future);
                whole.absorb(&value);
            }
        }
        self.race(
            &whole,
            "select!",
            "BY drops ASK when another branch is ready first",
            span,
        );
        self.run_perhaps(&mut whole, &[Trigger::Await]);
        self.handlers(&branches)
    }

    fn handlers(&mut self, branches: &[Branch]) -> Value {
        let test = self.step();
        let join = self.graph.add();
        let mut value: Option<Value> = None;
        for branch in branches {
            let mark = self.locals.mark();
            self.at = test;
            self.step();
            if let Some(pat) = &branch.pat {
                self.bind(pat, Value::default());
            }
            let yields = self.expr(&branch.handler);
            self.graph.link(self.at, join, Edge::Step);
            self.locals.release(mark);
            value = Some(match value {
                Some(before) => before.merge(&yields),
                None => yields,
            });
        }
        self.at = join;
        value.unwrap_or_default()
    }
}
