//! Finds the items of a file without parsing their bodies.
//!
//! Parsing costs some 20 µs per line in a macro, which rustc runs unoptimised; a scan costs a small
//! part of that, and only the functions that a handler calls are parsed. For the same reason the
//! inside of a body is passed byte by byte, without a call for those that mean nothing to it.

use std::ops::Range;

/// An item of a file, by where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) sort: Sort,
    /// For a function, a trait, a struct, a macro or a module: its name.
    pub(crate) name: String,
    /// From its first attribute or keyword to its brace or semicolon.
    pub(crate) header: Range<usize>,
    /// Where its keyword stands, such as `fn`.
    pub(crate) keyword: usize,
    /// Between its braces; empty for an item without.
    pub(crate) body: Range<usize>,
    /// The `impl`, trait or module it stands in, by its place among what was found.
    pub(crate) within: Option<usize>,
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

impl Sort {
    fn holds_items(self) -> bool {
        matches!(self, Sort::Impl | Sort::Trait | Sort::Module)
    }
}

/// The items in `text[within]`, and those of its `impl`s, traits and modules.
pub(crate) fn items(text: &str, within: Range<usize>) -> Vec<Found> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: within.start,
        end: within.end,
        open: Vec::new(),
        found: Vec::new(),
    };
    while scanner.item() {}
    // A text that is cut off leaves some open.
    while scanner.close() {}
    scanner.found
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// The containers around, by their place in `found`.
    open: Vec<usize>,
    found: Vec<Found>,
}

/// What is known of an item before its brace or semicolon.
struct Header {
    start: usize,
    /// Its sort, its name and where its keyword stands.
    item: Option<(Sort, String, usize)>,
}

impl<'a> Scanner<'a> {
    /// Passes an item, or the end of a container; false at the end of the text.
    fn item(&mut self) -> bool {
        self.skip_blank();
        let mut header = Header {
            start: self.at,
            item: None,
        };
        loop {
            self.skip_blank();
            let Some(byte) = self.peek() else {
                return false;
            };
            match byte {
                b'{' if matches!(header.item, Some((Sort::Use, ..))) => {
                    self.group();
                }
                b'{' | b';' => {
                    self.end_of_header(header);
                    return true;
                }
                b'}' => {
                    self.close();
                    self.at += 1;
                    return true;
                }
                b'(' | b'[' => {
                    self.group();
                }
                _ if is_word(byte) => self.word_of(&mut header),
                _ => self.token(),
            }
        }
    }

    fn word_of(&mut self, header: &mut Header) {
        let at = self.at;
        let word = self.word();
        if header.item.is_none()
            && let Some(sort) = sort_of(word)
        {
            let name = self.name_after(sort);
            header.item = Some((sort, name, at));
        }
    }

    /// Keeps the item that the brace or semicolon here belongs to, and enters or passes its body.
    fn end_of_header(&mut self, header: Header) {
        let at = self.at;
        let has_body = self.bytes[at] == b'{';
        let enters = has_body
            && header
                .item
                .as_ref()
                .is_some_and(|(sort, ..)| sort.holds_items());
        let body = match (has_body, enters) {
            (true, false) => self.group(),
            (true, true) => at + 1..at + 1,
            (false, _) => at..at,
        };
        if enters || !has_body {
            self.at += 1;
        }
        let Some((sort, name, keyword)) = header.item else {
            return;
        };
        let within = self.open.last().copied();
        if enters {
            self.open.push(self.found.len());
        }
        self.found.push(Found {
            sort,
            name,
            header: header.start..at,
            keyword,
            body,
            within,
        });
    }

    /// Ends the innermost container here, if there is one.
    fn close(&mut self) -> bool {
        let innermost = self.open.pop();
        if let Some(place) = innermost {
            self.found[place].body.end = self.at.min(self.end);
        }
        innermost.is_some()
    }

    fn name_after(&mut self, sort: Sort) -> String {
        if matches!(sort, Sort::Impl | Sort::Use) {
            return String::new();
        }
        self.skip_blank();
        if self.peek() == Some(b'!') {
            self.at += 1;
            self.skip_blank();
        }
        match self.peek() {
            Some(byte) if is_word(byte) => {
                let name = self.word();
                // `r#type` is two words here, with a token between them.
                if name == "r" && self.peek() == Some(b'#') {
                    self.at += 1;
                    return self.word().to_owned();
                }
                name.to_owned()
            }
            _ => String::new(),
        }
    }

    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.bytes[self.at])
    }

    fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.at < self.end && is_word(self.bytes[self.at]) {
            self.at += 1;
        }
        &self.text[start..self.at]
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

    fn skip_blank(&mut self) {
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

/// Where `needle` stands in `text`.
///
/// Most places are passed by a look at the byte that would be its last: the search of the standard
/// library is generic, and so as slow as the rest of an unoptimised macro.
pub(crate) fn places(text: &str, needle: &str) -> Vec<usize> {
    let (bytes, needle) = (text.as_bytes(), needle.as_bytes());
    let last = needle.len() - 1;
    let mut skips = [needle.len(); 256];
    for (place, byte) in needle[..last].iter().enumerate() {
        skips[*byte as usize] = last - place;
    }
    let mut found = Vec::new();
    let mut end = last;
    while end < bytes.len() {
        let byte = bytes[end];
        if byte == needle[last] && bytes[end - last..=end] == *needle {
            found.push(end - last);
        }
        end += skips[byte as usize];
    }
    found
}

pub(crate) fn is_word(byte: u8) -> bool {
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
            (Sort::Function, "b"),
            (Sort::Struct, "Shop"),
            (Sort::Macro, "audit"),
            (Sort::Module, "inner"),
            (Sort::Function, "c"),
            (Sort::Trait, "Store"),
            (Sort::Function, "d"),
        ];
        assert_eq!(names, expected);
        assert!(text[found[1].header.clone()].starts_with("#[effect]"));
        assert!(text[found[2].body.clone()].contains("fn b"));
        let within: Vec<Option<usize>> = found.iter().map(|item| item.within).collect();
        let expected = [
            None,
            None,
            None,
            Some(2),
            None,
            None,
            None,
            Some(6),
            None,
            Some(8),
        ];
        assert_eq!(within, expected);
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

    #[test]
    fn literals_of_every_kind_are_passed_as_one() {
        for literal in [
            r##"r"}""##,
            r##"br#"}"}"#"##,
            r##"cr"\""##,
            r##""r\"}""##,
            r##"b"}\\""##,
            "b'}'",
            r"'\''",
            "r#type",
            "'a: loop { break 'a }",
            "x / y /* } */ / z // }\n",
        ] {
            let text = format!("fn first() {{ {literal}\n }} fn second() {{}}");
            let names: Vec<String> = items(&text, 0..text.len())
                .into_iter()
                .map(|item| item.name)
                .collect();
            assert_eq!(names, ["first", "second"], "{text}");
        }
    }

    #[test]
    fn raw_names_and_unopened_braces_do_no_harm() {
        let text = "fn r#type() {} } fn after() {}";
        let names: Vec<String> = items(text, 0..text.len())
            .into_iter()
            .map(|item| item.name)
            .collect();
        assert_eq!(names, ["type", "after"]);
    }

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
