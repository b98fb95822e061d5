//! `cargo xtask lint-report`: how right the lint is on the cases held in the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mrtr_lint::{Allow, Finding, Handler, HandlerKind, Level, Policy, Source, check};
use syn::{Attribute, Block, ImplItem, Item, Signature};

/// What a case says of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Expected {
    code: String,
    line: usize,
    text: String,
}

/// One function with what is expected of it.
#[derive(Debug)]
struct Case {
    name: String,
    /// What an analysis needs to get it right.
    level: String,
    expected: Vec<Expected>,
}

/// Counts of one level.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    cases: usize,
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.cases += other.cases;
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }

    fn precision(self) -> f64 {
        ratio(self.right, self.wrong)
    }

    fn recall(self) -> f64 {
        ratio(self.right, self.missed)
    }
}

fn ratio(part: usize, rest: usize) -> f64 {
    if part + rest == 0 {
        1.0
    } else {
        part as f64 / (part + rest) as f64
    }
}

/// The least the held cases must reach.
const PRECISION: f64 = 0.98;
const RECALL: f64 = 0.97;

/// Judges the cases in `mrtr-lint/cases`, or in the directory that is given, and prints a table by
/// level, each wrong verdict, and a last line with precision and recall.
///
/// # Errors
///
/// A text when the cases cannot be read, or when the lint is less right than it has to be.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let held = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrtr-lint/cases");
    let directory = args.first().map_or(held, PathBuf::from);
    let mut levels: BTreeMap<String, Score> = BTreeMap::new();
    for file in case_files(&directory)? {
        for (case, score) in judge_file(&file)? {
            levels.entry(case.level).or_default().add(score);
        }
    }
    let mut all = Score::default();
    println!("level  cases  right  wrong  missed  precision  recall");
    for (level, score) in &levels {
        let Score {
            cases,
            right,
            wrong,
            missed,
        } = *score;
        let (precision, recall) = (score.precision(), score.recall());
        println!(
            "{level:<5}  {cases:>5}  {right:>5}  {wrong:>5}  {missed:>6}  {precision:>9.3}  {recall:>6.3}"
        );
        all.add(*score);
    }
    let (precision, recall) = (all.precision(), all.recall());
    println!(
        "precision {precision:.3} recall {recall:.3} of {} cases",
        all.cases
    );
    if precision < PRECISION || recall < RECALL {
        return Err(format!(
            "the lint must reach precision {PRECISION} and recall {RECALL}"
        ));
    }
    Ok(())
}

fn case_files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    Ok(files)
}

fn judge_file(path: &Path) -> Result<Vec<(Case, Score)>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = syn::parse_file(&text).map_err(|error| {
        let start = error.span().start();
        format!("{}:{}: {error}", path.display(), start.line)
    })?;
    let mut functions = Vec::new();
    collect(&file.items, None, &mut functions);
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut judged = Vec::new();
    for case in cases(&text) {
        let Some(function) = functions
            .iter()
            .find(|function| function.sig.ident == case.name)
        else {
            return Err(format!(
                "{name}: no function `{}` for its comment",
                case.name
            ));
        };
        let score = judge(&name, &case, &function.check(path)?);
        judged.push((case, score));
    }
    Ok(judged)
}

/// The comments `// expect:`, `// level:` above each function.
fn cases(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cases = Vec::new();
    let (mut expected, mut level, mut comment) = (Vec::new(), None, 0);
    for (place, line) in lines.iter().enumerate() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("// expect: flag ") {
            let (code, text) = rest.split_once(" at ").unwrap_or((rest, ""));
            expected.push((code.to_owned(), text.trim().to_owned()));
        } else if let Some(rest) = line.strip_prefix("// level: ") {
            level = Some(rest.trim().to_owned());
            comment = place;
        } else if let (Some(name), Some(known)) = (function_name(line), &level) {
            let expected = expected
                .drain(..)
                .map(|(code, text)| locate(&lines, comment, code, text));
            cases.push(Case {
                name,
                level: known.clone(),
                expected: expected.collect(),
            });
            level = None;
        }
    }
    cases
}

/// The line a case means: the first one at or below the comments that holds the text.
fn locate(lines: &[&str], from: usize, code: String, text: String) -> Expected {
    let found = lines[from..].iter().position(|line| {
        let line = line.trim();
        !line.starts_with("//") && line.contains(&text)
    });
    Expected {
        code,
        line: found.map_or(0, |at| from + at + 1),
        text,
    }
}

fn function_name(line: &str) -> Option<String> {
    let at = line.find("fn ")?;
    let before = line[..at].trim();
    let plain = before.is_empty()
        || before
            .split(' ')
            .all(|word| matches!(word, "pub" | "async" | "unsafe"));
    let rest = &line[at + 3..];
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    plain.then(|| rest[..end].to_owned())
}

fn judge(file: &str, case: &Case, findings: &[Finding]) -> Score {
    let mut open = case.expected.clone();
    let mut score = Score {
        cases: 1,
        ..Score::default()
    };
    for finding in findings {
        let line = finding.span.start().line;
        let known = open
            .iter()
            .position(|expected| expected.line == line && expected.code == finding.code.number());
        if let Some(place) = known {
            open.remove(place);
            score.right += 1;
        } else {
            score.wrong += 1;
            let first = finding.message.lines().next().unwrap_or_default();
            println!(
                "wrong   {file} {}: {} line {line}: {first}",
                case.name,
                finding.code.number()
            );
        }
    }
    for expected in open {
        score.missed += 1;
        println!(
            "missed  {file} {}: {} at {} (line {})",
            case.name, expected.code, expected.text, expected.line
        );
    }
    score
}

/// A function of a case file.
struct Function<'a> {
    sig: &'a Signature,
    block: &'a Block,
    attrs: &'a [Attribute],
    self_type: Option<String>,
}

fn collect<'a>(items: &'a [Item], _: Option<&str>, found: &mut Vec<Function<'a>>) {
    for item in items {
        match item {
            Item::Fn(item) => {
                found.push(Function {
                    sig: &item.sig,
                    block: &item.block,
                    attrs: &item.attrs,
                    self_type: None,
                });
            }
            Item::Impl(item) => {
                let self_type = match &*item.self_ty {
                    syn::Type::Path(path) => path
                        .path
                        .segments
                        .last()
                        .map(|segment| segment.ident.to_string()),
                    _ => None,
                };
                for member in &item.items {
                    if let ImplItem::Fn(item) = member {
                        let self_type = self_type.clone();
                        found.push(Function {
                            sig: &item.sig,
                            block: &item.block,
                            attrs: &item.attrs,
                            self_type,
                        });
                    }
                }
            }
            Item::Mod(item) => {
                if let Some((_, items)) = &item.content {
                    collect(items, None, found);
                }
            }
            _ => {}
        }
    }
}

impl Function<'_> {
    fn check(&self, path: &Path) -> Result<Vec<Finding>, String> {
        let mut handler = Handler::new(HandlerKind::Tool, self.sig, self.block);
        handler.self_type.clone_from(&self.self_type);
        let mut level = None;
        for attr in self.attrs {
            let words = attr
                .meta
                .require_list()
                .map(|list| list.tokens.to_string())
                .unwrap_or_default();
            if attr.path().is_ident("asking") {
                handler.kind = HandlerKind::Asking;
            }
            handler.read_only |= words.contains("read_only");
            if let Some(name) = words
                .split("effects = \"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
            {
                level = Level::from_name(name);
            }
            if Allow::is_allow(attr) {
                handler
                    .allows
                    .push(Allow::parse(attr).map_err(|error| error.to_string())?);
            }
        }
        handler.policy = Policy::default().with_tool_level(level);
        let line = self.sig.ident.span().start().line;
        let source = Source::from_file(path, line, &self.sig.ident.to_string());
        Ok(check(&handler, &source))
    }
}
