//! The recursive descent over JSON text.

use std::borrow::Cow;

use super::{Json, JsonError, Members, number, pointer_step};

/// Reads a text that holds one value and nothing else.
pub(super) fn document(text: &str, max_depth: usize) -> Result<Json<'_>, JsonError> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(max_depth)?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.syntax());
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    /// How far the text is read, in bytes; always between two characters.
    at: usize,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<Json<'a>, JsonError> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.object(depth.checked_sub(1).ok_or(JsonError::TooDeep)?),
            Some(b'[') => self.array(depth.checked_sub(1).ok_or(JsonError::TooDeep)?),
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => Err(self.syntax()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json<'a>, JsonError> {
        self.at += 1;
        let mut members = Vec::new();
        if !self.closes(b'}') {
            loop {
                self.skip_blanks();
                let key = self.string()?;
                self.skip_blanks();
                self.expect(b':')?;
                let value = self
                    .value(depth)
                    .map_err(|error| error.within(pointer_step(&key)))?;
                members.push((key, value));
                if !self.continues(b'}')? {
                    break;
                }
            }
        }
        match Members::sorted(members) {
            Ok(members) => Ok(Json::Object(members)),
            Err(key) => Err(JsonError::Duplicate {
                path: format!("/{}", pointer_step(&key)),
            }),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json<'a>, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        if !self.closes(b']') {
            loop {
                let item = self
                    .value(depth)
                    .map_err(|error| error.within(items.len()))?;
                items.push(item);
                if !self.continues(b']')? {
                    break;
                }
            }
        }
        Ok(Json::Array(items))
    }

    /// Whether the collection ends before its first part.
    fn closes(&mut self, close: u8) -> bool {
        self.skip_blanks();
        let closes = self.peek() == Some(close);
        self.at += usize::from(closes);
        closes
    }

    /// Whether another part follows; reads the comma or the closing bracket.
    fn continues(&mut self, close: u8) -> Result<bool, JsonError> {
        self.skip_blanks();
        let comma = self.peek() == Some(b',');
        self.expect(if comma { b',' } else { close })?;
        Ok(comma)
    }

    fn number(&mut self) -> Result<Json<'a>, JsonError> {
        let rest = &self.text[self.at..];
        let length = number::scan(rest).map_err(|length| JsonError::Syntax {
            offset: self.at + length,
        })?;
        let text = &rest[..length];
        if number::exponent(text).is_none() {
            return Err(JsonError::Exponent { offset: self.at });
        }
        self.at += length;
        Ok(Json::Number(text))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        self.expect(b'"')?;
        let plain = self.run()?;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        while self.peek() == Some(b'\\') {
            text.push(self.escape()?);
            text.push_str(self.run()?);
        }
        self.expect(b'"')?;
        Ok(Cow::Owned(text))
    }

    /// The characters up to the next quote or backslash.
    fn run(&mut self) -> Result<&'a str, JsonError> {
        let from = self.at;
        let rest = &self.text.as_bytes()[from..];
        let end = rest
            .iter()
            .position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20);
        self.at += end.unwrap_or(rest.len());
        match self.peek() {
            Some(b'"' | b'\\') => Ok(&self.text[from..self.at]),
            _ => Err(self.syntax()),
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        self.at += 1;
        let plain = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.syntax()),
        };
        self.at += 1;
        Ok(plain)
    }

    /// A `\u` with four hex digits, or two of them that make one character. Half a pair is no text.
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let from = self.at;
        let first = self.hex4()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            self.expect(b'\\')?;
            let second = self.hex4()?;
            let low = second
                .checked_sub(0xdc00)
                .filter(|low| *low < 0x400)
                .ok_or(JsonError::Syntax { offset: from })?;
            0x10000 + ((first - 0xd800) << 10) + low
        } else {
            first
        };
        char::from_u32(code).ok_or(JsonError::Syntax { offset: from })
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        self.expect(b'u')?;
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or(self.syntax())?;
            self.at += 1;
        }
        Ok(code)
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Result<Json<'a>, JsonError> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.syntax());
        }
        self.at += word.len();
        Ok(value)
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonError> {
        if self.peek() != Some(byte) {
            return Err(self.syntax());
        }
        self.at += 1;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn syntax(&self) -> JsonError {
        JsonError::Syntax { offset: self.at }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Json, JsonError, MAX_DEPTH, canonical};
    use proptest::prelude::*;

    fn error(text: &str) -> JsonError {
        Json::parse(text, 64).unwrap_err()
    }

    fn duplicate(path: &str) -> JsonError {
        JsonError::Duplicate {
            path: path.to_owned(),
        }
    }

    #[test]
    fn reads_each_kind() {
        let text =
            r#" { "z" : [ null , true , -1.5e3 , "x" , { } , [ ] ] , "a" : "é\n\ud83d\ude00\/" } "#;
        let json = Json::parse(text, 64).unwrap();
        assert_eq!(json.get("a").unwrap().as_str(), Some("é\n😀/"));
        let kinds: Vec<_> = json
            .get("z")
            .unwrap()
            .as_array()
            .unwrap()
            .iter()
            .map(Json::kind)
            .collect();
        assert_eq!(
            kinds,
            ["null", "boolean", "number", "string", "object", "array"]
        );
        let keys: Vec<_> = json
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, _)| &**key)
            .collect();
        assert_eq!(keys, ["a", "z"]);
        assert!(json.get("b").is_none());
    }

    #[test]
    fn plain_strings_are_borrowed() {
        let Json::String(text) = Json::parse("\"plain\"", 0).unwrap() else {
            panic!("a string");
        };
        assert!(matches!(text, std::borrow::Cow::Borrowed("plain")));
    }

    #[test]
    fn finds_duplicate_keys_at_any_depth() {
        assert_eq!(error(r#"{"ticket":1,"ticket":2}"#), duplicate("/ticket"));
        assert_eq!(
            error(r#"{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}"#),
            duplicate("/a/b/1/c")
        );
        // The same key written in two ways is still the same key.
        assert_eq!(error(r#"{"a":1,"\u0061":2}"#), duplicate("/a"));
        assert_eq!(error(r#"{"a/b~":1,"a/b~":2}"#), duplicate("/a~1b~0"));
        assert_eq!(
            error("{\"\u{202e}\":1,\"\u{202e}\":2}"),
            duplicate("/\\u{202e}")
        );
        let many: String = (0..1000).map(|n| format!("\"k{n}\":0,")).collect();
        assert!(Json::parse(&format!("{{{many}\"k\":0}}"), 1).is_ok());
        assert_eq!(error(&format!("{{{many}\"k500\":0}}")), duplicate("/k500"));
    }

    #[test]
    fn counts_depth() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(Json::parse(&nested(64), 64).is_ok());
        assert_eq!(error(&nested(65)), JsonError::TooDeep);
        assert!(Json::parse("1", 0).is_ok());
        assert_eq!(Json::parse("{}", 0).unwrap_err(), JsonError::TooDeep);
        assert!(Json::parse(&nested(MAX_DEPTH), usize::MAX).is_ok());
        let bottomless = "[{\"a\":".repeat(100_000);
        assert_eq!(
            Json::parse(&bottomless, usize::MAX).unwrap_err(),
            JsonError::TooDeep
        );
    }

    #[test]
    fn points_at_the_mistake() {
        for (text, offset) in [
            ("", 0),
            ("  ", 2),
            ("nul", 0),
            ("1 2", 2),
            ("[1,]", 3),
            ("{\"a\":1,}", 7),
            ("{\"a\" 1}", 5),
            ("[1}", 2),
            ("01", 1),
            ("-", 1),
            ("1.", 2),
            ("1e+", 3),
            ("\"a", 2),
            ("\"a\nb\"", 2),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 5),
            ("\"\\ud800\"", 7),
            ("\"\\ud800\\n\"", 8),
            ("\"\\ud800\\u0041\"", 2),
            ("\"\\udc00\"", 2),
        ] {
            assert_eq!(error(text), JsonError::Syntax { offset }, "{text}");
        }
    }

    #[test]
    fn refuses_exponents_nobody_can_compare() {
        assert!(Json::parse("1e999999999999999999", 0).is_ok());
        assert!(Json::parse("1e-000000000000000000000000001", 0).is_ok());
        assert_eq!(
            error("[1e1000000000000000000]"),
            JsonError::Exponent { offset: 1 }
        );
    }

    #[test]
    fn debug_shows_no_content() {
        let json = Json::parse(r#"{"secret":"canary"}"#, 1).unwrap();
        assert_eq!(
            format!("{json:?} {:?}", json.as_object().unwrap()),
            "Json(object) Members(1)"
        );
    }

    proptest! {
        #[test]
        fn never_panics(text in "(?s:.{0,60})|[\\[\\]{}\",:\\\\u0-9a-f.eE+\\- ]{0,40}") {
            let _ = Json::parse(&text, 64);
        }

        #[test]
        fn accepts_what_serde_json_accepts(text in "[\\[\\]{}\",:\\\\utrn0-9a-f.eE+\\- ]{0,12}") {
            let ours = Json::parse(&text, 64).map(|json| canonical(&json));
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            match (ours, theirs) {
                (Ok(ours), Ok(_)) => prop_assert!(serde_json::from_str::<serde_json::Value>(&ours).is_ok()),
                (Err(JsonError::Syntax { .. }), theirs) => prop_assert!(theirs.is_err()),
                // serde_json refuses numbers beyond the range of a double; we compare them.
                (Ok(_), Err(theirs)) => prop_assert!(theirs.to_string().contains("out of range")),
                (Err(_), _) => {}
            }
        }
    }
}
