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
        nodes: Vec::with_capacity((text.len() / 12).min(ROOM) + 8),
        open: NONE,
        depth: depth.unwrap_or(usize::MAX),
        strict: depth.is_some(),
        error: None,
    };
    match reader.document() {
        Ok(()) => Ok(reader.nodes),
        Err(Stop) => Err(reader
            .error
            .unwrap_or(JsonError::Syntax { offset: reader.at })),
    }
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
    /// Why reading stopped, if it is not that the text is no JSON here.
    error: Option<JsonError>,
}

/// Reading stops. Why is kept in the reader, so that each step has little to hand on.
struct Stop;

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Stop> {
        loop {
            let complete = self.value()?;
            if complete && !self.goes_on()? {
                break;
            }
        }
        self.skip_blanks();
        if self.at < self.text.len() {
            return Err(Stop);
        }
        Ok(())
    }

    /// Reads a value, or the beginning of one whose first part is next.
    fn value(&mut self) -> Result<bool, Stop> {
        match self.skip_blanks() {
            b'"' => self.string(false)?,
            b'{' => return self.begin(Kind::Object, b'}'),
            b'[' => return self.begin(Kind::Array, b']'),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word("true", Kind::True)?,
            b'f' => self.word("false", Kind::False)?,
            b'n' => self.word("null", Kind::Null)?,
            _ => return Err(Stop),
        }
        Ok(true)
    }

    /// Opens an array or object, and closes it again if it is empty.
    fn begin(&mut self, kind: Kind, close: u8) -> Result<bool, Stop> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return self.stop(JsonError::TooDeep);
        };
        self.depth = depth;
        let around = std::mem::replace(&mut self.open, self.nodes.len() as u32);
        self.nodes.push(Node {
            start: self.at as u32,
            end: 0,
            next: around,
            kind,
            marks: 0,
            height: 1,
        });
        self.at += 1;
        if self.skip_blanks() == close {
            self.close();
            return Ok(true);
        }
        if kind == Kind::Object {
            self.key()?;
        }
        Ok(false)
    }

    /// After a value: reads on to the next one, or closes what ends here. False at the very end.
    fn goes_on(&mut self) -> Result<bool, Stop> {
        while let Some(open) = self.nodes.get(self.open as usize) {
            let kind = open.kind;
            match (self.skip_blanks(), kind) {
                (b',', Kind::Object) => {
                    self.at += 1;
                    self.skip_blanks();
                    self.key()?;
                    return Ok(true);
                }
                (b',', _) => {
                    self.at += 1;
                    return Ok(true);
                }
                (b'}', Kind::Object) => {
                    self.check_keys()?;
                    self.close();
                }
                (b']', Kind::Array) => self.close(),
                _ => return Err(Stop),
            }
        }
        Ok(false)
    }

    /// Ends what is open; what is around it has to know how deep it is and if it may be used.
    fn close(&mut self) {
        self.at += 1;
        self.depth += 1;
        let (end, next) = (self.at as u32, self.nodes.len() as u32);
        let node = &mut self.nodes[self.open as usize];
        node.end = end;
        self.open = std::mem::replace(&mut node.next, next);
        let (height, marks) = (node.height, node.marks & Node::UNUSABLE);
        if let Some(around) = self.nodes.get_mut(self.open as usize) {
            around.height = around.height.max(height.saturating_add(1));
            around.marks |= marks;
        }
    }

    fn key(&mut self) -> Result<(), Stop> {
        if self.peek() != b'"' {
            return Err(Stop);
        }
        self.string(true)?;
        if self.skip_blanks() != b':' {
            return Err(Stop);
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn string(&mut self, is_key: bool) -> Result<(), Stop> {
        let start = self.at;
        self.at += 1;
        self.at += text::plain(&self.text.as_bytes()[self.at..]);
        if self.peek() != b'"' {
            return self.escaped_string(start, is_key);
        }
        self.at += 1;
        self.leaf(Kind::String, start, 0);
        Ok(())
    }

    /// Reads on in a string whose first escape is next.
    #[cold]
    fn escaped_string(&mut self, start: usize, is_key: bool) -> Result<(), Stop> {
        while self.peek() != b'"' {
            self.escape()?;
            self.at += text::plain(&self.text.as_bytes()[self.at..]);
        }
        self.at += 1;
        self.leaf(Kind::String, start, Node::ESCAPED);
        match text::decode(&self.text[start + 1..self.at - 1]) {
            Ok(_) => Ok(()),
            Err(at) => {
                let offset = start + 1 + at;
                self.unusable(JsonError::Syntax { offset }, is_key)
            }
        }
    }

    fn escape(&mut self) -> Result<(), Stop> {
        if self.peek() != b'\\' {
            return Err(Stop);
        }
        self.at += 1;
        match self.peek() {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_ascii_hexdigit() {
                        return Err(Stop);
                    }
                    self.at += 1;
                }
            }
            _ => return Err(Stop),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let rest = &self.text[start..];
        let (length, complete) = match number::scan(rest) {
            Ok(length) => (length, true),
            Err(length) => (length, false),
        };
        self.at += length;
        if !complete {
            return Err(Stop);
        }
        self.leaf(Kind::Number, start, 0);
        if number::exponent(&rest[..length]).is_none() {
            self.unusable(JsonError::Exponent { offset: start }, false)?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), Stop> {
        let start = self.at;
        if !self.text.as_bytes()[start..].starts_with(word.as_bytes()) {
            return Err(Stop);
        }
        self.at += word.len();
        self.leaf(kind, start, 0);
        Ok(())
    }

    /// Adds a node that has no parts.
    #[inline]
    fn leaf(&mut self, kind: Kind, start: usize, marks: u8) {
        // Places fit, because the text is shorter than 4 GiB.
        self.nodes.push(Node {
            start: start as u32,
            end: self.at as u32,
            next: self.nodes.len() as u32 + 1,
            kind,
            marks,
            height: 0,
        });
    }

    /// Marks the last node and what it is in as something that may not be used.
    #[cold]
    fn unusable(&mut self, error: JsonError, always: bool) -> Result<(), Stop> {
        if self.strict || always {
            return self.stop(error);
        }
        if let Some(last) = self.nodes.last_mut() {
            last.marks |= Node::UNUSABLE;
        }
        if let Some(open) = self.nodes.get_mut(self.open as usize) {
            open.marks |= Node::UNUSABLE;
        }
        Ok(())
    }

    #[cold]
    fn stop<T>(&mut self, error: JsonError) -> Result<T, Stop> {
        self.error = Some(error);
        Err(Stop)
    }

    /// Looks for a key that the object which ends here has twice.
    fn check_keys(&mut self) -> Result<(), Stop> {
        let first = self.open as usize + 1;
        if !self.has_twice(first) {
            return Ok(());
        }
        if self.strict {
            let keys = self.sorted_keys(first);
            let twice = keys.windows(2).find(|pair| pair[0] == pair[1]);
            let key = twice.map_or("", |pair| &*pair[0]);
            let path = self.path(key);
            return self.stop(JsonError::Duplicate { path });
        }
        self.nodes[self.open as usize].marks |= Node::UNUSABLE | Node::TWICE;
        Ok(())
    }

    fn has_twice(&self, first: usize) -> bool {
        let mut key = first;
        for _ in 0..FEW {
            let mut other = first;
            while other < key {
                if self.is_same(key, other) {
                    return true;
                }
                other = self.next_key(other);
            }
            key = self.next_key(key);
            if key >= self.nodes.len() {
                return false;
            }
        }
        let keys = self.sorted_keys(first);
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The node after the value of a key: the next key, or the end of the object that is open.
    fn next_key(&self, key: usize) -> usize {
        self.nodes[key + 1].next as usize
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.nodes[one], &self.nodes[other]);
        if one.is(Node::ESCAPED) || other.is(Node::ESCAPED) {
            return self.text_of(one) == self.text_of(other);
        }
        let bytes = |node: &Node| &self.text.as_bytes()[node.start as usize..node.end as usize];
        one.end - one.start == other.end - other.start && bytes(one) == bytes(other)
    }

    /// The keys, ascending, of the object whose first key this is.
    fn sorted_keys(&self, first: usize) -> Vec<Cow<'_, str>> {
        let after = |&key: &usize| Some(self.next_key(key)).filter(|&key| key < self.nodes.len());
        let keys = std::iter::successors(Some(first), after);
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

    /// Goes to the next byte that is no blank.
    #[inline]
    fn skip_blanks(&mut self) -> u8 {
        loop {
            let byte = self.peek();
            // Nearly always there is none.
            if byte > b' ' || !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return byte;
            }
            self.at += 1;
        }
    }

    /// The next byte; 0, which no JSON has, at the end.
    #[inline]
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }
}
