//! Finds the items of a file without parsing their bodies.
//!
//! Parsing costs some 20 µs per line in a macro, which rustc runs unoptimised; a scan costs a small
//! part of that, and only the functions that a handler calls are parsed.

use std::ops::Range;

use super::cursor::{Cursor, is_word};

/// An item of a file, by where it stands.
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
        cursor: Cursor::new(text, within),
        open: Vec::new(),
        found: Vec::new(),
    };
    while scanner.item() {}
    // A text that is cut off leaves some open.
    while scanner.close() {}
    scanner.found
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
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

impl Scanner<'_> {
    /// Passes an item, or the end of a container; false at the end of the text.
    fn item(&mut self) -> bool {
        self.cursor.skip_blank();
        let mut header = Header {
            start: self.cursor.at,
            item: None,
        };
        loop {
            self.cursor.skip_blank();
            let Some(byte) = self.cursor.peek() else {
                return false;
            };
            match byte {
                b'{' if matches!(header.item, Some((Sort::Use, ..))) => {
                    self.cursor.group();
                }
                b'{' | b';' => {
                    self.end_of_header(header);
                    return true;
                }
                b'}' => {
                    self.close();
                    self.cursor.at += 1;
                    return true;
                }
                b'(' | b'[' => {
                    self.cursor.group();
                }
                _ if is_word(byte) => self.word_of(&mut header),
                _ => self.cursor.token(),
            }
        }
    }

    fn word_of(&mut self, header: &mut Header) {
        let at = self.cursor.at;
        let word = self.cursor.word();
        if header.item.is_none()
            && let Some(sort) = sort_of(word)
        {
            let name = self.name_after(sort);
            header.item = Some((sort, name, at));
        }
    }

    /// Keeps the item that the brace or semicolon here belongs to, and enters or passes its body.
    fn end_of_header(&mut self, header: Header) {
        let at = self.cursor.at;
        let has_body = self.cursor.bytes[at] == b'{';
        let enters = has_body
            && header
                .item
                .as_ref()
                .is_some_and(|(sort, ..)| sort.holds_items());
        let body = match (has_body, enters) {
            (true, false) => self.cursor.group(),
            (true, true) => at + 1..at + 1,
            (false, _) => at..at,
        };
        if enters || !has_body {
            self.cursor.at += 1;
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
            self.found[place].body.end = self.cursor.at.min(self.cursor.end);
        }
        innermost.is_some()
    }

    fn name_after(&mut self, sort: Sort) -> String {
        if matches!(sort, Sort::Impl | Sort::Use) {
            return String::new();
        }
        self.cursor.skip_blank();
        if self.cursor.peek() == Some(b'!') {
            self.cursor.at += 1;
            self.cursor.skip_blank();
        }
        match self.cursor.peek() {
            Some(byte) if is_word(byte) => {
                let name = self.cursor.word();
                // `r#type` is two words here, with a token between them.
                if name == "r" && self.cursor.peek() == Some(b'#') {
                    self.cursor.at += 1;
                    return self.cursor.word().to_owned();
                }
                name.to_owned()
            }
            _ => String::new(),
        }
    }
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
}
