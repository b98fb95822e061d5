//! The names in scope and what is known of each.

use std::collections::HashMap;

use crate::value::Value;

/// The bindings of a body, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Locals {
    values: Vec<(String, Value)>,
    places: HashMap<String, Vec<usize>>,
}

/// A point to return to when a block ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(usize);

impl Locals {
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.values.len())
    }

    /// Forgets what was bound since `mark`.
    pub(crate) fn release(&mut self, mark: Mark) {
        for (name, _) in self.values.drain(mark.0..).rev() {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    pub(crate) fn bind(&mut self, name: String, value: Value) {
        self.places
            .entry(name.clone())
            .or_default()
            .push(self.values.len());
        self.values.push((name, value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let place = *self.places.get(name)?.last()?;
        self.values.get(place).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = *self.places.get(name)?.last()?;
        self.values.get_mut(place).map(|(_, value)| value)
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
