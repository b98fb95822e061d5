//! A conformance test that any flow store can run.
//!
//! Every event is given both to the store and to the [`table`](super::table::transition), for each
//! record it may meet and then in long random rows, and what is told must be the same. On top come
//! what one record cannot show: limits, the loss of all data, and claims at the same moment.

mod cells;
mod limits;
mod step;
mod twin;
mod walk;

use std::fmt;
use std::future::Future;
use std::time::Duration;

use super::FlowStore;
use twin::Twin;

/// A store that is to be tested, and the power over it that a test needs.
pub trait Subject: Sync {
    /// The store.
    type Store: FlowStore;

    /// A store without any data, with room for so many records, and for so many of one caller.
    fn empty(&self, records: usize, per_caller: usize) -> impl Future<Output = Self::Store> + Send;

    /// Lets at least this much time pass by the store's clock, and not much more.
    fn pass(&self, store: &Self::Store, time: Duration) -> impl Future<Output = ()> + Send;

    /// Lets the store lose all its data, as if it had been started anew.
    fn wipe(&self, store: &Self::Store) -> impl Future<Output = ()> + Send;
}

/// What a store did otherwise than it should.
#[derive(Debug)]
pub struct Differences(Vec<String>);

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "the flow store differs from the table in {} cases:",
            self.0.len()
        )?;
        self.0
            .iter()
            .try_for_each(|difference| writeln!(f, "- {difference}"))
    }
}

impl std::error::Error for Differences {}

/// Holds a store to the table; the number of answers that were compared.
///
/// # Errors
/// With everything that the store did otherwise.
pub async fn conform<S: Subject>(subject: &S) -> Result<usize, Differences> {
    let mut report = Report::default();
    cells::every_event_on_every_record(subject, &mut report).await;
    cells::the_end_of_every_life(subject, &mut report).await;
    walk::random_rows(subject, &mut report).await;
    limits::full(subject, &mut report).await;
    limits::full_for_one_caller(subject, &mut report).await;
    limits::large_bodies(subject, &mut report).await;
    limits::all_data_lost(subject, &mut report).await;
    limits::claims_at_the_same_moment(subject, &mut report).await;
    limits::what_operators_find(subject, &mut report).await;
    if report.differences.is_empty() {
        Ok(report.compared)
    } else {
        Err(Differences(report.differences))
    }
}

#[derive(Default)]
struct Report {
    compared: usize,
    differences: Vec<String>,
}

impl Report {
    fn compare<T: PartialEq + fmt::Debug>(&mut self, what: impl fmt::Display, got: &T, due: &T) {
        self.compared += 1;
        if got != due {
            self.differences
                .push(format!("{what}: it says {got:?} instead of {due:?}"));
        }
    }
}
