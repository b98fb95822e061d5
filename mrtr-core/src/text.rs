//! Cleaning of the texts that people read, so that nothing invisible can change what they seem to say.
//!
//! A question is shown to somebody who consents to what it says, and parts of it come from
//! arguments that a model or a web page wrote. Controls, characters that turn the writing
//! direction, and characters without a shape are therefore written out as `\u{..}`.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// The longest message of a question after cleaning, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 4096;
/// The longest label (a title, a choice) after cleaning, in bytes.
pub const MAX_LABEL_BYTES: usize = 256;
/// The longest value in a hole of a message, in characters.
pub const MAX_HOLE_CHARS: usize = 120;
/// The longest foreign name in a log line, in characters.
pub const MAX_LOG_NAME_CHARS: usize = 64;

/// Why a text cannot stand in a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text is too long; the limit holds after invisible characters are written out.
    #[error("the text is longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

/// Cleans the message of a question: line feeds stay, but never two in a row.
///
/// # Errors
/// The cleaned text has more than [`MAX_MESSAGE_BYTES`] bytes.
pub fn message<'a>(text: impl Into<Cow<'a, str>>) -> Result<String, TextError> {
    cleaned(text.into(), Lines::Single, MAX_MESSAGE_BYTES)
}

/// Cleans a label, which is one line: a title or a choice.
///
/// # Errors
/// The cleaned text has more than [`MAX_LABEL_BYTES`] bytes.
pub fn label(text: &str) -> Result<String, TextError> {
    cleaned(text.into(), Lines::None, MAX_LABEL_BYTES)
}

/// Writes a value for a `{hole}` of a message: one clean line of at most 120 characters,
/// the last of which is `…` when the value is longer.
///
/// A value whose `Display` fails half-way is shown as far as it came.
#[must_use]
pub fn hole(value: impl Display) -> String {
    let mut text = String::new();
    push_hole(&mut text, value);
    text
}

/// Writes a value for a `{hole}` behind what is there; see [`hole`].
pub fn push_hole(text: &mut String, value: impl Display) {
    let mut cut = Cut::new(text, MAX_HOLE_CHARS);
    // Both errors are a normal end: `Cut` stops the writing when it is full, and a value that
    // cannot be written must not take the question down.
    let _ = write!(cut, "{value}");
    cut.finish();
}

/// Writes a name that somebody else chose for a log line: clean, and cut to 64 characters.
#[must_use]
pub fn log_name(name: &str) -> String {
    let mut text = String::new();
    let mut cut = Cut::new(&mut text, MAX_LOG_NAME_CHARS);
    let _ = cut.write_str(name);
    cut.finish();
    text
}

/// Which line feeds a text may keep.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    None,
    Single,
}

fn cleaned(text: Cow<'_, str>, lines: Lines, limit: usize) -> Result<String, TextError> {
    // Cleaning never shortens a text, so an oversized one is refused before any work.
    if text.len() > limit {
        return Err(TextError::TooLong { limit });
    }
    if is_plain(&text) {
        return Ok(text.into_owned());
    }
    let mut clean = String::with_capacity(text.len());
    let mut blank_line = false;
    for c in text.chars() {
        if c == '\n' && lines == Lines::Single && !blank_line {
            clean.push(c);
            blank_line = true;
        } else if is_visible(c) {
            clean.push(c);
            // A line of blanks only pushes the text away just as an empty one does.
            blank_line &= is_blank(c);
        } else {
            push_escape(&mut clean, c);
        }
    }
    if clean.len() > limit {
        return Err(TextError::TooLong { limit });
    }
    Ok(clean)
}

/// A line that is cut at a number of characters, never inside an escape.
struct Cut<'a> {
    /// Where it is written, behind what is there.
    text: &'a mut String,
    chars: usize,
    limit: usize,
    /// Where the text ends if an ellipsis must follow.
    fits: usize,
    full: bool,
}

impl<'a> Cut<'a> {
    fn new(text: &'a mut String, limit: usize) -> Self {
        Cut {
            chars: 0,
            limit,
            fits: text.len(),
            full: false,
            text,
        }
    }

    fn push(&mut self, c: char) -> fmt::Result {
        let before = self.text.len();
        if is_visible(c) {
            self.text.push(c);
            self.chars += 1;
        } else {
            push_escape(self.text, c);
            // An escape is ASCII, so its bytes are its characters.
            self.chars += self.text.len() - before;
        }
        if self.chars < self.limit {
            self.fits = self.text.len();
        }
        self.full = self.chars > self.limit;
        if self.full { Err(fmt::Error) } else { Ok(()) }
    }

    fn finish(self) {
        if self.full {
            self.text.truncate(self.fits);
            self.text.push('…');
        }
    }
}

impl Write for Cut<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // A `Display` may go on writing after an error; it gets the error again.
        if self.full {
            return Err(fmt::Error);
        }
        if is_plain(text) && self.chars + text.len() < self.limit {
            self.text.push_str(text);
            self.chars += text.len();
            self.fits = self.text.len();
            return Ok(());
        }
        text.chars().try_for_each(|c| self.push(c))
    }
}

/// Whether the text is printable ASCII, as most texts are, so that each byte is a visible character.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn push_escape(text: &mut String, c: char) {
    write!(text, "\\u{{{:x}}}", u32::from(c)).expect("invariant: writing to a String cannot fail");
}

/// Whether a text shows nothing at all.
pub(crate) fn shows_nothing(text: &str) -> bool {
    text.chars().all(is_blank)
}

/// Whether the character shows nothing but takes room. Unicode counts the empty Braille pattern
/// (U+2800) among the symbols.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}'
}

/// Whether a reader sees that the character is there and where it stands.
///
/// The selectors of text and emoji style (U+FE0E, U+FE0F) count as visible, because they belong
/// to ordinary emoji and choose between two shapes; all other variation selectors are hidden data.
fn is_visible(c: char) -> bool {
    !matches!(c,
        // C0 and C1 controls with delete, and the line and paragraph separators.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}'
        // Characters that turn the writing direction.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Characters without width: spaces, joiners, invisible operators, fillers, selectors.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        // Shorthand and musical format controls, and the whole plane of tags.
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_show_what_is_hidden() {
        for (text, shown) in [
            ("Book LH123?", "Book LH123?"),
            ("Grüße, 日本語 ⚠\u{fe0f}", "Grüße, 日本語 ⚠\u{fe0f}"),
            ("a\nb\nc", "a\nb\nc"),
            ("a\n\nb", "a\n\\u{a}b"),
            ("a\n \u{3000} \nb", "a\n \u{3000} \\u{a}b"),
            ("a\n\u{2800}\nb", "a\n\u{2800}\\u{a}b"),
            ("a\r\nb\tc", "a\\u{d}\nb\\u{9}c"),
            ("10 \u{202e}001\u{202c} EUR", "10 \\u{202e}001\\u{202c} EUR"),
            ("\u{0}\u{7f}\u{9f}\u{85}", "\\u{0}\\u{7f}\\u{9f}\\u{85}"),
            (
                "a\u{2028}b\u{2066}c\u{61c}d",
                "a\\u{2028}b\\u{2066}c\\u{61c}d",
            ),
            (
                "a\u{200b}\u{200d}\u{feff}\u{ad}",
                "a\\u{200b}\\u{200d}\\u{feff}\\u{ad}",
            ),
            (
                "\u{e0041}\u{e0101}\u{fe01}",
                "\\u{e0041}\\u{e0101}\\u{fe01}",
            ),
        ] {
            assert_eq!(message(text).as_deref(), Ok(shown), "{text:?}");
        }
    }

    #[test]
    fn labels_are_one_line() {
        assert_eq!(label("By the\nwindow").as_deref(), Ok("By the\\u{a}window"));
    }

    #[test]
    fn limits_hold_for_the_cleaned_text() {
        assert!(message("x".repeat(4096)).is_ok());
        let too_long = Err(TextError::TooLong { limit: 4096 });
        assert_eq!(message("x".repeat(4097)), too_long);
        assert_eq!(message("\u{1}".repeat(1000)), too_long);
        assert!(label(&"x".repeat(256)).is_ok());
        assert_eq!(
            label(&"x".repeat(257)).unwrap_err().to_string(),
            "the text is longer than 256 bytes"
        );
    }

    #[test]
    fn holes_are_short_lines() {
        assert_eq!(hole(12.5), "12.5");
        assert_eq!(hole("a\n\n\nb"), "a\\u{a}\\u{a}\\u{a}b");
        assert_eq!(hole("é".repeat(120)), "é".repeat(120));
        assert_eq!(hole("é".repeat(121)), format!("{}…", "é".repeat(119)));
        // The escape has eight characters; it is kept whole or left out whole.
        let edge = format!("{}\u{202e}", "x".repeat(112));
        assert_eq!(hole(&edge), format!("{}\\u{{202e}}", "x".repeat(112)));
        assert_eq!(hole(format!("{edge}y")), format!("{}…", "x".repeat(112)));
    }

    #[test]
    fn a_value_without_end_is_cut() {
        struct Endless;
        impl Display for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("again and ")?;
                }
            }
        }
        assert_eq!(hole(Endless).chars().count(), MAX_HOLE_CHARS);
    }

    #[test]
    fn log_names_are_cut() {
        assert_eq!(log_name("tools/call"), "tools/call");
        assert_eq!(log_name("a\nb"), "a\\u{a}b");
        assert_eq!(log_name(&"n".repeat(1000)).chars().count(), 64);
    }

    proptest! {
        #[test]
        fn cleaning_is_idempotent_and_leaves_nothing_hidden(text in "\\PC{0,40}|[\n \u{202e}a]{0,40}|(?s:.{0,40})") {
            let clean = message(&text).unwrap();
            prop_assert!(clean.chars().all(|c| c == '\n' || is_visible(c)));
            prop_assert_eq!(message(&clean), Ok(clean));
        }

        #[test]
        fn holes_pass_through_a_message_unchanged(text in "(?s:.{0,200})") {
            let hole = hole(&text);
            prop_assert!(hole.chars().count() <= MAX_HOLE_CHARS);
            prop_assert_eq!(message(&hole), Ok(hole));
        }
    }
}
