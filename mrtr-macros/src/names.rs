//! Names that expansions use: the path of the facade crate and the identifiers only we may see.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Path};

/// The path under which the user's crate knows `mrtr`.
#[derive(Clone)]
pub(crate) struct Krate(Option<Path>);

impl Krate {
    /// The crate under its own name, looked up from the crate list so that no local item shadows it.
    pub(crate) fn default_path() -> Self {
        Self(None)
    }

    /// The crate under the path the user gave with `crate = path`.
    pub(crate) fn renamed(path: Path) -> Self {
        Self(Some(path))
    }

    /// The module that expansions call into.
    pub(crate) fn private(&self) -> TokenStream {
        quote!(#self::__private)
    }

    /// The same module, shown at a token of the user, where rustc then reports what goes wrong in the call.
    pub(crate) fn private_at(&self, at: Span) -> TokenStream {
        let mut located = TokenStream::new();
        for mut token in self.private() {
            token.set_span(token.span().located_at(at));
            located.extend([token]);
        }
        located
    }

    /// The path of an item of the private module as text, for attributes that take a path in a string.
    pub(crate) fn private_text(&self, item: &str) -> String {
        let path = quote!(#self::__private).to_string().replace(' ', "");
        format!("{path}::{item}")
    }

    /// Whether `attr` is our attribute `name`, written bare or through the crate's own name.
    ///
    /// Paths through other crates are theirs, so that `#[other::ask]` is left alone.
    pub(crate) fn owns(&self, attr: &Attribute, name: &str) -> bool {
        let path = attr.path();
        path.is_ident(name) || self.qualifies(path, name)
    }

    /// Whether `path` is `mrtr::name`, which is how attributes without a macro of their own are written.
    pub(crate) fn qualifies(&self, path: &Path, name: &str) -> bool {
        let mut segments = path.segments.iter().rev();
        let last = segments.next().is_some_and(|last| last.ident == name);
        let own = segments
            .next()
            .is_some_and(|before| before.ident == self.own_name());
        last && own
    }

    fn own_name(&self) -> String {
        let last = self.0.as_ref().and_then(|path| path.segments.last());
        last.map_or_else(|| "mrtr".to_owned(), |last| last.ident.to_string())
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.0 {
            Some(path) => path.to_tokens(tokens),
            None => tokens.extend(quote!(::mrtr)),
        }
    }
}

/// An identifier the user's code can neither see nor shadow, shown at the user's own token.
pub(crate) fn hidden(name: &str, at: Span) -> Ident {
    Ident::new(&format!("__mrtr_{name}"), ours(at))
}

/// The span for generated code that belongs to a token of the user: resolved here, shown there.
pub(crate) fn ours(at: Span) -> Span {
    Span::mixed_site().located_at(at)
}

/// The context that owns the right to commit.
pub(crate) const CTX: &str = "ctx";
/// The shared borrow that statements ask through.
pub(crate) const ASKS: &str = "asks";
