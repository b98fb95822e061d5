//! What a peer must answer before it is timed, and that the floor answers mrtr's bytes.

use serde_json::Value;

use crate::Failure;
use crate::client::{Client, HttpClient};
use crate::messages::{Request, state};
use crate::peer::Peer;

/// Plays every flow with a peer, over both transports.
pub(crate) fn answers(peer: &Peer) -> Result<(), Failure> {
    let server = peer.http(&[], &[])?;
    let client = HttpClient::new(&server);
    refuses_another_state(&client).map_err(|error| format!("{}: {error}", peer.name))?;
    let mut over_http = client;
    let mut over_stdio = peer.stdio(&[], &[])?;
    let clients: [(&str, &mut dyn Client); 2] =
        [("http", &mut over_http), ("stdio", &mut over_stdio)];
    for (transport, client) in clients {
        play(client).map_err(|error| format!("{} over {transport}: {error}", peer.name))?;
    }
    Ok(())
}

/// The floor must answer what mrtr answers, byte by byte; states are as long and differ.
pub(crate) fn same_bytes(mrtr: &Peer, floor: &Peer) -> Result<(), Failure> {
    let mut pair = [mrtr.stdio(&[], &[])?, floor.stdio(&[], &[])?];
    let mut firsts = Vec::new();
    let mut retries = Vec::new();
    for server in &mut pair {
        let first = server.ask(&Request::first())?;
        let state = state(&first)?;
        let blank = "A".repeat(state.len());
        firsts.push(String::from_utf8(first)?.replace(&state, &blank));
        retries.push(server.ask(&Request::retry(&state))?);
    }
    if firsts[0] != firsts[1] || retries[0] != retries[1] {
        return Err(format!("the floor does not answer mrtr's bytes: {firsts:#?}").into());
    }
    Ok(())
}

fn play(client: &mut dyn Client) -> Result<(), Failure> {
    let answer = client.ask(&Request::first())?;
    well_formed(&answer)?;
    let answer = client.ask(&Request::retry(&state(&answer)?))?;
    let answer: Value = serde_json::from_slice(&answer)?;
    if answer["result"]["content"][0]["type"] != "text" || answer["result"]["isError"] == true {
        return Err(format!("the result is {answer}").into());
    }
    quiz(client, 5)
}

/// Plays a flow of so many questions.
pub(crate) fn quiz(client: &mut dyn Client, rounds: u8) -> Result<(), Failure> {
    let mut answer = client.ask(&Request::quiz(rounds, None))?;
    for number in 0..rounds {
        let state = state(&answer)?;
        answer = client.ask(&Request::quiz(rounds, Some((number, &state))))?;
    }
    Ok(())
}

/// The question must be one that a client can show.
fn well_formed(answer: &[u8]) -> Result<(), Failure> {
    let answer: Value = serde_json::from_slice(answer)?;
    let result = &answer["result"];
    let params = &result["inputRequests"]["who"]["params"];
    let properties = &params["requestedSchema"]["properties"];
    let well = answer["id"] == 1
        && result["resultType"] == "input_required"
        && properties["name"]["type"] == "string"
        && properties["seat"].is_object();
    if well {
        return Ok(());
    }
    Err(format!("the question is {answer}").into())
}

/// A state that somebody has touched must not be taken.
fn refuses_another_state(client: &HttpClient) -> Result<(), Failure> {
    let answer = client.send(&Request::first())?;
    let mut touched = state(&answer)?.into_bytes();
    let middle = touched.len() / 2;
    touched[middle] = if touched[middle] == b'A' { b'B' } else { b'A' };
    let retry = Request::retry(&String::from_utf8(touched)?);
    if retry.is_answered_by(&client.send(&retry)?) {
        return Err("a state that was touched is taken".into());
    }
    Ok(())
}
