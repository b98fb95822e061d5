//! The outline of a file: its functions with their owners and marks, its names, fields and macros.

use std::ops::Range;
use std::sync::OnceLock;

use super::cursor;
use super::scan::{self, Found, Sort};
use crate::lower::names_of;
use quote::ToTokens as _;

/// What an author said of a function that the lint cannot see into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Said {
    Nothing,
    /// `#[effect]`
    Effect,
    /// `#[read_only]`
    ReadOnly,
}

/// A function by where it stands and whose it is.
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
    /// Where its `fn` stands.
    pub(crate) keyword: usize,
}

/// The outline of one file.
#[derive(Default)]
pub(crate) struct Outline {
    functions: Vec<FunctionItem>,
    /// The names of the functions, each with its place; those of one name in the order of the text.
    names: Words,
    uses: Vec<Use>,
    /// The words of the uses, each with the place of its use; made when a name is first looked up.
    use_words: OnceLock<Words>,
    structs: Vec<StructItem>,
    /// The names behind `const`, each with where it stands; made when one is first looked up.
    constants: OnceLock<Words>,
    pub(crate) macros: Vec<(String, Range<usize>)>,
}

impl Outline {
    pub(crate) fn of(text: &str) -> Outline {
        let mut outline = Outline::default();
        let starts = cursor::places(text, "fn ");
        outline.add(text, 0..text.len(), &starts, &Owner::default());
        let mut names = Vec::with_capacity(outline.functions.len());
        for (at, item) in outline.functions.iter().enumerate() {
            names.push((item.name.clone(), at));
        }
        outline.names = Words::of(names);
        outline
    }

    /// Adds the items in `text[within]`; `starts` is where a function may start.
    fn add(&mut self, text: &str, within: Range<usize>, starts: &[usize], around: &Owner) {
        let items = scan::items(text, within);
        // Of each item what those in it belong to; nothing in a module of tests counts.
        let mut owners: Vec<Option<Owner>> = Vec::with_capacity(items.len());
        for item in &items {
            let owner = match item.within {
                Some(place) => owners[place].as_ref(),
                None => Some(around),
            };
            let Some(owner) = owner else {
                owners.push(None);
                continue;
            };
            let inner = inner_owner(text, item, owner);
            self.add_item(text, item, starts, owner);
            owners.push(inner);
        }
    }

    fn add_item(&mut self, text: &str, item: &Found, starts: &[usize], owner: &Owner) {
        let end = item.body.end + usize::from(!item.body.is_empty());
        let whole = item.header.start..end.min(text.len());
        match item.sort {
            // A type such as `fn(u8) -> u8` in a constant.
            Sort::Function if item.name.is_empty() => {}
            Sort::Function => self.add_function(text, item, starts, owner),
            Sort::Impl | Sort::Trait | Sort::Module => {}
            Sort::Struct => self.structs.push(StructItem {
                name: item.name.clone(),
                text: whole,
                fields: OnceLock::new(),
            }),
            Sort::Macro => self.macros.push((item.name.clone(), item.body.clone())),
            Sort::Use => {
                let text = format!("{};", &text[item.header.clone()]);
                self.uses.push(Use {
                    text,
                    names: OnceLock::new(),
                });
            }
        }
    }

    fn add_function(&mut self, text: &str, item: &Found, starts: &[usize], owner: &Owner) {
        self.functions.push(FunctionItem {
            name: item.name.clone(),
            owner: owner.ty.clone(),
            of_trait: owner.of_trait.clone(),
            module: owner.module.clone(),
            said: said(&text[item.header.start..item.keyword]),
            has_body: text.as_bytes().get(item.header.end) == Some(&b'{'),
            keyword: item.keyword,
            text: item.header.start..(item.body.end + 1).min(text.len()),
        });
        // A test or a documentation example keeps its helpers inside one function.
        let next = starts.partition_point(|start| *start < item.body.start);
        if starts.get(next).is_some_and(|start| *start < item.body.end) {
            let inner = Owner {
                module: owner.module.clone(),
                ..Owner::default()
            };
            self.add(text, item.body.clone(), starts, &inner);
        }
    }

    /// The functions of this name.
    pub(crate) fn functions(&self, name: &str) -> impl Iterator<Item = &FunctionItem> {
        let named = self.names.named(name).iter();
        named.map(|(_, at)| &self.functions[*at])
    }

    /// The type of a field, as the one struct of this name in `text` writes it.
    pub(crate) fn field(&self, text: &str, ty: &str, field: &str) -> Option<&str> {
        let mut own = self.structs.iter().filter(|item| item.name == ty);
        let (Some(item), None) = (own.next(), own.next()) else {
            return None;
        };
        let fields = item.fields.get_or_init(|| fields(&text[item.text.clone()]));
        let found = fields.iter().find(|(name, _)| name == field);
        found.map(|(_, ty)| ty.as_str())
    }

    /// The value of a string constant, if there is one of this name in `text`.
    pub(crate) fn constant(&self, text: &str, name: &str) -> Option<String> {
        let constants = self.constants.get_or_init(|| {
            let mut words = Vec::new();
            for at in cursor::places(text, "const ") {
                words.push((text[cursor::word_at(text, at + 6)].to_owned(), at));
            }
            Words::of(words)
        });
        let mut found = None;
        for (_, at) in constants.named(name) {
            let value = string_constant(&text[at + 6 + name.len()..]);
            if value.is_some() && found.is_some() {
                return None;
            }
            found = found.or(value);
        }
        found
    }

    /// What `name` stands for in this file; `None` when two modules of it disagree.
    pub(crate) fn alias(&self, name: &str) -> Option<&Vec<String>> {
        let words = self.use_words.get_or_init(|| {
            let mut words = Vec::new();
            for (place, item) in self.uses.iter().enumerate() {
                for word in cursor::words(&item.text) {
                    words.push((word.to_owned(), place));
                }
            }
            Words::of(words)
        });
        let mut known = None;
        for (_, place) in words.named(name) {
            for (alias, path) in self.uses[*place].names() {
                if alias == name && path != *known.get_or_insert(path) {
                    return None;
                }
            }
        }
        known
    }
}

/// Names with the place of each, sorted by name: a map's hashing would not be optimised here.
#[derive(Default)]
struct Words(Vec<(String, usize)>);

impl Words {
    fn of(mut words: Vec<(String, usize)>) -> Words {
        words.sort();
        words.dedup();
        Words(words)
    }

    fn named(&self, name: &str) -> &[(String, usize)] {
        let rest = &self.0[self.0.partition_point(|(word, _)| word.as_str() < name)..];
        &rest[..rest.partition_point(|(word, _)| word == name)]
    }
}

/// The string that a constant is, from behind its name on.
fn string_constant(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix(':')?;
    let (_, value) = rest.split_once('=')?;
    let end = value.find("\";").or_else(|| value.find("#;"))?;
    let parsed: syn::LitStr = syn::parse_str(value[..=end].trim()).ok()?;
    Some(parsed.value())
}

/// A struct, parsed when one of its fields is asked for.
struct StructItem {
    name: String,
    text: Range<usize>,
    fields: OnceLock<Vec<(String, String)>>,
}

/// The fields of a struct, by name or place, each with the text of its type.
fn fields(text: &str) -> Vec<(String, String)> {
    let Ok(item) = syn::parse_str::<syn::ItemStruct>(text) else {
        return Vec::new();
    };
    let mut fields = Vec::new();
    for (place, field) in item.fields.iter().enumerate() {
        let name = field.ident.as_ref().map(ToString::to_string);
        let ty = field.ty.to_token_stream().to_string();
        fields.push((name.unwrap_or_else(|| place.to_string()), ty));
    }
    fields
}

/// A `use`, parsed when a name is looked up that its text holds.
struct Use {
    text: String,
    /// The names it gives, each with what it stands for.
    names: OnceLock<Vec<(String, Vec<String>)>>,
}

impl Use {
    fn names(&self) -> &[(String, Vec<String>)] {
        self.names.get_or_init(|| {
            let mut found = Vec::new();
            if let Ok(item) = syn::parse_str::<syn::ItemUse>(&self.text) {
                names_of(&item.tree, &mut Vec::new(), &mut found);
            }
            found
        })
    }
}

/// What an item belongs to.
#[derive(Default)]
struct Owner {
    ty: Option<String>,
    of_trait: Option<String>,
    module: Option<String>,
}

/// What the items in `item` belong to; `None` where nothing in it counts.
fn inner_owner(text: &str, item: &Found, owner: &Owner) -> Option<Owner> {
    let header = &text[item.header.clone()];
    let (ty, of_trait, module) = match item.sort {
        Sort::Module if header.contains("cfg(test)") => return None,
        Sort::Module => (None, None, Some(item.name.clone())),
        Sort::Impl => {
            let (ty, of_trait) = impl_header(&text[item.keyword..item.header.end]);
            (ty, of_trait, owner.module.clone())
        }
        Sort::Trait => (Some(item.name.clone()), None, owner.module.clone()),
        _ => return None,
    };
    Some(Owner {
        ty,
        of_trait,
        module,
    })
}

/// The marks among the attributes before a function, which may come with `mrtr::`.
fn said(attributes: &str) -> Said {
    let marked = |with: &str, name: &str| {
        attributes.contains(with) && {
            let (plain, full) = (format!("#[{name}]"), format!("::{name}]"));
            attributes.contains(&plain) || attributes.contains(&full)
        }
    };
    if marked("effect]", "effect") {
        Said::Effect
    } else if marked("read_only]", "read_only") {
        Said::ReadOnly
    } else {
        Said::Nothing
    }
}

/// The type and the trait of `impl<..> Trait for Type`, from the keyword on.
///
/// Read as text: parsing every header of a file costs more than the rest of its outline.
fn impl_header(header: &str) -> (Option<String>, Option<String>) {
    let rest = without_generics(header.strip_prefix("impl").unwrap_or(header));
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
        assert!(text[row("notify").keyword..].starts_with("fn notify"));
    }
}
