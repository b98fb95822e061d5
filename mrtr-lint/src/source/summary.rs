//! What a function was found to do, as plain text that outlives the tokens it was read from.

use crate::facts::{EffectKind, Facts, Through};
use crate::graph::Event;
use crate::reach::Reach;

/// An effect of a helper.
#[derive(Clone, PartialEq)]
pub(crate) struct HelperEffect {
    /// What it touches at the end of the chain.
    pub(crate) root: EffectKind,
    /// What it does, such as `writes a file`.
    pub(crate) does: String,
    /// Each call on the way down, the last one being the effect.
    pub(crate) chain: Vec<String>,
    /// Whether it is weak evidence: a change of this process's own state, or a task of its own, as
    /// caches, counters and connections have. It counts one call deep, and not in what reads.
    pub(crate) weak: bool,
    /// The parameter it is seen through: one that has to be shared, or to be a request that writes.
    pub(crate) through: Option<Through>,
}

/// What a message says of a function that is marked.
const MARKED: &str = "is marked `#[effect]`";

/// What a helper does when it is called.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) effects: Vec<HelperEffect>,
    /// Whether it asks when it is given a `Ctx`.
    pub(crate) asks: bool,
    pub(crate) is_async: bool,
    /// Whether it never returns.
    pub(crate) diverges: bool,
    /// Whether it is a method.
    pub(crate) has_receiver: bool,
}

impl Summary {
    /// What `#[effect]` says of the function `name`; whether it is async does not matter for a call
    /// that is awaited at once.
    pub(crate) fn marked_effect(name: &str) -> Summary {
        let effect = HelperEffect {
            root: EffectKind::Marked,
            weak: false,
            does: MARKED.to_owned(),
            chain: vec![format!("`{name}` {MARKED}")],
            through: None,
        };
        Summary {
            effects: vec![effect],
            ..Summary::default()
        }
    }

    /// What `#[read_only]` says: no effects; asks are nothing it speaks of.
    pub(crate) fn marked_read_only() -> Summary {
        Summary {
            asks: true,
            ..Summary::default()
        }
    }

    /// Whether it says more than that nothing was seen.
    pub(crate) fn tells(&self) -> bool {
        self.asks || self.diverges || !self.effects.is_empty()
    }

    /// The first effect that is seen whatever the arguments are.
    pub(crate) fn effect(&self) -> Option<&HelperEffect> {
        self.effects.iter().find(|effect| effect.through.is_none())
    }
}

/// Reads a summary off the facts of a function that messages call `name`, at `place`; counting its
/// line costs, and most functions have nothing to tell.
pub(crate) fn of_facts(facts: &Facts, name: &str, place: &dyn Fn() -> String) -> Summary {
    let reach = Reach::new(facts);
    let mut summary = Summary {
        diverges: !reach.is_live(facts.exit),
        ..Summary::default()
    };
    for (_, event) in reach.live() {
        match *event {
            Event::Ask(_) => summary.asks = true,
            Event::Effect(id) => add(&mut summary, facts, id, name, place),
            Event::Spawn(id) if !joins(facts, id) => {
                let (spawn, place) = (&facts.spawns[id], place());
                let chain = vec![format!(
                    "`{name}` ({place}) calls `{}`, which {}",
                    spawn.what, spawn.does
                )];
                let does = spawn.does.clone();
                push(
                    &mut summary,
                    HelperEffect {
                        root: EffectKind::Task,
                        does,
                        chain,
                        weak: true,
                        through: None,
                    },
                );
            }
            _ => {}
        }
    }
    summary
}

/// Whether the function itself waits for a task that it starts.
fn joins(facts: &Facts, task: usize) -> bool {
    facts
        .graph
        .nodes
        .iter()
        .any(|node| node.event == Some(Event::Joined(task)))
}

fn add(summary: &mut Summary, facts: &Facts, id: usize, name: &str, place: &dyn Fn() -> String) {
    let effect = &facts.effects[id];
    if effect.weak && effect.kind == EffectKind::Helper {
        return;
    }
    let place = place();
    let chain = if effect.kind == EffectKind::Helper {
        let call = format!("`{name}` ({place}) calls `{}`", effect.what);
        std::iter::once(call)
            .chain(effect.chain.iter().cloned())
            .collect()
    } else {
        vec![format!(
            "`{name}` ({place}) has `{}`, which {}",
            effect.what, effect.does
        )]
    };
    let does = if effect.is_marked() {
        // The mark is on what it calls, and not on itself.
        format!("calls `{}`, which {MARKED}", effect.what)
    } else {
        effect.does.clone()
    };
    push(
        summary,
        HelperEffect {
            root: effect.root,
            does,
            chain,
            weak: effect.weak,
            through: effect.through,
        },
    );
}

/// One effect for each way it can be seen is enough to know of; what is more than state goes first.
fn push(summary: &mut Summary, effect: HelperEffect) {
    let alike = |known: &HelperEffect| known.through == effect.through && known.weak == effect.weak;
    if !summary.effects.iter().any(alike) {
        let at = summary
            .effects
            .partition_point(|known| known.weak <= effect.weak);
        summary.effects.insert(at, effect);
    }
}
