//! Collects every mistake of one macro input, so that one build reports them all.

use std::fmt::{self, Display};
use std::mem::take;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far.
///
/// A collector must be read with [`Diag::finish`]; dropping an unread one panics, because a mistake that is
/// found and not reported is worse than a macro that stops.
pub(crate) struct Diag {
    reports: Vec<Report>,
    foreign: Option<syn::Error>,
    read: bool,
}

/// One mistake: the fact, what to write instead, and why.
pub(crate) struct Report {
    at: TokenStream,
    fact: String,
    help: Vec<String>,
    note: Vec<String>,
}

impl Diag {
    /// A collector without mistakes.
    pub(crate) fn new() -> Self {
        Diag {
            reports: Vec::new(),
            foreign: None,
            read: false,
        }
    }

    /// Reports `fact` at the tokens of `at`; the smallest wrong token, never the whole attribute.
    pub(crate) fn error(&mut self, at: impl ToTokens, fact: impl Into<String>) -> &mut Report {
        self.report(at.into_token_stream(), fact.into())
    }

    fn report(&mut self, at: TokenStream, fact: String) -> &mut Report {
        self.reports.push(Report {
            at,
            fact,
            help: Vec::new(),
            note: Vec::new(),
        });
        let last = self.reports.len() - 1;
        &mut self.reports[last]
    }

    /// Reports `fact` where there is a span but no token.
    pub(crate) fn error_at(&mut self, span: Span, fact: impl Into<String>) -> &mut Report {
        self.error(proc_macro2::Ident::new("here", span), fact)
    }

    /// Takes over what syn has to say, such as a syntax error inside an attribute.
    pub(crate) fn absorb(&mut self, error: syn::Error) {
        match &mut self.foreign {
            Some(all) => all.combine(error),
            None => self.foreign = Some(error),
        }
    }

    /// Keeps a parsed value and takes over the error of one that did not parse.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.absorb(error)).ok()
    }

    /// Whether nothing was reported so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.reports.is_empty() && self.foreign.is_none()
    }

    /// How many mistakes were reported so far, to see whether a step found some.
    pub(crate) fn count(&self) -> usize {
        self.reports.len() + usize::from(self.foreign.is_some())
    }

    /// Drops what was found, where rustc reports a syntax error and anything else would be noise.
    pub(crate) fn forget(mut self) {
        self.read = true;
    }

    /// All mistakes as one error, in the order of the source; ours before syn's of the same place.
    pub(crate) fn finish(mut self) -> syn::Result<()> {
        self.read = true;
        let mut errors = Vec::new();
        for report in take(&mut self.reports) {
            insert(&mut errors, report.into_error());
        }
        if let Some(foreign) = self.foreign.take() {
            for error in foreign {
                insert(&mut errors, error);
            }
        }
        let mut errors = errors.into_iter();
        let Some(mut all) = errors.next() else {
            return Ok(());
        };
        for next in errors {
            all.combine(next);
        }
        Err(all)
    }
}

/// Puts an error behind those that do not start after it; there are few.
fn insert(errors: &mut Vec<syn::Error>, error: syn::Error) {
    let start = |error: &syn::Error| error.span().start();
    let at = errors.partition_point(|known| start(known) <= start(&error));
    errors.insert(at, error);
}

impl Drop for Diag {
    fn drop(&mut self) {
        if !self.read && !std::thread::panicking() {
            panic!("the mistakes a macro collected were never reported");
        }
    }
}

impl Report {
    /// Says what to write instead; the text can be copied.
    pub(crate) fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    /// Says why the rule exists.
    pub(crate) fn note(&mut self, text: impl Into<String>) -> &mut Self {
        self.note.push(text.into());
        self
    }

    fn into_error(self) -> syn::Error {
        let text = self.to_string();
        syn::Error::new_spanned(self.at, text)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fact)?;
        for help in &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        for note in &self.note {
            write!(f, "\nnote: {note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ident(name: &str) -> proc_macro2::Ident {
        proc_macro2::Ident::new(name, Span::call_site())
    }

    #[test]
    fn all_mistakes_come_out_in_order() {
        let mut diag = Diag::new();
        diag.error(ident("a"), "`a` is wrong")
            .help("write `b`")
            .note("`a` is taken");
        diag.absorb(syn::Error::new(Span::call_site(), "expected `,`"));
        diag.error(ident("c"), "`c` is wrong");
        assert!(!diag.is_clean());
        let error = diag.finish().expect_err("three mistakes");
        let texts: Vec<String> = error.into_iter().map(|one| one.to_string()).collect();
        assert_eq!(
            texts,
            [
                "`a` is wrong\nhelp: write `b`\nnote: `a` is taken",
                "`c` is wrong",
                "expected `,`"
            ]
        );
    }

    #[test]
    fn nothing_found_is_ok() {
        let diag = Diag::new();
        assert!(diag.is_clean());
        assert!(diag.finish().is_ok());
    }

    #[test]
    #[should_panic(expected = "never reported")]
    fn an_unread_collector_panics() {
        drop(Diag::new());
    }
}
