//! Passes the words, literals, comments and groups of a text that is not parsed.
//!
//! The macro is not optimised, so the inside of a group is passed byte by byte, without a call for
//! those that mean nothing to it.

use std::ops::Range;

/// A place in a text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) end: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, within: Range<usize>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: within.start,
            end: within.end,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.bytes[self.at])
    }

    pub(super) fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.at < self.end && is_word(self.bytes[self.at]) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Passes one token that is neither a word nor a bracket.
    pub(super) fn token(&mut self) {
        match self.bytes[self.at] {
            b'"' => self.string(),
            b'\'' => self.quote(),
            _ => self.at += 1,
        }
    }

    /// Passes a bracketed group and returns what is inside.
    pub(super) fn group(&mut self) -> Range<usize> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        while self.at < self.end {
            let byte = self.bytes[self.at];
            if !MARKS[byte as usize] {
                self.at += 1;
                continue;
            }
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.at += 1;
                        return start..self.at - 1;
                    }
                }
                b'/' if self.comment() => continue,
                b'/' => {}
                _ => {
                    self.token();
                    continue;
                }
            }
            self.at += 1;
        }
        start..self.end.max(start)
    }

    pub(super) fn skip_blank(&mut self) {
        while self.at < self.end {
            let byte = self.bytes[self.at];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte != b'/' || !self.comment() {
                return;
            }
        }
    }

    fn comment(&mut self) -> bool {
        match self.bytes.get(self.at + 1) {
            Some(b'/') => {
                let line = self.text[self.at..self.end].find('\n');
                self.at = line.map_or(self.end, |length| self.at + length);
                true
            }
            Some(b'*') => {
                let mut depth = 0_usize;
                while self.at + 1 < self.end {
                    match (self.bytes[self.at], self.bytes[self.at + 1]) {
                        (b'/', b'*') => depth += 1,
                        (b'*', b'/') => depth -= 1,
                        _ => {
                            self.at += 1;
                            continue;
                        }
                    }
                    self.at += 2;
                    if depth == 0 {
                        return true;
                    }
                }
                self.at = self.end;
                true
            }
            _ => false,
        }
    }

    /// Passes a string literal of any kind, of which the first quote is here.
    fn string(&mut self) {
        let raw = self.hashes_of_raw();
        self.at += 1;
        while self.at < self.end {
            let byte = self.bytes[self.at];
            self.at += if byte == b'\\' && raw.is_none() { 2 } else { 1 };
            let closes = byte == b'"' && self.hashes_follow(raw.unwrap_or_default());
            if closes {
                self.at += raw.unwrap_or_default();
                return;
            }
        }
    }

    fn hashes_follow(&self, count: usize) -> bool {
        (self.at..self.at + count).all(|at| self.bytes.get(at) == Some(&b'#'))
    }

    /// How many hashes stand before the quote here, if it begins `r"..."` or `br##"..."##`.
    fn hashes_of_raw(&self) -> Option<usize> {
        let before = &self.bytes[..self.at];
        let hashes = before
            .iter()
            .rev()
            .take_while(|byte| **byte == b'#')
            .count();
        let before = &before[..before.len() - hashes];
        if before.last() != Some(&b'r') {
            return None;
        }
        let letters = before
            .iter()
            .rev()
            .take_while(|byte| is_word(**byte))
            .count();
        let prefix = &before[before.len() - letters..];
        matches!(prefix, b"r" | b"br" | b"cr").then_some(hashes)
    }

    /// A char literal, or a lifetime.
    fn quote(&mut self) {
        let next = self.bytes.get(self.at + 1).copied().unwrap_or(b' ');
        if next == b'\\' {
            self.at += 3;
            while self.peek().is_some_and(|byte| byte != b'\'') {
                self.at += 1;
            }
            self.at += 1;
            return;
        }
        let ascii = next.is_ascii();
        let closes = self.bytes.get(self.at + 2) == Some(&b'\'');
        if ascii && closes {
            self.at += 3;
        } else if ascii {
            self.at += 1;
        } else {
            self.at += 1;
            while self.peek().is_some_and(|byte| byte != b'\'') {
                self.at += 1;
            }
            self.at += 1;
        }
    }
}

/// The bytes that matter inside of a group.
static MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut bytes: &[u8] = b"{}()[]\"'/";
    while let [first, rest @ ..] = bytes {
        marks[*first as usize] = true;
        bytes = rest;
    }
    marks
};

/// Where `needle`, which begins with an ASCII letter, stands in `text`.
///
/// Looking for one character is compiled with the standard library, and so optimised; its search for
/// a text is generic, and so as slow as the rest of a macro.
pub(super) fn places(text: &str, needle: &str) -> Vec<usize> {
    let (bytes, wanted) = (text.as_bytes(), needle.as_bytes());
    let first = char::from(wanted[0]);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(first) {
        at += next;
        // Most places fail at the second byte.
        let second = wanted
            .get(1)
            .is_none_or(|wanted| bytes.get(at + 1) == Some(wanted));
        if second && bytes[at..].starts_with(wanted) {
            found.push(at);
        }
        at += 1;
    }
    found
}

/// Where the name stands that begins at `at`.
pub(super) fn word_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = if bytes[at..].starts_with(b"r#") {
        at + 2
    } else {
        at
    };
    let mut end = start;
    while end < bytes.len() && is_word(bytes[end]) {
        end += 1;
    }
    start..end
}

/// The words of a short text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_standard_search() {
        for text in ["", "fn", "fn ", "fn fn fnfn  fn x", "nfn fn", "ffn fn f"] {
            for needle in ["fn ", "n", "ff"] {
                let expected: Vec<usize> = text.match_indices(needle).map(|(at, _)| at).collect();
                assert_eq!(places(text, needle), expected, "{text:?} {needle:?}");
            }
        }
    }
}
