//! The dates and moments of `jiff` and `chrono` that may be fields.
//!
//! Only types that MCP's formats `date` and `date-time` describe are here: a time without a date
//! or without an offset has no format, so that such a type does not compile as a field.

#[cfg(any(feature = "jiff", feature = "chrono"))]
macro_rules! fields {
    ($($ty:ty),*) => {$(
        impl super::traits::FormField for $ty {
            fn to_default(&self) -> Option<serde_json::Value> {
                serde_json::to_value(self).ok()
            }
        }
    )*};
}

#[cfg(feature = "jiff")]
fields!(jiff::civil::Date, jiff::Timestamp);

#[cfg(feature = "chrono")]
fields!(
    chrono::NaiveDate,
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>
);
