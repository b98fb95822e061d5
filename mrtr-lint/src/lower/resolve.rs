//! Paths, freed of the names that `use` gives them.

use syn::{ItemUse, Path, UseTree};

use super::Lower;

impl Lower<'_> {
    /// The segments of a path, with the first one resolved through the `use` items in sight.
    pub(super) fn segments(&self, path: &Path) -> Vec<String> {
        let written: Vec<String> = path
            .segments
            .iter()
            .map(|segment| plain(&segment.ident))
            .collect();
        let Some(first) = written.first() else {
            return written;
        };
        if path.leading_colon.is_some() {
            return written;
        }
        if first == "Self" {
            let mut own = vec![self.self_type.clone().unwrap_or_else(|| "Self".to_owned())];
            own.extend_from_slice(&written[1..]);
            return own;
        }
        let own = self.aliases.iter().rfind(|(known, _)| known == first);
        let known = own
            .map(|(_, full)| full.clone())
            .or_else(|| self.source.alias(first));
        match known {
            Some(mut full) => {
                full.extend_from_slice(&written[1..]);
                full
            }
            None => written,
        }
    }

    /// Takes up the names of a `use` inside the body.
    pub(super) fn take_use(&mut self, item: &ItemUse) {
        names_of(&item.tree, &mut Vec::new(), &mut self.aliases);
    }
}

/// An identifier without `r#`.
pub(crate) fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#")
        .map_or_else(|| text.clone(), str::to_owned)
}

/// Each name a `use` tree brings in, with its full path.
pub(crate) fn names_of(
    tree: &UseTree,
    before: &mut Vec<String>,
    found: &mut Vec<(String, Vec<String>)>,
) {
    match tree {
        UseTree::Path(path) => {
            before.push(plain(&path.ident));
            names_of(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) => add(plain(&name.ident), plain(&name.ident), before, found),
        UseTree::Rename(rename) => add(plain(&rename.rename), plain(&rename.ident), before, found),
        UseTree::Group(group) => {
            for tree in &group.items {
                names_of(tree, before, found);
            }
        }
        UseTree::Glob(_) => {}
    }
}

fn add(known_as: String, name: String, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    if name == "self" {
        let as_self = known_as == "self";
        let known_as = if as_self {
            before.last().cloned().unwrap_or_default()
        } else {
            known_as
        };
        found.push((known_as, before.to_vec()));
        return;
    }
    let mut full = before.to_vec();
    full.push(name);
    if full.len() > 1 || full[0] != known_as {
        found.push((known_as, full));
    }
}
