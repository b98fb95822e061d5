//! Many flows through the balancer, while instances are killed and the keys are rotated.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::scope;

use crate::Failure;

use super::Size;
use super::balancer::Balancer;
use super::client::{Client, Told};
use super::fleet::Fleet;
use super::flow::Flow;
use super::instance::KEYS;
use super::report::Report;
use super::scene::{PAST_LEASE, SOON, Scene, new_ticket};

/// How many users there are at the same time.
const USERS: usize = 12;

/// The ring that the instances get in the middle of each part of the traffic.
const ROTATION: [&[&str]; 3] = [&[KEYS[0], KEYS[1]], &[KEYS[1], KEYS[0]], &[KEYS[1]]];

pub(super) fn play(report: &Report, size: Size) -> Result<(), Failure> {
    let scene = Scene::new("traffic", report)?;
    let mut fleet = Fleet::start(3, scene.settings.clone())?;
    let balancer = Balancer::start(&fleet.ports())?;
    let client = Client::of(balancer.port());
    let flows = size.of(150, 1_000);
    let mut played = Vec::new();
    let mut faults = Vec::new();
    for (part, ring) in ROTATION.iter().enumerate() {
        let count = flows * (part + 1) / 3 - flows * part / 3;
        let (mut some, broken) = play_part(&client, &mut fleet, ring, count)?;
        // A key goes only when no flow is left that it sealed: so flows are brought to their end.
        in_parallel(&mut some, 64, |flow| {
            if flow.is_open() {
                flow.repeat(&client, PAST_LEASE);
            }
        });
        in_parallel(&mut some, USERS, |flow| flow.repeat(&client, SOON));
        played.extend(some);
        faults.extend(broken);
    }
    judge(&scene, &played, faults, fleet.kills)?;
    forgotten_key(report, &client, &played);
    // Results and answers are sealed, wherever they lie. The name of a key shows that we looked.
    for (text, expected) in [("paid ", false), ("user", false), (":epoch", true)] {
        let found = scene.redis.holds(text)?;
        let verb = if expected { "holds" } else { "does not hold" };
        report.check(format!("Redis {verb} {text:?}"), found == expected, found);
    }
    Ok(())
}

/// Plays at least so many flows while instances die, and gives them another ring half-way.
///
/// Traffic goes on until the last kill of the part: on a fast machine the flows would else be over
/// before there was one.
fn play_part(
    client: &Client,
    fleet: &mut Fleet,
    ring: &[&str],
    count: usize,
) -> Result<(Vec<Flow>, Vec<String>), Failure> {
    let done = AtomicUsize::new(0);
    let (half, all, over) = (
        AtomicBool::new(false),
        AtomicBool::new(false),
        AtomicBool::new(false),
    );
    let (played, faults) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let user = || {
        while !over.load(Ordering::Relaxed) {
            match Flow::play(client, new_ticket()) {
                Ok(flow) => played.lock().expect("no user panics").push(flow),
                Err(failure) => faults
                    .lock()
                    .expect("no user panics")
                    .push(failure.to_string()),
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            half.fetch_or(done * 2 >= count, Ordering::Relaxed);
            all.fetch_or(done >= count, Ordering::Relaxed);
        }
    };
    scope(|threads| {
        for _ in 0..USERS {
            threads.spawn(user);
        }
        let disturbed = fleet.disturb(ring, &half, &all);
        over.store(true, Ordering::Relaxed);
        disturbed
    })?;
    let unpoisoned = "no user panics";
    Ok((
        played.into_inner().expect(unpoisoned),
        faults.into_inner().expect(unpoisoned),
    ))
}

/// Does something with each flow, several at a time.
fn in_parallel(flows: &mut [Flow], threads: usize, act: impl Fn(&mut Flow) + Sync) {
    let share = flows.len().div_ceil(threads).max(1);
    scope(|scope| {
        for flows in flows.chunks_mut(share) {
            scope.spawn(|| flows.iter_mut().for_each(&act));
        }
    });
}

fn judge(
    scene: &Scene<'_>,
    played: &[Flow],
    mut faults: Vec<String>,
    kills: usize,
) -> Result<(), Failure> {
    let report = scene.report;
    let ledger = scene.ledger.read()?;
    faults.extend(played.iter().filter_map(|flow| {
        let payments = ledger.get(&flow.ticket).cloned().unwrap_or_default();
        flow.fault(payments.count, &payments.who)
    }));
    let count = |is: fn(&Flow) -> bool| played.iter().filter(|flow| is(flow)).count();
    let unknown = count(|flow| flow.receipt().is_none() && flow.is_unknown());
    let finals: usize = played.iter().map(|flow| flow.told.len()).sum();
    println!(
        "traffic: {} flows of three rounds, {finals} final rounds, {kills} kills; {} paid, {} declined, \
         {unknown} unknown, {} lines in the ledger",
        played.len(),
        count(|flow| flow.receipt().is_some()),
        count(|flow| !flow.agrees),
        ledger
            .values()
            .map(|payments| payments.count)
            .sum::<usize>(),
    );
    report.check(
        format!(
            "{} flows under fire: each effect once, one result, no effect after a no",
            played.len()
        ),
        faults.is_empty(),
        faults.join("; "),
    );
    let twice = ledger
        .values()
        .filter(|payments| payments.count > 1)
        .count();
    report.check("no ticket is in the ledger twice", twice == 0, twice);
    report.check(
        "instances were killed in the middle of it",
        kills >= 6,
        kills,
    );
    let (moved, rounds) = played.iter().fold((0, 0), |(moved, rounds), flow| {
        (moved + flow.moved.0, rounds + flow.moved.1)
    });
    // Where two of three were down, the round had to go back to where it came from.
    report.check(
        format!("{moved} of {rounds} rounds reached another instance than the one before"),
        moved * 100 >= rounds * 95,
        "fewer than 95 in a hundred",
    );
    Ok(())
}

/// What was begun under the key that is gone cannot be repeated any more, and never runs again.
fn forgotten_key(report: &Report, client: &Client, played: &[Flow]) {
    let paid = played.iter().filter(|flow| flow.receipt().is_some());
    let told: Vec<_> = paid
        .take(20)
        .map(|flow| client.insist(&flow.last, SOON).told)
        .collect();
    report.check(
        "after the rotation a repeat from before it is refused, or its result no longer kept",
        !told.is_empty()
            && told
                .iter()
                .all(|told| matches!(told, Told::Refused | Told::NotKept)),
        format!("{told:?}"),
    );
}
