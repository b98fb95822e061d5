//! `#[asking]`: a helper that may hold ask and memo statements, on the context it is given.

use mrtr_lint::{Allow, HandlerKind};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, FnArg, Ident, PatType, Signature, Stmt, parse_quote_spanned};

use super::body::lower_body;
use super::entry::{Parsed, parse_function, refuse_item};
use super::function::prepend;
use super::lint::{Subject, judge};
use super::model::Func;
use super::params::{context_name, is_context};
use super::place::Role;
use super::tried::refuse_tried;
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::fallback;
use crate::names::{ASKS, Krate, hidden, ours};

/// What `#[asking(..)]` accepts.
const ASKING: Grammar = Grammar {
    attribute: "asking",
    legal: &["crate"],
    elsewhere: &[
        ("message", "`#[ask(..)]`"),
        ("key", "`#[ask(..)]`"),
        ("name", "`#[tool(..)]`"),
        ("title", "`#[tool(..)]`"),
        ("effects", "`#[tool(..)]`"),
    ],
};

/// The helper with its statements lowered, or with what is wrong in front.
pub(crate) fn expand_asking(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::new();
    let mut options = Options::parse(options, &ASKING, &mut diag);
    let krate = options
        .path("crate", &mut diag)
        .map_or_else(Krate::default_path, Krate::renamed);
    let mut original = match parse_function(item) {
        Parsed::Whole(func) => func,
        Parsed::Half(func) => {
            diag.forget();
            return fallback::function(func, &krate);
        }
        Parsed::Other(item) => return refuse_item("asking", item, diag),
    };
    refuse_tried(&original.sig, &mut original.block, &mut diag);
    let mut func = original.clone();
    let context = check_context(&func.sig, &mut diag);
    let subject = Subject {
        kind: HandlerKind::Asking,
        self_ty: None,
        read_only: false,
        level: None,
    };
    let judged = judge(&func, &subject, &krate, &mut diag);
    let facts = lower_body(&mut func.block, Role::Helper, &krate, &mut diag);
    if !facts.lowered && diag.is_clean() {
        diag.error(
            &func.sig.ident,
            format!("`{}` holds no `#[ask]` and no `#[memo]`", func.sig.ident),
        )
        .help("remove `#[asking]`: `ctx.ask(..)` works in any function");
    }
    match (diag.finish(), context) {
        (Ok(()), Some(context)) => expand(func, &context, &judged.warnings),
        (Ok(()), None) => fallback::function(original, &krate),
        (Err(error), _) => {
            let (error, stub) = (
                error.into_compile_error(),
                fallback::function(original, &krate),
            );
            quote!(#error #stub)
        }
    }
}

fn expand(mut func: Func, context: &Ident, warnings: &TokenStream) -> TokenStream {
    let at = func.sig.ident.span();
    let asks = hidden(ASKS, at);
    let head: Stmt = parse_quote_spanned!(ours(at)=> let #asks = #context;);
    let warnings = Stmt::Expr(Expr::Verbatim(warnings.clone()), None);
    prepend(&mut func.block, vec![warnings, head]);
    let Func {
        attrs,
        vis,
        sig,
        block,
    } = func;
    let attrs = attrs.iter().filter(|attr| !Allow::is_allow(attr));
    quote!(#(#attrs)* #vis #sig #block)
}

/// The name of the context that the helper's statements ask through.
fn check_context(sig: &Signature, diag: &mut Diag) -> Option<Ident> {
    let name = &sig.ident;
    if sig.asyncness.is_none() {
        diag.error(
            sig.fn_token,
            format!("`#[asking]` function `{name}` must be `async`"),
        )
        .help(format!("write `async fn {name}`"))
        .note("it waits for answers, so it must be able to wait");
    }
    let context = sig.inputs.iter().find_map(context_parameter);
    let named = context.map(context_name);
    match named {
        Some(Some(ident)) => return Some(ident.clone()),
        Some(None) => diag.error(context.map(|typed| &typed.pat), "the context needs a name"),
        None => diag.error(
            name,
            format!("`#[asking]` function `{name}` has no context to ask through"),
        ),
    }
    .help(format!("write `async fn {name}(ctx: &Ctx, ..)`"));
    None
}

fn context_parameter(input: &FnArg) -> Option<&PatType> {
    match input {
        FnArg::Typed(typed) if is_context(&typed.ty) => Some(typed),
        _ => None,
    }
}
