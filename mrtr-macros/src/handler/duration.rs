//! Durations in options: `"500ms"`, `"90s"`, `"5m"`, `"1h"`, turned into milliseconds at compile time.

use syn::LitStr;

use crate::diag::Diag;

/// The longest duration that is accepted, so that no arithmetic at run time can overflow.
const LONGEST_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Milliseconds of the duration given for `option`.
pub(crate) fn parse_duration(option: &str, text: &LitStr, diag: &mut Diag) -> Option<u64> {
    let Some(ms) = milliseconds(&text.value()) else {
        diag.error(text, format!("`{option}` is not a duration"))
            .help(format!(
                "write a whole number and `ms`, `s`, `m` or `h`: `{option} = \"5m\"`"
            ));
        return None;
    };
    if !(1..=LONGEST_MS).contains(&ms) {
        diag.error(
            text,
            format!("`{option}` must be more than nothing and at most 720h"),
        )
        .help(format!("write a duration such as `{option} = \"5m\"`"));
        return None;
    }
    Some(ms)
}

fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    // A number too large for the type is too long as well, whatever its unit.
    (!number.is_empty()).then(|| {
        number
            .parse::<u64>()
            .unwrap_or(u64::MAX)
            .saturating_mul(factor)
    })
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn units_and_refusals() {
        let cases = [
            ("500ms", Some(500)),
            ("90s", Some(90_000)),
            ("5m", Some(300_000)),
            ("1h", Some(3_600_000)),
            ("0s", Some(0)),
            ("99999999999999999999h", Some(u64::MAX)),
            ("5", None),
            ("m", None),
            ("5 m", None),
            ("1.5h", None),
            ("-1s", None),
        ];
        for (text, expected) in cases {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
