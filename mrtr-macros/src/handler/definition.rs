//! The definition of a handler: one chain of calls that tells the runtime all it needs before any call.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::facts::Declared;
use super::kind::{Address, Kind};
use super::model::Handler;
use super::options::Published;
use super::params::{Argument, Param};
use super::rounds::expand_typed;
use super::types::{is_named, type_argument};
use crate::names::{CTX, hidden, ours};

/// How the definition reaches the body.
pub(crate) enum Callee<'a> {
    /// A function beside the definition.
    Free(&'a Ident),
    /// A method that takes the context over.
    Hidden(&'a Ident),
    /// The user's own method, which stays callable.
    Method(&'a Ident),
}

/// The chain of calls that tells the runtime what the handler is.
pub(crate) fn expand_definition(handler: &Handler, callee: &Callee<'_>) -> TokenStream {
    // At the tool's name, because some errors of rustc are about the expression as a whole.
    let at = handler.sig.ident.span();
    let private = handler.options.krate.private_at(at);
    let name = &handler.name;
    let address = match &handler.options.address {
        None => {
            let def = match handler.options.kind {
                Kind::Prompt => quote_spanned!(ours(at)=> PromptDef),
                Kind::Tool | Kind::Resource => quote_spanned!(ours(at)=> ToolDef),
            };
            quote_spanned!(ours(at)=> #private::#def::new(#name))
        }
        Some(Address::Uri(uri)) => {
            quote_spanned!(ours(at)=> #private::ResourceDef::at(#name, #uri))
        }
        Some(Address::Template(text)) => {
            quote_spanned!(ours(at)=> #private::ResourceDef::template(#name, #text))
        }
    };
    let facts = [
        expand_texts(handler),
        expand_input(handler),
        expand_asks(handler),
        expand_limits(handler),
    ];
    let run = expand_handler(handler, callee);
    quote_spanned!(ours(at)=> #address #(#facts)* #run)
}

fn expand_texts(handler: &Handler) -> TokenStream {
    let options = &handler.options;
    let title = options.title.iter();
    let description = handler.description.iter();
    let hints = options.hints.iter().map(|(hint, on)| quote!(.#hint(#on)));
    let meta = options.meta.iter();
    let published = expand_published(handler);
    quote!(#(.title(#title))* #(.description(#description))* #(#hints)* #(.meta(&#meta))* #published)
}

/// What only resources publish.
fn expand_published(handler: &Handler) -> TokenStream {
    let Published {
        mime_type,
        size,
        audience,
        priority,
        last_modified,
        ttl,
        scope,
    } = &handler.options.published;
    let krate = &handler.options.krate;
    let (mime_type, size) = (mime_type.iter(), size.iter());
    let annotated = !audience.is_empty() || priority.is_some() || last_modified.is_some();
    let annotations = annotated.then(|| {
        let roles = audience.iter().map(|role| quote!(.audience(#krate::__private::Role::#role)));
        let (priority, changed) = (priority.iter(), last_modified.iter());
        quote!(.annotations(
            #krate::__private::ContentAnnotations::new() #(#roles)* #(.priority(#priority))* #(.last_modified(#changed))*
        ))
    });
    let ttl = ttl.iter();
    let scope = scope
        .iter()
        .map(|scope| quote!(.scope(#krate::__private::CacheScope::#scope)));
    quote!(#(.mime_type(#mime_type))* #(.size(#size))* #annotations #(.ttl_ms(#ttl))* #(#scope)*)
}

fn expand_input(handler: &Handler) -> TokenStream {
    let injected = expand_injected(handler);
    if handler.options.kind != Kind::Tool {
        let arguments = handler
            .arguments()
            .map(|argument| expand_text_argument(handler, argument));
        return quote!(#(#arguments)* #injected);
    }
    let headers = handler.arguments().filter_map(|argument| {
        let (header, wire) = argument.header.as_ref()?;
        Some(quote!(.header(#wire, #header)))
    });
    let arguments = match handler.arguments_type() {
        Some(ty) => quote_spanned!(ours(ty.span())=> .args::<#ty>()),
        None => quote!(.no_args()),
    };
    let output = handler.output();
    let output = quote_spanned!(ours(output.span())=> .output::<#output>());
    quote!(#(#headers)* #arguments #output #injected)
}

fn expand_injected(handler: &Handler) -> TokenStream {
    let mut calls = TokenStream::new();
    for param in &handler.params {
        if let Param::Injected(typed) = param {
            let ty = &typed.ty;
            calls.extend(quote_spanned!(ours(ty.span())=> .param::<#ty>()));
        }
    }
    calls
}

/// What is published of an argument that is text; a template names its variables itself.
fn expand_text_argument(handler: &Handler, argument: &Argument) -> TokenStream {
    let wire = &argument.wire;
    let complete = argument
        .complete
        .iter()
        .map(|path| quote_spanned!(ours(path.span())=> .complete(#wire, #path)));
    let published = (handler.options.kind == Kind::Prompt).then(|| {
        let docs = argument.docs.clone().unwrap_or_default();
        let required = !is_named(&argument.ty, "Option");
        quote!(.argument(#wire, #docs, #required))
    });
    quote!(#published #(#complete)*)
}

fn expand_asks(handler: &Handler) -> TokenStream {
    let krate = &handler.options.krate;
    let asks = handler.facts.asks.iter().map(|ask| {
        let Declared { key, ty, kind, .. } = ask;
        let private = krate.private_at(ty.span());
        let new = Ident::new(kind.definition(), ours(ty.span()));
        let typed = expand_typed(kind, ty, krate);
        let required = handler.requires(ask).then(|| quote!(.required()));
        quote_spanned!(ours(ty.span())=> .ask(#private::AskDef::#new(&#typed, #key) #required))
    });
    let commits = (!handler.facts.commits.is_empty()).then(|| quote!(.commits()));
    let takeover = (handler.facts.may_be_taken_over()).then(|| quote!(.idempotent_commit()));
    quote!(#(#asks)* #commits #takeover)
}

fn expand_limits(handler: &Handler) -> TokenStream {
    let limits = handler.options.durations.iter().map(|(name, ms)| {
        let method = format_ident!("{name}_ms");
        quote!(.#method(#ms))
    });
    quote!(#(#limits)*)
}

/// The closure that runs one round; its spans lie on the tool's name, where rustc reports what is not `Send`.
fn expand_handler(handler: &Handler, callee: &Callee<'_>) -> TokenStream {
    let at = ours(handler.sig.ident.span());
    let private = handler.options.krate.private_at(at);
    let (ctx, call, this) = (hidden(CTX, at), hidden("call", at), hidden("this", at));
    let (loads, values) = expand_loads(handler, callee, &ctx, &call);
    let run = match callee {
        Callee::Free(body) => quote_spanned!(at=> #body(#ctx, #(#values),*)),
        Callee::Hidden(body) => quote_spanned!(at=> #this.#body(#ctx, #(#values),*)),
        Callee::Method(body) => quote_spanned!(at=> #this.#body(#(#values),*)),
    };
    // The same type at the same place as in `.output`, so that a type that is no result is one error.
    let output = handler.output();
    let into_result = handler.options.kind.into_result();
    let result = quote_spanned!(ours(output.span())=> #private::#into_result::<#output>);
    let round = quote_spanned!(at=> async move {
        #loads
        #result(#run.await)
    });
    match callee {
        Callee::Free(_) => quote_spanned!(at=> .handler(|#ctx, #call| #round)),
        Callee::Hidden(_) | Callee::Method(_) => quote_spanned!(at=> .handler({
            let #this = ::core::clone::Clone::clone(&#this);
            move |#ctx, #call| {
                let #this = ::core::clone::Clone::clone(&#this);
                #round
            }
        })),
    }
}

/// Reads the arguments and loads what is injected, in the order of the parameters.
fn expand_loads(
    handler: &Handler,
    callee: &Callee<'_>,
    ctx: &Ident,
    call: &Ident,
) -> (TokenStream, Vec<TokenStream>) {
    let at = ours(handler.sig.ident.span());
    let krate = &handler.options.krate;
    let private = krate.private_at(at);
    let args = hidden("args", at);
    let mut loads = TokenStream::new();
    let mut values = Vec::new();
    let text = handler.options.kind != Kind::Tool;
    if text && handler.arguments().next().is_some() {
        loads.extend(quote_spanned!(at=> let #args = #private::text_arguments(&#call)?;));
    } else if let Some(ty) = handler
        .arguments()
        .next()
        .and_then(|_| handler.arguments_type())
    {
        loads.extend(quote_spanned!(at=> let #args = #private::args::<#ty>(&#call)?;));
    }
    for (n, param) in handler.params.iter().enumerate() {
        let value = hidden(&format!("p{n}"), at);
        match param {
            Param::Argument(argument) if text => {
                let read = expand_read(argument);
                loads.extend(quote_spanned!(at=> let #value = #args.#read?;));
                values.push(value.to_token_stream());
            }
            Param::Argument(argument) => {
                let name = &argument.name;
                values.push(quote_spanned!(at=> #args.#name));
            }
            Param::Struct(typed) => {
                let ty = type_argument(&typed.ty);
                loads.extend(quote_spanned!(at=> let #value = #private::args::<#ty>(&#call)?;));
                values.push(quote_spanned!(at=> #krate::Args(#value)));
            }
            Param::Injected(typed) => {
                let ty = &typed.ty;
                let private = krate.private_at(ty.span());
                let load = quote_spanned!(ours(ty.span())=> #private::from_call::<#ty>(&#ctx, &#call).await?);
                loads.extend(quote_spanned!(at=> let #value = #load;));
                values.push(value.to_token_stream());
            }
            Param::Ctx(_) if matches!(callee, Callee::Method(_)) => {
                values.push(quote_spanned!(at=> &#ctx));
            }
            Param::Ctx(_) | Param::Ask(_) => {}
        }
    }
    (loads, values)
}

/// Reads one text argument.
fn expand_read(argument: &Argument) -> TokenStream {
    let (ty, wire) = (&argument.ty, &argument.wire);
    let inner = type_argument(ty).filter(|_| is_named(ty, "Option"));
    match inner {
        Some(inner) => quote_spanned!(ours(inner.span())=> optional::<#inner>(#wire)),
        None => quote_spanned!(ours(ty.span())=> required::<#ty>(#wire)),
    }
}
