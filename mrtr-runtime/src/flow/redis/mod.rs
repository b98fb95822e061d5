//! The flow store in Redis, shared by all instances.

mod connect;
mod script;
#[cfg(test)]
mod server;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::RedisError;
use redis::aio::ConnectionManager;

use super::names::{ClaimId, Epoch, FlowKey, FlowLabel};
use super::store::{FlowStore, Reply, StoreError};
use super::verb::{
    Claim, Claimed, End, EndedFlow, Finish, Finished, Found, Limit, Look, Looked, MOST_TAKEOVERS,
    Marked, Origin, Released, Renew, Renewed, Resolution, Resolved,
};
use connect::Replicas;
pub use connect::{ConnectError, RedisOptions};
use script::{Args, Script, Scripts, hex};
use words::Words;

/// How old the epoch may be that requests are judged by. The scripts compare it anyway; this is
/// how soon an instance notices that another one has met an emptied store.
const EPOCH_AGE: Duration = Duration::from_secs(1);

/// The flow store in Redis (7 or newer, or Valkey), shared by all instances.
///
/// Every verb is one script on the primary, judged by the clock of Redis. Redis must not evict
/// ([`RedisOptions::connect`] checks it) and should persist with an append-only file: a Redis that
/// comes back empty refuses the flows in flight, but one that comes back from an *older* copy of
/// its data does not know what it has forgotten. After restoring a backup delete the key
/// `{prefix}:epoch`.
///
/// For `rediss://` URLs turn on a TLS feature of the `redis` crate, version 1.
pub struct RedisStore {
    options: RedisOptions,
    connection: ConnectionManager,
    /// Where claims are sent; the same connection unless they wait for replicas.
    claims: ConnectionManager,
    scripts: Scripts,
    epoch: Mutex<Option<(Epoch, Instant)>>,
}

impl RedisStore {
    /// How to connect to the Redis at this URL, such as `redis://user:password@host:6379/0`.
    pub fn at(url: impl Into<String>) -> RedisOptions {
        RedisOptions::new(url.into())
    }

    fn new(
        options: RedisOptions,
        connection: ConnectionManager,
        claims: ConnectionManager,
    ) -> Self {
        let (scripts, epoch) = (Scripts::new(), Mutex::new(None));
        Self {
            options,
            connection,
            claims,
            scripts,
            epoch,
        }
    }

    /// A key of ours. The braces put all of them in one slot, so that one script may use several.
    fn key(&self, name: &str) -> String {
        format!("{{{}}}:{name}", self.options.prefix)
    }

    fn keys(&self, flow: &str) -> [String; 3] {
        [
            self.key("epoch"),
            self.key("all"),
            self.key(&format!("flow:{flow}")),
        ]
    }

    /// Runs a script on a record.
    async fn run(&self, script: &Script, flow: FlowKey, args: Args) -> Result<Words, RedisError> {
        let flow = hex(&flow.0);
        let mut call = script.compiled.prepare_invoke();
        call.key(&self.keys(&flow))
            .arg(self.key(""))
            .arg(flow)
            .arg(args.0);
        call.invoke_async(&mut self.connection.clone())
            .await
            .map(Words)
    }

    /// Runs a script on a record, then waits until replicas have what it wrote.
    ///
    /// Both go in one piece: on another connection, which a reconnect would bring, `WAIT` knows of
    /// no write to wait for. So the script goes as text, which needs no second try.
    async fn run_replicated(
        &self,
        script: &Script,
        flow: FlowKey,
        args: Args,
        replicas: Replicas,
    ) -> Result<(Words, u32), RedisError> {
        let flow = hex(&flow.0);
        let wait = u64::try_from(replicas.wait.as_millis()).unwrap_or(u64::MAX);
        let mut both = redis::pipe();
        both.cmd("EVAL")
            .arg(&script.text)
            .arg(3)
            .arg(&self.keys(&flow));
        both.arg(self.key("")).arg(flow).arg(args.0);
        both.cmd("WAIT").arg(replicas.count).arg(wait);
        let (words, acknowledged) = both.query_async(&mut self.claims.clone()).await?;
        Ok((Words(words), acknowledged))
    }

    async fn claim_replicated(
        &self,
        flow: FlowKey,
        claim: Claim,
        replicas: Replicas,
    ) -> Result<Claimed, StoreError> {
        let args = self.claim_args(&claim);
        let ran = self
            .run_replicated(&self.scripts.claim, flow, args, replicas)
            .await;
        let (words, acknowledged) = match ran {
            Ok(ran) => ran,
            Err(error) if is_out_of_memory(&error) => return Ok(Claimed::Full(Limit::Store)),
            Err(error) => return Err(unavailable(error)),
        };
        let claimed = words.claimed()?;
        if claimed == Claimed::Won && acknowledged < replicas.count {
            self.release(flow, claim.id).await?;
            return Err(StoreError::NotReplicated {
                acknowledged,
                wanted: replicas.count,
            });
        }
        Ok(claimed)
    }

    fn claim_args(&self, claim: &Claim) -> Args {
        let args = Args::default()
            .bytes(claim.epoch)
            .bytes(claim.id)
            .bytes(claim.cont);
        with_origin(args, claim.origin)
            .span(claim.lease)
            .span(claim.keep)
            .flag(claim.takeover)
            .number(MOST_TAKEOVERS)
            .number(self.options.records)
            .number(self.options.per_caller)
    }

    async fn load_epoch(&self) -> Result<Epoch, StoreError> {
        let mut fresh = [0; 16];
        getrandom::fill(&mut fresh).map_err(|_| StoreError::NoEntropy)?;
        let mut call = self.scripts.epoch.compiled.key(self.key("epoch"));
        call.arg(&fresh[..]);
        let epoch: Vec<u8> = call
            .invoke_async(&mut self.connection.clone())
            .await
            .map_err(unavailable)?;
        let epoch = <[u8; 16]>::try_from(epoch)
            .map_err(|_| StoreError::Unreadable("the epoch has another length".to_owned()))?;
        *self.known_epoch() = Some((Epoch(epoch), Instant::now()));
        Ok(Epoch(epoch))
    }

    fn known_epoch(&self) -> std::sync::MutexGuard<'_, Option<(Epoch, Instant)>> {
        self.epoch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks Redis for the epoch at the next occasion if it turned out to be another one.
    fn noted<T>(&self, answer: T, is_other_epoch: impl FnOnce(&T) -> bool) -> T {
        if is_other_epoch(&answer) {
            *self.known_epoch() = None;
        }
        answer
    }
}

fn with_origin(args: Args, origin: Origin) -> Args {
    let caller = origin
        .caller
        .map(|caller| hex(&caller.0))
        .unwrap_or_default();
    args.bytes(caller)
        .bytes(hex(&origin.label.0))
        .bytes(origin.bound)
}

fn unavailable(error: RedisError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

fn is_out_of_memory(error: &RedisError) -> bool {
    let errors = error.clone().into_server_errors();
    errors.is_some_and(|errors| errors.iter().any(|(_, error)| error.code() == "OOM"))
}

impl FlowStore for RedisStore {
    fn epoch(&self) -> Reply<'_, Epoch> {
        Box::pin(async {
            let known = *self.known_epoch();
            match known {
                Some((epoch, at)) if at.elapsed() < EPOCH_AGE => Ok(epoch),
                _ => self.load_epoch().await,
            }
        })
    }

    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        Box::pin(async move {
            let args = Args::default().bytes(look.epoch).bytes(look.cont);
            let words = self
                .run(&self.scripts.look, flow, args)
                .await
                .map_err(unavailable)?;
            Ok(self.noted(words.looked()?, |looked| *looked == Looked::OtherEpoch))
        })
    }

    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        Box::pin(async move {
            let claimed = match self.options.replicas {
                Some(replicas) => self.claim_replicated(flow, claim, replicas).await?,
                None => match self
                    .run(&self.scripts.claim, flow, self.claim_args(&claim))
                    .await
                {
                    Ok(words) => words.claimed()?,
                    Err(error) if is_out_of_memory(&error) => Claimed::Full(Limit::Store),
                    Err(error) => return Err(unavailable(error)),
                },
            };
            Ok(self.noted(claimed, |claimed| *claimed == Claimed::OtherEpoch))
        })
    }

    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        Box::pin(async move {
            let args = Args::default()
                .bytes(renew.id)
                .span(renew.lease)
                .span(renew.keep);
            self.run(&self.scripts.renew, flow, args)
                .await
                .map_err(unavailable)?
                .renewed()
        })
    }

    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        Box::pin(async move {
            let args = Args::default()
                .bytes(finish.epoch)
                .bytes(finish.id)
                .bytes(finish.cont);
            let args = args.span(finish.keep).body(finish.body);
            let words = self
                .run(&self.scripts.finish, flow, args)
                .await
                .map_err(unavailable)?;
            Ok(self.noted(words.finished()?, |finished| {
                *finished == Finished::OtherEpoch
            }))
        })
    }

    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        Box::pin(async move {
            let args = Args::default().bytes(end.epoch).bytes(end.cont);
            let args = with_origin(args, end.origin)
                .span(end.keep)
                .body(end.body)
                .number(self.options.records)
                .number(self.options.per_caller);
            let ended = match self.run(&self.scripts.end, flow, args).await {
                Ok(words) => words.ended_flow()?,
                Err(error) if is_out_of_memory(&error) => EndedFlow::Full(Limit::Store),
                Err(error) => return Err(unavailable(error)),
            };
            Ok(self.noted(ended, |ended| *ended == EndedFlow::OtherEpoch))
        })
    }

    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        Box::pin(async move {
            let args = Args::default().bytes(id);
            self.run(&self.scripts.release, flow, args)
                .await
                .map_err(unavailable)?
                .released()
        })
    }

    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        Box::pin(async move {
            let args = Args::default().bytes(id);
            self.run(&self.scripts.mark_lost, flow, args)
                .await
                .map_err(unavailable)?
                .marked()
        })
    }

    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        Box::pin(async move {
            let key = self.key(&format!("label:{}", hex(&label.0)));
            let flow: Option<String> = redis::cmd("GET")
                .arg(key)
                .query_async(&mut self.connection.clone())
                .await
                .map_err(unavailable)?;
            let Some(flow) = flow else { return Ok(None) };
            let flow = flow_of(&flow)
                .ok_or_else(|| StoreError::Unreadable("a label names no flow".to_owned()))?;
            let found = self.run(&self.scripts.found, flow, Args::default()).await;
            found.map_err(unavailable)?.found(flow)
        })
    }

    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        Box::pin(async move {
            let args = match resolution {
                Resolution::Happened(body) => Args::default().flag(true).body(Some(body)),
                Resolution::NothingHappened => Args::default().flag(false).body(None),
            };
            self.run(&self.scripts.resolve, flow, args)
                .await
                .map_err(unavailable)?
                .resolved()
        })
    }
}

/// The flow that is written so in hexadecimal.
fn flow_of(text: &str) -> Option<FlowKey> {
    let mut key = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (index, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(FlowKey(key))
}

impl fmt::Debug for RedisStore {
    /// Without the URL: it may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore")
            .field("prefix", &self.options.prefix)
            .finish_non_exhaustive()
    }
}
