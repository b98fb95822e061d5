//! What a function was found to do, as plain text that outlives the tokens it was read from.

use crate::facts::{EffectKind, Facts, Through};
use crate::graph::Event;
use crate::reach::Reach;

/// An effect of a helper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HelperEffect {
    /// What it does, such as `writes a file`.
    pub(crate) does: String,
    /// Each call on the way down, the last one being the effect.
    pub(crate) chain: Vec<String>,
    /// The parameter that has to be shared for it to be seen outside.
    pub(crate) through: Option<Through>,
}

/// What a helper does when it is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    /// The first effect that is seen whatever the arguments are.
    pub(crate) fn effect(&self) -> Option<&HelperEffect> {
        self.effects.iter().find(|effect| effect.through.is_none())
    }
}

/// Reads a summary off the facts of a function that messages call `name`, at `place`.
pub(crate) fn of_facts(facts: &Facts, name: &str, place: &str) -> Summary {
    let reach = Reach::new(facts);
    let mut summary = Summary {
        diverges: !reach.is_live(facts.exit),
        ..Summary::default()
    };
    let live = facts
        .graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(node, _)| reach.is_live(*node));
    for (_, row) in live {
        match row.event {
            Some(Event::Ask(_)) => summary.asks = true,
            Some(Event::Effect(id)) => add(&mut summary, facts, id, name, place),
            Some(Event::Spawn(id)) => {
                let spawn = &facts.spawns[id];
                let chain = vec![format!(
                    "`{name}` ({place}) calls `{}`, which {}",
                    spawn.what, spawn.does
                )];
                push(
                    &mut summary,
                    HelperEffect {
                        does: spawn.does.clone(),
                        chain,
                        through: None,
                    },
                );
            }
            _ => {}
        }
    }
    summary
}

fn add(summary: &mut Summary, facts: &Facts, id: usize, name: &str, place: &str) {
    let effect = &facts.effects[id];
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
    push(
        summary,
        HelperEffect {
            does: effect.does.clone(),
            chain,
            through: effect.through,
        },
    );
}

/// One effect for each way it can be seen is enough to know of.
fn push(summary: &mut Summary, effect: HelperEffect) {
    if summary
        .effects
        .iter()
        .all(|known| known.through != effect.through)
    {
        summary.effects.push(effect);
    }
}
