//! A store and the table, side by side.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::step::{SHORT, Step, Steps, Told};
use super::{Report, Subject};
use crate::flow::record::Record;
use crate::flow::table::Conditions;
use crate::flow::{Epoch, FlowKey, FlowStore};

/// A store, and the records that it should have.
pub(super) struct Twin<'a, S: Subject> {
    subject: &'a S,
    pub(super) store: S::Store,
    pub(super) epoch: Epoch,
    records: HashMap<FlowKey, Record>,
    /// The table's time: it only moves when the test lets time pass.
    now: u64,
    flows: u64,
}

impl<'a, S: Subject> Twin<'a, S> {
    /// A fresh pair; `None` is reported when the store has no epoch.
    pub(super) async fn new(
        subject: &'a S,
        report: &mut Report,
        records: usize,
        per_caller: usize,
    ) -> Option<Self> {
        let store = subject.empty(records, per_caller).await;
        match store.epoch().await {
            Ok(epoch) => Some(Self {
                subject,
                store,
                epoch,
                records: HashMap::new(),
                now: 0,
                flows: 0,
            }),
            Err(error) => {
                report
                    .differences
                    .push(format!("an empty store has no epoch: {error:?}"));
                None
            }
        }
    }

    /// The steps of a flow that nobody has heard of.
    pub(super) fn fresh(&mut self) -> Steps {
        self.flows += 1;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.flows.to_be_bytes());
        Steps {
            epoch: self.epoch,
            flow: FlowKey(key),
        }
    }

    /// Lets an event happen in both and compares what is told.
    pub(super) async fn step(
        &mut self,
        report: &mut Report,
        what: impl fmt::Display,
        flow: FlowKey,
        step: Step,
    ) -> Told {
        let got = step.clone().ask(&self.store, flow).await;
        let here = Conditions {
            now: self.now,
            epoch: self.epoch,
            room: Ok(()),
        };
        let (record, due) = step.table(self.records.remove(&flow), &here);
        if let Some(record) = record {
            self.records.insert(flow, record);
        }
        report.compare(what, &got, &due);
        due
    }

    /// Lets the short leases end.
    pub(super) async fn lapse(&mut self) {
        let time: Duration = SHORT * 2;
        self.subject.pass(&self.store, time).await;
        self.now += u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    }
}
