//! The names in scope and what is known of each.

use crate::value::Value;

/// The bindings of a body, innermost last.
#[derive(Default)]
pub(crate) struct Locals {
    values: Vec<(String, Value)>,
    /// Where each name is bound, sorted by name; a map's hashing would not be optimised here.
    places: Vec<(String, Vec<usize>)>,
}

/// A point to return to when a block ends.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl Locals {
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.values.len())
    }

    /// Forgets what was bound since `mark`.
    pub(crate) fn release(&mut self, mark: Mark) {
        for (name, _) in self.values.split_off(mark.0) {
            if let Ok(at) = self.find(&name) {
                self.places[at].1.pop();
            }
        }
    }

    pub(crate) fn bind(&mut self, name: String, value: Value) {
        let place = self.values.len();
        match self.find(&name) {
            Ok(at) => self.places[at].1.push(place),
            Err(at) => self.places.insert(at, (name.clone(), vec![place])),
        }
        self.values.push((name, value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let place = self.place(name)?;
        self.values.get(place).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name)?;
        self.values.get_mut(place).map(|(_, value)| value)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.places[self.find(name).ok()?].1.last().copied()
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.places
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Kind;

    #[test]
    fn an_inner_binding_shadows_until_its_block_ends() {
        let mut locals = Locals::default();
        locals.bind("x".into(), Value::local(Kind::File));
        let mark = locals.mark();
        locals.bind("x".into(), Value::data());
        assert_eq!(locals.get("x").map(|v| v.kind), Some(Kind::Data));
        locals.release(mark);
        assert_eq!(locals.get("x").map(|v| v.kind), Some(Kind::File));
        assert!(locals.get("y").is_none());
    }
}
