//! Packages of other languages under `target`, installed once for each list of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::process::{root, run as run_command, target};

/// A folder under `target` with copies of files from a folder of this crate.
pub(crate) fn home(place: &str, from: &str, files: &[&str]) -> Result<PathBuf, Failure> {
    let home = target().join(place);
    fs::create_dir_all(&home)?;
    for file in files {
        fs::copy(root().join("xtask").join(from).join(file), home.join(file))?;
    }
    Ok(home)
}

/// Installs what the folder's `package.json` names, unless it is there.
pub(crate) fn npm_install(home: &Path) -> Result<(), Failure> {
    if is_stale(home, "package.json")? {
        run_command(npm(home).args(["install", "--no-audit", "--no-fund", "--loglevel=error"]))?;
        mark(home, "package.json")?;
    }
    Ok(())
}

/// `npm` in a folder.
pub(crate) fn npm(home: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(home);
    npm
}

/// Whether another list of packages was installed here, or none yet.
pub(crate) fn is_stale(home: &Path, list: &str) -> Result<bool, Failure> {
    let installed = fs::read(home.join("installed")).unwrap_or_default();
    Ok(installed != fs::read(home.join(list))?)
}

/// Notes that this list of packages is installed.
pub(crate) fn mark(home: &Path, list: &str) -> Result<(), Failure> {
    fs::copy(home.join(list), home.join("installed"))?;
    Ok(())
}
