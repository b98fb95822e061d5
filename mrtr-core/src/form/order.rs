//! Finds the author's order of fields and variants, which a JSON map does not keep.
//!
//! serde tells a deserializer the names of a struct's fields or an enum's variants in the order of
//! the source, renamed as on the wire. A deserializer that notes the names and stops is therefore
//! a probe, and works whatever features `serde_json` has in the user's tree.

use std::fmt;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The wire names of a struct's fields in the author's order, aliases included.
///
/// A newtype is seen through. Nothing is known of other types and of structs with `flatten`.
#[must_use]
pub fn fields_of<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    match probe::<T>() {
        Some(Seen::Struct(names)) => Some(names),
        _ => None,
    }
}

/// The wire names of an enum's variants in the author's order, aliases included.
#[must_use]
pub fn variants_of<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    match probe::<T>() {
        Some(Seen::Enum(names)) => Some(names),
        _ => None,
    }
}

fn probe<T: DeserializeOwned>() -> Option<Seen> {
    let mut seen = None;
    // The probe always ends in its own error; what it saw is what counts.
    let _ = T::deserialize(Probe { seen: &mut seen });
    seen
}

enum Seen {
    Struct(&'static [&'static str]),
    Enum(&'static [&'static str]),
}

struct Probe<'a> {
    seen: &'a mut Option<Seen>,
}

/// The end of every probe.
#[derive(Debug)]
struct Stop;

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        Err(Stop)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Stop> {
        *self.seen = Some(Seen::Struct(fields));
        Err(Stop)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Stop> {
        *self.seen = Some(Seen::Enum(variants));
        Err(Stop)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the probe has seen enough")
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Stop
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code, reason = "only the names are probed")]
    struct Order {
        zeta_one: u8,
        alpha: u8,
        #[serde(skip)]
        hidden: u8,
        #[serde(rename = "__proto__")]
        proto: u8,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only the names are probed")]
    struct Wrapped(Order);

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only the names are probed")]
    enum Seat {
        Window,
        #[serde(rename = "aisle seat")]
        Aisle,
    }

    #[test]
    fn names_come_in_the_order_of_the_source() {
        let names: &[&str] = &["zetaOne", "alpha", "__proto__"];
        assert_eq!(fields_of::<Order>(), Some(names));
        assert_eq!(fields_of::<Wrapped>(), Some(names));
        assert_eq!(variants_of::<Order>(), None);
        assert_eq!(variants_of::<Seat>(), Some(&["Window", "aisle seat"][..]));
        assert_eq!(fields_of::<String>(), None);
        assert_eq!(fields_of::<Option<Order>>(), None);
    }
}
