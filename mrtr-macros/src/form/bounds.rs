//! Refuses bounds that schemars drops without a word, because the type has another measure.

use quote::ToTokens;
use syn::Type;

use crate::diag::Diag;
use crate::handler::types::{is_number, last_segment, type_argument};

use super::foreign::{Foreign, Item};

/// What a bound can bound; none of these if the name of the type does not say it.
#[derive(Clone, Copy)]
enum Measured {
    Text,
    Number,
    List,
    YesOrNo,
}

impl Measured {
    fn of(ty: &Type) -> Option<Self> {
        match &*last_segment(ty)?.ident.to_string() {
            "Option" => Self::of(type_argument(ty)?),
            "String" => Some(Self::Text),
            "Vec" => Some(Self::List),
            "bool" => Some(Self::YesOrNo),
            _ => is_number(ty).then_some(Self::Number),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::List => "a list",
            Self::YesOrNo => "a yes or no",
        }
    }

    /// The option that bounds it.
    fn bound(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::List => Some("length"),
            Self::Number => Some("range"),
            Self::YesOrNo => None,
        }
    }
}

/// Refuses `range` on what has a length, and `length` on what has a size.
pub(crate) fn check_bounds(foreign: &Foreign, ty: &Type, diag: &mut Diag) {
    let Some(measured) = Measured::of(ty) else {
        return;
    };
    // An exclusive limit is refused by itself: one `range` has one error.
    let is_bound = |item: &&Item| {
        (item.key == "range" || item.key == "length")
            && !item
                .nested()
                .iter()
                .any(|limit| limit.key.to_string().starts_with("exclusive_"))
    };
    for item in foreign.items().iter().filter(is_bound) {
        let right = measured.bound();
        if right.is_none_or(|right| item.key != right) {
            let (key, name) = (&item.key, measured.name());
            diag.error(key, format!("`{key}` does not bound {name}"))
                .help(match right {
                    Some(right) => format!("write `{right}({})`", limits(item)),
                    None => format!("remove `{key}`"),
                })
                .note("schemars would leave it out of the form, and nothing would check it");
        }
    }
}

/// The limits as both options take them: `range` has no `equal`.
fn limits(item: &Item) -> String {
    let mut limits = Vec::new();
    for limit in item.nested() {
        let (key, value) = (&limit.key, limit.value.to_token_stream());
        limits.push(match &*key.to_string() {
            "equal" => format!("min = {value}, max = {value}"),
            _ => format!("{key} = {value}"),
        });
    }
    limits.join(", ")
}
