//! The one pass over a JSON text, without recursion.

use std::borrow::Cow;

use super::{JsonError, Kind, Node, number, pointer_step, text};

/// Stands for the node around the whole text.
const NONE: u32 = u32::MAX;
/// Up to so many members are compared with each other; more are sorted, so that an object of a
/// whole message costs no more than sorting its keys.
const FEW: usize = 8;
/// For how many nodes room is made at once: enough for nearly all messages, and not for those
/// that somebody makes long.
const ROOM: usize = 512;

/// Reads a text that holds one value and nothing else.
///
/// With a depth, whatever may not be used is an error where it is found. Without one it is marked
/// in the nodes, and only what is not JSON is an error. A key that is no text always is: nobody
/// could tell whether it occurs twice.
pub(super) fn nodes(text: &str, depth: Option<usize>) -> Result<Vec<Node>, JsonError> {
    if u32::try_from(text.len()).is_err() {
        return Err(JsonError::TooLong);
    }
    let mut reader = Reader {
        text,
        at: 0,
        nodes: Vec::with_capacity((text.len() / 8).min(ROOM) + 4),
        open: NONE,
        depth: depth.unwrap_or(usize::MAX),
        strict: depth.is_some(),
    };
    reader.document()?;
    Ok(reader.nodes)
}

struct Reader<'a> {
    text: &'a str,
    /// How far the text is read, in bytes.
    at: usize,
    nodes: Vec<Node>,
    /// The array or object that is being read; each knows the one around it.
    open: u32,
    /// How many more may be opened inside it.
    depth: usize,
    strict: bool,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), JsonError> {
        loop {
            self.skip_blanks();
            let complete = self.value()?;
            if complete && !self.goes_on()? {
                break;
            }
        }
        self.skip_blanks();
        if self.at < self.text.len() {
            return Err(self.syntax());
        }
        Ok(())
    }

    /// Reads a value, or the beginning of one whose first part is next.
    fn value(&mut self) -> Result<bool, JsonError> {
        match self.peek() {
            Some(b'"') => self.string(false)?,
            Some(b'{') => return self.begin(Kind::Object, b'}'),
            Some(b'[') => return self.begin(Kind::Array, b']'),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Kind::True)?,
            Some(b'f') => self.word("false", Kind::False)?,
            Some(b'n') => self.word("null", Kind::Null)?,
            _ => return Err(self.syntax()),
        }
        Ok(true)
    }

    /// Opens an array or object, and closes it again if it is empty.
    fn begin(&mut self, kind: Kind, close: u8) -> Result<bool, JsonError> {
        self.depth = self.depth.checked_sub(1).ok_or(JsonError::TooDeep)?;
        let around = std::mem::replace(&mut self.open, index(self.nodes.len()));
        self.nodes.push(Node {
            start: index(self.at),
            end: 0,
            next: around,
            kind,
            marks: 0,
            height: 1,
        });
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(close) {
            self.close();
            return Ok(true);
        }
        if kind == Kind::Object {
            self.key()?;
        }
        Ok(false)
    }

    /// After a value: reads on to the next one, or closes what ends here. False at the very end.
    fn goes_on(&mut self) -> Result<bool, JsonError> {
        while let Some(open) = self.nodes.get(self.open as usize) {
            let kind = open.kind;
            self.skip_blanks();
            match (self.peek(), kind) {
                (Some(b','), Kind::Object) => {
                    self.at += 1;
                    self.skip_blanks();
                    self.key()?;
                    return Ok(true);
                }
                (Some(b','), _) => {
                    self.at += 1;
                    return Ok(true);
                }
                (Some(b'}'), Kind::Object) => {
                    self.check_keys()?;
                    self.close();
                }
                (Some(b']'), Kind::Array) => self.close(),
                _ => return Err(self.syntax()),
            }
        }
        Ok(false)
    }

    /// Ends what is open; what is around it has to know how deep it is and if it may be used.
    fn close(&mut self) {
        self.at += 1;
        self.depth += 1;
        let (end, next) = (index(self.at), index(self.nodes.len()));
        let node = &mut self.nodes[self.open as usize];
        node.end = end;
        self.open = std::mem::replace(&mut node.next, next);
        let (height, marks) = (node.height, node.marks & Node::UNUSABLE);
        if let Some(around) = self.nodes.get_mut(self.open as usize) {
            around.height = around.height.max(height.saturating_add(1));
            around.marks |= marks;
        }
    }

    fn key(&mut self) -> Result<(), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.syntax());
        }
        self.string(true)?;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.syntax());
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self, is_key: bool) -> Result<(), JsonError> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at += text::plain(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                _ => return Err(self.syntax()),
            }
        }
        self.at += 1;
        self.leaf(Kind::String, start, if escaped { Node::ESCAPED } else { 0 });
        if escaped && let Err(at) = text::decode(&self.text[start + 1..self.at - 1]) {
            let error = JsonError::Syntax {
                offset: start + 1 + at,
            };
            if is_key {
                return Err(error);
            }
            self.unusable(error)?;
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), JsonError> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.syntax());
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.syntax()),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = number::scan(rest).map_err(|length| JsonError::Syntax {
            offset: start + length,
        })?;
        self.at += length;
        self.leaf(Kind::Number, start, 0);
        if number::exponent(&rest[..length]).is_none() {
            self.unusable(JsonError::Exponent { offset: start })?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), JsonError> {
        let start = self.at;
        if !self.text.as_bytes()[start..].starts_with(word.as_bytes()) {
            return Err(self.syntax());
        }
        self.at += word.len();
        self.leaf(kind, start, 0);
        Ok(())
    }

    /// Adds a node that has no parts.
    fn leaf(&mut self, kind: Kind, start: usize, marks: u8) {
        let next = index(self.nodes.len() + 1);
        self.nodes.push(Node {
            start: index(start),
            end: index(self.at),
            next,
            kind,
            marks,
            height: 0,
        });
    }

    /// Marks the last node and what it is in as something that may not be used.
    #[cold]
    fn unusable(&mut self, error: JsonError) -> Result<(), JsonError> {
        if self.strict {
            return Err(error);
        }
        if let Some(last) = self.nodes.last_mut() {
            last.marks |= Node::UNUSABLE;
        }
        if let Some(open) = self.nodes.get_mut(self.open as usize) {
            open.marks |= Node::UNUSABLE;
        }
        Ok(())
    }

    /// Looks for a key that the object which ends here has twice.
    fn check_keys(&mut self) -> Result<(), JsonError> {
        let first = self.open as usize + 1;
        if !self.has_twice(first) {
            return Ok(());
        }
        if self.strict {
            let keys = self.sorted_keys(first);
            let twice = keys.windows(2).find(|pair| pair[0] == pair[1]);
            let key = twice.map_or("", |pair| &*pair[0]);
            let path = self.path(key);
            return Err(JsonError::Duplicate { path });
        }
        self.nodes[self.open as usize].marks |= Node::UNUSABLE | Node::TWICE;
        Ok(())
    }

    fn has_twice(&self, first: usize) -> bool {
        if self.keys(first).nth(FEW).is_some() {
            let keys = self.sorted_keys(first);
            return keys.windows(2).any(|pair| pair[0] == pair[1]);
        }
        let before = |key: usize| self.keys(first).take_while(move |&other| other < key);
        self.keys(first)
            .any(|key| before(key).any(|other| self.is_same(key, other)))
    }

    /// The nodes that are keys of the object whose first key this is.
    fn keys(&self, first: usize) -> impl Iterator<Item = usize> {
        let following = |&key: &usize| self.nodes.get(key + 1).map(|value| value.next as usize);
        let known = |key: &usize| *key < self.nodes.len();
        std::iter::successors(Some(first).filter(known), move |key| {
            following(key).filter(known)
        })
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.nodes[one], &self.nodes[other]);
        if !one.is(Node::ESCAPED) && !other.is(Node::ESCAPED) {
            let bytes = |node: &Node| &self.text.as_bytes()[node.start as usize..node.end as usize];
            return bytes(one) == bytes(other);
        }
        self.text_of(one) == self.text_of(other)
    }

    fn sorted_keys(&self, first: usize) -> Vec<Cow<'_, str>> {
        let keys = self.keys(first);
        let mut keys: Vec<_> = keys.map(|key| self.text_of(&self.nodes[key])).collect();
        keys.sort_unstable();
        keys
    }

    fn text_of(&self, key: &Node) -> Cow<'_, str> {
        text::of(self.text, key).expect("invariant: keys are texts")
    }

    /// The pointer to a member of the object that is open.
    fn path(&self, key: &str) -> String {
        let mut path = format!("/{}", pointer_step(key));
        let mut inner = self.open as usize;
        while let Some(around) = self.nodes.get(self.nodes[inner].next as usize) {
            let place = self.nodes[inner].next as usize;
            let step = if around.kind == Kind::Object {
                pointer_step(&self.text_of(&self.nodes[inner - 1]))
            } else {
                let items = |&item: &usize| Some(self.nodes[item].next as usize);
                let items = std::iter::successors(Some(place + 1), items);
                items.take_while(|&item| item < inner).count().to_string()
            };
            path.insert_str(0, &format!("/{step}"));
            inner = place;
        }
        path
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn syntax(&self) -> JsonError {
        JsonError::Syntax { offset: self.at }
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("invariant: the text is shorter than 4 GiB")
}
