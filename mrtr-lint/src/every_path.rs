//! Which asks no path through a handler can avoid.

use crate::facts::AskSite;
use crate::graph::Event;
use crate::handler::Handler;
use crate::lower::lower;
use crate::reach::Reach;
use crate::source::Source;

/// The asks, parameters and statements, that every path to an end of the body meets.
///
/// A path ends at the body's end, at a `return` and at a `?`. The answer errs on the side of leaving
/// an ask out: a body that never ends has none.
#[must_use]
pub fn asks_on_every_path(handler: &Handler<'_>) -> Vec<AskSite> {
    let facts = lower(handler, &Source::none());
    let reach = Reach::new(&facts);
    if !reach.is_live(facts.exit) {
        return Vec::new();
    }
    let mut sites = Vec::new();
    for (ask, row) in facts.asks.iter().enumerate() {
        if matches!(row.site, AskSite::Parameter(_) | AskSite::Statement(_))
            && !reach.avoids(facts.exit, &|event| *event == Event::Ask(ask))
        {
            sites.push(row.site);
        }
    }
    sites
}
