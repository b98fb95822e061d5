//! `cargo xtask lint-report --sample`: draws functions of published crates to be read by a person.

use std::fs;
use std::path::Path;

use crate::lint_foreign::{Function, functions, rust_files};

/// Prints `COUNT` functions, drawn by `SEED`, and behind all of them what the lint says.
///
/// Whoever looks for what the lint misses has to read the functions first.
///
/// # Errors
///
/// A text when an argument is missing.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let usage =
        "usage: cargo xtask lint-report --sample SEED COUNT CRATE.. (directories with `src`)";
    let [seed, count, crates @ ..] = args else {
        return Err(usage.into());
    };
    let (Ok(seed), Ok(count)) = (seed.parse(), count.parse()) else {
        return Err(usage.into());
    };
    let drawn = draw(seed, count, crates);
    for (number, (krate, function)) in drawn.iter().enumerate() {
        print_function(number + 1, krate, function);
    }
    println!("=== what the lint says");
    for (number, (_, function)) in drawn.iter().enumerate() {
        for finding in function.check(&function.source()) {
            let first = finding.message.lines().next().unwrap_or_default();
            let line = finding.span.start().line;
            println!("{} {line} {} {first}", number + 1, finding.code.number());
        }
    }
    Ok(())
}

/// Draws from the crates in turn, so that a large one does not outweigh the rest.
fn draw(seed: u64, count: usize, crates: &[String]) -> Vec<(String, Function)> {
    let mut random = Random(seed);
    let mut stocks: Vec<(String, Vec<Function>)> = Vec::new();
    for directory in crates.iter().map(Path::new) {
        let mut texts = rust_files(&directory.join("src"));
        texts.extend(rust_files(&directory.join("examples")));
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        stocks.push((name.into_owned(), functions(&texts)));
    }
    let mut drawn = Vec::new();
    while drawn.len() < count && stocks.iter().any(|(_, stock)| !stock.is_empty()) {
        for (name, stock) in stocks.iter_mut().filter(|(_, stock)| !stock.is_empty()) {
            let place = random.below(stock.len());
            drawn.push((name.clone(), stock.swap_remove(place)));
        }
    }
    drawn.truncate(count);
    drawn
}

fn print_function(number: usize, krate: &str, function: &Function) {
    let text = fs::read_to_string(&function.file).unwrap_or_default();
    let path = function.file.to_string_lossy();
    let inside = path.split_once(krate).map_or("", |(_, rest)| rest);
    println!("=== {number} {krate}{inside}");
    let (first, last) = (function.start(), function.end);
    for (line, text) in text
        .lines()
        .enumerate()
        .skip(first - 1)
        .take(last + 1 - first)
    {
        println!("{:>5} {text}", line + 1);
    }
}

/// SplitMix64: the same seed draws the same functions everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let place = (mixed ^ (mixed >> 31)) % bound as u64;
        usize::try_from(place).unwrap_or_default()
    }
}
