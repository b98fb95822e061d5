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

#[cfg(all(test, feature = "jiff", feature = "chrono"))]
mod tests {
    use std::fmt::Display;

    use crate::form::{Form, FormField, reason};

    fn check<T: Form + FormField + Display>(format: &str, good: &str, bad: &str) {
        let form = T::form().expect("a form");
        let published = format!("\"value\":{{\"type\":\"string\",\"format\":\"{format}\"}}");
        assert!(
            form.requested_schema().contains(&published),
            "{}",
            form.requested_schema()
        );
        let content = |text: &str| form.read(Some(&format!("{{\"value\":\"{text}\"}}")));
        let normal = content(good).expect("accepted");
        let value = T::from_content(&normal).expect("read");
        let default = value.to_default().expect("a default");
        let again = content(default.as_str().expect("a text")).expect("a default is an answer");
        let again = T::from_content(&again).expect("read");
        assert_eq!(again.to_string(), value.to_string());
        let words = reason(&content(bad).expect_err("refused"));
        assert!(words.starts_with("`value` must be a date"), "{words}");
    }

    #[test]
    fn dates_and_moments_have_their_formats() {
        check::<jiff::civil::Date>("date", "2026-07-28", "2026-02-29");
        check::<chrono::NaiveDate>("date", "2024-02-29", "28.07.2026");
        check::<jiff::Timestamp>(
            "date-time",
            "2026-07-28T10:00:00.5+02:00",
            "2026-07-28T10:00:00",
        );
        check::<chrono::DateTime<chrono::Utc>>("date-time", "2026-07-28T10:00:00Z", "2026-07-28");
        check::<chrono::DateTime<chrono::FixedOffset>>(
            "date-time",
            "2026-07-28T10:00:00-05:30",
            "2026-07-28T25:00:00Z",
        );
    }

    #[test]
    fn leap_seconds_and_small_letters_are_read() {
        for text in ["2016-12-31T23:59:60Z", "2026-07-28t10:00:00z"] {
            let content = format!("{{\"value\":\"{text}\"}}");
            assert!(jiff::Timestamp::from_content(&content).is_ok(), "{text}");
            assert!(
                chrono::DateTime::<chrono::Utc>::from_content(&content).is_ok(),
                "{text}"
            );
        }
    }
}
