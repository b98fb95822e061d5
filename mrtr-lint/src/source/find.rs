//! Finds the function, field or macro that a name means, and reads what it does.

use std::path::Path;
use std::sync::Arc;

use super::files::{self, File, Index};
use super::outline::{FunctionItem, Said};
use super::summary::{self, Summary};
use super::{Crate, Source};
use crate::lower::{lower_function, lower_macro};
use crate::types;
use crate::value::Value;

/// How many calls down a chain is followed.
const DEPTH: usize = 8;

/// A function that a name may mean, with its file.
type Candidate<'i> = (&'i Arc<File>, &'i FunctionItem);

impl Source {
    /// What a `use` of the file calls `name`.
    pub(crate) fn alias(&self, name: &str) -> Option<Vec<String>> {
        self.here.as_ref()?.outline().alias(name).cloned()
    }

    /// What the function of this path does; `None` when it is not known.
    pub(crate) fn function(&self, path: &[String]) -> Option<Arc<Summary>> {
        let (name, before) = path.split_last()?;
        let before: Vec<&str> = before
            .iter()
            .map(String::as_str)
            .filter(|part| !matches!(*part, "crate" | "self" | "super"))
            .collect();
        let of_type = before
            .last()
            .is_some_and(|last| last.starts_with(char::is_uppercase));
        let mut matching = self.candidates(name);
        matching.retain(|(file, item)| match (before.last(), of_type) {
            (Some(ty), true) => {
                item.owner.as_deref() == Some(ty)
                    && in_module(file, item, &before[..before.len() - 1])
            }
            (Some(_), false) => item.owner.is_none() && in_module(file, item, &before),
            (None, _) => item.owner.is_none(),
        });
        self.only(self.nearest(matching))
    }

    /// What the method `name` of a value of type `ty` does.
    ///
    /// Without a type only marks count, and only if every method of this name in the crate has them.
    pub(crate) fn method(&self, ty: Option<&str>, name: &str) -> Option<Arc<Summary>> {
        let all = self.candidates(name);
        let Some(ty) = ty else {
            return marked_alike(&all);
        };
        let mut own = all.clone();
        own.retain(|(_, item)| item.owner.as_deref() == Some(ty));
        let declared_only = !own.is_empty() && own.iter().all(|(_, item)| !item.has_body);
        if declared_only && own.iter().all(|(_, item)| item.said == Said::Nothing) {
            return self.every_implementation(ty, &all);
        }
        self.only(self.nearest(own))
    }

    /// A trait's method does what every implementation of it does.
    fn every_implementation(&self, of_trait: &str, all: &[Candidate<'_>]) -> Option<Arc<Summary>> {
        let implementations = all
            .iter()
            .filter(|(_, item)| item.of_trait.as_deref() == Some(of_trait));
        let mut first: Option<Arc<Summary>> = None;
        for (file, item) in implementations {
            let summary = self.summary(file, item)?;
            summary.effect()?;
            first.get_or_insert(summary);
        }
        first
    }

    /// What dropping a value of type `ty` does, if its `Drop` has an effect.
    pub(crate) fn drop_of(&self, ty: &str) -> Option<Arc<Summary>> {
        if !self.krate.as_ref()?.index().drops(ty) {
            return None;
        }
        let mut drops = self.candidates("drop");
        drops.retain(|(_, item)| {
            item.of_trait.as_deref() == Some("Drop") && item.owner.as_deref() == Some(ty)
        });
        self.only(drops)
    }

    /// What is known of a field by its type.
    pub(crate) fn field(&self, ty: &str, field: &str) -> Option<Value> {
        let here = self.here.as_ref()?;
        let written = here.outline().field(&here.text, ty, field)?;
        let ty: syn::Type = syn::parse_str(written).ok()?;
        Some(types::value_of(&ty, &|path| self.resolve(path)))
    }

    fn resolve(&self, path: &syn::Path) -> Vec<String> {
        let written: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        match written.first().and_then(|first| self.alias(first)) {
            Some(mut full) => {
                full.extend_from_slice(&written[1..]);
                full
            }
            None => written,
        }
    }

    /// The text of a string constant of this file, if it has one of this name.
    pub(crate) fn constant(&self, name: &str) -> Option<String> {
        let here = self.here.as_ref()?;
        here.outline().constant(&here.text, name)
    }

    /// What a macro of this file expands to does.
    pub(crate) fn macro_rules(&self, name: &str) -> Option<Arc<Summary>> {
        let here = self.here.as_ref()?;
        let mut own = here
            .outline()
            .macros
            .iter()
            .filter(|(known, _)| known == name);
        let (Some((_, range)), None) = (own.next(), own.next()) else {
            return None;
        };
        self.guarded(here, range.start, || {
            let facts = lower_macro(&here.text[range.clone()], self)?;
            Some(summary::of_facts(&facts, &format!("{name}!"), &|| {
                place(here, range.start)
            }))
        })
    }

    /// The functions of this name in the crate.
    fn candidates(&self, name: &str) -> Vec<Candidate<'_>> {
        let Some(krate) = &self.krate else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for file in krate.index().files_with(name) {
            for item in file.outline().functions(name) {
                found.push((file, item));
            }
        }
        found
    }

    /// Of several candidates, those of the file that calls go before the others.
    fn nearest<'i>(&self, mut candidates: Vec<Candidate<'i>>) -> Vec<Candidate<'i>> {
        let Some(here) = &self.here else {
            return candidates;
        };
        if candidates.iter().any(|(file, _)| file.path == here.path) {
            candidates.retain(|(file, _)| file.path == here.path);
        }
        candidates
    }

    /// The summary of the one candidate; several merge to unknown, never to an effect.
    fn only(&self, candidates: Vec<Candidate<'_>>) -> Option<Arc<Summary>> {
        let [(file, item)] = &candidates[..] else {
            return None;
        };
        self.summary(file, item)
    }

    fn summary(&self, file: &Arc<File>, item: &FunctionItem) -> Option<Arc<Summary>> {
        if item.said == Said::Effect && !item.has_body {
            return Some(Arc::new(Summary::marked_effect(&item.name)));
        }
        self.guarded(file, item.text.start, || {
            if !item.has_body {
                return (item.said == Said::ReadOnly).then(Summary::marked_read_only);
            }
            let parsed: syn::ItemFn = syn::parse_str(&file.text[item.text.clone()]).ok()?;
            let facts = lower_function(
                &parsed.sig,
                &parsed.block,
                item.owner.clone(),
                &self.at(file),
            );
            let mut summary = summary::of_facts(&facts, &item.name, &|| place(file, item.keyword));
            summary.is_async = parsed.sig.asyncness.is_some();
            summary.has_receiver = parsed.sig.receiver().is_some();
            match item.said {
                Said::Nothing => {}
                Said::ReadOnly => summary.effects.clear(),
                Said::Effect => summary.effects = Summary::marked_effect(&item.name).effects,
            }
            Some(summary)
        })
    }

    /// Reads a summary once per process; while it is being read, or too deep down, it is unknown.
    fn guarded(
        &self,
        file: &Arc<File>,
        start: usize,
        read: impl FnOnce() -> Option<Summary>,
    ) -> Option<Arc<Summary>> {
        let krate = self.krate.as_ref()?;
        if let Some(known) = file.summary(start) {
            return known;
        }
        let key = (file.path.clone(), start);
        if krate.entered.borrow().len() >= DEPTH || krate.entered.borrow().contains(&key) {
            return None;
        }
        krate.entered.borrow_mut().push(key);
        let summary = read().map(Arc::new);
        krate.entered.borrow_mut().pop();
        file.keep_summary(start, summary.clone());
        summary
    }
}

impl Crate {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| files::index(&self.own))
    }
}

/// Whether an item stands in the module a path names; no module named is any module.
fn in_module(file: &File, item: &FunctionItem, path: &[&str]) -> bool {
    let Some(wanted) = path.last() else {
        return true;
    };
    match &item.module {
        Some(module) => module == wanted,
        None => file.module() == Some(*wanted),
    }
}

/// What all methods of one name are marked, if all are marked the same.
fn marked_alike(all: &[Candidate<'_>]) -> Option<Arc<Summary>> {
    let (_, first) = all.first()?;
    let alike = first.said == Said::Effect && all.iter().all(|(_, item)| item.said == first.said);
    alike.then(|| Arc::new(Summary::marked_effect(&first.name)))
}

fn place(file: &File, at: usize) -> String {
    format!(
        "{}:{}",
        short(&file.path),
        file.text[..at].matches('\n').count() + 1
    )
}

/// The path from `src` on, the same on every machine.
fn short(path: &Path) -> String {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let from = parts
        .iter()
        .rposition(|part| *part == "src")
        .unwrap_or(parts.len().saturating_sub(1));
    parts[from..].join("/")
}
