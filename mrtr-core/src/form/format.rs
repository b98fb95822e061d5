//! The four text formats of a form, asserted exactly.
//!
//! JSON Schema treats `format` as a hint, so that the server itself has to check it. Dates are
//! checked here by hand: the grammar of RFC 3339 is two small tables, while date libraries accept
//! more than it (other calendars' forms, missing parts) and would be dependencies of everybody.

use email_address::{EmailAddress, Options};
use iri_string::types::UriStr;

/// A format that a text can be asked to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address (RFC 5321), without a display name.
    Email,
    /// A URI with its scheme (RFC 3986).
    Uri,
    /// A day as `YYYY-MM-DD` (RFC 3339).
    Date,
    /// A moment as `YYYY-MM-DDThh:mm:ssZ` or with an offset (RFC 3339).
    DateTime,
}

impl Format {
    /// All formats.
    pub(crate) const ALL: [Format; 4] =
        [Format::Email, Format::Uri, Format::Date, Format::DateTime];

    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Email => "email",
            Format::Uri => "uri",
            Format::Date => "date",
            Format::DateTime => "date-time",
        }
    }

    /// What a person should write; it holds no URL, because questions must not show one to click.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Format::Email => "an e-mail address",
            Format::Uri => "a full web address (URI) with its scheme",
            Format::Date => "a date as YYYY-MM-DD",
            Format::DateTime => "a date and time as YYYY-MM-DDThh:mm:ssZ",
        }
    }

    /// Whether a text has the format.
    pub(crate) fn accepts(self, text: &str) -> bool {
        match self {
            Format::Email => is_email(text),
            Format::Uri => UriStr::new(text).is_ok(),
            Format::Date => is_date(text.as_bytes()),
            Format::DateTime => is_date_time(text.as_bytes()),
        }
    }
}

fn is_email(text: &str) -> bool {
    let options = Options::default().without_display_text();
    EmailAddress::parse_with_options(text, options).is_ok()
}

fn is_date(text: &[u8]) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (
        number(&[*y1, *y2, *y3, *y4]),
        number(&[*m1, *m2]),
        number(&[*d1, *d2]),
    ) else {
        return false;
    };
    (1..=days_in(year, month)).contains(&day)
}

/// `full-date "T" full-time`; the RFC allows small letters for `T` and `Z`.
fn is_date_time(text: &[u8]) -> bool {
    let Some((date, [b'T' | b't', time @ ..])) = text.split_at_checked(10) else {
        return false;
    };
    let Some((clock, rest)) = time.split_at_checked(8) else {
        return false;
    };
    is_date(date) && is_clock(clock) && is_offset(after_fraction(rest))
}

/// `hh:mm:ss`; second 60 exists only as a leap second, at the end of an hour in every offset.
fn is_clock(text: &[u8]) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = text else {
        return false;
    };
    let below = |digits: [u8; 2], limit| number(&digits).is_some_and(|n| n < limit);
    let leap = [*s1, *s2] == *b"60" && matches!([*m1, *m2], [b'5', b'9'] | [b'2', b'9']);
    below([*h1, *h2], 24) && below([*m1, *m2], 60) && (below([*s1, *s2], 60) || leap)
}

/// The rest after `.` and at least one digit; a point without digits stays and is no offset.
fn after_fraction(text: &[u8]) -> &[u8] {
    let [b'.', rest @ ..] = text else {
        return text;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { text } else { &rest[digits..] }
}

/// `Z`, or `+hh:mm` with at most 23:59.
fn is_offset(text: &[u8]) -> bool {
    match text {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            number(&[*h1, *h2]).is_some_and(|hours| hours < 24)
                && number(&[*m1, *m2]).is_some_and(|minutes| minutes < 60)
        }
        _ => false,
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + u32::from(digit - b'0'))
    })
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.accepts(text), "{format:?} should accept {text:?}");
        }
        for text in bad {
            assert!(!format.accepts(text), "{format:?} should refuse {text:?}");
        }
    }

    #[test]
    fn emails() {
        check(
            Format::Email,
            &[
                "a@example.com",
                "first.last+tag@sub.example.org",
                "a@localhost",
                "grüße@example.de",
            ],
            &[
                "",
                "x",
                "@example.com",
                "a@",
                "a b@example.com",
                "Ann <a@example.com>",
                "a@b@c.d",
            ],
        );
    }

    #[test]
    fn uris() {
        check(
            Format::Uri,
            &[
                "https://example.com/",
                "mailto:a@example.com",
                "urn:isbn:0451450523",
            ],
            &[
                "",
                "example.com",
                "/path",
                "http://exa mple.com",
                "https://exämple.com/",
                "://x",
            ],
        );
    }

    #[test]
    fn dates() {
        check(
            Format::Date,
            &[
                "2026-07-28",
                "2024-02-29",
                "2000-02-29",
                "0000-01-01",
                "9999-12-31",
            ],
            &[
                "",
                "2026-7-28",
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-04-31",
                "2026-01-00",
                "20260728",
                "2026-07-28T",
                "2026/07/28",
                " 2026-07-28",
                "２026-07-28",
            ],
        );
    }

    #[test]
    fn moments() {
        check(
            Format::DateTime,
            &[
                "2026-07-28T10:00:00Z",
                "2026-07-28t10:00:00z",
                "2026-07-28T23:59:59.999999999+23:59",
                "2026-07-28T00:00:00-00:00",
                "2016-12-31T23:59:60Z",
                "2017-01-01T05:29:60+05:30",
            ],
            &[
                "",
                "2026-07-28",
                "2026-07-28T10:00:00",
                "2026-07-28 10:00:00Z",
                "2026-07-28T24:00:00Z",
                "2026-07-28T10:60:00Z",
                "2026-07-28T10:00:60Z",
                "2026-07-28T10:00:00.Z",
                "2026-07-28T10:00:00+24:00",
                "2026-07-28T10:00:00+01:60",
                "2026-07-28T10:00:00+0100",
                "2026-07-28T10:00Z",
                "2026-02-30T10:00:00Z",
                "2026-07-28T10:00:00Zx",
                "2026-07-2äT10:00:00Z",
            ],
        );
    }
}
