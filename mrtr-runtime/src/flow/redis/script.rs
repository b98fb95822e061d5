//! The scripts: the table of the flow store in Lua, one script per verb.

use std::time::Duration;

use bytes::Bytes;

use crate::flow::record::fitting;

/// A script and its text.
pub(super) struct Script {
    pub(super) text: String,
    pub(super) compiled: redis::Script,
}

impl Script {
    /// A script that reads and writes one record.
    fn of_record(out_of_memory: OutOfMemory, verb: &str) -> Self {
        // The first line makes Redis judge the whole script before it runs: none of them, not even
        // those that only read, runs on a replica, whose data may be old.
        let flags = match out_of_memory {
            OutOfMemory::Refuse => "#!lua",
            OutOfMemory::GoOn => "#!lua flags=allow-oom",
        };
        Self::new([flags, include_str!("record.lua"), verb].join("\n"))
    }

    fn new(text: String) -> Self {
        let compiled = redis::Script::new(&text);
        Self { text, compiled }
    }
}

/// What a script does when Redis has no memory left.
#[derive(Clone, Copy)]
enum OutOfMemory {
    /// It makes a record, so it is refused.
    Refuse,
    /// It ends what was begun.
    GoOn,
}

/// One script per verb.
pub(super) struct Scripts {
    pub(super) epoch: Script,
    pub(super) look: Script,
    pub(super) claim: Script,
    pub(super) renew: Script,
    pub(super) finish: Script,
    pub(super) end: Script,
    pub(super) release: Script,
    pub(super) mark_lost: Script,
    pub(super) found: Script,
    pub(super) resolve: Script,
}

impl Scripts {
    pub(super) fn new() -> Self {
        use OutOfMemory::{GoOn, Refuse};
        Self {
            epoch: Script::new(include_str!("epoch.lua").to_owned()),
            look: Script::of_record(GoOn, include_str!("look.lua")),
            claim: Script::of_record(Refuse, include_str!("claim.lua")),
            renew: Script::of_record(GoOn, include_str!("renew.lua")),
            finish: Script::of_record(GoOn, include_str!("finish.lua")),
            end: Script::of_record(Refuse, include_str!("end.lua")),
            release: Script::of_record(GoOn, include_str!("release.lua")),
            mark_lost: Script::of_record(GoOn, include_str!("mark_lost.lua")),
            found: Script::of_record(GoOn, include_str!("found.lua")),
            resolve: Script::of_record(GoOn, include_str!("resolve.lua")),
        }
    }
}

/// The arguments of a script after the prefix and the flow, in the order in which it reads them.
#[derive(Default)]
pub(super) struct Args(pub(super) Vec<Vec<u8>>);

impl Args {
    pub(super) fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.0.push(bytes.as_ref().to_vec());
        self
    }

    pub(super) fn number(self, number: impl TryInto<u64>) -> Self {
        let number = number.try_into().unwrap_or(u64::MAX);
        self.bytes(number.to_string())
    }

    pub(super) fn span(self, span: Duration) -> Self {
        // The scripts count in doubles: a span of more than a hundred years could not be added.
        const LONGEST: u64 = 4_000_000_000_000;
        let millis = u64::try_from(span.as_millis()).unwrap_or(LONGEST);
        self.number(millis.min(LONGEST))
    }

    pub(super) fn flag(self, flag: bool) -> Self {
        self.bytes(if flag { "1" } else { "0" })
    }

    /// Whether there is a body that fits, and the body.
    pub(super) fn body(self, body: Option<Bytes>) -> Self {
        let body = fitting(body);
        self.flag(body.is_some()).bytes(body.unwrap_or_default())
    }
}

/// Lower-case hexadecimal, so that people can read the names of keys.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
