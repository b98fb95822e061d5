//! Which texts a variable of a template may hold: none that leads a path out of its place.
//!
//! A handler is likely to join a variable to a directory. `..`, a hidden `/`, a backslash, a drive
//! letter or a NUL would then lead anywhere, so they never reach it.

/// Where in the URI a variable stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// One segment of the path, as `{id}` is.
    Segment,
    /// Several segments, as `{+path}` may be.
    Path,
    /// The query or the fragment, which no path is made of.
    Query,
}

/// Whether a decoded value may go to the handler.
pub(super) fn is_safe(value: &str, place: Place) -> bool {
    let printable = !value.chars().any(char::is_control);
    printable
        && match place {
            Place::Query => true,
            Place::Segment => is_segment(value),
            Place::Path => value.split('/').all(is_segment),
        }
}

fn is_segment(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(['/', '\\']) && !has_drive(text)
}

/// Whether it begins like `C:`, which on Windows leaves every directory.
fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_a_path_out_of_its_place() {
        for value in ["a", "a b", "a.b", "..a", "...", "é", "a:b:c1"] {
            let safe = value != "a:b:c1";
            assert_eq!(is_safe(value, Place::Segment), safe, "{value}");
        }
        for value in ["", ".", "..", "a/b", "a\\b", "C:", "c:x", "a\0", "a\nb"] {
            assert!(!is_safe(value, Place::Segment), "{value:?}");
        }
        for value in ["a/b", "a", "a/b.c/d"] {
            assert!(is_safe(value, Place::Path), "{value}");
        }
        for value in [
            "/etc", "a/../b", "../a", "a//b", "a/", "a\\..", "C:/x", "a/\0",
        ] {
            assert!(!is_safe(value, Place::Path), "{value:?}");
        }
        assert!(is_safe("../a", Place::Query));
        assert!(!is_safe("a\0", Place::Query));
    }
}
