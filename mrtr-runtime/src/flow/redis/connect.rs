//! Connecting to Redis, and refusing one that would forget records.

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::io::tcp::TcpSettings;
use redis::{Client, InfoDict, IntoConnectionInfo, RedisError};

use super::RedisStore;

/// How a [`RedisStore`] connects and how much it holds.
#[derive(Clone)]
#[must_use = "call `connect` to get the store"]
pub struct RedisOptions {
    url: String,
    pub(super) prefix: String,
    pub(super) records: usize,
    pub(super) per_caller: usize,
    eviction_reason: Option<String>,
    pub(super) replicas: Option<Replicas>,
    timeout: Duration,
}

/// On how many replicas a claim must be before it counts, and how long to wait for them.
#[derive(Clone, Copy)]
pub(super) struct Replicas {
    pub(super) count: u32,
    pub(super) wait: Duration,
}

impl RedisOptions {
    pub(super) fn new(url: String) -> Self {
        Self {
            url,
            prefix: "mrtr".to_owned(),
            records: 100_000,
            per_caller: 1_000,
            eviction_reason: None,
            replicas: None,
            timeout: Duration::from_secs(2),
        }
    }

    /// What the names of all keys begin with; `mrtr` unless set. Servers that share flows share it.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// How many flows it has room for; 100,000 unless set.
    pub fn records(mut self, most: usize) -> Self {
        self.records = most;
        self
    }

    /// How many flows of one caller it has room for; 1,000 unless set.
    pub fn records_per_caller(mut self, most: usize) -> Self {
        self.per_caller = most;
        self
    }

    /// How long one command may take; two seconds unless set.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Counts a claim only once it is on so many replicas; after `wait` it is given back.
    ///
    /// Redis replicates after it has answered, so a failover can lose a claim that was won, and
    /// the flow can be claimed again. This narrows that window; it does not close it. Send an
    /// idempotency key to what you call.
    pub fn wait_replicas(mut self, count: u32, wait: Duration) -> Self {
        self.replicas = Some(Replicas { count, wait });
        self
    }

    /// Accepts a Redis that may evict records, or whose policy cannot be read.
    ///
    /// An evicted record is an effect that can happen twice. The reason goes to the log.
    pub fn allow_eviction(mut self, reason: impl Into<String>) -> Self {
        self.eviction_reason = Some(reason.into());
        self
    }

    /// Connects and checks that this Redis can hold flows.
    ///
    /// # Errors
    /// When Redis cannot be reached, is older than version 7, is a replica, or may evict records.
    pub async fn connect(self) -> Result<RedisStore, ConnectError> {
        let info = self
            .url
            .as_str()
            .into_connection_info()
            .map_err(ConnectError::Url)?;
        let info = info.set_tcp_settings(self.tcp());
        let client = Client::open(info).map_err(ConnectError::Url)?;
        let mut connection = self.manager(&client, self.timeout).await?;
        self.check(&mut connection).await?;
        let claims = match self.replicas {
            // `WAIT` holds up its whole connection, so claims get one of their own.
            Some(replicas) => self.manager(&client, self.timeout + replicas.wait).await?,
            None => connection.clone(),
        };
        Ok(RedisStore::new(self, connection, claims))
    }

    fn tcp(&self) -> TcpSettings {
        let tcp = TcpSettings::default().set_nodelay(true);
        // A connection that a network swallowed silently would otherwise stay in use for minutes.
        #[cfg(target_os = "linux")]
        let tcp = tcp.set_user_timeout(self.timeout * 2);
        tcp
    }

    async fn manager(
        &self,
        client: &Client,
        response: Duration,
    ) -> Result<ConnectionManager, ConnectError> {
        // One attempt per command: whoever waits for an answer should hear soon that there is
        // none, and the next command tries again anyway.
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(self.timeout))
            .set_response_timeout(Some(response));
        ConnectionManager::new_with_config(client.clone(), config)
            .await
            .map_err(ConnectError::Unreachable)
    }

    async fn check(&self, connection: &mut ConnectionManager) -> Result<(), ConnectError> {
        let server = info(connection, "server")
            .await
            .map_err(ConnectError::Unreachable)?;
        check_version(server.get::<String>("redis_version").as_deref())?;
        let replication = info(connection, "replication")
            .await
            .map_err(ConnectError::Unreachable)?;
        if replication
            .get::<String>("role")
            .is_some_and(|role| role != "master")
        {
            return Err(ConnectError::Replica);
        }
        let policy = match info(connection, "memory").await {
            Ok(memory) => check_policy(memory.get("maxmemory"), memory.get("maxmemory_policy")),
            Err(error) => Err(ConnectError::PolicyUnreadable(Some(error))),
        };
        match (policy, &self.eviction_reason) {
            (Err(error), Some(reason)) => {
                tracing::warn!(%error, reason, "the flow store may forget flows");
                Ok(())
            }
            (policy, _) => policy,
        }
    }
}

async fn info(connection: &mut ConnectionManager, section: &str) -> Result<InfoDict, RedisError> {
    redis::cmd("INFO")
        .arg(section)
        .query_async(connection)
        .await
}

fn check_version(version: Option<&str>) -> Result<(), ConnectError> {
    let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    match (major, version) {
        (Some(7..), _) => Ok(()),
        (_, version) => Err(ConnectError::TooOld(
            version.unwrap_or("unknown").to_owned(),
        )),
    }
}

fn check_policy(maxmemory: Option<u64>, policy: Option<String>) -> Result<(), ConnectError> {
    match (maxmemory, policy) {
        (Some(0), _) => Ok(()),
        (Some(_), Some(policy)) if policy == "noeviction" => Ok(()),
        (Some(_), Some(policy)) => Err(ConnectError::Evicts(policy)),
        _ => Err(ConnectError::PolicyUnreadable(None)),
    }
}

/// Why a Redis cannot be the flow store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The URL is none that the client understands.
    #[error("the URL of the flow store is not usable: write redis://[user:password@]host:port/db")]
    Url(#[source] RedisError),

    /// Nothing answers, or not as Redis does.
    #[error("the Redis of the flow store does not answer")]
    Unreachable(#[source] RedisError),

    /// The version is too old.
    #[error("the flow store needs Redis 7 or newer, or Valkey; this is version {0}")]
    TooOld(String),

    /// It is a replica.
    #[error("this Redis is a replica: connect the flow store to the primary")]
    Replica,

    /// It may evict records.
    #[error(
        "this Redis evicts keys when it is full (maxmemory-policy {0}), so an effect could happen twice: \
         set maxmemory-policy noeviction, or accept that with `.allow_eviction(reason)`"
    )]
    Evicts(String),

    /// Its policy cannot be read.
    #[error(
        "this Redis does not show its maxmemory-policy: allow `INFO memory`, or, if you know that it \
         is noeviction, say so with `.allow_eviction(reason)`"
    )]
    PolicyUnreadable(#[source] Option<RedisError>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_redis_that_never_evicts_is_accepted() {
        let check =
            |maxmemory, policy: Option<&str>| check_policy(maxmemory, policy.map(Into::into));
        assert!(check(Some(0), Some("allkeys-lru")).is_ok());
        assert!(check(Some(1), Some("noeviction")).is_ok());
        assert!(matches!(
            check(Some(1), Some("volatile-ttl")),
            Err(ConnectError::Evicts(_))
        ));
        assert!(matches!(
            check(Some(1), None),
            Err(ConnectError::PolicyUnreadable(_))
        ));
        assert!(matches!(
            check(None, Some("noeviction")),
            Err(ConnectError::PolicyUnreadable(_))
        ));
    }

    #[test]
    fn only_redis_seven_and_newer_is_accepted() {
        assert!(check_version(Some("7.0.15")).is_ok());
        assert!(check_version(Some("10.1")).is_ok());
        for old in [Some("6.2.14"), Some("x"), None] {
            assert!(
                matches!(check_version(old), Err(ConnectError::TooOld(_))),
                "{old:?}"
            );
        }
    }
}
