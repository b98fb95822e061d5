//! Records in memory: bounded, each gone when its time is over and never before.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;

use super::names::{Caller, Epoch, FlowKey, FlowLabel};
use super::record::{Millis, Record, State};
use super::table::{Conditions, Event, transition};
use super::verb::{Found, Limit};

/// How much a shelf holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    pub(super) records: usize,
    pub(super) per_caller: usize,
    pub(super) body_bytes: usize,
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            records: 100_000,
            per_caller: 1_000,
            body_bytes: 64 * 1024 * 1024,
        }
    }
}

/// All records of a store.
///
/// It is no cache: a cache that is full drops something, and here a dropped record is a second
/// effect. The indexes below always describe exactly the records of the map.
pub(super) struct Shelf {
    pub(super) capacity: Capacity,
    records: HashMap<FlowKey, Stored>,
    /// By the time from which on a record is gone.
    expiry: BTreeSet<(Millis, FlowKey)>,
    per_caller: HashMap<Caller, usize>,
    /// The records with a body, the one that was used last at the end.
    bodies: BTreeMap<u64, FlowKey>,
    body_bytes: usize,
    next_use: u64,
}

struct Stored {
    record: Record,
    /// When it was used last, in the order of `bodies`.
    used: u64,
}

impl Shelf {
    pub(super) fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            records: HashMap::new(),
            expiry: BTreeSet::new(),
            per_caller: HashMap::new(),
            bodies: BTreeMap::new(),
            body_bytes: 0,
            next_use: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Lets an event happen to a record.
    pub(super) fn apply<E: Event>(
        &mut self,
        flow: FlowKey,
        event: E,
        now: Millis,
        epoch: Epoch,
    ) -> E::Outcome {
        self.sweep(now);
        let record = self.take(flow);
        let here = Conditions {
            now,
            epoch,
            room: self.room(event.caller()),
        };
        let (record, outcome) = transition(record, event, &here);
        if let Some(record) = record {
            self.put(flow, record);
            self.drop_bodies();
        }
        outcome
    }

    /// The record that people call so. Operators ask rarely, so no index is kept for them.
    pub(super) fn find(&self, label: FlowLabel, now: Millis) -> Option<Found> {
        let named = |(_, stored): &(&FlowKey, &Stored)| stored.record.origin.label == label;
        let (flow, stored) = self.records.iter().find(named)?;
        let record = stored.record.clone().at(now)?;
        Some(record.found(*flow))
    }

    /// Takes away the records whose time is over.
    fn sweep(&mut self, now: Millis) {
        while let Some(&(until, flow)) = self.expiry.first()
            && until <= now
        {
            self.take(flow);
        }
    }

    fn room(&self, caller: Option<Caller>) -> Result<(), Limit> {
        if self.records.len() >= self.capacity.records {
            return Err(Limit::Store);
        }
        let has = caller
            .and_then(|caller| self.per_caller.get(&caller))
            .copied()
            .unwrap_or(0);
        if has >= self.capacity.per_caller {
            Err(Limit::Caller)
        } else {
            Ok(())
        }
    }

    fn take(&mut self, flow: FlowKey) -> Option<Record> {
        let Stored { record, used } = self.records.remove(&flow)?;
        self.expiry.remove(&(record.keep_until, flow));
        if let Some(caller) = record.origin.caller
            && let Entry::Occupied(mut count) = self.per_caller.entry(caller)
        {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        if let Some(body) = body_of(&record) {
            self.bodies.remove(&used);
            self.body_bytes -= body.len();
        }
        Some(record)
    }

    fn put(&mut self, flow: FlowKey, record: Record) {
        let used = self.next_use;
        self.next_use += 1;
        self.expiry.insert((record.keep_until, flow));
        if let Some(caller) = record.origin.caller {
            *self.per_caller.entry(caller).or_default() += 1;
        }
        if let Some(body) = body_of(&record) {
            self.bodies.insert(used, flow);
            self.body_bytes += body.len();
        }
        self.records.insert(flow, Stored { record, used });
    }

    /// Drops the bodies that nobody used for the longest, never a record.
    fn drop_bodies(&mut self) {
        while self.body_bytes > self.capacity.body_bytes
            && let Some((_, flow)) = self.bodies.pop_first()
        {
            let stored = self
                .records
                .get_mut(&flow)
                .expect("invariant: an indexed body has a record");
            if let State::Ended { body, .. } = &mut stored.record.state
                && let Some(body) = body.take()
            {
                self.body_bytes -= body.len();
            }
        }
    }
}

fn body_of(record: &Record) -> Option<&Bytes> {
    match &record.state {
        State::Ended { body, .. } => body.as_ref(),
        State::Busy { .. } | State::Lost { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::names::{Bound, ClaimId, Cont};
    use super::super::verb::{Claim, Claimed, Ended, Finish, Look, Looked, Met, Origin};
    use super::*;

    const EPOCH: Epoch = Epoch([1; 16]);
    const KEEP: Duration = Duration::from_millis(1_000);

    fn flow(number: u32) -> FlowKey {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&number.to_be_bytes());
        FlowKey(key)
    }

    fn claim(caller: Option<u8>) -> Claim {
        Claim {
            epoch: EPOCH,
            id: ClaimId([2; 16]),
            cont: Cont([3; 32]),
            origin: Origin {
                caller: caller.map(|byte| Caller([byte; 16])),
                label: FlowLabel([4; 10]),
                bound: Bound([5; 32]),
            },
            lease: KEEP,
            keep: KEEP,
            takeover: false,
        }
    }

    fn finish(body: &'static [u8]) -> Finish {
        Finish {
            epoch: EPOCH,
            id: ClaimId([2; 16]),
            cont: Cont([3; 32]),
            keep: KEEP,
            body: Some(Bytes::from_static(body)),
        }
    }

    fn small(records: usize, per_caller: usize, body_bytes: usize) -> Shelf {
        Shelf::new(Capacity {
            records,
            per_caller,
            body_bytes,
        })
    }

    /// The indexes describe exactly the records.
    fn check(shelf: &Shelf) {
        let bodies = || {
            shelf
                .records
                .values()
                .filter_map(|stored| body_of(&stored.record))
        };
        assert_eq!(shelf.expiry.len(), shelf.records.len());
        assert_eq!(shelf.bodies.len(), bodies().count());
        assert_eq!(shelf.body_bytes, bodies().map(Bytes::len).sum::<usize>());
        let counted = shelf
            .records
            .values()
            .filter(|s| s.record.origin.caller.is_some())
            .count();
        assert_eq!(shelf.per_caller.values().sum::<usize>(), counted);
    }

    #[test]
    fn a_full_shelf_refuses_and_forgets_nothing() {
        let mut shelf = small(2, 10, 1_000);
        for number in 0..2 {
            assert_eq!(
                shelf.apply(flow(number), claim(None), 0, EPOCH),
                Claimed::Won
            );
            let _ = shelf.apply(flow(number), finish(b"mine"), 0, EPOCH);
        }
        for number in 2..1_000 {
            let claimed = shelf.apply(flow(number), claim(None), 999, EPOCH);
            assert_eq!(claimed, Claimed::Full(Limit::Store));
        }
        for number in 0..2 {
            let look = Look {
                epoch: EPOCH,
                cont: Cont([3; 32]),
            };
            let met = Met::Ended(Ended::Recorded(Bytes::from_static(b"mine")));
            assert_eq!(
                shelf.apply(flow(number), look, 999, EPOCH),
                Looked::Met(met)
            );
        }
        assert_eq!(
            shelf.apply(flow(2), claim(None), 1_000, EPOCH),
            Claimed::Won
        );
        check(&shelf);
    }

    #[test]
    fn one_caller_cannot_fill_the_shelf() {
        let mut shelf = small(10, 2, 1_000);
        let mut claimed = |number, caller| shelf.apply(flow(number), claim(caller), 0, EPOCH);
        assert_eq!(claimed(0, Some(1)), Claimed::Won);
        assert_eq!(claimed(1, Some(1)), Claimed::Won);
        assert_eq!(claimed(2, Some(1)), Claimed::Full(Limit::Caller));
        assert_eq!(claimed(3, Some(2)), Claimed::Won);
        for number in 4..8 {
            assert_eq!(
                claimed(number, None),
                Claimed::Won,
                "nobody in particular has no limit"
            );
        }
        check(&shelf);
    }

    #[test]
    fn bodies_go_before_records_and_the_least_used_ones_first() {
        let mut shelf = small(10, 10, 8);
        let look = Look {
            epoch: EPOCH,
            cont: Cont([3; 32]),
        };
        for number in 0..2 {
            let _ = shelf.apply(flow(number), claim(Some(1)), 0, EPOCH);
            let _ = shelf.apply(flow(number), finish(b"1234"), 0, EPOCH);
        }
        let _ = shelf.apply(flow(0), look, 0, EPOCH);
        let _ = shelf.apply(flow(2), claim(Some(1)), 0, EPOCH);
        let _ = shelf.apply(flow(2), finish(b"1234"), 0, EPOCH);
        let kept = |shelf: &mut Shelf, number| {
            matches!(
                shelf.apply(flow(number), look, 0, EPOCH),
                Looked::Met(Met::Ended(Ended::Recorded(_)))
            )
        };
        assert_eq!(
            [0, 1, 2].map(|number| kept(&mut shelf, number)),
            [true, false, true]
        );
        assert_eq!(shelf.len(), 3);
        check(&shelf);
    }

    #[test]
    fn a_record_goes_when_its_time_is_over() {
        let mut shelf = small(10, 10, 100);
        for number in 0..5 {
            let _ = shelf.apply(flow(number), claim(Some(1)), u64::from(number), EPOCH);
        }
        let look = Look {
            epoch: EPOCH,
            cont: Cont([3; 32]),
        };
        let _ = shelf.apply(flow(9), look, 1_002, EPOCH);
        assert_eq!(shelf.len(), 2);
        check(&shelf);
    }
}
