//! What each parameter of a handler is: an argument, something injected, the context, or an ask.

use mrtr_lint::AskSite;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, LitStr, Pat, PatType, Path, Signature, Token, Type};

use super::ask::{Ask, Binding, shown};
use super::header::{parse_complete, parse_header, wire_name};
use super::kind::Kind;
use super::types::{is_named, last_segment, passes_through, type_argument};
use crate::diag::Diag;
use crate::docs::Docs;
use crate::names::Krate;

/// A parameter whose kind is known.
pub(crate) enum Param {
    /// One argument of the tool.
    Argument(Box<Argument>),
    /// `Args<T>`: a struct holds all the arguments.
    Struct(PatType),
    /// `ctx: &Ctx`.
    Ctx(PatType),
    /// Loaded by `FromCall` before the body runs.
    Injected(PatType),
    /// Asked for before the body runs.
    Ask(Box<Ask>),
}

/// One argument of the tool.
pub(crate) struct Argument {
    /// What the model reads about it.
    pub(crate) docs: Option<String>,
    /// `#[serde(..)]` and `#[schemars(..)]`, which go to the generated struct.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// The header that repeats the argument, and the argument's name on the wire.
    pub(crate) header: Option<(LitStr, LitStr)>,
    /// The function that completes the argument.
    pub(crate) complete: Option<Path>,
    /// The argument's name on the wire.
    pub(crate) wire: LitStr,
}

/// Types that are injected whenever they are written as a parameter.
const INJECTED: &[&str] = &["State", "Principal", "Extension", "Parts", "Call"];

/// The parameters of a handler's signature; the receiver is the caller's business.
pub(crate) fn parse_params(
    kind: Kind,
    sig: &Signature,
    krate: &Krate,
    diag: &mut Diag,
) -> Vec<Param> {
    let mut params = Vec::new();
    for (place, input) in sig.inputs.iter().enumerate() {
        if let FnArg::Typed(typed) = input
            && let Some(param) = parse_param(kind, typed, place, krate, diag)
        {
            params.push(param);
        }
    }
    check_together(&params, diag);
    params
}

fn parse_param(
    kind: Kind,
    typed: &PatType,
    place: usize,
    krate: &Krate,
    diag: &mut Diag,
) -> Option<Param> {
    refuse_cfg(typed, diag);
    let mark = |name| typed.attrs.iter().find(|attr| krate.owns(attr, name));
    if let Some(attr) = mark("ask") {
        let mut attrs = typed.attrs.clone();
        attrs.retain(|attr| !krate.owns(attr, "ask"));
        let binding = Binding::of(typed, attrs, "an answer", diag)?;
        refuse_type(&binding.ty, diag)?;
        return Ask::parse(attr, binding, AskSite::Parameter(place), diag)
            .map(|ask| Param::Ask(Box::new(ask)));
    }
    let plain = || PatType {
        attrs: Vec::new(),
        ..typed.clone()
    };
    if let Some(attr) = mark("from_call") {
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            diag.error(&attr.meta, "`#[from_call]` takes no options")
                .help("write `#[from_call]` alone");
        }
        refuse_type(&typed.ty, diag)?;
        return Some(Param::Injected(plain()));
    }
    if is_context(&typed.ty) {
        if !matches!(&*typed.pat, Pat::Ident(_) | Pat::Wild(_)) {
            diag.error(&typed.pat, "the context must have a plain name")
                .help("write `ctx: &Ctx`");
        }
        return Some(Param::Ctx(plain()));
    }
    refuse_type(&typed.ty, diag)?;
    if is_named(&typed.ty, "Args") && kind != Kind::Tool {
        let noun = kind.noun();
        diag.error(&typed.ty, format!("a {noun} has no `Args<T>`"))
            .help("write each argument as a parameter")
            .note("its arguments are text, one by one");
        return None;
    }
    if is_named(&typed.ty, "Args") {
        if type_argument(&typed.ty).is_none() {
            diag.error(
                &typed.ty,
                "`Args` needs the struct that holds the arguments",
            )
            .help("write `Args<T>`");
        }
        return Some(Param::Struct(plain()));
    }
    if is_injected(&typed.ty) {
        return Some(Param::Injected(plain()));
    }
    parse_argument(kind, typed, krate, diag).map(|argument| Param::Argument(Box::new(argument)))
}

fn parse_argument(kind: Kind, typed: &PatType, krate: &Krate, diag: &mut Diag) -> Option<Argument> {
    let mut attrs = typed.attrs.clone();
    attrs.retain(is_forwarded);
    let binding = Binding::of(typed, attrs, "an argument", diag)?;
    let wire = wire_name(typed, &binding);
    let (header, complete) = match kind {
        Kind::Tool => (parse_header(typed, &binding, krate, diag), None),
        Kind::Prompt | Kind::Resource => (None, parse_complete(typed, krate, diag)),
    };
    Some(Argument {
        docs: Docs::of(&typed.attrs).whole(),
        attrs: binding.attrs,
        mutability: binding.mutability,
        name: binding.name,
        ty: binding.ty,
        header,
        complete,
        wire,
    })
}

fn is_forwarded(attr: &Attribute) -> bool {
    attr.path().is_ident("serde") || attr.path().is_ident("schemars")
}

/// Whether the type is `&Ctx`.
pub(crate) fn is_context(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_none() && is_named(&reference.elem, "Ctx"))
}

/// Whether the runtime loads the parameter, so that it may be taken apart by a pattern.
pub(crate) fn is_loaded(ty: &Type) -> bool {
    is_named(ty, "Args") || is_injected(ty)
}

fn is_injected(ty: &Type) -> bool {
    let optional = is_named(ty, "Option") && type_argument(ty).is_some_and(is_optional);
    optional
        || last_segment(ty)
            .is_some_and(|segment| INJECTED.iter().any(|known| segment.ident == known))
}

/// Types that may be missing: the caller may not have signed in, the call may not have come over HTTP.
fn is_optional(ty: &Type) -> bool {
    is_named(ty, "Principal") || is_named(ty, "Parts")
}

/// Refuses types for which rustc's own text would be wrong or about code the user did not write.
fn refuse_type(ty: &Type, diag: &mut Diag) -> Option<()> {
    match ty {
        Type::Reference(reference) => {
            refuse_reference(ty, &reference.elem, diag);
        }
        Type::ImplTrait(_) => {
            diag.error(ty, "a parameter of a handler cannot be `impl Trait`")
                .help("write the type itself")
                .note("its schema is published before any call");
        }
        Type::Infer(_) => {
            diag.error(ty, "a parameter of a handler needs a type")
                .help("write the type instead of `_`");
        }
        _ if is_named(ty, "Ctx") => {
            diag.error(ty, "the context is taken by reference")
                .help("write `ctx: &Ctx`");
        }
        _ if is_named(ty, "Json") => {
            diag.error(
                ty,
                "arguments are plain parameters or `Args<T>`, not `Json<T>`",
            )
            .help("write each argument as a parameter, or take the struct as `Args<T>`")
            .note("a tool's arguments are part of an MCP request, not an HTTP body");
        }
        _ if passes_through(ty, "axum") => {
            diag.error(ty, "an extractor of axum does not work in a tool")
                .help("use the type of the same name from `mrtr`, such as `mrtr::State<T>`")
                .note("a tool may be called without HTTP");
        }
        _ => return Some(()),
    }
    None
}

fn refuse_reference(ty: &Type, target: &Type, diag: &mut Diag) {
    let owned = if is_named(target, "str") {
        "String".to_owned()
    } else {
        shown(target)
    };
    let help = match target {
        Type::Slice(slice) => format!("write `Vec<{}>`", shown(&slice.elem)),
        _ if is_named(target, "Ctx") => "write `&Ctx`".to_owned(),
        _ => format!("write `{owned}`"),
    };
    diag.error(ty, "a parameter of a handler must be owned, except `&Ctx`")
        .help(help)
        .note("the handler runs again in every round, so it cannot borrow from its caller");
}

fn refuse_cfg(typed: &PatType, diag: &mut Diag) {
    for attr in typed
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
    {
        diag.error(
            attr.path(),
            "a parameter of a handler cannot depend on `cfg`",
        )
        .help("write two functions, each with its own `#[cfg(..)]`");
    }
}

fn check_together(params: &[Param], diag: &mut Diag) {
    let mut has_struct = false;
    for param in params {
        if let Param::Struct(extra) = param
            && std::mem::replace(&mut has_struct, true)
        {
            diag.error(&extra.ty, "a tool has one `Args<T>`")
                .help("put all the arguments into one struct");
        }
    }
    for param in params {
        if let Param::Argument(argument) = param
            && has_struct
        {
            diag.error(
                &argument.name,
                format!("argument `{}` stands beside `Args<T>`", argument.name),
            )
            .help("make it a field of that struct, or write all the arguments as parameters");
        }
    }
    check_contexts(params, diag);
}

fn check_contexts(params: &[Param], diag: &mut Diag) {
    let mut has_context = false;
    for param in params {
        if let Param::Ctx(extra) = param
            && std::mem::replace(&mut has_context, true)
        {
            diag.error_at(extra.span(), "a handler has one `&Ctx`")
                .help("remove this parameter");
        }
    }
}

/// The name of a `ctx: &Ctx` parameter; none when it is `_`.
pub(crate) fn context_name(typed: &PatType) -> Option<&Ident> {
    match &*typed.pat {
        Pat::Ident(pat) => Some(&pat.ident),
        _ => None,
    }
}
