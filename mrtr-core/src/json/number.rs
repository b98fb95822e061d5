//! JSON numbers as exact decimals: no number ever goes through a float.

use std::borrow::Cow;
use std::fmt::Write;

/// Numbers below ten to this power are written without an exponent; it is enough for an `i128`.
const PLAIN_DIGITS: i64 = 40;
/// Numbers not smaller than ten to the minus this power are written without an exponent.
const PLAIN_ZEROS: i64 = 6;
/// The most digits of an exponent, without its leading zeros.
const EXPONENT_DIGITS: usize = 18;

/// The length of the number at the start of the text.
///
/// # Errors
/// Gives back how far the text could be the beginning of a number.
pub(super) fn scan(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let some_digits = |from: usize| Some(digits(from)).filter(|&end| end > from).ok_or(from);

    let start = usize::from(bytes.first() == Some(&b'-'));
    let mut end = some_digits(start)?;
    if bytes[start] == b'0' && end > start + 1 {
        return Err(start + 1);
    }
    if bytes.get(end) == Some(&b'.') {
        end = some_digits(end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = some_digits(end + 1 + sign)?;
    }
    Ok(end)
}

/// The exponent written in a number, or `None` if it, or that of the canonical form, is too long
/// to be compared.
pub(super) fn exponent(number: &str) -> Option<i64> {
    let Some((_, written)) = number.split_once(['e', 'E']) else {
        return Some(0);
    };
    let digits = written
        .trim_start_matches(['+', '-'])
        .trim_start_matches('0');
    if digits.len() > EXPONENT_DIGITS {
        return None;
    }
    let size: i64 = if digits.is_empty() {
        0
    } else {
        digits.parse().ok()?
    };
    let exponent = if written.starts_with('-') {
        -size
    } else {
        size
    };
    // Only one that is nearly too long can become so when the point moves.
    if digits.len() == EXPONENT_DIGITS {
        let (_, significant, point) = parts(number, exponent);
        let canonical = (point - 1).unsigned_abs();
        if !significant.is_empty() && canonical >= 10_u64.pow(EXPONENT_DIGITS as u32) {
            return None;
        }
    }
    Some(exponent)
}

/// Whether a number is negative, its digits from the first to the last that is not zero, and its
/// point: the value is 0.DIGITS times ten to that power.
fn parts(number: &str, exponent: i64) -> (bool, String, i64) {
    let negative = number.starts_with('-');
    let (mantissa, _) = number.split_once(['e', 'E']).unwrap_or((number, ""));
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let zeros = all.len() - significant.len();
    let point = as_i64(whole.len()) - as_i64(zeros) + exponent;
    (
        negative,
        significant.trim_end_matches('0').to_owned(),
        point,
    )
}

/// Writes a number in the one way that all numbers of the same value share.
///
/// The digits have no zeros in front or behind, and every zero is `0`. From 10^-6 up to below
/// 10^40 there is no exponent (`100`, `0.000001`); otherwise one digit stands before the point
/// and a bare exponent follows (`1.5e40`, `1e-7`).
pub(crate) fn canonical_number(number: &str) -> Cow<'_, str> {
    if is_plain_integer(number) {
        return Cow::Borrowed(number);
    }
    let exponent = exponent(number).expect("invariant: the reader refuses longer exponents");
    let (negative, digits, point) = parts(number, exponent);
    if digits.is_empty() {
        return Cow::Borrowed("0");
    }
    Cow::Owned(written(negative, &digits, point))
}

/// Whether the number is an integer that is already written canonically.
fn is_plain_integer(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    as_i64(digits.len()) <= PLAIN_DIGITS
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && number != "-0"
}

fn written(negative: bool, digits: &str, point: i64) -> String {
    let mut text = String::from(if negative { "-" } else { "" });
    let count = as_i64(digits.len());
    if (1..=PLAIN_DIGITS).contains(&point) {
        let (whole, fraction) = digits.split_at(count.min(point) as usize);
        text.push_str(whole);
        text.extend(std::iter::repeat_n('0', (point - count).max(0) as usize));
        if !fraction.is_empty() {
            text.push('.');
            text.push_str(fraction);
        }
    } else if (1 - PLAIN_ZEROS..=0).contains(&point) {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', -point as usize));
        text.push_str(digits);
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        write!(text, "{first}{dot}{rest}e{}", point - 1)
            .expect("invariant: writing to a String cannot fail");
    }
    text
}

fn as_i64(length: usize) -> i64 {
    i64::try_from(length).expect("invariant: no text is longer than isize::MAX bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_are_written_equally() {
        for (canonical, spellings) in [
            ("0", &["0", "-0", "0.0", "-0.00", "0e9", "0E-5", "-0e0"][..]),
            (
                "1",
                &[
                    "1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2", "1.000", "0.001e+3",
                ],
            ),
            ("100", &["100", "1e2", "100.0", "0.1e3"]),
            ("30", &["30", "30.0", "3e1"]),
            ("0.1", &["0.1", "0.10", "1e-1", "10e-2"]),
            ("-1.5", &["-1.5", "-15e-1", "-1.50"]),
            ("12.34", &["12.34", "1234e-2", "0.1234e2"]),
            (
                "9007199254740993",
                &["9007199254740993", "9007199254740993.0"],
            ),
            ("1152921504606846977", &["1152921504606846977"]),
            ("0.000001", &["0.000001", "1e-6"]),
            ("1e-7", &["0.0000001", "1e-7", "10E-8"]),
            ("1.2e-7", &["0.00000012"]),
            ("1e400", &["1e400", "10e399", "0.1e+401"]),
            ("-1.25e60", &["-1.25e60", "-125e58"]),
        ] {
            for spelling in spellings {
                assert_eq!(canonical_number(spelling), canonical, "{spelling}");
            }
        }
    }

    #[test]
    fn the_exponent_begins_where_it_is_documented() {
        let nines = "9".repeat(40);
        assert_eq!(canonical_number(&nines), nines);
        assert_eq!(canonical_number("1e39"), format!("1{}", "0".repeat(39)));
        assert_eq!(canonical_number("1e40"), "1e40");
        assert_eq!(canonical_number(&format!("1{}", "0".repeat(40))), "1e40");
        let long = format!("{nines}9");
        assert_eq!(canonical_number(&long), format!("9.{nines}e40"));
    }

    #[test]
    fn neighbours_beyond_doubles_stay_apart() {
        for (one, other) in [
            ("9007199254740992", "9007199254740993"),
            ("1152921504606846976", "1152921504606846977"),
            ("1e400", "1e401"),
            ("1e-400", "0"),
            ("0.1", "0.1000000000000000055511151231257827"),
        ] {
            assert_ne!(canonical_number(one), canonical_number(other));
        }
    }

    #[test]
    fn an_exponent_is_refused_if_its_canonical_form_would_be_too_long() {
        for text in [
            "1e999999999999999999",
            "0.1e999999999999999999",
            "0e-999999999999999999",
        ] {
            let exponent = exponent(text).expect(text);
            assert_eq!(exponent.unsigned_abs(), 999_999_999_999_999_999);
            assert!(super::exponent(&canonical_number(text)).is_some(), "{text}");
        }
        for text in [
            "63e999999999999999999",
            "630e999999999999999998",
            "0.1e-999999999999999999",
        ] {
            assert_eq!(exponent(text), None, "{text}");
        }
    }

    #[test]
    fn a_long_mantissa_takes_linear_time() {
        let long = format!("0.{}1e-5", "0".repeat(1_000_000));
        assert_eq!(canonical_number(&long), "1e-1000006");
    }

    proptest! {
        #[test]
        fn canonical_numbers_are_fixed_points(text in "-?(0|[1-9][0-9]{0,45})(\\.[0-9]{1,45})?([eE][+-]?[0-9]{1,3})?") {
            prop_assert_eq!(scan(&text), Ok(text.len()));
            let once = canonical_number(&text).into_owned();
            prop_assert_eq!(scan(&once), Ok(once.len()));
            prop_assert_eq!(&canonical_number(&once), &once);
            let doubles: (f64, f64) = (text.parse().unwrap(), once.parse().unwrap());
            prop_assert_eq!(doubles.0, doubles.1);
        }

        #[test]
        fn moving_the_point_changes_nothing(digits in "[1-9][0-9]{0,20}", shift in 0_i32..30, zeros in 0_usize..5) {
            let zeros = "0".repeat(zeros);
            let plain = canonical_number(&digits).into_owned();
            let up = format!("{digits}{}e-{shift}", "0".repeat(shift as usize));
            let down = format!("{digits}.{zeros}0e+0");
            prop_assert_eq!(canonical_number(&up), plain.clone());
            prop_assert_eq!(canonical_number(&down), plain);
        }
    }
}
