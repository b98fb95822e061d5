//! How strict the lint is: the level of a tool, of its crate, and of a crate built as a dependency.

use std::path::{Path, PathBuf};

use crate::code::{Code, Severity};

/// The strictness that `#[tool(effects = "..")]` and `[package.metadata.mrtr] effects` set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// Each finding weighs what its code says.
    #[default]
    Standard,
    /// No finding is an error.
    Warn,
    /// Every finding is an error.
    Deny,
    /// Only what cannot work at all is reported: see [`Code::is_structural`].
    Allow,
    /// As `Standard`, and a known effect outside `#[commit]` is an error wherever it stands.
    CommitOnly,
}

impl Level {
    /// The names users may write.
    pub const NAMES: &[&str] = &["warn", "deny", "allow", "commit_only"];

    /// The level with this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Level> {
        match name {
            "warn" => Some(Level::Warn),
            "deny" => Some(Level::Deny),
            "allow" => Some(Level::Allow),
            "commit_only" => Some(Level::CommitOnly),
            _ => None,
        }
    }
}

/// What one handler is judged by: a level, and whether its crate is somebody's dependency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// The level in force.
    pub level: Level,
    /// Whether the crate is built as somebody's dependency, where no finding may be an error.
    ///
    /// `--cap-lints` silences a dependency's warnings; it does not reach errors of macros.
    pub dependency: bool,
    /// The manifest that can set the level, to be made an input of the build.
    ///
    /// Only one that rustc finds, too: it reads relative paths from the source file.
    pub manifest: Option<PathBuf>,
}

impl Policy {
    /// The policy of the crate that is being built.
    ///
    /// `env` reads an environment variable and `read` a file; both are arguments so that the
    /// decision can be tested without an environment.
    ///
    /// # Errors
    ///
    /// A text for the user when the manifest names a level that does not exist.
    pub fn for_crate(
        env: impl Fn(&str) -> Option<String>,
        read: impl Fn(&Path) -> Option<String>,
    ) -> Result<Policy, String> {
        let Some(directory) = env("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
            return Ok(Policy::default());
        };
        let dependency = env("CARGO_PRIMARY_PACKAGE").is_none() && is_foreign(&directory, &read);
        let manifest = directory.join("Cargo.toml");
        let Some(text) = read(&manifest) else {
            return Ok(Policy {
                dependency,
                ..Policy::default()
            });
        };
        let level = match manifest_level(&text) {
            None => Level::Standard,
            Some(name) => Level::from_name(&name).ok_or_else(|| unknown_level(&name))?,
        };
        let manifest = (!dependency && manifest.is_absolute()).then_some(manifest);
        Ok(Policy {
            level,
            dependency,
            manifest,
        })
    }

    /// The same policy with the tool's own level, which goes before the crate's.
    #[must_use]
    pub fn with_tool_level(mut self, level: Option<Level>) -> Policy {
        self.level = level.unwrap_or(self.level);
        self
    }

    /// How much a finding weighs here; `None` when it is not reported.
    #[must_use]
    pub fn severity(&self, code: Code) -> Option<Severity> {
        let severity = match self.level {
            Level::Standard | Level::CommitOnly => code.severity(),
            Level::Warn => Severity::Warning,
            Level::Deny => Severity::Error,
            Level::Allow if code.is_structural() => code.severity(),
            Level::Allow => return None,
        };
        Some(if self.dependency {
            Severity::Warning
        } else {
            severity
        })
    }
}

/// The text for a level that does not exist.
#[must_use]
pub fn unknown_level(name: &str) -> String {
    let known = Level::NAMES.join("`, `");
    format!("unknown effects level `{name}`\nhelp: the levels are `{known}`")
}

/// Whether the sources at `directory` were fetched: from a registry, from git, or vendored.
///
/// `cargo vendor` may write to a directory of any name, but it always leaves a checksum file.
fn is_foreign(directory: &Path, read: &impl Fn(&Path) -> Option<String>) -> bool {
    let parts: Vec<_> = directory.iter().filter_map(|part| part.to_str()).collect();
    let fetched = |pair: &[&str]| pair == ["registry", "src"] || pair == ["git", "checkouts"];
    parts.windows(2).any(fetched) || read(&directory.join(".cargo-checksum.json")).is_some()
}

/// The value of `package.metadata.mrtr.effects`, in whichever of TOML's three spellings.
fn manifest_level(text: &str) -> Option<String> {
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = compact(header.split(']').next().unwrap_or_default());
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let key = compact(key);
        let full = if section.is_empty() {
            key
        } else {
            format!("{section}.{key}")
        };
        if full == "package.metadata.mrtr.effects" {
            return quoted(value);
        }
        if full == "package.metadata.mrtr" {
            let (_, rest) = value.split_once("effects")?;
            return quoted(rest.split_once('=')?.1);
        }
    }
    None
}

fn compact(text: &str) -> String {
    let mut compact = text.to_owned();
    compact.retain(|c| !c.is_whitespace() && c != '"');
    compact
}

fn quoted(value: &str) -> Option<String> {
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(directory: &str, primary: bool, files: &[(&str, &str)]) -> Result<Policy, String> {
        let env = |name: &str| match name {
            "CARGO_MANIFEST_DIR" => Some(directory.to_owned()),
            "CARGO_PRIMARY_PACKAGE" => primary.then(|| "1".to_owned()),
            _ => None,
        };
        let read = |path: &Path| {
            files
                .iter()
                .find(|(name, _)| path == Path::new(directory).join(name))
                .map(|(_, text)| (*text).to_owned())
        };
        Policy::for_crate(env, read)
    }

    #[test]
    fn a_manifest_sets_the_level_in_each_spelling_of_toml() {
        for text in [
            "[package]\nname = \"x\"\n[package.metadata.mrtr]\neffects = \"deny\" # strict\n",
            "[package.metadata]\nmrtr = { effects = 'deny' }\n",
            "[package]\nmetadata.mrtr.effects = \"deny\"\n",
        ] {
            let found = policy("/home/me/x", true, &[("Cargo.toml", text)]).expect("a level");
            assert_eq!(found.level, Level::Deny, "{text}");
            assert!(found.manifest.is_some());
        }
    }

    #[test]
    fn a_manifest_is_an_input_where_a_level_in_it_would_count() {
        let plain: &[(&str, &str)] = &[("Cargo.toml", "[package]\nname = \"x\"\n")];
        let tracked = |directory, primary, files| {
            let found = policy(directory, primary, files).expect("a policy");
            found.manifest.is_some()
        };
        assert!(tracked("/home/me/x", true, plain), "it may gain a level");
        assert!(tracked("/home/me/x", false, plain), "a path dependency");
        assert!(!tracked("/c/git/checkouts/x/1", false, plain), "fetched");
        assert!(!tracked("/home/me/x", true, &[]), "not to be read");
        assert!(
            !tracked("sandbox/x", true, plain),
            "rustc would look elsewhere"
        );
    }

    #[test]
    fn a_section_of_another_tool_sets_nothing() {
        let text = "[package.metadata.other]\neffects = \"deny\"\n";
        let found = policy("/home/me/x", true, &[("Cargo.toml", text)]).expect("no level");
        assert_eq!(found.level, Level::Standard);
    }

    #[test]
    fn an_unknown_level_is_said_with_the_known_ones() {
        let text = "[package.metadata.mrtr]\neffects = \"forbid\"\n";
        let error = policy("/x", true, &[("Cargo.toml", text)]).expect_err("no such level");
        assert!(
            error.contains("`forbid`") && error.contains("`commit_only`"),
            "{error}"
        );
    }

    #[test]
    fn a_dependency_never_gets_errors() {
        let registry = "/home/me/.cargo/registry/src/index.crates.io-1/x-1.0.0";
        let vendored: &[(&str, &str)] = &[(".cargo-checksum.json", "{}")];
        for (directory, files) in [
            (registry, &[] as &[_]),
            ("/w/third_party/x", vendored),
            ("/c/git/checkouts/x/1", &[]),
        ] {
            let found = policy(directory, false, files).expect("a policy");
            assert!(found.dependency, "{directory}");
            assert_eq!(
                found.severity(Code::EffectAboveAsk),
                Some(Severity::Warning)
            );
            assert!(
                !policy(directory, true, files).expect("a policy").dependency,
                "built by itself"
            );
        }
        assert!(
            !policy("/home/me/x", false, &[])
                .expect("a policy")
                .dependency,
            "a path dependency"
        );
    }

    #[test]
    fn levels_change_what_a_finding_weighs() {
        let at = |level| Policy {
            level,
            ..Policy::default()
        };
        assert_eq!(
            at(Level::Warn).severity(Code::EffectAboveAsk),
            Some(Severity::Warning)
        );
        assert_eq!(
            at(Level::Deny).severity(Code::UnorderedAsks),
            Some(Severity::Error)
        );
        assert_eq!(at(Level::Allow).severity(Code::EffectAboveAsk), None);
        assert_eq!(
            at(Level::Allow).severity(Code::AskAfterCommit),
            Some(Severity::Error)
        );
    }
}
