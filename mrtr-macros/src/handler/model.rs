//! A handler that has been read and checked: from here on expansion cannot fail.

use std::mem::take;

use mrtr_lint::Allow;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Block, Ident, ItemFn, LitStr, ReturnType, Signature, Type, Visibility};

use super::body::lower_body;
use super::facts::{Declared, Facts};
use super::function::prepend;
use super::header::check_unique;
use super::kind::{Address, Kind};
use super::lint::{Judged, Subject, judge};
use super::options::HandlerOptions;
use super::params::{Argument, Param, context_name, parse_params};
use super::place::{Context, Role};
use super::rounds::{Round, depends, names_of};
use super::types::type_argument;
use crate::diag::Diag;
use crate::docs::Docs;
use crate::names::{Krate, ours};

/// A tool, prompt or resource, free or a method.
pub(crate) struct Handler {
    pub(crate) options: HandlerOptions,
    pub(crate) name: LitStr,
    pub(crate) description: Option<LitStr>,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// The body, its statements lowered.
    pub(crate) block: Block,
    pub(crate) params: Vec<Param>,
    pub(crate) facts: Facts,
    /// What the lint says.
    pub(crate) judged: Judged,
}

/// The parts that a free function and a method have in common.
#[derive(Clone)]
pub(crate) struct Func {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) block: Block,
}

impl From<ItemFn> for Func {
    fn from(item: ItemFn) -> Self {
        let ItemFn {
            attrs,
            vis,
            sig,
            block,
            ..
        } = item;
        Self {
            attrs,
            vis,
            sig,
            block: *block,
        }
    }
}

impl Handler {
    /// Reads, lowers and checks a function; what is wrong is in `diag` afterwards.
    pub(crate) fn parse(
        options: HandlerOptions,
        func: Func,
        self_ty: Option<&Type>,
        diag: &mut Diag,
    ) -> Self {
        let subject = Subject {
            kind: options.kind.judged_as(),
            self_ty,
            read_only: options.read_only(),
            level: options.effects,
        };
        let judged = judge(&func, &subject, &options.krate, diag);
        let Func {
            mut attrs,
            vis,
            sig,
            mut block,
        } = func;
        let krate = options.krate.clone();
        let name = options.name(&sig.ident, diag);
        check_signature(options.kind, &sig, diag);
        let mut params = parse_params(options.kind, &sig, &krate, diag);
        let context = Context {
            at: &sig.ident,
            name: context_of(&params),
            kind: options.kind,
        };
        let mut facts = lower_body(&mut block, Role::Handler(context), &krate, diag);
        lower_parameter_asks(&mut params, &mut block, &mut facts, &krate);
        facts.check(diag);
        check_unique(headers(&params), diag);
        check_address(&options, &sig, diag);
        check_variables(&options, &sig, &params, diag);
        let description = options.description.clone().or_else(|| {
            Docs::of(&attrs)
                .whole()
                .map(|text| LitStr::new(&text, sig.ident.span()))
        });
        attrs.retain(|attr| !Allow::is_allow(attr));
        Self {
            options,
            name,
            description,
            attrs,
            vis,
            sig,
            block,
            params,
            facts,
            judged,
        }
    }

    /// Whether a client that cannot answer the ask cannot use the tool at all.
    pub(crate) fn requires(&self, ask: &Declared) -> bool {
        !ask.if_supported && !ask.unsolicited && self.judged.required.contains(&ask.site)
    }

    /// The type that is returned; `()` when none is written.
    pub(crate) fn output(&self) -> TokenStream {
        match &self.sig.output {
            ReturnType::Default => quote::quote!(()),
            ReturnType::Type(_, ty) => quote::quote!(#ty),
        }
    }

    /// The plain arguments, in the order of the parameters.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.params.iter().filter_map(|param| match param {
            Param::Argument(argument) => Some(&**argument),
            _ => None,
        })
    }

    /// The struct that plain arguments are read into.
    pub(crate) fn arguments_name(&self) -> Ident {
        Ident::new("__MrtrArgs", ours(self.sig.ident.span()))
    }

    /// The type that holds the arguments, if the tool has any.
    pub(crate) fn arguments_type(&self) -> Option<TokenStream> {
        let whole = self.params.iter().find_map(|param| match param {
            Param::Struct(typed) => type_argument(&typed.ty),
            _ => None,
        });
        let plain = || {
            self.arguments()
                .next()
                .map(|_| self.arguments_name().to_token_stream())
        };
        whole.map(ToTokens::to_token_stream).or_else(plain)
    }

    /// The name under which the body knows the context.
    pub(crate) fn context(&self) -> Option<&Ident> {
        context_of(&self.params)
    }
}

/// A resource must be somewhere; the name is the smallest token that is there to point at.
fn check_address(options: &HandlerOptions, sig: &Signature, diag: &mut Diag) {
    if options.kind == Kind::Resource && options.address.is_none() {
        let name = &sig.ident;
        diag.error(
            name,
            format!("resource `{name}` needs a `uri` or a `template`"),
        )
        .help("write `#[resource(uri = \"notes:///today\")]`");
    }
}

/// A resource's parameters are the variables of its template, all of them.
fn check_variables(options: &HandlerOptions, sig: &Signature, params: &[Param], diag: &mut Diag) {
    let Some(address) = &options.address else {
        return;
    };
    let mut variables = address.variables();
    for param in params {
        let Param::Argument(argument) = param else {
            continue;
        };
        let wire = argument.wire.value();
        if let Some(at) = variables.iter().position(|name| *name == wire) {
            variables.remove(at);
            continue;
        }
        let report = diag.error(
            &argument.name,
            format!("`{wire}` is no variable of the template"),
        );
        match address {
            Address::Uri(_) => {
                report.help(
                    "write `template = \"..\"` instead of `uri`, with the variable in braces",
                );
            }
            Address::Template(_) => {
                report.help(format!(
                    "write `{{{wire}}}` into the template, or rename the parameter"
                ));
            }
        }
    }
    for name in variables {
        diag.error(
            &sig.ident,
            format!("the variable `{name}` of the template has no parameter"),
        )
        .help(format!("add the parameter `{name}: String`"));
    }
}

fn context_of(params: &[Param]) -> Option<&Ident> {
    params.iter().find_map(|param| match param {
        Param::Ctx(typed) => context_name(typed),
        _ => None,
    })
}

/// Rules for every handler's signature.
fn check_signature(kind: Kind, sig: &Signature, diag: &mut Diag) {
    let (name, noun) = (&sig.ident, kind.noun());
    if sig.asyncness.is_none() {
        diag.error(
            sig.fn_token,
            format!("{noun} `{name}` must be an `async fn`"),
        )
        .help(format!("write `async fn {name}`"))
        .note(format!(
            "a {noun} waits for answers, so it must be able to wait"
        ));
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        diag.error(token, format!("{noun} `{name}` cannot be `unsafe`"))
            .help("remove `unsafe`");
    }
    if let Some(abi) = &sig.abi {
        diag.error(
            abi,
            format!("{noun} `{name}` cannot have an ABI of its own"),
        )
        .help("remove `extern`");
    }
    for generic in &sig.generics.params {
        diag.error(generic, format!("{noun} `{name}` cannot be generic"))
            .help(format!(
                "write the type itself, or call a generic function from the {noun}"
            ))
            .note(match kind {
                Kind::Tool => "its schema is published before any call",
                Kind::Prompt | Kind::Resource => "its arguments are published before any call",
            });
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Type::ImplTrait(_) = &**ty
    {
        diag.error(ty, format!("{noun} `{name}` must name the type it returns"))
            .help(kind.results())
            .note(match kind {
                Kind::Tool => "the type decides the published output schema",
                Kind::Prompt | Kind::Resource => "the type decides how the result is written",
            });
    }
}

/// Puts asks that are parameters in front of the body: first all that need no other answer, in one round.
fn lower_parameter_asks(
    params: &mut Vec<Param>,
    block: &mut Block,
    facts: &mut Facts,
    krate: &Krate,
) {
    let mut asks = Vec::new();
    for param in take(params) {
        match param {
            Param::Ask(ask) => asks.push(*ask),
            other => params.push(other),
        }
    }
    let names = names_of(&asks);
    let mut head = Vec::new();
    let mut dependent = Vec::new();
    let mut round = Round::default();
    for ask in asks {
        if depends(&ask, &names) {
            dependent.push(ask);
        } else {
            facts.declare(&ask);
            round.push(ask, krate, &mut head);
        }
    }
    round.flush(krate, &mut head);
    for ask in dependent {
        facts.declare(&ask);
        round.push(ask, krate, &mut head);
    }
    round.flush(krate, &mut head);
    facts.lowered |= !names.is_empty();
    prepend(block, head);
}

fn headers(params: &[Param]) -> impl Iterator<Item = &LitStr> {
    params.iter().filter_map(|param| match param {
        Param::Argument(argument) => argument.header.as_ref().map(|(header, _)| header),
        _ => None,
    })
}
