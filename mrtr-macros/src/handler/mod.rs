//! Handlers: the functions that ask. Each goes through parse, lower, check, and then expand or fall back.

mod ask;
mod ask_kind;
mod asking;
mod body;
mod commit;
mod definition;
mod dependence;
mod duration;
mod entry;
mod expand;
mod facts;
mod foreign;
mod function;
mod half_typed;
mod header;
mod instrument;
mod kind;
mod lint;
mod memo;
mod message;
mod methods;
mod misplaced;
mod model;
mod options;
mod params;
mod place;
mod rounds;
mod statement;
mod tried;
pub(crate) mod types;

#[cfg(test)]
mod robust_tests;
#[cfg(test)]
mod snapshot_tests;

pub(crate) use ask_kind::subjects;
pub(crate) use asking::expand_asking;
pub(crate) use body::has_own_macro;
pub(crate) use commit::Commit;
pub(crate) use entry::expand_item;
pub(crate) use foreign::{attributes_in, without_attributes};
pub(crate) use function::{is_outer, prepend};
pub(crate) use kind::Kind;
pub(crate) use methods::expand_handlers;
pub(crate) use misplaced::{expand_marker, expand_misplaced};
pub(crate) use model::Func;
pub(crate) use params::is_loaded;
pub(crate) use statement::{Mark, take_marks};
