//! Which members an object may have, by the revision that brought them.

use serde_json::Value;

use crate::{Faults, Revision};

/// Members that have been there from the first, and those that came later.
pub(crate) struct Members {
    pub(crate) first: &'static [&'static str],
    pub(crate) later: &'static [(Revision, &'static str)],
}

impl Members {
    /// Adds a fault for each member of `object` that this revision does not have there.
    pub(crate) fn judge(&self, revision: Revision, object: &Value, faults: &mut Faults) {
        let came = self
            .later
            .iter()
            .filter(|(since, _)| *since <= revision)
            .map(|(_, name)| *name);
        let names: Vec<&str> = self.first.iter().copied().chain(came).collect();
        only(object, &names, faults);
    }
}

/// Adds a fault for each member of `object` that is not among `names`.
pub(crate) fn only(object: &Value, names: &[&str], faults: &mut Faults) {
    let members = object.as_object().into_iter().flatten();
    for (name, _) in members.filter(|(name, _)| !names.contains(&name.as_str())) {
        faults.push(format!("`{name}` does not belong here"));
    }
}
