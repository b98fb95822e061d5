//! The one table: medians, ratios between peers, and the budgets they are held to.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::Failure;
use crate::options::Options;
use crate::peer::{PEERS, Peer};

/// What mrtr may take or must reach of another peer's value; of `mrtr` itself: the value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    peer: &'static str,
    least: bool,
    value: f64,
}

pub(crate) fn at_most(peer: &'static str, value: f64) -> Budget {
    Budget {
        peer,
        least: false,
        value,
    }
}

pub(crate) fn at_least(peer: &'static str, value: f64) -> Budget {
    Budget {
        peer,
        least: true,
        value,
    }
}

/// A row before anything was measured.
#[derive(Debug)]
pub(crate) struct Row {
    what: String,
    unit: &'static str,
    budgets: Vec<Budget>,
}

impl Row {
    pub(crate) fn new(what: impl Into<String>, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            unit,
            budgets: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, budget: Budget) -> Self {
        self.budgets.push(budget);
        self
    }
}

/// A row with what was measured, in the order in which it was.
struct Measured {
    row: Row,
    samples: BTreeMap<&'static str, Vec<f64>>,
}

impl Measured {
    fn median(&self, peer: &str) -> Option<f64> {
        self.samples
            .get(peer)
            .and_then(|samples| median(samples.clone()))
    }

    /// The median of what mrtr took compared with another peer in the same repetition.
    fn ratio(&self, peer: &str) -> Option<f64> {
        let (ours, theirs) = (self.samples.get("mrtr")?, self.samples.get(peer)?);
        median(
            ours.iter()
                .zip(theirs)
                .map(|(ours, theirs)| ours / theirs)
                .collect(),
        )
    }

    fn held(&self, budget: Budget) -> Option<bool> {
        let value = if budget.peer == "mrtr" {
            self.median("mrtr")
        } else {
            self.ratio(budget.peer)
        };
        value.map(|value| {
            if budget.least {
                value >= budget.value
            } else {
                value <= budget.value
            }
        })
    }
}

fn median(mut samples: Vec<f64>) -> Option<f64> {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match samples.len() {
        0 => None,
        length if length % 2 == 1 => Some(samples[middle]),
        _ => Some(f64::midpoint(samples[middle - 1], samples[middle])),
    }
}

/// Everything that was measured.
pub(crate) struct Table {
    rows: Vec<Measured>,
    quick: bool,
}

impl Table {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            rows: Vec::new(),
            quick: options.quick,
        }
    }

    /// Adds one value to the row of this name, which is made if it is not there.
    pub(crate) fn note(&mut self, row: Row, peer: &Peer, value: f64) {
        self.note_as(row, peer.name, value);
    }

    /// The same for what is measured of no running server.
    pub(crate) fn note_as(&mut self, row: Row, peer: &'static str, value: f64) {
        let found = self
            .rows
            .iter()
            .position(|known| known.row.what == row.what);
        let index = found.unwrap_or_else(|| {
            self.rows.push(Measured {
                row,
                samples: BTreeMap::new(),
            });
            self.rows.len() - 1
        });
        self.rows[index]
            .samples
            .entry(peer)
            .or_default()
            .push(value);
    }

    /// Writes everything as JSON, every sample included.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let rows: Vec<Value> = self.rows.iter().map(Measured::json).collect();
        let all = json!({"about": self.about(), "rows": rows});
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
        eprintln!("written to {}", path.display());
        Ok(())
    }

    fn about(&self) -> String {
        let date = said(Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]));
        let rustc = said(Command::new("rustc").arg("--version"));
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let kind = if self.quick { "quick run" } else { "full run" };
        format!(
            "{date}, {kind}, {rustc}, {} with {cores} core(s) for the load, one for the server",
            std::env::consts::ARCH
        )
    }
}

fn said(command: &mut Command) -> String {
    let output = command
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    String::from_utf8_lossy(&output).trim().to_owned()
}

impl Measured {
    fn json(&self) -> Value {
        let others = PEERS.iter().filter(|peer| **peer != "mrtr");
        let ratios: BTreeMap<_, _> = others
            .filter_map(|peer| Some((*peer, self.ratio(peer)?)))
            .collect();
        let medians: BTreeMap<_, _> = (self.samples.keys())
            .filter_map(|peer| Some((*peer, self.median(peer)?)))
            .collect();
        let budgets: Vec<Value> = self.row.budgets.iter().map(|budget| {
            let least = if budget.least { "at least" } else { "at most" };
            json!({"of": budget.peer, "bound": least, "value": budget.value, "held": self.held(*budget)})
        }).collect();
        json!({
            "what": self.row.what, "unit": self.row.unit, "medians": medians, "ratios": ratios,
            "budgets": budgets, "samples": self.samples,
        })
    }

    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = format!("{} {}", self.row.what, self.row.unit);
        write!(f, "| {what:<46} |")?;
        for peer in PEERS {
            write!(f, " {:>9} |", figure(self.median(peer)))?;
        }
        for peer in PEERS.iter().filter(|peer| **peer != "mrtr") {
            write!(f, " {:>6} |", ratio(self.ratio(peer)))?;
        }
        let budgets: Vec<String> = self
            .row
            .budgets
            .iter()
            .filter_map(|budget| {
                let held = if self.held(*budget)? { "" } else { " MISSED" };
                let sign = if budget.least { "≥" } else { "≤" };
                let of = if budget.peer == "mrtr" {
                    String::new()
                } else {
                    format!(" {}", budget.peer)
                };
                Some(format!("{sign} {:.2}{of}{held}", budget.value))
            })
            .collect();
        writeln!(f, " {} |", budgets.join(", "))
    }
}

fn figure(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
    }
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.2}"))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.about())?;
        write!(f, "| {:<46} |", "medians")?;
        for peer in PEERS {
            write!(f, " {peer:>9} |")?;
        }
        writeln!(f, " /floor |  /rmcp |   /fly | budget of mrtr |")?;
        writeln!(f, "|---|{}---|", "--:|".repeat(2 * PEERS.len() - 1))?;
        self.rows.iter().try_for_each(|row| row.line(f))
    }
}
