//! Reads and checks an enum, which is a choice.

use quote::ToTokens;
use syn::{DataEnum, DeriveInput, Fields, Variant};

use crate::attr::Options;
use crate::diag::Diag;

use super::foreign::{Foreign, Item};
use super::model::{ChoiceModel, VariantModel};
use super::rename::{Source, described_name, wire_name};
use super::rules;

/// Options that make a variant something else than its name as a text.
const REFUSED: [&str; 10] = [
    "tag",
    "content",
    "untagged",
    "from",
    "try_from",
    "remote",
    "with",
    "schema_with",
    "repr",
    "transparent",
];

/// The choice that an enum is.
pub(crate) fn read(
    input: &DeriveInput,
    data: &DataEnum,
    options: &mut Options,
    diag: &mut Diag,
) -> ChoiceModel {
    let container = Foreign::of(&input.attrs);
    rules::check_container(&container, &REFUSED, diag);
    let enum_names = options.flag("enum_names", diag).is_some();
    let variants: Vec<VariantModel> = data
        .variants
        .iter()
        .map(|variant| read_variant(variant, &container, diag))
        .collect();
    if variants.iter().all(|variant| variant.wire.is_none()) {
        let ident = &input.ident;
        diag.error(ident, format!("enum `{ident}` offers no choice"))
            .help("give it at least one variant that serde does not skip");
    }
    check_unique(&variants, diag);
    ChoiceModel {
        variants,
        enum_names,
    }
}

fn read_variant(variant: &Variant, container: &Foreign, diag: &mut Diag) -> VariantModel {
    let ident = variant.ident.clone();
    let foreign = Foreign::of(&variant.attrs);
    if foreign.is_skipped() {
        return VariantModel { ident, wire: None };
    }
    if let Some(form) = variant
        .attrs
        .iter()
        .find(|attr| attr.path().is_ident("form"))
    {
        diag.error(form.path(), "a variant has no `form` options")
            .help("`enum_names` belongs on the enum");
    }
    check_variant(variant, &foreign, diag);
    let wire = wire_name(&ident, &foreign, container, Source::Variant);
    let described = described_name(&ident, &foreign, container, Source::Variant);
    if described != wire {
        let place = foreign.schemars("rename").map(Item::place);
        let place = place.unwrap_or_else(|| ident.to_token_stream());
        diag.error(
            place,
            format!("serde reads `{wire}` and schemars publishes `{described}`"),
        )
        .help("use `#[serde(rename = \"..\")]` or `rename_all`, which schemars reads too");
    }
    let wire = Some(wire);
    VariantModel { ident, wire }
}

fn check_variant(variant: &Variant, foreign: &Foreign, diag: &mut Diag) {
    let ident = &variant.ident;
    if !matches!(variant.fields, Fields::Unit) {
        diag.error(
            &variant.fields,
            format!("variant `{ident}` must have no fields"),
        )
        .help("ask for what belongs to the choice in fields of their own")
        .note("a choice is one text of a list");
    }
    for key in ["untagged", "with", "deserialize_with"] {
        let item = foreign.serde(key).or_else(|| foreign.schemars(key));
        if let Some(item) = item {
            diag.error(
                &item.key,
                format!("`{key}` changes what the choice looks like"),
            )
            .help("remove it and convert the answer in the handler");
        }
    }
    if let (Some(skip), None) = (foreign.schemars("skip"), foreign.serde("skip")) {
        diag.error(&skip.key, "only schemars skips this variant")
            .help("write `#[serde(skip)]`, which schemars reads too");
    }
}

fn check_unique(variants: &[VariantModel], diag: &mut Diag) {
    for (at, variant) in variants.iter().enumerate() {
        let (ident, Some(wire)) = (&variant.ident, &variant.wire) else {
            continue;
        };
        let mut seen = variants[..at].iter();
        if let Some(first) = seen.rfind(|seen| seen.wire.as_ref() == Some(wire)) {
            let first = &first.ident;
            diag.error(
                ident,
                format!("variants `{first}` and `{ident}` are both `{wire}` in an answer"),
            )
            .help("rename one of them");
        }
    }
}
