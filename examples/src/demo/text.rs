//! Server text in a terminal: what could steer the terminal or hide is shown as an escape.

/// The text with controls, and characters that reverse or hide others, made visible.
pub(crate) fn visible(text: &str) -> String {
    let hides = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_server_cannot_steer_the_terminal() {
        assert_eq!(
            visible("\u{1b}[2Jred\u{202e}der"),
            r"\u{1b}[2Jred\u{202e}der"
        );
        assert_eq!(visible("two\nlines, ümläuts"), "two\nlines, ümläuts");
    }
}
