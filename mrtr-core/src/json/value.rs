//! One value inside a JSON text: what it is, what it holds, and how it is written.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::{Json, JsonError, Kind, MAX_DEPTH, Node, Place, text};

/// A value of a [`Json`]; copying it costs nothing.
///
/// `Debug` shows the kind only, because the value may be somebody's answer.
#[derive(Clone, Copy)]
pub struct Value<'j> {
    json: &'j Json<'j>,
    at: usize,
}

/// What a value holds.
#[derive(Clone)]
pub enum View<'j> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written.
    Number(&'j str),
    /// A string without its escapes.
    String(Cow<'j, str>),
    /// An array.
    Array(Items<'j>),
    /// An object.
    Object(Members<'j>),
}

/// The items of an array, in order.
#[derive(Clone)]
pub struct Items<'j>(Parts<'j>);

/// The members of an object, in the order in which they are written.
#[derive(Clone)]
pub struct Members<'j>(Parts<'j>);

/// The members of an object, ascending by their keys.
pub struct Sorted<'j>(Order<'j>);

enum Order<'j> {
    /// They are written like that.
    Written(Members<'j>),
    Sorted(std::vec::IntoIter<(Cow<'j, str>, Value<'j>)>),
}

/// The nodes one level below a value.
#[derive(Clone)]
struct Parts<'j> {
    json: &'j Json<'j>,
    at: usize,
    end: usize,
}

impl<'j> Value<'j> {
    pub(super) fn new(json: &'j Json<'j>, at: usize) -> Self {
        Self { json, at }
    }

    /// Where it is, to find it again.
    #[must_use]
    pub fn place(self) -> Place {
        Place(self.at)
    }

    /// The value as it is written.
    #[must_use]
    pub fn raw(self) -> &'j str {
        &self.json.text[self.range()]
    }

    /// Where it stands in the text, in bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let node = self.node();
        node.start as usize..node.end as usize
    }

    /// Whether it may be used whole: as [`Json::parse`] of its text, but nothing is read again
    /// as long as there is nothing to complain of.
    ///
    /// # Errors
    /// As [`Json::parse`] of [`Value::raw`]; offsets and paths begin at this value.
    pub fn check(self, max_depth: usize) -> Result<(), JsonError> {
        let node = self.node();
        let deep = usize::from(node.height) > max_depth.min(MAX_DEPTH);
        if deep || node.is(Node::UNUSABLE) {
            // Reading it again finds what comes first, and says where that is.
            Json::parse(self.raw(), max_depth)?;
        }
        Ok(())
    }

    /// Whether this is an object that has a key twice; what is inside its members does not count.
    #[must_use]
    pub fn repeats_a_key(self) -> bool {
        self.node().is(Node::TWICE)
    }

    /// The first member of this object with the key; `None` for everything but objects.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'j>> {
        let mut parts = self.as_object()?.0;
        while let Some(name) = parts.next() {
            let value = parts.next();
            if name.is_text(key) {
                return value;
            }
        }
        None
    }

    /// What it holds. Of a value that was not checked, a text that is none is empty.
    #[must_use]
    pub fn view(self) -> View<'j> {
        match self.node().kind {
            Kind::Null => View::Null,
            Kind::False => View::Bool(false),
            Kind::True => View::Bool(true),
            Kind::Number => View::Number(self.raw()),
            Kind::String => View::String(self.as_str().unwrap_or_default()),
            Kind::Array => View::Array(Items(self.parts())),
            Kind::Object => View::Object(Members(self.parts())),
        }
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(self) -> Option<Members<'j>> {
        self.is_object().then(|| Members(self.parts()))
    }

    /// The items, if this is an array.
    #[must_use]
    pub fn as_array(self) -> Option<Items<'j>> {
        (self.node().kind == Kind::Array).then(|| Items(self.parts()))
    }

    /// The text, if this is a string; half of a surrogate pair is no text.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'j, str>> {
        self.json.str_of(self)
    }

    /// The truth value, if this is a boolean.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node().kind {
            Kind::False => Some(false),
            Kind::True => Some(true),
            _ => None,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// Whether it is the string of this text.
    #[must_use]
    pub fn is_text(self, text: &str) -> bool {
        let node = self.node();
        if node.kind != Kind::String {
            return false;
        }
        if node.is(Node::ESCAPED) {
            return self.as_str().is_some_and(|own| own == text);
        }
        let inner = node.start as usize + 1..node.end as usize - 1;
        self.json.text.as_bytes()[inner] == *text.as_bytes()
    }

    /// The JSON Schema name of the kind, for messages.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.node().kind {
            Kind::Null => "null",
            Kind::False | Kind::True => "boolean",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }

    /// Whether it was taken from this JSON, and not from another one of the same shape.
    pub(super) fn is_of(self, json: &Json<'_>) -> bool {
        std::ptr::addr_eq(self.json, json)
    }

    #[inline]
    fn parts(self) -> Parts<'j> {
        Parts {
            json: self.json,
            at: self.at + 1,
            end: self.node().next as usize,
        }
    }

    #[inline]
    fn node(self) -> &'j Node {
        &self.json.nodes[self.at]
    }
}

impl<'j> Iterator for Parts<'j> {
    type Item = Value<'j>;

    #[inline]
    fn next(&mut self) -> Option<Value<'j>> {
        if self.at >= self.end {
            return None;
        }
        let part = Value::new(self.json, self.at);
        self.at = part.node().next as usize;
        Some(part)
    }
}

impl<'j> Iterator for Items<'j> {
    type Item = Value<'j>;

    fn next(&mut self) -> Option<Value<'j>> {
        self.0.next()
    }
}

impl<'j> Iterator for Members<'j> {
    type Item = (Cow<'j, str>, Value<'j>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next()?;
        let name = text::of(key.json.text, key.node());
        Some((name.unwrap_or_default(), self.0.next()?))
    }

    /// Without reading the keys.
    fn count(self) -> usize {
        self.0.count() / 2
    }
}

impl<'j> Members<'j> {
    /// The members, ascending by the UTF-8 bytes of their keys.
    #[must_use]
    pub fn sorted(self) -> Sorted<'j> {
        // Most objects have one member, or are written by something that sorts.
        if self
            .clone()
            .is_sorted_by(|(one, _), (other, _)| one <= other)
        {
            return Sorted(Order::Written(self));
        }
        let mut members: Vec<_> = Vec::with_capacity(self.clone().count());
        members.extend(self);
        members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Sorted(Order::Sorted(members.into_iter()))
    }
}

impl<'j> Iterator for Sorted<'j> {
    type Item = (Cow<'j, str>, Value<'j>);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Order::Written(members) => members.next(),
            Order::Sorted(members) => members.next(),
        }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.kind())
    }
}

impl fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Items({})", self.clone().count())
    }
}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({})", self.clone().count())
    }
}
