//! The limits of a server: what a flow, a request and a handler may take.

use std::time::Duration;

use mrtr_core::limits::Limits;

use super::{Problem, Server};

/// The limits as the author gives them.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub(super) flow_ttl: Duration,
    pub(super) round_ttl: Duration,
    pub(super) max_rounds: u8,
    pub(super) max_state: usize,
    pub(super) max_body: usize,
    pub(super) max_concurrent: usize,
    pub(super) max_subscriptions: usize,
    pub(super) time_limit: Duration,
    pub(super) commit_limit: Duration,
    pub(super) hard_limit: Duration,
    pub(super) thing_ttl: Duration,
    #[cfg(feature = "legacy")]
    pub(super) ask_timeout: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            flow_ttl: Duration::from_millis(limits.flow),
            round_ttl: Duration::from_millis(limits.round),
            max_rounds: limits.rounds,
            max_state: limits.state,
            max_body: 1024 * 1024,
            max_concurrent: 1024,
            max_subscriptions: 1024,
            time_limit: Duration::from_secs(60),
            commit_limit: Duration::from_secs(60),
            hard_limit: Duration::from_secs(600),
            thing_ttl: Duration::from_secs(24 * 60 * 60),
            #[cfg(feature = "legacy")]
            ask_timeout: Duration::from_secs(600),
        }
    }
}

impl Server {
    /// How long a flow may last from its first request; an hour otherwise.
    pub fn flow_ttl(mut self, ttl: Duration) -> Self {
        self.bounds.flow_ttl = ttl;
        self
    }

    /// How long the questions of one round wait for their answers; ten minutes otherwise.
    pub fn round_ttl(mut self, ttl: Duration) -> Self {
        self.bounds.round_ttl = ttl;
        self
    }

    /// How many requests one flow may take, at least 2; 10 otherwise. Clients stop after 8 to 10.
    pub fn max_rounds(mut self, rounds: u8) -> Self {
        self.bounds.max_rounds = rounds;
        self
    }

    /// The longest `requestState`, in characters; 16,384 otherwise.
    pub fn max_state(mut self, characters: usize) -> Self {
        self.bounds.max_state = characters;
        self
    }

    /// The longest message, in bytes; 1 MiB otherwise.
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.bounds.max_body = bytes;
        self
    }

    /// How many handlers may run at once; 1,024 otherwise. Further calls are told to come later.
    pub fn max_concurrent(mut self, handlers: usize) -> Self {
        self.bounds.max_concurrent = handlers;
        self
    }

    /// How many subscriptions may be open at once; 1,024 otherwise. Further ones are told to come
    /// later, and so is an authenticated caller who has 64 already.
    pub fn max_subscriptions(mut self, subscriptions: usize) -> Self {
        self.bounds.max_subscriptions = subscriptions;
        self
    }

    /// How long a handler may run for one request, before its commit; a minute otherwise.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.bounds.time_limit = limit;
        self
    }

    /// How long a caller waits for a commit that was begun within [`time_limit`](Self::time_limit),
    /// after that time; a minute otherwise. Then the caller is told that the outcome is not known,
    /// and the commit goes on.
    pub fn commit_limit(mut self, limit: Duration) -> Self {
        self.bounds.commit_limit = limit;
        self
    }

    /// How long a commit may run at all; ten minutes otherwise. One that takes longer is dropped
    /// where it stands, and its outcome is then unknown.
    pub fn hard_limit(mut self, limit: Duration) -> Self {
        self.bounds.hard_limit = limit;
        self
    }

    /// How long a `#[commit(key = ..)]` is remembered, so that another call about the same thing
    /// gets its result instead of carrying it out again; a day otherwise, and never for a shorter
    /// time than the flow itself. Each takes a place in the flow store for as long.
    pub fn thing_ttl(mut self, ttl: Duration) -> Self {
        self.bounds.thing_ttl = ttl;
        self
    }

    /// How long a question waits for its answer where the handler waits with it: for clients of
    /// the revisions before 2026-07-28. Ten minutes otherwise.
    #[cfg(feature = "legacy")]
    pub fn ask_timeout(mut self, limit: Duration) -> Self {
        self.bounds.ask_timeout = limit;
        self
    }
}

impl Bounds {
    /// The part that the core keeps.
    pub(super) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.flow = millis(self.flow_ttl);
        limits.round = millis(self.round_ttl);
        limits.rounds = self.max_rounds;
        limits.state = self.max_state;
        limits
    }

    /// Limits under which nothing would work.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let times = [
            ("flow_ttl", self.flow_ttl),
            ("round_ttl", self.round_ttl),
            ("time_limit", self.time_limit),
            ("commit_limit", self.commit_limit),
            ("hard_limit", self.hard_limit),
            ("thing_ttl", self.thing_ttl),
            #[cfg(feature = "legacy")]
            ("ask_timeout", self.ask_timeout),
        ];
        for (setting, time) in times {
            if time < Duration::from_millis(1) {
                problems.push(Problem::Limit {
                    setting,
                    value: format!("{time:?}"),
                    least: "1 ms",
                });
            }
        }
        let counts = [
            // A question has its answer in the next round.
            ("max_rounds", usize::from(self.max_rounds), 2, "2"),
            // A state of one short question has 138 characters; a few answers must fit, too.
            ("max_state", self.max_state, 512, "512"),
            ("max_body", self.max_body, 4096, "4096"),
            ("max_concurrent", self.max_concurrent, 1, "1"),
        ];
        for (setting, value, least, text) in counts {
            if value < least {
                problems.push(Problem::Limit {
                    setting,
                    value: value.to_string(),
                    least: text,
                });
            }
        }
        if self.max_concurrent > tokio::sync::Semaphore::MAX_PERMITS {
            problems.push(Problem::Setting {
                setting: "max_concurrent",
                value: self.max_concurrent.to_string(),
                remedy: "a number that handlers could ever reach, such as 10000",
            });
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
