//! Settings that an operator gives in environment variables.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use mrtr_core::keyring::{KeyRing, KeyRingError};

/// Settings from outside the program. [`Config::from_env`] reads them from the environment.
///
/// | variable (for the prefix `MRTR`) | meaning | example |
/// |---|---|---|
/// | `MRTR_KEYS` | the key ring: the first seals, all open | `hex:0f1e..,base64:AbC..` |
/// | `MRTR_KEYS_FILE` | the same from a file, one key a line | `/run/secrets/mrtr` |
/// | `MRTR_FLOW_TTL` | how long a flow may last | `1h` |
/// | `MRTR_ROUND_TTL` | how long questions wait for their answers | `10m` |
/// | `MRTR_MAX_ROUNDS` | how many requests a flow may take | `10` |
/// | `MRTR_ALLOW_HOSTS` | the host names clients use, by comma | `mcp.example.com,localhost` |
#[derive(Clone, Default)]
pub struct Config {
    pub(super) keys: Option<KeyRing>,
    pub(super) flow_ttl: Option<Duration>,
    pub(super) round_ttl: Option<Duration>,
    pub(super) max_rounds: Option<u8>,
    pub(super) allow_hosts: Vec<String>,
}

/// Why a setting cannot be used. It names the variable, and never shows a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The keys are no keys.
    #[error("{variable}: {error}")]
    Keys {
        /// The variable.
        variable: String,
        /// What is wrong.
        error: KeyRingError,
    },
    /// The key file cannot be read.
    #[error("{variable}: the file cannot be read: {error}")]
    File {
        /// The variable.
        variable: String,
        /// Why.
        error: std::io::Error,
    },
    /// Keys come from two places.
    #[error("{0}_KEYS and {0}_KEYS_FILE are both set; leave one out")]
    TwoKeySources(String),
    /// The value is no UTF-8 text; it is not shown, because it may be a key.
    #[error("{0}: the value is not UTF-8 text; set it again, as text")]
    NotText(String),
    /// The value means nothing.
    #[error("{variable}: the value is not {expected}")]
    Value {
        /// The variable.
        variable: String,
        /// What it should be, with an example.
        expected: &'static str,
    },
}

impl Config {
    /// Reads the variables that begin with `prefix` and an underscore. One that is unset or empty
    /// changes nothing.
    ///
    /// # Errors
    /// Names the variable and what it should hold.
    pub fn from_env(prefix: &str) -> Result<Self, ConfigError> {
        Self::from_lookup(prefix, |name| std::env::var_os(name))
    }

    fn from_lookup(
        prefix: &str,
        lookup: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, ConfigError> {
        let get = |name: &str| -> Result<Option<(String, String)>, ConfigError> {
            let variable = format!("{prefix}_{name}");
            let Some(value) = lookup(&variable) else {
                return Ok(None);
            };
            // Taken for unset, a key would silently be another one after each restart.
            let Ok(value) = value.into_string() else {
                return Err(ConfigError::NotText(variable));
            };
            Ok((!value.trim().is_empty()).then_some((variable, value)))
        };
        let duration = |name| -> Result<Option<Duration>, ConfigError> {
            let Some((variable, value)) = get(name)? else {
                return Ok(None);
            };
            let time = parse_duration(value.trim()).ok_or(ConfigError::Value {
                variable,
                expected: "a time such as `90s`, `10m`, `1h` or `500ms`",
            })?;
            Ok(Some(time))
        };
        let keys = match (get("KEYS")?, get("KEYS_FILE")?) {
            (Some(_), Some(_)) => return Err(ConfigError::TwoKeySources(prefix.into())),
            (Some((variable, list)), None) => Some(
                KeyRing::parse_list(&list)
                    .map_err(|error| ConfigError::Keys { variable, error })?,
            ),
            (None, Some((variable, path))) => Some(keys_of_file(variable, path.trim())?),
            (None, None) => None,
        };
        let max_rounds = get("MAX_ROUNDS")?.map(|(variable, value)| {
            let expected = "a number from 2 to 255";
            value
                .trim()
                .parse()
                .map_err(|_| ConfigError::Value { variable, expected })
        });
        let hosts = get("ALLOW_HOSTS")?
            .map(|(_, value)| value)
            .unwrap_or_default();
        let hosts = hosts
            .split(',')
            .map(str::trim)
            .filter(|host| !host.is_empty());
        Ok(Self {
            keys,
            flow_ttl: duration("FLOW_TTL")?,
            round_ttl: duration("ROUND_TTL")?,
            max_rounds: max_rounds.transpose()?,
            allow_hosts: hosts.map(str::to_owned).collect(),
        })
    }
}

fn keys_of_file(variable: String, path: &str) -> Result<KeyRing, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(content) => {
            KeyRing::parse_file(&content).map_err(|error| ConfigError::Keys { variable, error })
        }
        Err(error) => Err(ConfigError::File { variable, error }),
    }
}

/// A whole number and its unit.
fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    let seconds = |factor: u64| number.checked_mul(factor).map(Duration::from_secs);
    match unit.trim_start() {
        "ms" => Some(Duration::from_millis(number)),
        "s" => seconds(1),
        "m" => seconds(60),
        "h" => seconds(3600),
        "d" => seconds(86_400),
        _ => None,
    }
}

impl fmt::Debug for Config {
    /// Shows the ids of the keys only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("keys", &self.keys)
            .field("flow_ttl", &self.flow_ttl)
            .field("round_ttl", &self.round_ttl)
            .field("max_rounds", &self.max_rounds)
            .field("allow_hosts", &self.allow_hosts)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "hex:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    fn read(variables: &[(&str, &str)]) -> Result<Config, String> {
        Config::from_lookup("MRTR", |name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).into())
        })
        .map_err(|error| error.to_string())
    }

    #[test]
    fn every_variable_is_read() {
        let config = read(&[
            ("MRTR_KEYS", KEY),
            ("MRTR_FLOW_TTL", "2h"),
            ("MRTR_ROUND_TTL", " 90s "),
            ("MRTR_MAX_ROUNDS", "7"),
            ("MRTR_ALLOW_HOSTS", "a.example, b.example:8443,"),
            ("OTHER_KEYS", "nonsense"),
        ]);
        let config = config.unwrap();
        assert_eq!(config.keys.unwrap().ids().count(), 1);
        assert_eq!(config.flow_ttl, Some(Duration::from_secs(7200)));
        assert_eq!(config.round_ttl, Some(Duration::from_secs(90)));
        assert_eq!(config.max_rounds, Some(7));
        assert_eq!(config.allow_hosts, ["a.example", "b.example:8443"]);
    }

    #[test]
    fn what_is_unset_or_empty_changes_nothing() {
        let config = read(&[("MRTR_KEYS", ""), ("MRTR_FLOW_TTL", " ")]).unwrap();
        assert!(
            config.keys.is_none() && config.flow_ttl.is_none() && config.allow_hosts.is_empty()
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_no_text_is_not_taken_for_unset() {
        use std::os::unix::ffi::OsStringExt;
        let config = Config::from_lookup("MRTR", |name| {
            (name == "MRTR_KEYS").then(|| OsString::from_vec(vec![0xff, b'x']))
        });
        let error = config.expect_err("no text").to_string();
        assert!(
            error.starts_with("MRTR_KEYS: the value is not UTF-8"),
            "{error}"
        );
    }

    #[test]
    fn an_error_names_the_variable_and_never_shows_the_key() {
        let secret = "hex:00112233";
        let cases: [(&[(&str, &str)], &str); 6] = [
            (&[("MRTR_KEYS", secret)], "MRTR_KEYS: "),
            (
                &[("MRTR_KEYS", KEY), ("MRTR_KEYS_FILE", "x")],
                "MRTR_KEYS and MRTR_KEYS_FILE",
            ),
            (
                &[("MRTR_KEYS_FILE", "/no/such/file")],
                "MRTR_KEYS_FILE: the file cannot be read",
            ),
            (
                &[("MRTR_FLOW_TTL", "60")],
                "MRTR_FLOW_TTL: the value is not a time such as",
            ),
            (
                &[("MRTR_ROUND_TTL", "99999999999999999999h")],
                "MRTR_ROUND_TTL: ",
            ),
            (
                &[("MRTR_MAX_ROUNDS", "256")],
                "MRTR_MAX_ROUNDS: the value is not a number",
            ),
        ];
        for (variables, expected) in cases {
            let error = read(variables).expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
            assert!(!error.contains("00112233"), "{error}");
        }
    }
}
