//! Reads the attributes of serde and schemars, which rule what an answer looks like.

use mrtr_lint::parse_list;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Token, Type, parenthesized};

/// All options of serde, schemars, validator and garde on one item.
pub(crate) struct Foreign {
    items: Vec<Item>,
}

/// One option such as `rename = "x"`, `length(min = 1)` or `flatten`.
pub(crate) struct Item {
    /// `serde`, `schemars`, `validate` or `garde`.
    pub(crate) owner: &'static str,
    pub(crate) key: Ident,
    pub(crate) value: Option<Expr>,
    /// What stands in parentheses, and has to be read as the option's own grammar says.
    pub(crate) nested: TokenStream,
}

impl Foreign {
    /// Reads what it can; what does not parse is left to the derive it belongs to.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let mut items = Vec::new();
        for owner in ["serde", "schemars", "validate", "garde"] {
            for attr in attrs.iter().filter(|attr| attr.path().is_ident(owner)) {
                for bare in attr.parse_args_with(parse_list).unwrap_or_default() {
                    items.push(Bare::owned_by(bare, owner));
                }
            }
        }
        Foreign { items }
    }

    /// Every option.
    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The option `key` of one owner.
    pub(crate) fn get(&self, owner: &str, key: &str) -> Option<&Item> {
        self.items
            .iter()
            .find(|item| item.owner == owner && item.key == key)
    }

    /// The option `key` of serde.
    pub(crate) fn serde(&self, key: &str) -> Option<&Item> {
        self.get("serde", key)
    }

    /// The option `key` of schemars.
    pub(crate) fn schemars(&self, key: &str) -> Option<&Item> {
        self.get("schemars", key)
    }

    /// Whether serde never reads the item from an answer.
    pub(crate) fn is_skipped(&self) -> bool {
        self.serde("skip").is_some() || self.serde("skip_deserializing").is_some()
    }

    /// The type that a `with = "T"` of schemars puts in the field's place.
    pub(crate) fn described_as(&self) -> Option<Type> {
        self.schemars("with")?.text()?.parse().ok()
    }
}

impl Item {
    /// The literal of `key = ".."`.
    pub(crate) fn text(&self) -> Option<LitStr> {
        self.value.as_ref().and_then(text_of)
    }

    /// The name for reading: `rename = "x"` or `rename(deserialize = "x")`.
    pub(crate) fn reading_name(&self) -> Option<LitStr> {
        self.text().or_else(|| {
            let nested = nested(&self.nested);
            let reading = nested.into_iter().find(|item| item.key == "deserialize")?;
            reading.value.as_ref().and_then(text_of)
        })
    }

    /// The options inside the parentheses; empty if they have another grammar.
    pub(crate) fn nested(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for bare in nested(&self.nested) {
            items.push(bare.owned_by(self.owner));
        }
        items
    }

    /// The value if there is one, else the key: the smallest token to point at.
    pub(crate) fn place(&self) -> TokenStream {
        match &self.value {
            Some(value) => value.to_token_stream(),
            None => self.key.to_token_stream(),
        }
    }
}

fn nested(tokens: &TokenStream) -> Vec<Bare> {
    parse_list.parse2(tokens.clone()).unwrap_or_default()
}

fn text_of(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        _ => None,
    }
}

/// An option before it is known whose it is.
struct Bare {
    key: Ident,
    value: Option<Expr>,
    nested: TokenStream,
}

impl Bare {
    fn owned_by(self, owner: &'static str) -> Item {
        Item {
            owner,
            key: self.key,
            value: self.value,
            nested: self.nested,
        }
    }
}

impl Parse for Bare {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let mut nested = TokenStream::new();
        let mut value = None;
        if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            nested = content.parse()?;
        } else if input.parse::<Option<Token![=]>>()?.is_some() {
            value = Some(input.parse()?);
        }
        Ok(Bare { key, value, nested })
    }
}
