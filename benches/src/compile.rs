//! What a build costs: the smallest server that asks, with mrtr and with rmcp, from nothing.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::options::Options;
use crate::peer::Peer;
use crate::table::{Row, Table, at_most};
use crate::{Failure, processor};

/// The macros' budget in processor seconds.
const MACROS: f64 = 10.0;

pub(crate) fn measure(options: &Options, _: &[Peer], table: &mut Table) -> Result<(), Failure> {
    let hellos = options.root.join("benches/hello");
    let builds = [
        ("mrtr", "modern", "hello, modern only"),
        ("mrtr", "defaults", "hello, defaults"),
        ("rmcp", "rmcp", "hello, modern only"),
        ("rmcp", "rmcp", "hello, defaults"),
    ];
    let mut known = None;
    for (peer, directory, what) in builds {
        // One server of rmcp stands beside both of mrtr's.
        let built = match known
            .take()
            .filter(|_| what == "hello, defaults" && peer == "rmcp")
        {
            Some(built) => built,
            None => hello(&hellos.join(directory))?,
        };
        note(table, peer, what, &built);
        known = Some(built);
    }
    let macros = as_dependency(&options.root, "mrtr-macros")?;
    let row =
        Row::new("mrtr-macros as a dependency: cold build", "CPU s").with(at_most("mrtr", MACROS));
    table.note_as(row, "mrtr", macros.cpu);
    Ok(())
}

/// What was seen of one project.
struct Hello {
    cold: Built,
    touched: f64,
    expansion: f64,
}

/// What a build took.
struct Built {
    cpu: f64,
    crates: f64,
}

fn note(table: &mut Table, peer: &'static str, what: &str, hello: &Hello) {
    let rows = [
        ("cold build", "CPU s", hello.cold.cpu),
        ("crates built", "", hello.cold.crates),
        ("build after a touch", "CPU s", hello.touched),
        ("expansion", "lines", hello.expansion),
    ];
    for (name, unit, value) in rows {
        table.note_as(Row::new(format!("{what}: {name}"), unit), peer, value);
    }
}

fn hello(project: &Path) -> Result<Hello, Failure> {
    let target = Target::new()?;
    let cold = target.build(project, &[])?;
    let main = project.join("src/main.rs");
    // The time of the file is all that cargo looks at.
    std::fs::File::open(&main)?.set_modified(std::time::SystemTime::now())?;
    let touched = target.build(project, &[])?.cpu;
    let expansion = target.expansion(project)?;
    Ok(Hello {
        cold,
        touched,
        expansion,
    })
}

/// A cold build as users have it: cargo compiles in increments only what is being worked on.
fn as_dependency(project: &Path, package: &str) -> Result<Built, Failure> {
    let mut target = Target::new()?;
    target.incremental = false;
    target.build(project, &["-p", package])
}

/// An empty directory to build into, which goes with this value.
struct Target {
    path: std::path::PathBuf,
    incremental: bool,
}

impl Target {
    fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("mrtr-bench-build-{}", std::process::id()));
        if path.exists() {
            std::fs::remove_dir_all(&path)?;
        }
        Ok(Self {
            path,
            incremental: true,
        })
    }

    fn cargo(&self, project: &Path, args: &[&str]) -> Command {
        // A build may use every core.
        let mut command = Command::new("taskset");
        command
            .args(["-c", "0-1023"])
            .arg(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(args).current_dir(project);
        command
            .env("CARGO_TARGET_DIR", &self.path)
            .env_remove("RUSTFLAGS");
        if !self.incremental {
            command.env("CARGO_INCREMENTAL", "0");
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn build(&self, project: &Path, args: &[&str]) -> Result<Built, Failure> {
        let before = children()?;
        let output = self
            .cargo(
                project,
                &[&["build", "--message-format", "json"], args].concat(),
            )
            .output()?;
        let cpu = children()? - before;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let said = String::from_utf8(output.stdout)?;
        let crates: HashSet<String> = (said.lines())
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message["reason"] == "compiler-artifact" && message["fresh"] == false)
            .filter_map(|message| Some(message["package_id"].as_str()?.to_owned()))
            .collect();
        Ok(Built {
            cpu,
            crates: crates.len() as f64,
        })
    }

    /// How many lines the program has when all macros are expanded. Only nightly has the option,
    /// or a stable compiler that is told to act as one.
    fn expansion(&self, project: &Path) -> Result<f64, Failure> {
        let args = ["rustc", "--profile", "check", "--", "-Zunpretty=expanded"];
        let output = self
            .cargo(project, &args)
            .env("RUSTC_BOOTSTRAP", "1")
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(String::from_utf8(output.stdout)?.lines().count() as f64)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // What is left over lies among the temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The processor seconds of all children that have ended.
fn children() -> Result<f64, Failure> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    Ok(processor::time(&stat, processor::CHILDREN)?.as_secs_f64())
}
