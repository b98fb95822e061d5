//! Which Redis is accepted, and what a refusal shows.

use super::*;

#[tokio::test]
async fn a_redis_that_evicts_is_refused() {
    if !is_installed() {
        return;
    }
    let server =
        Server::start(&["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]).await;
    let refused = RedisStore::at(server.url()).connect().await.unwrap_err();
    assert!(
        refused.to_string().contains("maxmemory-policy allkeys-lru"),
        "{refused}"
    );
    let allowed = RedisStore::at(server.url())
        .allow_eviction("a test")
        .connect()
        .await;
    assert!(allowed.is_ok());
}

#[tokio::test]
async fn nothing_answers_without_redis() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}/", listener.local_addr().unwrap());
    drop(listener);
    let refused = RedisStore::at(url).connect().await.unwrap_err();
    assert!(
        matches!(refused, ConnectError::Unreachable(_)),
        "{refused:?}"
    );
    let refused = RedisStore::at("http://host").connect().await.unwrap_err();
    assert!(matches!(refused, ConnectError::Url(_)), "{refused:?}");
}

#[tokio::test]
async fn debug_shows_no_password() {
    if !is_installed() {
        return;
    }
    let server = Server::start(&[]).await;
    server
        .command::<()>(&["ACL", "SETUSER", "ada", "on", ">hunter2", "~*", "+@all"])
        .await;
    let url = format!("redis://ada:hunter2@127.0.0.1:{}/", server.port());
    let store = RedisStore::at(url).connect().await.unwrap();
    assert_eq!(format!("{store:?}"), r#"RedisStore { prefix: "mrtr", .. }"#);
    let wrong = format!("redis://ada:hunter3@127.0.0.1:{}/", server.port());
    let refused = RedisStore::at(wrong).connect().await.unwrap_err();
    assert!(
        !format!("{refused:?} {refused}").contains("hunter"),
        "{refused:?}"
    );
}
