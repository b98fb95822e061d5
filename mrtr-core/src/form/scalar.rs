//! The types of the standard library that may be fields.

use serde_json::Value;

use super::traits::FormField;

macro_rules! fields {
    ($($ty:ty),*) => {$(
        impl FormField for $ty {
            fn to_default(&self) -> Option<Value> {
                Some(self.clone().into())
            }
        }
    )*};
}

// `i128` and `u128` are left out: JSON readers do not agree on numbers of that size.
fields!(
    String, bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f64
);

impl FormField for f32 {
    /// Through its shortest text, because 0.1 as `f32` is 0.10000000149011612 as `f64`.
    fn to_default(&self) -> Option<Value> {
        let shortest: f64 = self.to_string().parse().ok()?;
        Some(shortest.into())
    }
}
