//! What a client must be able to show before a question may be sent to it.

/// What questions need of a client, or what a client declares: the parts of `ClientCapabilities`
/// that decide what it may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Form-mode elicitation.
    pub form: bool,
    /// URL-mode elicitation.
    pub url: bool,
    /// Sampling.
    pub sampling: bool,
    /// Sampling with tools.
    pub sampling_tools: bool,
    /// Sampling with context of servers.
    pub sampling_context: bool,
    /// Roots.
    pub roots: bool,
}

impl Capabilities {
    /// Nothing at all.
    pub const NONE: Self = Self {
        form: false,
        url: false,
        sampling: false,
        sampling_tools: false,
        sampling_context: false,
        roots: false,
    };

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// What is in this and not in `declared`.
    #[must_use]
    pub fn without(self, declared: Self) -> Self {
        Self {
            form: self.form && !declared.form,
            url: self.url && !declared.url,
            sampling: self.sampling && !declared.sampling,
            sampling_tools: self.sampling_tools && !declared.sampling_tools,
            sampling_context: self.sampling_context && !declared.sampling_context,
            roots: self.roots && !declared.roots,
        }
    }

    /// What is in either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            form: self.form || other.form,
            url: self.url || other.url,
            sampling: self.sampling || other.sampling,
            sampling_tools: self.sampling_tools || other.sampling_tools,
            sampling_context: self.sampling_context || other.sampling_context,
            roots: self.roots || other.roots,
        }
    }

    /// The `ClientCapabilities` object that holds just this, as JSON text.
    #[must_use]
    pub fn to_json(self) -> String {
        let elicitation = object([("form", self.form), ("url", self.url)]);
        let sampling = object([
            ("context", self.sampling_context),
            ("tools", self.sampling_tools),
        ]);
        let sampling = sampling.or_else(|| self.sampling.then(|| "{}".to_owned()));
        let roots = self.roots.then(|| "{}".to_owned());
        let members = [
            ("elicitation", elicitation),
            ("sampling", sampling),
            ("roots", roots),
        ];
        let members: Vec<String> = members
            .into_iter()
            .filter_map(|(name, value)| Some(format!(r#""{name}":{}"#, value?)))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

/// An object with an empty object per name that is set; none when no name is.
fn object<const N: usize>(names: [(&str, bool); N]) -> Option<String> {
    let members: Vec<String> = names
        .into_iter()
        .filter(|(_, set)| *set)
        .map(|(name, _)| format!(r#""{name}":{{}}"#))
        .collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_holds_exactly_what_is_set() {
        let all = Capabilities {
            form: true,
            url: true,
            sampling: true,
            sampling_tools: true,
            sampling_context: true,
            roots: true,
        };
        let sampling = Capabilities {
            sampling: true,
            ..Capabilities::NONE
        };
        let tools = Capabilities {
            sampling_tools: true,
            ..Capabilities::NONE
        };
        let cases = [
            (Capabilities::NONE, "{}"),
            (sampling, r#"{"sampling":{}}"#),
            (tools, r#"{"sampling":{"tools":{}}}"#),
            (
                tools.union(sampling).without(sampling),
                r#"{"sampling":{"tools":{}}}"#,
            ),
            (
                all,
                r#"{"elicitation":{"form":{},"url":{}},"sampling":{"context":{},"tools":{}},"roots":{}}"#,
            ),
            (all.without(all), "{}"),
        ];
        for (set, expected) in cases {
            assert_eq!(set.to_json(), expected);
        }
    }
}
