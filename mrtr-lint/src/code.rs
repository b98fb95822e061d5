//! The findings: their names, numbers and default severities.

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The build goes on and says it.
    Warning,
    /// The build stops.
    Error,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $number:literal, $name:literal, $severity:ident;)+) => {
        /// What a finding is about. Users see the name; the number is for tables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of the numbers.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            /// The number, such as `E101`.
            #[must_use]
            pub fn number(self) -> &'static str {
                match self { $(Code::$variant => $number,)+ }
            }

            /// The name users write and read, such as `effect_above_ask`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// The severity without any level set.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// One line that says what the code means.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// A known external effect has an ask ahead.
    EffectAboveAsk = "E101", "effect_above_ask", Error;
    /// An effect has an ask ahead only in the next iteration of a loop.
    EffectBeforeNextIteration = "E102", "effect_before_next_iteration", Error;
    /// An effect stands inside an ask's own message or options.
    EffectInAsk = "E103", "effect_in_ask", Error;
    /// Shared state changes above an ask.
    StateChangeAboveAsk = "E104", "state_change_above_ask", Error;
    /// A message, a notification or a detached task leaves above an ask.
    SendOrSpawnAboveAsk = "E105", "send_or_spawn_above_ask", Error;
    /// A helper, a macro or a marked fn has an effect and is called above an ask.
    HelperEffectAboveAsk = "E106", "helper_effect_above_ask", Warning;
    /// A guard whose drop has an effect is alive across an ask.
    DropEffectAcrossAsk = "E107", "drop_effect_across_ask", Warning;
    /// An effect stands in a memo, which remembers and does not guard.
    EffectInMemo = "E108", "effect_in_memo", Error;
    /// An effect stands below the asks of a tool that has no commit.
    EffectWithoutCommit = "E109", "effect_without_commit", Warning;
    /// A clock, random or uuid value is made above an ask and used below it.
    UnstableValueAcrossAsk = "E110", "unstable_value_across_ask", Warning;
    /// An unstable value decides whether, what or under which key is asked.
    UnstableAsk = "E111", "unstable_ask", Error;
    /// Asks follow the order of a `HashMap` or a `HashSet`.
    UnorderedAsks = "E112", "unordered_asks", Warning;
    /// The commit uses a value that the last confirmation neither shows nor pins.
    UnshownValue = "E113", "unshown_value", Warning;
    /// A loop asks once per iteration, which costs one round each.
    AskPerIteration = "E114", "ask_per_iteration", Warning;
    /// A commit can be reached without a look at a confirmation above it.
    UnreadConfirm = "E115", "unread_confirm", Warning;
    /// An ask is raced against something else, or leaves its handler.
    RacedAsk = "E120", "raced_ask", Error;
    /// One key is asked twice in one run.
    DuplicateKey = "E122", "duplicate_key", Error;
    /// An ask can be reached after the commit.
    AskAfterCommit = "E124", "ask_after_commit", Error;
    /// A commit can be reached after a commit.
    SecondCommit = "E125", "second_commit", Error;
    /// A commit can be reached without any required ask.
    CommitWithoutAsk = "E126", "commit_without_ask", Warning;
    /// A tool that says it only reads has a known effect.
    EffectInReadOnlyTool = "E127", "effect_in_read_only_tool", Error;
    /// An allow silences nothing.
    UnusedAllow = "E128", "unused_allow", Warning;
    /// An allow that names no known finding, or gives no reason.
    MalformedAllow = "E129", "malformed_allow", Error;
    /// A handler writes to stdout, which is the protocol over stdio.
    StdoutInHandler = "E130", "stdout_in_handler", Warning;
}

impl Code {
    /// The code with this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Whether the handler cannot work as written, so that no level turns the finding off.
    ///
    /// The runtime answers these with a fault when the path is taken.
    #[must_use]
    pub fn is_structural(self) -> bool {
        matches!(
            self,
            Code::RacedAsk
                | Code::DuplicateKey
                | Code::AskAfterCommit
                | Code::SecondCommit
                | Code::MalformedAllow
        )
    }

    /// Where the page about this code is published.
    #[must_use]
    pub fn link(self) -> String {
        format!("https://docs.rs/mrtr/latest/mrtr/lint/{}", self.name())
    }
}
