//! The outline of a file: its functions with their owners and marks, its names, fields and macros.

use std::ops::Range;
use std::sync::OnceLock;

use super::scan::{self, Found, Sort};
use crate::lower::names_of;

/// What an author said of a function that the lint cannot see into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Nothing,
    /// `#[effect]`
    Effect,
    /// `#[read_only]`
    ReadOnly,
}

/// A function by where it stands and whose it is.
#[derive(Debug, Clone)]
pub(crate) struct FunctionItem {
    pub(crate) name: String,
    /// The type of its `impl`, or the trait it is declared in.
    pub(crate) owner: Option<String>,
    /// For a method of a trait's `impl`: the trait.
    pub(crate) of_trait: Option<String>,
    /// The innermost module it stands in, as far as this file says.
    pub(crate) module: Option<String>,
    pub(crate) said: Said,
    /// Whether it has a body.
    pub(crate) has_body: bool,
    pub(crate) text: Range<usize>,
    pub(crate) line: usize,
}

/// The outline of one file.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) functions: Vec<FunctionItem>,
    /// The text of each `use`; parsed when a name is first looked up.
    uses: Vec<String>,
    aliases: OnceLock<Vec<(String, Vec<String>)>>,
    /// Structs by name, with their text.
    pub(crate) structs: Vec<(String, Range<usize>)>,
    pub(crate) macros: Vec<(String, Range<usize>)>,
}

impl Outline {
    pub(crate) fn of(text: &str) -> Outline {
        let mut outline = Outline::default();
        outline.add(text, 0..text.len(), &Owner::default());
        outline
    }

    fn add(&mut self, text: &str, within: Range<usize>, owner: &Owner) {
        for item in scan::items(text, within) {
            self.add_item(text, &item, owner);
        }
    }

    fn add_item(&mut self, text: &str, item: &Found, owner: &Owner) {
        let header = &text[item.header.clone()];
        if item.sort == Sort::Function && item.name.is_empty() {
            // A type such as `fn(u8) -> u8` in a constant.
            return;
        }
        let whole =
            item.header.start..(item.body.end + usize::from(!item.body.is_empty())).min(text.len());
        match item.sort {
            Sort::Function => self.add_function(text, item, owner),
            Sort::Impl => {
                let (ty, of_trait) = impl_header(header);
                let inner = Owner {
                    ty,
                    of_trait,
                    ..owner.clone()
                };
                self.add(text, item.body.clone(), &inner);
            }
            Sort::Trait => {
                let inner = Owner {
                    ty: Some(item.name.clone()),
                    of_trait: None,
                    ..owner.clone()
                };
                self.add(text, item.body.clone(), &inner);
            }
            Sort::Module if header.contains("cfg(test)") => {}
            Sort::Module => {
                let inner = Owner {
                    module: Some(item.name.clone()),
                    ..Owner::default()
                };
                self.add(text, item.body.clone(), &inner);
            }
            Sort::Struct => self.structs.push((item.name.clone(), whole)),
            Sort::Macro => self.macros.push((item.name.clone(), item.body.clone())),
            Sort::Use => self.uses.push(format!("{header};")),
        }
    }

    fn add_function(&mut self, text: &str, item: &Found, owner: &Owner) {
        let header = &text[item.header.clone()];
        self.functions.push(FunctionItem {
            name: item.name.clone(),
            owner: owner.ty.clone(),
            of_trait: owner.of_trait.clone(),
            module: owner.module.clone(),
            said: said(header),
            has_body: text.as_bytes().get(item.header.end) == Some(&b'{'),
            line: line_of(text, item.header.start + header.rfind("fn ").unwrap_or(0)),
            text: item.header.start..(item.body.end + 1).min(text.len()),
        });
        // A test or a documentation example keeps its helpers inside one function.
        if text[item.body.clone()].contains("fn ") {
            let inner = Owner {
                module: owner.module.clone(),
                ..Owner::default()
            };
            self.add(text, item.body.clone(), &inner);
        }
    }

    fn aliases(&self) -> &[(String, Vec<String>)] {
        self.aliases.get_or_init(|| {
            let mut found = Vec::new();
            for text in &self.uses {
                if let Ok(item) = syn::parse_str::<syn::ItemUse>(text) {
                    names_of(&item.tree, &mut Vec::new(), &mut found);
                }
            }
            found
        })
    }

    /// What `name` stands for in this file; `None` when two modules of it disagree.
    pub(crate) fn alias(&self, name: &str) -> Option<&Vec<String>> {
        let mut known = self
            .aliases()
            .iter()
            .filter(|(alias, _)| alias == name)
            .map(|(_, path)| path);
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
}

/// What an item belongs to.
#[derive(Debug, Clone, Default)]
struct Owner {
    ty: Option<String>,
    of_trait: Option<String>,
    module: Option<String>,
}

/// The marks among the attributes of a header, which may come with `mrtr::`.
fn said(header: &str) -> Said {
    let attributes = header.split("fn ").next().unwrap_or_default();
    let marked = |name: &str| {
        [
            format!("#[{name}]"),
            format!("#[mrtr::{name}]"),
            format!("::{name}]"),
        ]
        .iter()
        .any(|mark| attributes.contains(mark.as_str()))
    };
    if marked("effect") {
        Said::Effect
    } else if marked("read_only") {
        Said::ReadOnly
    } else {
        Said::Nothing
    }
}

/// The type and the trait of `impl<..> Trait for Type`.
///
/// Read as text: parsing every header of a file costs more than the rest of its outline.
fn impl_header(header: &str) -> (Option<String>, Option<String>) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let keyword = header
        .match_indices("impl")
        .map(|(at, _)| at)
        .find(|at| !header[..*at].ends_with(is_name) && !header[at + 4..].starts_with(is_name));
    let Some(at) = keyword else {
        return (None, None);
    };
    let rest = without_generics(&header[at + 4..]);
    let rest = rest.split(" where ").next().unwrap_or_default();
    match rest.split_once(" for ") {
        Some((implemented, ty)) => (last_name(ty), last_name(implemented)),
        None => (last_name(rest), None),
    }
}

/// The text outside of `<..>`, with each run of blanks as one.
fn without_generics(text: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_usize;
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            // The arrow of `Fn() -> T` closes nothing.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            c if depth == 0 && c.is_whitespace() && plain.ends_with(' ') => {}
            c if depth == 0 && c.is_whitespace() => plain.push(' '),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
        before = c;
    }
    plain
}

/// The last segment of a path, behind references.
fn last_name(path: &str) -> Option<String> {
    let word = path
        .trim()
        .rsplit([':', ' ', '&', '!', '(', ')'])
        .next()?
        .trim();
    (!word.is_empty()).then(|| word.to_owned())
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_knows_owners_and_marks() {
        let text = "use std::fs as disk;\n\
            struct Shop { items: Vec<u8> }\n\
            impl Shop { #[effect] async fn refund(&self) {} fn quote(&self) {} }\n\
            impl store::Save<u8> for &Shop { fn save(&self) {} }\n\
            trait Notifier { #[mrtr::effect]\n fn notify(&self); }\n\
            mod mailer { #[read_only] pub fn preview() {} }\n\
            #[cfg(test)] mod tests { fn fake() {} }";
        let outline = Outline::of(text);
        let row = |name: &str| {
            outline
                .functions
                .iter()
                .find(|item| item.name == name)
                .unwrap_or_else(|| panic!("{name}"))
        };
        assert_eq!(row("refund").owner.as_deref(), Some("Shop"));
        assert_eq!(row("refund").said, Said::Effect);
        assert_eq!(row("quote").said, Said::Nothing);
        assert_eq!(row("save").owner.as_deref(), Some("Shop"));
        assert_eq!(row("save").of_trait.as_deref(), Some("Save"));
        assert_eq!(
            (row("notify").said, row("notify").has_body),
            (Said::Effect, false)
        );
        assert_eq!(row("preview").module.as_deref(), Some("mailer"));
        assert_eq!(row("preview").said, Said::ReadOnly);
        assert!(outline.functions.iter().all(|item| item.name != "fake"));
        assert_eq!(
            outline.alias("disk").map(|path| path.join("::")).as_deref(),
            Some("std::fs")
        );
        assert_eq!(row("notify").line, 6);
    }
}
