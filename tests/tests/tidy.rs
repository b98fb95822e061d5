//! Rules of the repository that no compiler checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Names of crates.
type Names = &'static [&'static str];

/// What each library crate may depend on, of this workspace and of the outside.
///
/// `None` for the outside means that there is no closed list.
const DIRECTIONS: [(&str, Names, Option<Names>); 6] = [
    ("mrtr-core", &[], None),
    ("mrtr-lint", &[], Some(&["proc-macro2", "quote", "syn"])),
    (
        "mrtr-macros",
        &["mrtr-lint"],
        Some(&["proc-macro2", "quote", "syn"]),
    ),
    ("mrtr-rmcp", &["mrtr-runtime"], Some(&["rmcp"])),
    ("mrtr-runtime", &["mrtr-core"], None),
    ("mrtr", &["mrtr-macros", "mrtr-runtime"], None),
];

/// The core is pure: time, randomness and keys are its arguments.
const NOT_IN_THE_CORE: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::thread",
    "SystemTime::now",
    "Instant::now",
    "getrandom::",
    "tokio::",
];

/// Where the official SDK may be named: the demo client, the tests, the chores, and the benchmark
/// that it is a peer in.
const MAY_NAME_RMCP: [&str; 7] = [
    "benches/",
    "examples/",
    "mrtr-rmcp/",
    "mrtr-runtime/Cargo.toml",
    "mrtr-runtime/src/legacy/",
    "tests/",
    "xtask/",
];

/// What an expansion may name of `mrtr`, beside `__private`: the traits it implements and the
/// types in the signatures that it writes.
const EXPANSIONS_NAME: [&str; 9] = [
    "AnyHandler",
    "Ctx",
    "Form",
    "FormField",
    "Handlers",
    "Prompt",
    "Resource",
    "Tool",
    "__private",
];

/// A file has at most this many lines.
const LONGEST_FILE: usize = 400;

/// Tables of cases and tests may be longer than code.
const LONGEST_TEST: usize = 800;

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests lie in the checkout")
        .to_owned()
}

/// The files of the checkout with this ending, by their path from its root.
fn files(ending: &str) -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .arg(format!("*{ending}"))
        .current_dir(root())
        .output()
        .expect("git is there");
    let listed = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    // A file that was listed may be gone by now.
    let read = |path: &str| Some((path.to_owned(), fs::read_to_string(root().join(path)).ok()?));
    let files: Vec<_> = listed.lines().filter_map(read).collect();
    assert!(!files.is_empty(), "no file ends in {ending}");
    files
}

/// The packages of the workspace, as cargo sees them.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .expect("cargo is there");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    metadata["packages"]
        .as_array()
        .expect("a workspace has packages")
        .clone()
}

/// The names of a package's dependencies, without those for tests only.
fn dependencies(package: &Value) -> BTreeSet<String> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    let normal = all.filter(|dependency| dependency["kind"] != "dev");
    normal
        .filter_map(|dependency| dependency["name"].as_str())
        .map(str::to_owned)
        .collect()
}

fn report(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn crates_depend_in_one_direction() {
    let packages = packages();
    let ours: Vec<&str> = packages
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    let mut broken = Vec::new();
    for (name, inside, outside) in DIRECTIONS {
        let package = packages.iter().find(|package| package["name"] == name);
        for dependency in dependencies(package.expect("the crate is there")) {
            let is_ours = ours.contains(&&*dependency);
            let allowed = match outside {
                _ if is_ours => inside.contains(&&*dependency),
                Some(closed) => closed.contains(&&*dependency),
                None => true,
            };
            if !allowed {
                broken.push(format!("{name} depends on {dependency}"));
            }
        }
    }
    report("a dependency points the wrong way", &broken);
}

#[test]
fn the_core_does_nothing_by_itself() {
    let core = files(".rs")
        .into_iter()
        .filter(|(path, _)| path.starts_with("mrtr-core/src/"));
    let mut broken = Vec::new();
    for (path, text) in core {
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !is_comment(line))
        {
            for word in NOT_IN_THE_CORE.iter().filter(|word| line.contains(**word)) {
                broken.push(format!("{path}:{}: {word}", number + 1));
            }
        }
    }
    report(
        "the core takes time, randomness and files as arguments",
        &broken,
    );
}

#[test]
fn the_official_sdk_is_named_only_where_it_may_be() {
    let mut broken: Vec<String> = Vec::new();
    for package in packages() {
        let path = package["manifest_path"]
            .as_str()
            .expect("a package has a manifest");
        let place = Path::new(path)
            .strip_prefix(root())
            .expect("it lies in the checkout");
        let place = place.to_string_lossy().into_owned();
        let all = package["dependencies"].as_array().into_iter().flatten();
        let names = all.filter_map(|dependency| dependency["name"].as_str());
        if names.into_iter().any(|name| name == "rmcp") && !may_name_rmcp(&place) {
            broken.push(place);
        }
    }
    for (path, text) in files(".rs") {
        let named = text
            .lines()
            .any(|line| !is_comment(line) && line.contains("rmcp::"));
        if named && !may_name_rmcp(&path) {
            broken.push(path);
        }
    }
    report(
        "rmcp is named where older revisions are served, and where its client is used",
        &broken,
    );
}

fn may_name_rmcp(path: &str) -> bool {
    MAY_NAME_RMCP.iter().any(|place| path.starts_with(place))
}

#[test]
fn expansions_name_only_what_is_made_for_them() {
    let snapshots = files(".rs")
        .into_iter()
        .filter(|(path, _)| path.contains("/src/snapshots/"));
    let (mut broken, mut paths) = (Vec::new(), 0);
    for (path, text) in snapshots {
        for rest in text.split("::mrtr::").skip(1) {
            paths += 1;
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !EXPANSIONS_NAME.contains(&&*name) {
                broken.push(format!("{path}: ::mrtr::{name}"));
            }
        }
    }
    assert!(paths > 0, "there are committed expansions");
    report(
        "an expansion names `::mrtr::__private` and public traits",
        &broken,
    );
}

#[test]
fn what_is_allowed_has_a_reason() {
    let mut broken = Vec::new();
    for (path, text) in files(".rs") {
        // What the macros generate is allowed for the user's sake, and explained where it is made.
        if path.starts_with("mrtr-macros/src/") || is_case(&path) {
            continue;
        }
        for opening in ["#[allow(", "#![allow(", "#[expect(", "#![expect("] {
            for (at, _) in text.match_indices(opening) {
                let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                // A line that a string literal goes on in.
                if text[..line_start].ends_with("\\\n") {
                    continue;
                }
                let before = &text[line_start..at];
                let rest = &text[at..];
                let attribute = &rest[..rest.find(")]").unwrap_or(rest.len())];
                // Inside other text it is a name, not an attribute.
                if before.trim().is_empty() && !attribute.contains("reason") {
                    let number = text[..at].lines().count() + 1;
                    broken.push(format!("{path}:{number}"));
                }
            }
        }
    }
    report("an `allow` says why: `reason = \"..\"`", &broken);
}

#[test]
fn files_are_short() {
    let mut broken = Vec::new();
    for (path, text) in files(".rs") {
        let is_test = path.ends_with("tests.rs") || path.contains("/tests/") || is_case(&path);
        let most = if is_test { LONGEST_TEST } else { LONGEST_FILE };
        let lines = text.lines().count();
        if lines > most {
            broken.push(format!("{path}: {lines} lines, at most {most}"));
        }
    }
    report("a file is split before it is too long to read", &broken);
}

#[test]
fn a_file_begins_with_the_one_job_it_has() {
    let sources = files(".rs")
        .into_iter()
        .filter(|(path, _)| !is_case(path) && !path.contains("/src/snapshots/"));
    let broken: Vec<_> = sources
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    report("the first line is a `//!` sentence", &broken);
}

#[test]
fn a_case_begins_with_its_reason() {
    let cases = files(".rs")
        .into_iter()
        .filter(|(path, _)| path.contains("/tests/ui/"));
    let broken: Vec<_> = cases
        .filter(|(_, text)| !text.starts_with("// ") && !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    report(
        "a compile-fail case says in its first line what is wrong",
        &broken,
    );
}

#[test]
fn no_file_is_named_after_nothing() {
    // A helper is a thing of the domain here: a function that a handler calls.
    let empty = ["util", "utils", "common", "misc"];
    let broken: Vec<_> = files(".rs")
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| {
            path.split('/')
                .any(|part| empty.contains(&part.trim_end_matches(".rs")))
        })
        .collect();
    report("a file is named after what is in it", &broken);
}

#[test]
fn every_crate_forbids_unsafe_code_and_takes_the_shared_lints() {
    let manifests = files("Cargo.toml")
        .into_iter()
        .filter(|(path, _)| path != "Cargo.toml" && !path.contains("/fuzz/"));
    let broken: Vec<_> = manifests
        .filter(|(_, text)| !text.contains("[lints]\nworkspace = true"))
        .map(|(path, _)| path)
        .collect();
    report("a crate without the workspace's lints", &broken);
    let shared =
        fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    assert!(shared.contains("unsafe_code = \"forbid\""));
}

/// Code that is input: cases that must not compile, and cases for the lint to judge.
fn is_case(path: &str) -> bool {
    path.contains("/tests/ui/") || path.starts_with("mrtr-lint/cases/")
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}
