//! Times and allocations of one call without a transport, as divan prints them.

use std::process::Command;

use crate::Failure;
use crate::options::Options;
use crate::peer::Peer;
use crate::table::{Row, Table, at_most};

/// The names in `in-process/benches/call.rs`, and what they are called in the table.
const BENCHES: [(&str, &str); 3] = [
    ("core_answered", "answered one-ask call, core only"),
    ("first_round", "first round, without a transport"),
    ("retry", "retry, without a transport"),
];

/// How many allocations the core may make for a call that brings its one answer.
const MOST: f64 = 25.0;

pub(crate) fn measure(options: &Options, _: &[Peer], table: &mut Table) -> Result<(), Failure> {
    let binary = options.bins.join("in-process");
    let output = Command::new(&binary).arg("--bench").output();
    let output = output.map_err(|error| format!("{} does not start: {error}", binary.display()))?;
    let said = String::from_utf8(output.stdout)?;
    for (name, what) in BENCHES {
        let block = block(&said, name).ok_or_else(|| format!("divan said: {said}"))?;
        let time = column(block.first().copied().unwrap_or_default());
        let nanos = time
            .and_then(nanos)
            .ok_or_else(|| format!("divan said: {said}"))?;
        table.note_as(Row::new(format!("{what}: time"), "ns"), "mrtr", nanos);
        let count = block.iter().position(|line| is_alloc(line));
        let count = count.and_then(|index| column(block.get(index + 1)?)?.parse().ok());
        let mut row = Row::new(format!("{what}: allocations"), "");
        if name == "core_answered" {
            row = row.with(at_most("mrtr", MOST));
        }
        table.note_as(
            row,
            "mrtr",
            count.ok_or_else(|| format!("divan said: {said}"))?,
        );
    }
    Ok(())
}

/// The lines about one benchmark.
fn block<'a>(said: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let is_head = |line: &str| line.starts_with(['├', '╰']);
    let mut lines = said
        .lines()
        .skip_while(|line| !(is_head(line) && line.contains(&format!(" {name} "))));
    let head = lines.next()?;
    Some(
        std::iter::once(head)
            .chain(lines.take_while(|line| !is_head(line)))
            .collect(),
    )
}

/// Whether the lines that follow count allocations, and not the most at a time.
fn is_alloc(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '│']);
    line.starts_with("alloc:")
}

/// The third column, which is the median.
fn column(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('│');
    line.split('│').nth(2).map(str::trim)
}

/// A time such as `1.2 µs` in nanoseconds.
fn nanos(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let factor = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
call                 fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ core_answered     9.1 µs        │ 30 µs         │ 9.5 µs        │ 9.9 µs        │ 100     │ 100
│                    max alloc:    │               │               │               │         │
│                      15          │ 15            │ 15            │ 15            │         │
│                    alloc:        │               │               │               │         │
│                      22          │ 22            │ 23            │ 22            │         │
│                      1.2 KB      │ 1.2 KB        │ 1.2 KB        │ 1.2 KB        │         │
╰─ retry             11 µs         │ 30 µs         │ 950 ns        │ 9.9 µs        │ 100     │ 100
";

    #[test]
    fn the_median_is_read_of_the_right_benchmark() {
        let core = block(SAID, "core_answered").unwrap();
        assert_eq!(column(core[0]).and_then(nanos), Some(9500.0));
        let alloc = core.iter().position(|line| is_alloc(line)).unwrap();
        assert_eq!(column(core[alloc + 1]), Some("23"));
        let retry = block(SAID, "retry").unwrap();
        assert_eq!(
            (retry.len(), column(retry[0]).and_then(nanos)),
            (1, Some(950.0))
        );
        assert!(block(SAID, "first_round").is_none());
    }
}
