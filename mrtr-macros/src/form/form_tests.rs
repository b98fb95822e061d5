//! The expansions as a person reads them, and the words of what is refused.

use expect_test::{Expect, expect};
use quote::quote;

use super::*;

fn expansion(tokens: TokenStream, expected: &Expect) {
    let file = syn::parse2(derive(tokens)).expect("an expansion is made of items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

/// The first lines of all errors of one derive.
fn facts(tokens: TokenStream) -> Vec<String> {
    texts(tokens)
        .into_iter()
        .map(|text| text.lines().next().unwrap_or_default().to_owned())
        .collect()
}

fn texts(tokens: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(derive(tokens)).expect("an expansion is made of items");
    let errors = file.items.iter().filter_map(|item| match item {
        syn::Item::Macro(call) => call.mac.parse_body::<syn::LitStr>().ok(),
        _ => None,
    });
    errors.map(|text| text.value()).collect()
}

#[test]
fn a_struct() {
    expansion(
        quote! {
            struct Traveller {
                name: String,
                #[serde(rename = "seat-kind", default)]
                seat: Seat,
                #[serde(default = "defaults::page")]
                page: Option<String>,
                #[serde(skip)]
                hidden: Secret,
            }
        },
        &expect![[r#"
            const _: () = {
                #[automatically_derived]
                impl ::mrtr::__private::form::Form for Traveller {
                    fn form() -> ::core::result::Result<
                        ::mrtr::__private::form::FormSchema,
                        ::mrtr::__private::form::FormError,
                    > {
                        ::mrtr::__private::form::form_of::<
                            Traveller,
                        >(
                            "Traveller",
                            [
                                ::mrtr::__private::form::declared::<String>("name"),
                                ::mrtr::__private::form::declared_or::<
                                    Seat,
                                >("seat-kind", &<Seat as ::core::default::Default>::default()),
                                ::mrtr::__private::form::declared_or::<
                                    Option<String>,
                                >("page", &defaults::page()),
                            ],
                        )
                    }
                    fn from_content(
                        content: &str,
                    ) -> ::core::result::Result<Self, ::mrtr::__private::form::ContentError> {
                        ::mrtr::__private::form::from_content::<Traveller>(content)
                    }
                }
            };
        "#]],
    );
}

#[test]
fn an_enum() {
    expansion(
        quote! {
            #[serde(rename_all = "lowercase")]
            #[form(enum_names)]
            enum Seat {
                Window,
                #[serde(skip)]
                Crew,
            }
        },
        &expect![[r#"
            const _: () = {
                #[automatically_derived]
                impl ::mrtr::__private::form::FormField for Seat {
                    fn to_default(&self) -> ::core::option::Option<::mrtr::__private::form::Json> {
                        match self {
                            Self::Window => ::mrtr::__private::form::choice_named("window"),
                            Self::Crew { .. } => ::core::option::Option::None,
                        }
                    }
                    fn enum_names() -> bool {
                        true
                    }
                }
                #[automatically_derived]
                impl ::mrtr::__private::form::Choice for Seat {}
                const _: fn() = ::mrtr::__private::form::check_derives::<Seat>;
            };
        "#]],
    );
}

#[test]
fn a_newtype() {
    expansion(
        quote! {
            #[form(crate = "my::facade")]
            struct Age(u8);
        },
        &expect![[r#"
            const _: () = {
                #[automatically_derived]
                impl my::facade::__private::form::FormField for Age {
                    fn to_default(
                        &self,
                    ) -> ::core::option::Option<my::facade::__private::form::Json> {
                        <u8 as my::facade::__private::form::FormField>::to_default(&self.0)
                    }
                    fn enum_names() -> bool {
                        <u8 as my::facade::__private::form::FormField>::enum_names()
                    }
                }
                const _: fn() = my::facade::__private::form::check_derives::<Age>;
            };
        "#]],
    );
}

#[test]
fn a_refusal_leaves_stubs() {
    expansion(
        quote! {
            #[form(crate = my::facade)]
            struct Login {
                password: String,
            }
        },
        &expect![[r#"
            ::core::compile_error! {
                "`password` asks for a secret: password\nhelp: ask with `url = ..`, so that the user types it on a page of yours\nhelp: if it is none, say why: `#[form(not_secret = \"reason\")]`\nnote: MCP forbids secrets in forms: clients show, log and pass on what a form holds"
            }
            const _: () = {
                #[automatically_derived]
                impl my::facade::__private::form::Form for Login {
                    fn form() -> ::core::result::Result<
                        my::facade::__private::form::FormSchema,
                        my::facade::__private::form::FormError,
                    > {
                        ::core::unreachable!()
                    }
                    fn from_content(
                        content: &str,
                    ) -> ::core::result::Result<Self, my::facade::__private::form::ContentError> {
                        let _ = content;
                        ::core::unreachable!()
                    }
                }
            };
        "#]],
    );
}

#[test]
fn every_mistake_is_reported_in_one_build() {
    let found = facts(quote! {
        #[serde(tag = "kind")]
        #[form(enum_names, crat = "x")]
        struct Login {
            password: String,
            #[serde(flatten)]
            more: More,
            #[serde(with = "hex")]
            #[schemars(regex(pattern = "a"), range(exclusive_min = 3))]
            code: String,
            #[serde(rename = "code")]
            other: String,
            #[schemars(rename = "c")]
            third: String,
            #[schemars(default)]
            #[form(not_secret = "it is not")]
            fourth: String,
        }
    });
    expect![[r#"
        [
            "unknown option `enum_names` of `#[form]`",
            "unknown option `crat` of `#[form]`",
            "`tag` changes what an answer looks like",
            "`password` asks for a secret: password",
            "a form cannot be flattened into another",
            "`with` needs a twin that describes what it reads",
            "a form cannot carry the rule `regex`",
            "a form has no `exclusive_min`",
            "fields `code` and `other` are both `code` in an answer",
            "serde reads `third` and schemars publishes `c`",
            "only schemars knows this `default`",
            "`not_secret` has nothing to excuse here",
        ]"#]]
    .assert_eq(&format!("{found:#?}"));
}

#[test]
fn every_refusal_has_its_words() {
    let cases = [
        ("struct S;", "form `S` must have named fields"),
        ("struct S(u8, u8);", "form `S` must have named fields"),
        ("struct S<T> { a: T }", "form `S` must not be generic"),
        ("struct S<'a>(&'a str);", "form `S` must not be generic"),
        ("union S { a: u8 }", "form `S` must be a struct or an enum"),
        ("enum S {}", "enum `S` offers no choice"),
        ("enum S { #[serde(skip)] A }", "enum `S` offers no choice"),
        ("enum S { A(u8) }", "variant `A` must have no fields"),
        ("enum S { A { b: u8 } }", "variant `A` must have no fields"),
        (
            "#[serde(untagged)] enum S { A }",
            "`untagged` changes what an answer looks like",
        ),
        (
            r#"enum S { A, #[serde(rename = "A")] B }"#,
            "variants `A` and `B` are both `A` in an answer",
        ),
        (
            r#"enum S { #[schemars(rename = "a")] A }"#,
            "serde reads `A` and schemars publishes `a`",
        ),
        (
            "enum S { #[schemars(skip)] A, B }",
            "only schemars skips this variant",
        ),
        (
            "enum S { #[form(enum_names)] A }",
            "a variant has no `form` options",
        ),
        (
            "struct S(Option<u8>);",
            "newtype `S` must hold one value, not an `Option`",
        ),
        (
            "struct Password(String);",
            "`Password` asks for a secret: password",
        ),
        (
            r#"struct S { #[serde(rename = "apiKey")] a: String }"#,
            "`a` asks for a secret: api key",
        ),
        (
            r#"struct S { #[schemars(title = "Access token")] a: Option<String> }"#,
            "`a` asks for a secret: access token",
        ),
        (
            "struct S { /// Your password\n a: String }",
            "`a` asks for a secret: password",
        ),
        (
            r#"struct S { #[form(not_secret = " ")] token: String }"#,
            "`not_secret` needs a reason",
        ),
        (
            "struct S { #[form(not_secret)] token: String }",
            "option `not_secret` needs a value",
        ),
        (
            r#"struct S { #[schemars(extend("multipleOf" = 2))] a: u8 }"#,
            "a form has no keyword `multipleOf`",
        ),
        (
            "struct S { #[schemars(ipv4)] a: String }",
            "a form has no format `ipv4`",
        ),
        (
            "struct S { #[validate(range(exclusive_max = 2))] a: u8 }",
            "a form has no `exclusive_max`",
        ),
        (
            "struct S { #[schemars(range(min = 1, max = 9))] a: Option<String> }",
            "`range` does not bound a text",
        ),
        (
            "struct S { #[validate(range(min = 1))] a: Vec<u8> }",
            "`range` does not bound a list",
        ),
        (
            "struct S { #[schemars(length(min = 1))] a: bool }",
            "`length` does not bound a yes or no",
        ),
        (
            "struct S(#[schemars(length(equal = 3))] u8);",
            "`length` does not bound a number",
        ),
        (
            "struct S { #[schemars(inner(length(min = 1)))] a: Vec<A> }",
            "a form cannot carry the rule `inner`",
        ),
        (
            r#"#[schemars(rename_all = "camelCase")] struct S { a_b: u8 }"#,
            "serde reads `a_b` and schemars publishes `aB`",
        ),
    ];
    for (source, expected) in cases {
        let tokens = source.parse().expect(source);
        assert_eq!(facts(tokens), [expected], "{source}");
    }
}

#[test]
fn what_is_no_mistake() {
    let cases = [
        "struct S {}",
        "struct S { has_password: bool, tokens: Vec<Token>, token: u64, passport: String }",
        r#"#[serde(deny_unknown_fields, rename_all = "camelCase")] struct S { a_b: u8 }"#,
        "#[serde(transparent)] struct S(u8);",
        r#"#[serde(try_from = "String")] struct S(Inner);"#,
        r#"struct S { #[serde(with = "hex")] #[schemars(with = "String")] a: Vec<u8> }"#,
        r#"struct S { #[serde(rename(deserialize = "b", serialize = "c"))] a: u8, c: u8 }"#,
        "struct S { #[serde(skip)] password: String }",
        "struct S { #[schemars(length(equal = 3))] a: Vec<A>, #[schemars(range(min = 1))] b: Option<f64> }",
        r#"struct S { #[schemars(with = "String", length(min = 1))] #[serde(with = "a")] a: u8 }"#,
        "struct S { #[schemars(range(min = 1))] a: Age, #[schemars(length(min = 1))] b: Name }",
        r#"#[form(not_secret = "a test of strength")] struct Password(String);"#,
    ];
    for source in cases {
        let tokens = source.parse().expect(source);
        assert_eq!(texts(tokens), [""; 0], "{source}");
    }
}

#[test]
fn every_first_line_fits_and_is_plain() {
    let found = texts(quote! {
        #[serde(tag = "kind")]
        struct Login {
            password: String,
            #[serde(flatten)]
            more: More,
            #[serde(deserialize_with = "hex")]
            code: String,
            #[schemars(skip)]
            other: String,
        }
    });
    assert_eq!(found.len(), 5);
    for text in found {
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.chars().count() <= 80 && !first.ends_with('.'),
            "{first}"
        );
        assert!(text.contains("\nhelp: "), "{text}");
    }
}
