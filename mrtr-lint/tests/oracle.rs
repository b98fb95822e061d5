//! The borrow checker as an oracle: it must find an ask ahead of an effect exactly where the graph does.
//!
//! In a case, `EFFECT` and `ASK` are replaced in two ways. For the lint they are a known effect and
//! an ask. For rustc an ask uses a shared borrow that is taken once at the top, and an effect takes
//! the same value mutably: the borrow is alive at the effect if and only if some path leads from
//! there to an ask, and then rustc says E0502.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use mrtr_lint::{Code, Handler, HandlerKind, Source, check};

/// Control flow that random programs seldom hit, each a body.
const CASES: &[&str] = &[
    "EFFECT; ASK;",
    "ASK; EFFECT;",
    "if c() { EFFECT; } ASK;",
    "if c() { EFFECT; } else { ASK; }",
    "if c() { EFFECT; return Ok(()); } ASK;",
    "if c() { EFFECT; panic!(); } ASK;",
    "if c() { EFFECT; unreachable!(); } ASK;",
    "if c() { EFFECT; std::process::exit(1); } ASK;",
    "if !c() { return Ok(()); } EFFECT; ASK;",
    "EFFECT?; ASK;",
    "o().ok_or(Stop)?; EFFECT; o().ok_or(Stop)?; ASK;",
    "for _ in 0..2 { ASK; EFFECT; }",
    "for _ in 0..2 { EFFECT; } ASK;",
    "for _ in 0..2 { ASK; } EFFECT;",
    "for _ in 0..2 { ASK; } for _ in 0..2 { EFFECT; }",
    "for _ in 0..2 { EFFECT; break; } ASK;",
    "for _ in 0..2 { ASK; EFFECT; break; }",
    "for _ in 0..2 { ASK; EFFECT; return Ok(()); }",
    "for _ in 0..2 { ASK; if c() { EFFECT; break; } }",
    "for _ in 0..2 { if c() { EFFECT; continue; } ASK; }",
    "for _ in 0..2 { if c() { continue; } ASK; } EFFECT;",
    "while c() { ASK; EFFECT; }",
    "while ASK { EFFECT; }",
    "while EFFECT.is_ok() { pass(); } ASK;",
    "while let Some(_) = o() { ASK; EFFECT; }",
    "loop { ASK; if c() { break; } EFFECT; }",
    "loop { if c() { break; } EFFECT; } ASK;",
    "loop { ASK; if c() { EFFECT; break; } }",
    "EFFECT; loop { pass(); } ASK;",
    "loop { EFFECT; loop { pass(); } }",
    "'a: for _ in 0..2 { ASK; for _ in 0..2 { EFFECT; continue 'a; } }",
    "'a: for _ in 0..2 { ASK; for _ in 0..2 { EFFECT; break 'a; } }",
    "for _ in 0..2 { ASK; for _ in 0..2 { EFFECT; break; } break; }",
    "'a: { if c() { EFFECT; break 'a; } ASK; }",
    "'a: { if c() { EFFECT; break 'a; } } ASK;",
    "'a: loop { 'b: loop { if c() { EFFECT; break 'b; } break 'a; } ASK; }",
    "let Some(_) = o() else { EFFECT; return Ok(()); }; ASK;",
    "let Ok(()) = EFFECT else { return Ok(()); }; ASK;",
    "let Some(_) = o() else { ASK; return Ok(()); }; EFFECT;",
    "match c() { true => { EFFECT; } false => { ASK; } }",
    "match c() { true => { EFFECT; } false => {} } ASK;",
    "match o() { Some(_) if EFFECT.is_ok() => {} _ => { ASK; } }",
    "match o() { Some(_) if ASK => {} Some(_) => { EFFECT; } None => {} }",
    "match o() { Some(_) if c() => { EFFECT; } Some(_) if ASK => {} _ => {} }",
    "match EFFECT { Ok(()) => {} Err(_) => { ASK; } }",
    "match ASK { true => { EFFECT; } false => {} }",
    "if let Some(_) = o() && EFFECT.is_ok() && c() { ASK; }",
    "if ASK && EFFECT.is_ok() { pass(); }",
    "if EFFECT.is_ok() || ASK { pass(); }",
    "if c() && EFFECT.is_ok() { return Ok(()); } ASK;",
    "let _ = (EFFECT, ASK);",
    "let _ = (ASK, EFFECT);",
    "let _ = [EFFECT.is_ok(), ASK];",
    "two(EFFECT.is_ok(), ASK);",
    "two(ASK, EFFECT.is_ok());",
    "let mut v = [false, false]; v[EFFECT.is_ok() as usize] = ASK;",
    "let mut v = [false, false]; v[ASK as usize] = EFFECT.is_ok();",
    "let x = if c() { EFFECT.is_ok() } else { false }; two(x, ASK);",
    "let x = loop { if c() { break EFFECT.is_ok(); } }; two(x, ASK);",
    "let f = || { if c() { return; } }; EFFECT; f(); ASK;",
    "{ { EFFECT; } } { ASK; }",
    "unsafe { EFFECT; } ASK;",
    "return EFFECT.map(|_| ()); ASK;",
];

/// How many programs are made up.
const RANDOM: u64 = 400;

/// Makes up control flow, the same at each run.
struct Random {
    state: u64,
    text: String,
    /// The labels in scope; `true` for a loop.
    labels: Vec<(String, bool)>,
    depth: usize,
}

impl Random {
    fn body(seed: u64) -> String {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut random = Random {
            state,
            text: String::new(),
            labels: Vec::new(),
            depth: 0,
        };
        random.statements();
        random.statements();
        random.keep_one_effect(seed)
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % below
    }

    fn statements(&mut self) {
        for _ in 0..1 + self.draw(3) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let choices = if self.depth < 4 { 15 } else { 7 };
        match self.draw(choices) {
            0 | 1 => self.text.push_str("EFFECT; "),
            2 | 3 => self.text.push_str("ASK; "),
            4 => self.text.push_str("EFFECT?; "),
            5 => self.jump(),
            6 => self.text.push_str("let _ = c() && EFFECT.is_ok() || ASK; "),
            7 => self.block("if c() "),
            8 => {
                self.block("if c() ");
                self.block("else ");
            }
            9 => self.looping("for _ in 0..2 "),
            10 => self.looping("while c() "),
            11 => self.looping("loop "),
            12 => {
                self.block("match o() { Some(_) if c() => ");
                self.block("Some(_) if EFFECT.is_ok() => ");
                self.block("_ => ");
                self.text.push_str("} ");
            }
            13 => {
                self.text.push_str("let Some(_) = o() else { EFFECT; ");
                self.jump_out();
                self.text.push_str("}; ");
            }
            _ => self.labelled("", false),
        }
    }

    fn block(&mut self, head: &str) {
        self.text.push_str(head);
        self.text.push_str("{ ");
        self.depth += 1;
        self.statements();
        self.depth -= 1;
        self.text.push_str("} ");
    }

    fn looping(&mut self, head: &str) {
        self.labelled(head, true);
    }

    fn labelled(&mut self, head: &str, is_loop: bool) {
        let label = format!("'l{}", self.labels.len());
        self.labels.push((label.clone(), is_loop));
        self.block(&format!("{label}: {head}"));
        self.labels.pop();
    }

    /// A jump on one of two paths, so that what follows it is not always dead.
    fn jump(&mut self) {
        self.text.push_str("if c() { ");
        self.jump_out();
        self.text.push_str("} ");
    }

    fn jump_out(&mut self) {
        let count = self.labels.len() as u64;
        let text = match self.draw(count * 2 + 1) {
            0 => "return Ok(()); ".to_owned(),
            n => {
                let (label, is_loop) = &self.labels[((n - 1) / 2) as usize];
                let verb = if *is_loop && n % 2 == 0 {
                    "continue"
                } else {
                    "break"
                };
                format!("{verb} {label}; ")
            }
        };
        self.text.push_str(&text);
    }

    /// One effect per program: with several, the other ones would hide a wrong verdict.
    fn keep_one_effect(self, seed: u64) -> String {
        let parts: Vec<&str> = self.text.split("EFFECT").collect();
        let kept = seed as usize % (parts.len().max(2) - 1);
        let mut text = parts[0].to_owned();
        for (place, part) in parts[1..].iter().enumerate() {
            text.push_str(if place == kept { "EFFECT" } else { "nothing()" });
            text.push_str(part);
        }
        text
    }
}

const PRELUDE: &str = "\
#![allow(warnings)]
pub struct Stop;
pub struct Phase;
pub struct Asks<'a>(&'a Phase);
impl Phase {
    fn asks(&self) -> Asks<'_> { Asks(self) }
    fn effects(&mut self) -> Result<(), Stop> { Ok(()) }
}
impl Asks<'_> { async fn ask(&self) -> bool { true } }
fn c() -> bool { true }
fn o() -> Option<u8> { None }
fn two(a: bool, b: bool) {}
fn pass() {}
fn nothing() -> Result<(), Stop> { Ok(()) }
";

/// The cases for which the borrow checker says that an ask is ahead.
fn by_rustc(bodies: &[String]) -> BTreeSet<usize> {
    let directory = std::env::temp_dir().join(format!("mrtr-lint-oracle-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("the temporary directory can be written");
    let mut text = PRELUDE.to_owned();
    let first = PRELUDE.lines().count() + 1;
    for (place, body) in bodies.iter().enumerate() {
        let body = body
            .replace("EFFECT", "phase.effects()")
            .replace("ASK", "asks.ask().await");
        writeln!(
            text,
            "async fn case{place}(mut phase: Phase) -> Result<(), Stop> {{ let asks = phase.asks(); {body} Ok(()) }}"
        )
        .expect("a string takes all");
    }
    let source = directory.join("oracle.rs");
    fs::write(&source, &text).expect("the temporary directory can be written");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc)
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=short",
            "--out-dir",
        ])
        .args([&directory, &source])
        .output()
        .expect("rustc runs");
    fs::remove_dir_all(&directory).expect("the directory was just written");
    let said = String::from_utf8_lossy(&output.stderr);
    let errors = said.lines().filter(|line| line.contains("error"));
    let mut found = BTreeSet::new();
    for error in errors.filter(|line| !line.contains("aborting due to")) {
        assert!(
            error.contains("E0502"),
            "the case does not compile: {error}\n{text}"
        );
        let line: usize = error
            .split(".rs:")
            .nth(1)
            .and_then(|rest| rest.split(':').next())
            .map_or(0, |line| line.parse().expect("rustc names the line"));
        found.insert(line - first);
    }
    found
}

/// Whether the graph has an ask ahead of the effect.
fn by_graph(body: &str) -> bool {
    let body = body
        .replace("EFFECT", "std::fs::write(\"a\", \"1\")")
        .replace("ASK", "ctx.ask::<bool>(key(), \"?\").await");
    let text = format!("async fn case(ctx: &Ctx) -> Result<(), Stop> {{ {body} Ok(()) }}");
    let function: syn::ItemFn =
        syn::parse_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let handler = Handler::new(HandlerKind::Tool, &function.sig, &function.block);
    let found = check(&handler, &Source::none());
    found.iter().any(|finding| {
        matches!(
            finding.code,
            Code::EffectAboveAsk | Code::EffectBeforeNextIteration
        )
    })
}

#[test]
fn the_graph_agrees_with_the_borrow_checker() {
    let random = (1..=RANDOM)
        .map(Random::body)
        .filter(|body| body.contains("EFFECT") && body.contains("ASK"));
    let bodies: Vec<String> = CASES
        .iter()
        .map(|case| (*case).to_owned())
        .chain(random)
        .collect();
    assert!(
        bodies.len() > 300,
        "enough programs have an effect and an ask: {}",
        bodies.len()
    );
    let ahead = by_rustc(&bodies);
    assert!(
        ahead.len() > 100 && ahead.len() + 100 < bodies.len(),
        "both verdicts occur: {}",
        ahead.len()
    );
    let mut wrong = String::new();
    for (place, body) in bodies.iter().enumerate() {
        let (rustc, graph) = (ahead.contains(&place), by_graph(body));
        if rustc != graph {
            writeln!(wrong, "rustc {rustc}, graph {graph}: {body}").expect("a string takes all");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
