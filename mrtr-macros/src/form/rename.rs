//! The wire names of fields and variants, by the rules of serde's `rename_all`.

use syn::ext::IdentExt;
use syn::{Ident, LitStr};

use super::foreign::Foreign;

/// Fields are written in snake case, variants in Pascal case.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Source {
    Field,
    Variant,
}

/// The name that serde reads: its own `rename`, else the container's rule.
pub(crate) fn wire_name(
    ident: &Ident,
    own: &Foreign,
    container: &Foreign,
    source: Source,
) -> String {
    let own = own.serde("rename").and_then(|item| item.reading_name());
    let rule = container
        .serde("rename_all")
        .and_then(|item| item.reading_name());
    named(ident, own.as_ref(), rule.as_ref(), source)
}

/// The name that schemars publishes: its own `rename` and rule go before serde's.
pub(crate) fn described_name(
    ident: &Ident,
    own: &Foreign,
    container: &Foreign,
    source: Source,
) -> String {
    let first = |foreign: &Foreign, key| {
        let item = foreign.schemars(key).or_else(|| foreign.serde(key));
        item.and_then(|item| item.reading_name())
    };
    let own = first(own, "rename");
    let rule = first(container, "rename_all");
    named(ident, own.as_ref(), rule.as_ref(), source)
}

fn named(ident: &Ident, own: Option<&LitStr>, rule: Option<&LitStr>, source: Source) -> String {
    let plain = ident.unraw().to_string();
    match (own, rule) {
        (Some(own), _) => own.value(),
        (None, Some(rule)) => apply(&rule.value(), &plain, source),
        (None, None) => plain,
    }
}

/// An unknown rule changes nothing: serde reports it.
fn apply(rule: &str, name: &str, source: Source) -> String {
    let snake = match source {
        Source::Field => name.to_owned(),
        Source::Variant => snake_of(name),
    };
    match (rule, source) {
        // serde changes only the letters here, and leaves the underscores of a field.
        ("lowercase", Source::Variant) => name.to_ascii_lowercase(),
        ("UPPERCASE", _) => name.to_ascii_uppercase(),
        ("PascalCase", Source::Field) => pascal_of(name),
        ("camelCase", Source::Field) => first_lower(&pascal_of(name)),
        ("camelCase", Source::Variant) => first_lower(name),
        ("snake_case", _) => snake,
        ("SCREAMING_SNAKE_CASE", _) => snake.to_ascii_uppercase(),
        ("kebab-case", _) => snake.replace('_', "-"),
        ("SCREAMING-KEBAB-CASE", _) => snake.to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn snake_of(variant: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in variant.char_indices() {
        if at > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn pascal_of(field: &str) -> String {
    let mut pascal = String::new();
    let mut starts = true;
    for letter in field.chars() {
        if letter == '_' {
            starts = true;
        } else {
            pascal.push(if starts {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
            starts = false;
        }
    }
    pascal
}

/// serde lowers the first byte; a name that begins with another alphabet stays.
fn first_lower(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_serdes() {
        let cases = [
            (
                "lowercase",
                "very_tasty",
                "very_tasty",
                "VeryTasty",
                "verytasty",
            ),
            (
                "UPPERCASE",
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "VERYTASTY",
            ),
            (
                "PascalCase",
                "very_tasty",
                "VeryTasty",
                "VeryTasty",
                "VeryTasty",
            ),
            (
                "camelCase",
                "very_tasty",
                "veryTasty",
                "VeryTasty",
                "veryTasty",
            ),
            (
                "snake_case",
                "very_tasty",
                "very_tasty",
                "VeryTasty",
                "very_tasty",
            ),
            (
                "SCREAMING_SNAKE_CASE",
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "VERY_TASTY",
            ),
            (
                "kebab-case",
                "very_tasty",
                "very-tasty",
                "VeryTasty",
                "very-tasty",
            ),
            ("SCREAMING-KEBAB-CASE", "z42", "Z42", "Z42", "Z42"),
            ("nonsense", "a_b", "a_b", "AB", "AB"),
        ];
        for (rule, field, as_field, variant, as_variant) in cases {
            assert_eq!(apply(rule, field, Source::Field), as_field, "{rule}");
            assert_eq!(apply(rule, variant, Source::Variant), as_variant, "{rule}");
        }
    }
}
