//! Tasks: starting them, blocking on them, racing them.

use std::rc::Rc;

use super::Lower;
use super::construct::{is, merged};
use crate::effects::paths;
use crate::facts::EffectKind;
use crate::graph::Event;
use crate::value::{Kind, Origin, Trigger, Value};

impl Lower<'_> {
    /// Spawning, blocking on, racing.
    pub(super) fn task_call(
        &mut self,
        path: &[String],
        arguments: &mut [Value],
        what: &str,
        span: proc_macro2::Span,
    ) -> Option<Value> {
        let last = path.last()?.as_str();
        if paths::call(path, false).is_some_and(|hit| hit.kind == EffectKind::Task) {
            return Some(self.spawn(arguments, what, span));
        }
        if last == "block_on" || is(path, &["block_in_place"]) {
            let mut whole = merged(arguments);
            if last == "block_on" {
                self.race(
                    &whole,
                    what,
                    "BY blocks its thread until ASK is answered",
                    span,
                );
            }
            return Some(self.run(&mut whole, &[Trigger::Await, Trigger::Call]));
        }
        let races = matches!(
            last,
            "timeout"
                | "timeout_at"
                | "select"
                | "select_all"
                | "select_ok"
                | "race"
                | "abortable"
                | "try_select"
                | "race_ok"
        );
        if races {
            let whole = merged(arguments);
            let how = if last.starts_with("timeout") {
                "BY gives up on ASK before the user answers"
            } else {
                "BY may drop ASK unanswered"
            };
            self.race(&whole, what, how, span);
            return Some(Value {
                kind: Kind::Unknown,
                ..whole
            });
        }
        None
    }

    /// A detached task: its body counts where it is joined, the start counts until then.
    pub(super) fn spawn(
        &mut self,
        arguments: &mut [Value],
        what: &str,
        span: proc_macro2::Span,
    ) -> Value {
        let mut whole = merged(arguments);
        self.race(
            &whole,
            what,
            "BY takes ASK out of its round, into a task of its own",
            span,
        );
        for deferred in &mut whole.deferred {
            deferred.trigger = Trigger::Await;
        }
        let allows = Rc::clone(&self.allows);
        self.facts.spawns.push(crate::facts::Effect {
            kind: EffectKind::Task,
            root: EffectKind::Task,
            span,
            what: what.to_owned(),
            does: if what.contains("thread") {
                "starts a thread"
            } else {
                "starts a task"
            }
            .to_owned(),
            chain: Vec::new(),
            weak: true,
            place: self.place,
            on_drop: false,
            through: None,
            allows,
        });
        let task = self.facts.spawns.len() - 1;
        self.event(Event::Spawn(task));
        Value {
            origin: Origin::Local,
            kind: Kind::Unknown,
            tasks: vec![task],
            ..whole
        }
    }
}
