//! Asks that go out together: which of them form a round, and the statements they become.

use std::mem::take;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Stmt, Type};

use super::ask::{Ask, Key};
use super::ask_kind::{Kind, expand_until};
use super::dependence::{calls_unknown_macro, mentions};
use super::message::{Message, Part};
use crate::names::{ASKS, Krate, hidden, ours};

/// Asks written next to each other, as long as none needs the answer of another.
#[derive(Default)]
pub(crate) struct Round {
    asks: Vec<Ask>,
}

impl Round {
    /// Adds an ask; if it must not go out with those before it, they are written to `out` first.
    pub(crate) fn push(&mut self, ask: Ask, krate: &Krate, out: &mut Vec<Stmt>) {
        if !self.admits(&ask) {
            self.flush(krate, out);
        }
        self.asks.push(ask);
    }

    /// Writes the statements of the round, if there is one.
    pub(crate) fn flush(&mut self, krate: &Krate, out: &mut Vec<Stmt>) {
        let asks = take(&mut self.asks);
        if !asks.is_empty() {
            let tokens = expand_round(&asks, krate);
            // Several statements in one verbatim expression: a block would end the variables' life.
            out.push(Stmt::Expr(Expr::Verbatim(tokens), None));
        }
    }

    fn admits(&self, ask: &Ask) -> bool {
        let apart = ask.alone.is_some() || self.asks.iter().any(|earlier| earlier.alone.is_some());
        self.asks.is_empty() || !(apart || depends(ask, &names_of(&self.asks)))
    }
}

/// The names of the variables that answers go to.
pub(crate) fn names_of(asks: &[Ask]) -> Vec<String> {
    asks.iter().map(|ask| ask.name.to_string()).collect()
}

/// Whether an ask may use one of the named answers.
pub(crate) fn depends(ask: &Ask, names: &[String]) -> bool {
    let in_template = match &ask.message {
        Some(Message::Template(parts)) => parts.iter().any(|part| match part {
            Part::Hole(hole) => names.iter().any(|name| hole.root == name),
            Part::Text(_) => false,
        }),
        Some(Message::Text(_) | Message::Expr(_)) | None => false,
    };
    in_template
        || (ask.expressions().into_iter())
            .any(|tokens| mentions(tokens.clone(), names) || calls_unknown_macro(tokens))
}

/// All questions are registered before the first answer is awaited: that is what makes them one round.
///
/// A question is a statement of its own also when it is alone, so that nothing made for its text lives on
/// while the handler waits; `format_args!` for one could not be sent between threads.
fn expand_round(asks: &[Ask], krate: &Krate) -> TokenStream {
    let numbered = || {
        let asks = asks.iter().enumerate();
        asks.map(|(n, ask)| (ask, hidden(&format!("q{n}"), ask.at)))
    };
    let questions = numbered().map(|(ask, query)| {
        let attrs = &ask.attrs;
        let question = expand_question(ask, krate);
        quote_spanned!(ours(ask.at)=> #(#attrs)* let #query = #question;)
    });
    let answers = numbered().map(|(ask, query)| expand_answer(ask, &query));
    quote!(#(#questions)* #(#answers)*)
}

fn expand_question(ask: &Ask, krate: &Krate) -> TokenStream {
    let asks = hidden(ASKS, ask.at);
    let ty = &ask.ty;
    let key = match &ask.key {
        Key::Literal(key) => key.to_token_stream(),
        Key::Expr(key) => key.to_token_stream(),
    };
    let message = ask.message.iter().map(|message| message.expand(krate));
    let subject = ask.kind.expression();
    let method = Ident::new(ask.kind.method(), ours(ask.at));
    // In the order of the method's parameters: words, if any are shown, then what the kind adds.
    let arguments = message.chain(subject.map(ToTokens::to_token_stream));
    let until = ask.until.iter().map(|look| {
        let look = expand_until(look);
        quote_spanned!(ours(ask.at)=> .until(#look))
    });
    let default = ask
        .default
        .iter()
        .map(|value| quote_spanned!(ours(ask.at)=> .default(&(#value))));
    let pin = ask
        .pin
        .iter()
        .map(|value| quote_spanned!(ours(ask.at)=> .pin(&(#value))));
    let validate = ask
        .validate
        .iter()
        .map(|check| quote_spanned!(ours(ask.at)=> .validate(#check)));
    let flags = [&ask.if_supported, &ask.accept_unsolicited, &ask.alone]
        .into_iter()
        .flatten();
    let flags = flags.map(|flag| {
        let method = format_ident!("{flag}", span = ours(flag.span()));
        quote_spanned!(ours(flag.span())=> .#method())
    });
    let typed = expand_typed(&ask.kind, ty, krate);
    quote_spanned!(ours(ask.at)=>
        #asks.#method(#typed, #key #(, #arguments)*)
            #(#until)* #(#default)* #(#pin)* #(#validate)* #(#flags)* .now()
    )
}

/// The call that checks the type of an answer. The statement and the definition make it with the same tokens,
/// because then rustc takes their two errors for one.
pub(crate) fn expand_typed(kind: &Kind, ty: &Type, krate: &Krate) -> TokenStream {
    let at = ty.span();
    let private = krate.private_at(at);
    let check = Ident::new(kind.check(), ours(at));
    quote_spanned!(ours(at)=> #private::#check::<#ty>())
}

fn expand_answer(ask: &Ask, query: &Ident) -> TokenStream {
    let Ask {
        attrs,
        mutability,
        name,
        ty,
        ..
    } = ask;
    quote_spanned!(ours(ask.at)=> #(#attrs)* let #mutability #name: #ty = #query.await;)
}
