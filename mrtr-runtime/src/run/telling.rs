//! Telling observers and the log what comes of a run, also where it is dropped before its end.

use std::sync::Arc;

use crate::call::Call;
use crate::handler::HandlerKind;
use crate::observe::{Ending, Event, EventKind};

use super::{Ended, Run};

/// What is told of one run. When it is dropped before the end was told, it tells that the run was
/// stopped, and by whom.
pub(super) struct Telling {
    call: Call,
    kind: HandlerKind,
    run: Arc<Run>,
    /// The handler has begun, so that there are asks to tell of.
    begun: bool,
    over: bool,
}

impl Telling {
    pub(super) fn new(call: Call, run: Arc<Run>) -> Self {
        Self {
            kind: call.0.kind,
            call,
            run,
            begun: false,
            over: false,
        }
    }

    /// Tells of the asks from here on, too.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// The commit begins.
    pub(super) fn committed(&self) {
        self.asks();
        self.event(EventKind::Committed);
    }

    /// How the call ended; one that got its result from a record ends, too. A run that was stopped
    /// on its way into the commit is told of when it is dropped.
    pub(super) fn ended(&mut self, ended: &Ended) {
        if !matches!(ended, Ended::Cancelled) {
            self.over(ended.ending());
        }
    }

    fn over(&mut self, ending: Option<Ending>) {
        self.over = true;
        self.asks();
        if let Some(ending) = ending {
            self.event(EventKind::Ended(ending));
        }
    }

    /// Tells of the asks since this was last done, so that they stand before what came of them.
    pub(super) fn asks(&self) {
        if !self.begun {
            return;
        }
        let events = self.run.lock().round.take_events();
        for happened in events {
            self.event(EventKind::Ask {
                key: happened.key.as_str(),
                outcome: happened.outcome,
            });
        }
    }

    fn event(&self, kind: EventKind<'_>) {
        // The flow's id is a digest: it is worked out only for somebody who listens.
        if self.call.0.shared.observers.is_empty() && !tracing::enabled!(tracing::Level::DEBUG) {
            return;
        }
        let event = Event {
            handler: self.call.handler(),
            flow: Some(self.call.flow_id()),
            round: self.call.0.round,
            kind,
        };
        tracing::debug!(?event, "flow");
        self.call.0.shared.tell(&event);
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let ending = match (self.run.phase.timed_out(), self.kind) {
            (true, HandlerKind::Tool) => Ending::ToolError,
            (true, HandlerKind::Prompt | HandlerKind::Resource) => Ending::Error,
            (false, _) => Ending::Cancelled,
        };
        self.over(Some(ending));
    }
}
