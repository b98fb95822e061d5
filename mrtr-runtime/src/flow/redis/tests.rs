//! The store against a real Redis: the conformance test, and what only Redis can do.

mod connecting;

use std::time::Duration;

use bytes::Bytes;

use super::server::{Server, is_installed};
use super::*;
use crate::flow::conform::{Subject, conform};
use crate::flow::{Bound, Caller, Cont, Ended, Met};

const LONG: Duration = Duration::from_secs(600);
const FLOW: FlowKey = FlowKey([0xf0; 32]);
const HOLDER: ClaimId = ClaimId([2; 16]);
const CONT: Cont = Cont([3; 32]);

async fn store(server: &Server) -> RedisStore {
    RedisStore::at(server.url()).connect().await.unwrap()
}

async fn a_claim(store: &RedisStore) -> Claim {
    Claim {
        epoch: store.epoch().await.unwrap(),
        id: HOLDER,
        cont: CONT,
        origin: Origin {
            caller: Some(Caller([4; 16])),
            label: FlowLabel([5; 10]),
            bound: Bound([6; 32]),
        },
        lease: LONG,
        keep: LONG,
        takeover: false,
    }
}

fn a_finish(claim: &Claim, body: Vec<u8>) -> Finish {
    let Claim {
        epoch,
        id,
        cont,
        keep,
        ..
    } = *claim;
    Finish {
        epoch,
        id,
        cont,
        keep,
        body: Some(Bytes::from(body)),
    }
}

struct InRedis(Server);

impl Subject for InRedis {
    type Store = RedisStore;

    async fn empty(&self, records: usize, per_caller: usize) -> RedisStore {
        self.0.command::<()>(&["FLUSHALL"]).await;
        let options = RedisStore::at(self.0.url());
        options
            .records(records)
            .records_per_caller(per_caller)
            .connect()
            .await
            .unwrap()
    }

    async fn pass(&self, _store: &RedisStore, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn wipe(&self, _store: &RedisStore) {
        self.0.command::<()>(&["FLUSHALL"]).await;
    }
}

#[tokio::test]
async fn it_is_the_table() {
    if !is_installed() {
        return;
    }
    let subject = InRedis(Server::start(&[]).await);
    let compared = conform(&subject)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(compared > 2_000, "only {compared} answers were compared");
}

#[tokio::test]
async fn instances_share_flows_and_prefixes_do_not() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    let (here, there) = (store(&server).await, store(&server).await);
    let elsewhere = RedisStore::at(server.url())
        .prefix("other")
        .connect()
        .await
        .unwrap();
    let claim = a_claim(&here).await;
    assert_eq!(here.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    let look = Look {
        epoch: there.epoch().await.unwrap(),
        cont: CONT,
    };
    assert_eq!(
        there.look(FLOW, look).await.unwrap(),
        Looked::Met(Met::Busy { same: true })
    );
    assert_eq!(
        elsewhere.look(FLOW, look).await.unwrap(),
        Looked::OtherEpoch
    );
    let look = Look {
        epoch: elsewhere.epoch().await.unwrap(),
        cont: CONT,
    };
    assert_eq!(elsewhere.look(FLOW, look).await.unwrap(), Looked::Free);
}

/// With an append-only file the epoch and the records come back together.
#[tokio::test]
async fn a_restart_with_a_persistent_file_loses_nothing() {
    if !is_installed() {
        return;
    }
    let files = std::env::temp_dir().join(format!("mrtr-redis-kept-{}", std::process::id()));
    std::fs::create_dir_all(&files).unwrap();
    let dir = files.to_str().unwrap();
    let settings = [
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--dir",
        dir,
    ];
    let server = Server::start(&settings).await;
    let before = store(&server).await;
    let claim = a_claim(&before).await;
    assert_eq!(before.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    before
        .finish(FLOW, a_finish(&claim, b"result".to_vec()))
        .await
        .unwrap();
    drop(server);
    let server = Server::start(&settings).await;
    let after = store(&server).await;
    assert_eq!(after.epoch().await.unwrap(), claim.epoch);
    let look = Look {
        epoch: claim.epoch,
        cont: CONT,
    };
    let met = Met::Ended(Ended::Recorded(Bytes::from_static(b"result")));
    assert_eq!(after.look(FLOW, look).await.unwrap(), Looked::Met(met));
    drop(server);
    std::fs::remove_dir_all(&files).unwrap();
}

#[tokio::test]
async fn another_database_is_another_epoch() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    let here = store(&server).await;
    let claim = a_claim(&here).await;
    let url = format!("{}1", server.url());
    let there = RedisStore::at(url).connect().await.unwrap();
    assert_eq!(there.claim(FLOW, claim).await.unwrap(), Claimed::OtherEpoch);
}

/// Out of memory no flow can begin, and each that has begun comes to its recorded end.
#[tokio::test]
async fn a_full_redis_takes_the_end_of_what_it_has() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&["--maxmemory", "100mb", "--maxmemory-policy", "noeviction"]).await;
    let store = store(&server).await;
    let claim = a_claim(&store).await;
    assert_eq!(store.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    server
        .command::<()>(&["CONFIG", "SET", "maxmemory", "1"])
        .await;

    let other = FlowKey([0xee; 32]);
    assert_eq!(
        store.claim(other, claim).await.unwrap(),
        Claimed::Full(Limit::Store)
    );
    let Claim {
        epoch,
        cont,
        origin,
        keep,
        ..
    } = claim;
    let end = End {
        epoch,
        cont,
        origin,
        keep,
        body: None,
    };
    assert_eq!(
        store.end(other, end).await.unwrap(),
        EndedFlow::Full(Limit::Store)
    );
    let renew = Renew {
        id: HOLDER,
        lease: LONG,
        keep: LONG,
    };
    assert_eq!(store.renew(FLOW, renew).await.unwrap(), Renewed::Held);
    let finished = store
        .finish(FLOW, a_finish(&claim, vec![7; 100_000]))
        .await
        .unwrap();
    assert_eq!(finished, Finished::Recorded { body: true });
    let met = Met::Ended(Ended::Recorded(Bytes::from(vec![7; 100_000])));
    let look = Look { epoch, cont };
    assert_eq!(store.look(FLOW, look).await.unwrap(), Looked::Met(met));
}

/// A replica may lag behind: it answers nothing, not even a look.
#[tokio::test]
async fn a_replica_is_never_asked() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    let store = store(&server).await;
    let claim = a_claim(&store).await;
    server.command::<()>(&["REPLICAOF", "127.0.0.1", "1"]).await;
    let look = Look {
        epoch: claim.epoch,
        cont: CONT,
    };
    assert!(matches!(
        store.look(FLOW, look).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        store.claim(FLOW, claim).await,
        Err(StoreError::Unavailable(_))
    ));
    let refused = RedisStore::at(server.url()).connect().await.unwrap_err();
    assert!(matches!(refused, ConnectError::Replica), "{refused:?}");
}

#[tokio::test]
async fn a_claim_waits_for_its_replicas() {
    if !is_installed() {
        return;
    }
    let primary = Server::start(&[]).await;
    let wait = Duration::from_millis(300);
    let store = RedisStore::at(primary.url())
        .wait_replicas(1, wait)
        .connect()
        .await
        .unwrap();
    let claim = a_claim(&store).await;
    let refused = store.claim(FLOW, claim).await.unwrap_err();
    let missing = StoreError::NotReplicated {
        acknowledged: 0,
        wanted: 1,
    };
    assert_eq!(refused.to_string(), missing.to_string());
    let look = Look {
        epoch: claim.epoch,
        cont: CONT,
    };
    assert_eq!(
        store.look(FLOW, look).await.unwrap(),
        Looked::Free,
        "the claim was given back"
    );

    let replica = Server::replica_of(&primary).await;
    let patient = Duration::from_secs(10);
    let store = RedisStore::at(primary.url())
        .wait_replicas(1, patient)
        .connect()
        .await
        .unwrap();
    assert_eq!(store.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    let keys: Vec<String> = replica.command(&["KEYS", "*flow:*"]).await;
    assert_eq!(keys.len(), 1, "the replica has the claim");
}

/// What the guarantees do not promise: a replica that takes over without the newest claim lets the
/// flow commit again, because it is the same store in everything else.
#[tokio::test]
async fn a_failover_that_loses_the_newest_claim_lets_it_be_won_again() {
    if !is_installed() {
        return;
    }
    let primary = Server::start(&[]).await;
    let before = store(&primary).await;
    let kept = FlowKey([0xee; 32]);
    let claim = a_claim(&before).await;
    assert_eq!(before.claim(kept, claim).await.unwrap(), Claimed::Won);
    let replica = Server::replica_of(&primary).await;
    replica.command::<()>(&["REPLICAOF", "NO", "ONE"]).await;
    assert_eq!(before.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    drop(primary);

    let after = store(&replica).await;
    assert_eq!(
        after.epoch().await.unwrap(),
        claim.epoch,
        "states still open"
    );
    let look = Look {
        epoch: claim.epoch,
        cont: CONT,
    };
    let busy = Looked::Met(Met::Busy { same: true });
    assert_eq!(after.look(kept, look).await.unwrap(), busy);
    let again = Claim {
        id: ClaimId([9; 16]),
        ..claim
    };
    assert_eq!(after.claim(FLOW, again).await.unwrap(), Claimed::Won);
}

/// The connection comes back by itself, and the scripts with it.
#[tokio::test]
async fn a_dropped_connection_and_forgotten_scripts_are_replaced() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    let store = store(&server).await;
    let claim = a_claim(&store).await;
    server.command::<()>(&["SCRIPT", "FLUSH"]).await;
    assert_eq!(store.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    server
        .command::<()>(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"])
        .await;
    let look = Look {
        epoch: claim.epoch,
        cont: CONT,
    };
    let mut answered = store.look(FLOW, look).await;
    for _ in 0..40 {
        if answered.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        answered = store.look(FLOW, look).await;
    }
    assert_eq!(answered.unwrap(), Looked::Met(Met::Busy { same: true }));
}

/// Nothing stays behind but the epoch.
#[tokio::test]
async fn what_is_over_leaves_no_key() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    let store = store(&server).await;
    let brief = Duration::from_millis(100);
    let claim = Claim {
        lease: brief,
        keep: brief,
        ..a_claim(&store).await
    };
    assert_eq!(store.claim(FLOW, claim).await.unwrap(), Claimed::Won);
    let released = FlowKey([0xee; 32]);
    let Origin { bound, .. } = claim.origin;
    let origin = Origin {
        caller: None,
        label: FlowLabel([9; 10]),
        bound,
    };
    assert_eq!(
        store
            .claim(released, Claim { origin, ..claim })
            .await
            .unwrap(),
        Claimed::Won
    );
    store.release(released, HOLDER).await.unwrap();
    tokio::time::sleep(brief * 3).await;
    let keys: Vec<String> = server.command(&["KEYS", "*"]).await;
    assert_eq!(keys, ["{mrtr}:epoch"]);
}
