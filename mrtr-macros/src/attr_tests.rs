//! Tests of the option grammar: what is read, and the words of each refusal.

use quote::quote;

use super::*;

const ASK: Grammar = Grammar {
    attribute: "ask",
    legal: &["key", "message", "validate", "alone", "crate"],
    elsewhere: &[("title", "`#[tool(..)]`")],
};

fn refusals(tokens: TokenStream, read: impl FnOnce(&mut Options, &mut Diag)) -> Vec<String> {
    let mut diag = Diag::new();
    let mut options = Options::parse(tokens, &ASK, &mut diag);
    read(&mut options, &mut diag);
    match diag.finish() {
        Ok(()) => Vec::new(),
        Err(error) => error.into_iter().map(|one| one.to_string()).collect(),
    }
}

#[test]
fn reads_each_kind_of_value() {
    let tokens = quote!(
        key = "who",
        alone,
        validate = checks::adult,
        crate = "my::mrtr",
        message = format!("{x}"),
    );
    let found = refusals(tokens, |options, diag| {
        assert_eq!(
            options.text("key", diag).map(|text| text.value()),
            Some("who".into())
        );
        assert!(options.flag("alone", diag).is_some());
        assert!(options.flag("alone", diag).is_none());
        let path = options
            .path("validate", diag)
            .map(|path| path.segments.len());
        assert_eq!(path, Some(2));
        assert_eq!(
            options.path("crate", diag).map(|path| path.segments.len()),
            Some(2)
        );
        assert!(matches!(
            options.expr("message", diag),
            Some((_, Expr::Macro(_)))
        ));
    });
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn every_refusal_says_what_to_write() {
    let cases: [(TokenStream, &str); 8] = [
        (
            quote!(mesage = "a"),
            "unknown option `mesage` of `#[ask]`\nhelp: did you mean `message`?\n\
             note: the options are `key`, `message`, `validate`, `alone`, `crate`",
        ),
        (
            quote!(title = "a"),
            "unknown option `title` of `#[ask]`\nhelp: `title` belongs on `#[tool(..)]`\n\
             note: the options are `key`, `message`, `validate`, `alone`, `crate`",
        ),
        (
            quote!("a"),
            "an option of `#[ask]` has a name\nhelp: write `#[ask(message = \"a\")]`\n\
             note: the options are `key`, `message`, `validate`, `alone`, `crate`",
        ),
        (
            quote!(key("a")),
            "option `key` takes no parentheses\nhelp: write `key` or `key = ..`",
        ),
        (
            quote!(alone, alone),
            "option `alone` is given twice\nhelp: remove one of the two",
        ),
        (
            quote!(alone = true),
            "option `alone` takes no value\nhelp: write `alone` alone",
        ),
        (
            quote!(key),
            "option `key` needs a value\nhelp: write `key = ..`",
        ),
        (
            quote!(key = 3),
            "option `key` must be a string literal\nhelp: write `key = \"..\"`",
        ),
    ];
    for (tokens, expected) in cases {
        let found = refusals(tokens, |options, diag| {
            options.text("key", diag);
            options.flag("alone", diag);
        });
        assert_eq!(found, [expected]);
    }
}

#[test]
fn a_path_must_be_one() {
    let found = refusals(quote!(validate = 1 + 1), |options, diag| {
        assert!(options.path("validate", diag).is_none());
    });
    assert_eq!(
        found,
        ["option `validate` must be a path\nhelp: write `validate = some::path`"]
    );
}

#[test]
fn an_option_out_of_place_is_refused() {
    let found = refusals(quote!(alone), |options, diag| {
        assert!(options.key("alone").is_some());
        options.refuse(
            "alone",
            "makes no sense beside `roots`",
            "remove `alone`",
            diag,
        );
        assert!(options.key("alone").is_none());
    });
    assert_eq!(
        found,
        ["option `alone` of `#[ask]` makes no sense beside `roots`\nhelp: remove `alone`"]
    );
}

#[test]
fn attributes_of_one_name_are_read_together() {
    let item: syn::ItemStruct = syn::parse_quote! {
        #[ask(key = "a")]
        #[other(nonsense = 1)]
        #[ask(alone)]
        #[ask]
        struct S;
    };
    let mut diag = Diag::new();
    let mut options = Options::of(&item.attrs, &ASK, &mut diag);
    assert!(options.text("key", &mut diag).is_some());
    assert!(options.flag("alone", &mut diag).is_some());
    assert!(diag.finish().is_ok());
}

#[test]
fn a_far_name_gets_no_suggestion() {
    assert_eq!(nearest("kye", ["key"].into_iter()), None);
    assert_eq!(nearest("keys", ["message", "key"].into_iter()), Some("key"));
    assert_eq!(nearest("nothing", ["message", "key"].into_iter()), None);
}
