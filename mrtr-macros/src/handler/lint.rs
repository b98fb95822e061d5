//! Brings the replay-safety lint to a function: what it judges, by which policy, and how findings are shown.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use mrtr_lint::{Allow, AskSite, Finding, Handler, HandlerKind, Level, Policy, Severity, Source};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::{Attribute, Path, Type};

use super::model::Func;
use super::types::last_segment;
use crate::diag::Diag;
use crate::names::{Krate, ours};
use crate::walk::{Change, Node};

/// What the lint has to know beside the function itself.
pub(crate) struct Subject<'a> {
    pub(crate) kind: HandlerKind,
    /// The type a method belongs to.
    pub(crate) self_ty: Option<&'a Type>,
    pub(crate) read_only: bool,
    /// The level of this handler, which goes before that of its crate.
    pub(crate) level: Option<Level>,
}

/// What the lint found out.
pub(crate) struct Judged {
    /// Items that make rustc show the warnings.
    pub(crate) warnings: TokenStream,
    /// The asks that no path avoids.
    pub(crate) required: Vec<AskSite>,
}

/// Judges a function as the user wrote it; errors are in `diag` afterwards.
pub(crate) fn judge(func: &Func, subject: &Subject<'_>, krate: &Krate, diag: &mut Diag) -> Judged {
    let func = with_plain_names(func.clone(), krate);
    let policy = crate_policy(&func.sig.ident, diag);
    let tracked = track_manifest(&policy, &func.sig.ident);
    let mut handler = Handler::new(subject.kind, &func.sig, &func.block);
    handler.self_type = subject.self_ty.and_then(name_of);
    handler.read_only = subject.read_only;
    handler.policy = policy.with_tool_level(subject.level);
    handler.allows = parse_allows(&func.attrs, diag);
    let findings = mrtr_lint::check(&handler, &source_of(&func.sig.ident));
    let required = mrtr_lint::asks_on_every_path(&handler);
    let mut warnings = tracked.unwrap_or_default();
    for finding in findings {
        show(finding, diag).to_tokens(&mut warnings);
    }
    Judged { warnings, required }
}

/// The lint knows our attributes by their bare names.
fn with_plain_names(mut func: Func, krate: &Krate) -> Func {
    struct Plain<'a>(&'a Krate);
    impl Change for Plain<'_> {
        fn change(&mut self, node: Node<'_>) {
            let Node::Attributes(attrs) = node else {
                return node.walk(self);
            };
            for attr in attrs {
                let names = ["ask", "commit", "memo"];
                if let Some(path) = path_of(attr)
                    && names.iter().any(|name| self.0.qualifies(path, name))
                {
                    let name = path.segments.last().map(|last| last.ident.clone());
                    *path = name.map_or_else(|| path.clone(), Path::from);
                }
            }
        }
    }
    let mut plain = Plain(krate);
    plain.change(Node::Signature(&mut func.sig));
    plain.change(Node::Block(&mut func.block));
    func
}

fn path_of(attr: &mut Attribute) -> Option<&mut Path> {
    match &mut attr.meta {
        syn::Meta::Path(path) => Some(path),
        syn::Meta::List(list) => Some(&mut list.path),
        syn::Meta::NameValue(_) => None,
    }
}

/// The policy of the crate that is being built, read once per run of the compiler.
fn crate_policy(at: &Ident, diag: &mut Diag) -> Policy {
    static POLICY: OnceLock<Result<Policy, String>> = OnceLock::new();
    let policy = POLICY.get_or_init(|| {
        let env = |name: &str| std::env::var(name).ok();
        Policy::for_crate(env, |path| std::fs::read_to_string(path).ok())
    });
    match policy {
        Ok(policy) => policy.clone(),
        Err(why) => {
            diag.error(
                at,
                format!("`[package.metadata.mrtr]` in Cargo.toml: {why}"),
            );
            Policy::default()
        }
    }
}

/// Makes the manifest an input of the build, so that a level that is set or taken away is seen.
///
/// One handler of a crate is enough: rustc expands all of a crate in one process. Outside of rustc
/// there is no build, and expansions are the same whatever was expanded before.
fn track_manifest(policy: &Policy, at: &Ident) -> Option<TokenStream> {
    static TRACKED: AtomicBool = AtomicBool::new(false);
    let known = policy.manifest.is_some() && proc_macro::is_available();
    (known && !TRACKED.swap(true, Ordering::Relaxed)).then(|| manifest_as_input(at))
}

fn manifest_as_input(at: &Ident) -> TokenStream {
    quote_spanned!(ours(at.span())=>
        const _: &[::core::primitive::u8] =
            ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    )
}

fn parse_allows(attrs: &[Attribute], diag: &mut Diag) -> Vec<Allow> {
    let mut allows = Vec::new();
    for attr in attrs {
        if Allow::is_allow(attr)
            && let Some(allow) = diag.keep(Allow::parse(attr))
        {
            allows.push(allow);
        }
    }
    allows
}

/// The source around the function. Its own name is asked for, because `#[tool]` may come out of a macro of
/// another crate, whose file would be the wrong one.
fn source_of(name: &Ident) -> Source {
    let line = name.span().start().line;
    match name.span().local_file() {
        Some(path) => Source::from_file(&path, line, &name.to_string()),
        None => Source::none(),
    }
}

fn name_of(ty: &Type) -> Option<String> {
    last_segment(ty).map(|segment| segment.ident.to_string())
}

/// An error joins the other mistakes; a warning becomes the use of a deprecated constant, which is the one way
/// on stable to have rustc show a text of ours, and that first, at a place of the user's.
///
/// A level of its own would hold against `#![allow(deprecated)]`, but rustc shows each such level under the
/// text, in ten lines that say nothing to the user.
fn show(finding: Finding, diag: &mut Diag) -> Option<TokenStream> {
    if finding.severity == Severity::Error {
        diag.absorb(syn::Error::new(finding.span, finding.message));
        return None;
    }
    let name = Ident::new(finding.code.name(), ours(finding.span));
    let note = finding.message;
    Some(quote_spanned!(ours(finding.span)=>
        const _: () = {
            #[allow(non_upper_case_globals)]
            #[deprecated(note = #note)]
            const #name: () = ();
            let _ = #name;
        };
    ))
}
