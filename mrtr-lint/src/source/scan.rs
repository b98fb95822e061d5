//! Finds the items of a file without parsing their bodies.
//!
//! Parsing costs some 20 µs per line in a macro, which rustc runs unoptimised; a scan costs a small
//! part of that, and only the functions that a handler calls are parsed.

use std::ops::Range;

/// An item of a file, by where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) sort: Sort,
    /// For a function, a trait, a struct, a macro or a module: its name.
    pub(crate) name: String,
    /// From its first attribute or keyword to its brace or semicolon.
    pub(crate) header: Range<usize>,
    /// Between its braces; empty for an item without.
    pub(crate) body: Range<usize>,
}

/// Which kind of item it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Function,
    Impl,
    Trait,
    Struct,
    Use,
    Module,
    Macro,
}

/// The items directly in `text[within]`.
pub(crate) fn items(text: &str, within: Range<usize>) -> Vec<Found> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: within.start,
        end: within.end,
    };
    let mut found = Vec::new();
    while let Some(item) = scanner.item(text) {
        found.extend(item);
    }
    found
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Scanner<'_> {
    /// The next item; `Some(None)` for one that does not matter, `None` at the end.
    fn item(&mut self, text: &str) -> Option<Option<Found>> {
        let mut start = None;
        let mut sort = None;
        let mut name = String::new();
        loop {
            self.skip_blank();
            let at = self.at;
            let byte = self.peek()?;
            start.get_or_insert(at);
            match byte {
                b'{' => {
                    let body = self.group();
                    let header = start.unwrap_or(at)..at;
                    if matches!(sort, Some(Sort::Use)) {
                        continue;
                    }
                    return Some(sort.map(|sort| Found {
                        sort,
                        name,
                        header,
                        body,
                    }));
                }
                b';' => {
                    self.at += 1;
                    let header = start.unwrap_or(at)..at;
                    return Some(sort.map(|sort| Found {
                        sort,
                        name,
                        header,
                        body: at..at,
                    }));
                }
                b'(' | b'[' => {
                    self.group();
                }
                _ if is_word(byte) => {
                    let word = self.word(text);
                    if sort.is_none() && sort_of(word).is_some() {
                        sort = sort_of(word);
                        name = self.name_after(text, word);
                    }
                }
                _ => self.token(),
            }
        }
    }

    fn name_after(&mut self, text: &str, keyword: &str) -> String {
        if matches!(keyword, "impl" | "use") {
            return String::new();
        }
        self.skip_blank();
        if self.peek() == Some(b'!') {
            self.at += 1;
            self.skip_blank();
        }
        match self.peek() {
            Some(byte) if is_word(byte) => self.word(text).trim_start_matches("r#").to_owned(),
            _ => String::new(),
        }
    }

    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.bytes[self.at])
    }

    fn word<'t>(&mut self, text: &'t str) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        &text[start..self.at]
    }

    /// Passes one token that is neither a word nor a bracket.
    fn token(&mut self) {
        match self.bytes[self.at] {
            b'"' => self.string(),
            b'\'' => self.quote(),
            _ => self.at += 1,
        }
    }

    /// Passes a bracketed group and returns what is inside.
    fn group(&mut self) -> Range<usize> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' | b'(' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b')' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                    if depth == 0 {
                        return start..self.at - 1;
                    }
                }
                b'r' if self.raw_string() => {}
                _ if is_word(byte) => {
                    while self.peek().is_some_and(is_word) {
                        self.at += 1;
                    }
                    // `br"..."` ends its prefix as a word.
                    if matches!(self.peek(), Some(b'#')) && self.bytes[self.at - 1] == b'r' {
                        self.at -= 1;
                        if !self.raw_string() {
                            self.at += 1;
                        }
                    }
                }
                b'/' if self.comment() => {}
                _ => self.token(),
            }
        }
        start..self.at
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if byte.is_ascii_whitespace() || byte == b'}' {
                self.at += 1;
            } else if byte != b'/' || !self.comment() {
                return;
            }
        }
    }

    fn comment(&mut self) -> bool {
        match self.bytes.get(self.at + 1) {
            Some(b'/') => {
                while self.peek().is_some_and(|byte| byte != b'\n') {
                    self.at += 1;
                }
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

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    /// `r"..."` and `r#"..."#`; a word such as `rows` is none.
    fn raw_string(&mut self) -> bool {
        let mut at = self.at + 1;
        while self.bytes.get(at) == Some(&b'#') {
            at += 1;
        }
        if self.bytes.get(at) != Some(&b'"') {
            return false;
        }
        let hashes = at - self.at - 1;
        let mut end = at + 1;
        while end < self.end {
            let closes = self.bytes[end] == b'"'
                && self.bytes[end + 1..]
                    .iter()
                    .take(hashes)
                    .filter(|byte| **byte == b'#')
                    .count()
                    == hashes;
            if closes {
                self.at = end + 1 + hashes;
                return true;
            }
            end += 1;
        }
        self.at = self.end;
        true
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

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn sort_of(word: &str) -> Option<Sort> {
    match word {
        "fn" => Some(Sort::Function),
        "impl" => Some(Sort::Impl),
        "trait" => Some(Sort::Trait),
        "struct" => Some(Sort::Struct),
        "use" => Some(Sort::Use),
        "mod" => Some(Sort::Module),
        "macro_rules" => Some(Sort::Macro),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_whatever_their_bodies_hold() {
        let text = r####"
            //! Not `fn this`.
            use std::{fs, io::{self, Write}};
            /* fn nor_this() {} */
            #[effect]
            pub async fn a<'x>(s: &'x str) -> [u8; 2] { let c = '}'; let s = "}\""; let r = r#"}"}"#; }
            impl<T: Into<String>> Store for Shop<T> { fn b(&self) {} }
            struct Shop<T> { items: Vec<T>, f: fn(u8) -> u8 }
            const X: u8 = { 3 };
            macro_rules! audit { ($m:expr) => { std::fs::write("a", $m) }; }
            mod inner { fn c() {} }
            trait Store { fn d(&self); }
        "####;
        let found = items(text, 0..text.len());
        let names: Vec<(Sort, &str)> = found
            .iter()
            .map(|item| (item.sort, item.name.as_str()))
            .collect();
        let expected = [
            (Sort::Use, ""),
            (Sort::Function, "a"),
            (Sort::Impl, ""),
            (Sort::Struct, "Shop"),
            (Sort::Macro, "audit"),
            (Sort::Module, "inner"),
            (Sort::Trait, "Store"),
        ];
        assert_eq!(names, expected);
        assert!(text[found[1].header.clone()].starts_with("#[effect]"));
        assert!(text[found[2].body.clone()].contains("fn b"));
        let inner = items(text, found[6].body.clone());
        assert_eq!(inner[0].name, "d");
    }

    #[test]
    fn a_text_that_is_cut_off_ends_the_scan() {
        for text in [
            "fn a() {",
            "fn a() { \"",
            "fn a() { r#\"",
            "/* fn",
            "fn a() { '",
            "impl X {{",
            "'\\",
        ] {
            items(text, 0..text.len());
        }
    }
}
