//! The suite itself: installing it, running it, and reading what it says.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::record::Record;
use crate::Failure;
use crate::packages::{home, npm_install};

const PACKAGE: &str = "node_modules/@modelcontextprotocol/conformance";

/// An installed suite. It needs a newer Node than many machines have and brings its own.
pub(super) struct Suite {
    home: PathBuf,
}

/// Which scenarios are run.
#[derive(Clone, Copy)]
pub(super) enum Selection {
    /// All that there are for the revision.
    All,
    /// Those that the revision required when it was released, and its extensions.
    Required,
}

impl Selection {
    /// The name of its results.
    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Required => "required",
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all scenarios (--suite all)",
            Self::Required => "what the revision requires (--requirements)",
        })
    }
}

impl Suite {
    /// Installs it, unless it is there.
    pub(super) fn install() -> Result<Self, Failure> {
        let home = home("conformance", "conformance", &["package.json"])?;
        npm_install(&home)?;
        Ok(Self { home })
    }

    /// Runs the scenarios against a server.
    ///
    /// # Errors
    /// When the suite itself fails, or leaves out what the revision requires.
    pub(super) fn run(
        &self,
        url: &str,
        revision: &str,
        selection: Selection,
    ) -> Result<Vec<Record>, Failure> {
        let scored = self.scored(revision)?;
        let results = format!("results/{revision}-{}", selection.name());
        // What an earlier run has left; there may be nothing.
        let _ = fs::remove_dir_all(self.home.join(&results));
        let mut node = Command::new(self.home.join("node_modules/.bin/node"));
        node.current_dir(&self.home)
            .arg(format!("{PACKAGE}/dist/index.js"))
            .args(["server", "--url", url, "--output-dir", &results]);
        match selection {
            Selection::All => node.args(["--suite", "all", "--spec-version", revision]),
            Selection::Required => node.args(["--requirements", revision]),
        };
        // Its exit code says whether a check failed; that is judged here, and stricter.
        let output = node
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        let printed = String::from_utf8(output.stdout)?;
        let records = self.records(&printed, scored.as_deref())?;
        let ran = |name: &String| records.iter().any(|record| record.scenario == *name);
        if let Some(name) = scored.iter().flatten().find(|name| !ran(name)) {
            return Err(format!("the suite did not run `{name}`:\n{printed}").into());
        }
        if records.is_empty() {
            return Err(format!("the suite ran nothing:\n{printed}").into());
        }
        Ok(records)
    }

    /// The scenarios that the revision requires of servers, if the suite has a list of them.
    fn scored(&self, revision: &str) -> Result<Option<Vec<String>>, Failure> {
        let list = format!("{PACKAGE}/requirements/{revision}.yaml");
        let list = self.home.join(list);
        if !list.exists() {
            return Ok(None);
        }
        let scored = scored(&fs::read_to_string(list)?);
        if scored.is_empty() {
            return Err(format!("the suite's list for {revision} names no scenario").into());
        }
        Ok(Some(scored))
    }

    /// What a run printed names each scenario, and then the folder of its results.
    fn records(&self, printed: &str, scored: Option<&[String]>) -> Result<Vec<Record>, Failure> {
        let mut records: Vec<Record> = Vec::new();
        for line in printed.lines() {
            if let Some(name) = line.strip_prefix("=== Running scenario: ") {
                let name = name.trim_end_matches(" ===");
                let scored = scored.is_none_or(|scored| scored.iter().any(|known| known == name));
                records.push(Record::new(name, scored));
            } else if let Some(folder) = line.strip_prefix("Results saved to ")
                && let Some(record) = records.last_mut()
            {
                record.read(&self.home.join(folder))?;
            }
        }
        Ok(records)
    }
}

/// The items of the list `server`: the file is YAML of the simplest kind.
fn scored(list: &str) -> Vec<String> {
    list.lines()
        .skip_while(|line| *line != "server:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  - "))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_servers_is_read_and_no_other() {
        let list = "# server:\nserver:\n  - ping\n  - tools-list\n\nclient:\n  - initialize\n";
        assert_eq!(scored(list), ["ping", "tools-list"]);
        assert!(scored("client:\n  - initialize\n").is_empty());
    }
}
