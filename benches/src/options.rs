//! What the benchmark is told on its command line.

use std::path::PathBuf;
use std::time::Duration;

use crate::Failure;

/// The settings of one run.
#[derive(Debug)]
pub(crate) struct Options {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Where the servers are.
    pub(crate) bins: PathBuf,
    /// Where the results go.
    pub(crate) json: PathBuf,
    /// Fewer and shorter measurements.
    pub(crate) quick: bool,
    /// Only checks what the peers answer.
    pub(crate) check: bool,
    /// The parts that are wanted; all if there are none.
    parts: Vec<String>,
}

const USAGE: &str = "usage: cargo xtask bench [--quick | --check] [http] [lists] [stdio] [flows] \
                     [instructions] [in-process] [compile]";

/// The parts there are.
const PARTS: [&str; 7] = [
    "http",
    "lists",
    "stdio",
    "flows",
    "instructions",
    "in-process",
    "compile",
];

impl Options {
    pub(crate) fn from_args() -> Result<Self, Failure> {
        let mut args = std::env::args().skip(1);
        let mut place = || args.next().map(PathBuf::from).ok_or(USAGE);
        let mut options = Self {
            root: place()?,
            bins: place()?,
            json: place()?,
            quick: false,
            check: false,
            parts: Vec::new(),
        };
        for arg in args {
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--check" => options.check = true,
                part if PARTS.contains(&part) => options.parts.push(arg),
                _ => return Err(format!("unknown argument `{arg}`\n{USAGE}").into()),
            }
        }
        Ok(options)
    }

    /// Whether this part is to be measured.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    /// How often everything is measured, one peer after the other.
    pub(crate) fn repeats(&self) -> usize {
        if self.quick { 3 } else { 7 }
    }

    /// How long one load lasts.
    pub(crate) fn span(&self) -> Duration {
        Duration::from_millis(if self.quick { 1000 } else { 3000 })
    }
}
