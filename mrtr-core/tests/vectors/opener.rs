//! A second implementation of the token format, written from `docs/token.md` and sharing no code
//! with the first. It checks less and opens only what is right.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{RecordVector, Request, StateVector, TicketVector, unhex};

/// Opens a state and gives its payload in the readable form.
pub(crate) fn open_state(vector: &StateVector) -> Value {
    let token = BASE64_URL_SAFE_NO_PAD.decode(&vector.token).unwrap();
    let (header, body) = token.split_at(9);
    let key = named(&vector.keys, &header[1..5]);
    let bind = bind(&vector.request);
    check_hints(&key, header, &vector.request);
    if vector.signed {
        assert_eq!(header[0], 0x12);
        let (payload, mac) = body.split_at(body.len() - 32);
        let signed = [b"mrtr v1 signed", header, &bind, payload].concat();
        assert_eq!(hmac(&subkey(&key, "state sign"), &signed), mac);
        return serde_json::from_slice(payload).unwrap();
    }
    assert_eq!(header[0], 0x11);
    let aad = [header, &bind].concat();
    payload(&mut &*decrypt(&subkey(&key, "state seal"), &aad, body))
}

/// Opens a recorded result.
pub(crate) fn open_record(vector: &RecordVector) -> Vec<u8> {
    let record = unhex(&vector.record);
    let (header, body) = record.split_at(5);
    let key = named(std::slice::from_ref(&vector.key), &header[1..]);
    assert_eq!(header[0], 0x14);
    let (flow_key, continuation) = (unhex(&vector.flow_key), unhex(&vector.continuation));
    let aad = [header, b"result", &flow_key, &continuation, &bound(vector)].concat();
    decrypt(&subkey(&key, "result"), &aad, body)
}

/// Opens a ticket.
pub(crate) fn open_ticket(vector: &TicketVector) -> Vec<u8> {
    let ticket = BASE64_URL_SAFE_NO_PAD.decode(&vector.ticket).unwrap();
    let (header, body) = ticket.split_at(5);
    let key = named(std::slice::from_ref(&vector.key), &header[1..]);
    assert_eq!(header[0], 0x13);
    let aad = [header, vector.aad.as_bytes()].concat();
    decrypt(&subkey(&key, "ticket"), &aad, body)
}

fn named(keys: &[String], id: &[u8]) -> Vec<u8> {
    let keys = keys.iter().map(|key| unhex(&key["hex:".len()..]));
    let mut named = keys.filter(|key| subkey(key, "kid")[..4] == *id);
    named.next().expect("the token names a key of the ring")
}

/// HKDF-SHA256 of RFC 5869, for one block of output.
fn subkey(key: &[u8], info: &str) -> Vec<u8> {
    let extracted = hmac(b"mrtr v1", key);
    hmac(&extracted, &[info.as_bytes(), &[1]].concat())
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.chain_update(message).finalize().into_bytes().to_vec()
}

fn decrypt(key: &[u8], aad: &[u8], body: &[u8]) -> Vec<u8> {
    let (nonce, msg) = body.split_at(24);
    let cipher = XChaCha20Poly1305::new_from_slice(key).unwrap();
    let nonce = XNonce::try_from(nonce).unwrap();
    cipher
        .decrypt(&nonce, Payload { msg, aad })
        .expect("the tag is right")
}

fn check_hints(key: &[u8], header: &[u8], request: &Request) {
    let hint = subkey(key, "hint");
    let digest = |parts: &[&[u8]]| {
        let mut input = Vec::new();
        lengthy(&mut input, &hint);
        input.resize(64, 0);
        parts.iter().for_each(|part| lengthy(&mut input, part));
        Sha256::digest(&input)
    };
    let params = params_digest(&request.params);
    assert_eq!(header[5..7], digest(&[&principal(request)])[..2]);
    assert_eq!(
        header[7..9],
        digest(&[request.method.as_bytes(), &params])[..2]
    );
}

fn bind(request: &Request) -> Vec<u8> {
    let mut input = Vec::new();
    lengthy(&mut input, b"mrtr v1 bind");
    lengthy(&mut input, request.realm.as_bytes());
    input.resize(input.len().next_multiple_of(64), 0);
    lengthy(
        &mut input,
        &unhex(request.epoch.as_deref().unwrap_or_default()),
    );
    lengthy(&mut input, &principal(request));
    lengthy(&mut input, request.method.as_bytes());
    lengthy(&mut input, &params_digest(&request.params));
    Sha256::digest(&input).to_vec()
}

fn bound(vector: &RecordVector) -> Vec<u8> {
    let mut input = Vec::new();
    lengthy(&mut input, b"mrtr v1 bound");
    lengthy(&mut input, &unhex(&vector.root));
    lengthy(&mut input, &bind(&vector.request));
    Sha256::digest(&input).to_vec()
}

fn principal(request: &Request) -> Vec<u8> {
    let Some(caller) = &request.principal else {
        return vec![0];
    };
    let mut bytes = vec![1];
    for field in [
        Some(&caller.issuer),
        Some(&caller.subject),
        caller.client.as_ref(),
        caller.tenant.as_ref(),
    ] {
        match field {
            None => bytes.push(0),
            Some(text) => {
                bytes.push(1);
                lengthy(&mut bytes, text.as_bytes());
            }
        }
    }
    bytes
}

fn params_digest(params: &str) -> Vec<u8> {
    let Value::Object(params) = serde_json::from_str(params).unwrap() else {
        panic!("params are an object");
    };
    let mut members: Vec<(String, Value)> = params.into_iter().collect();
    members.retain(|(key, _)| !["_meta", "inputResponses", "requestState"].contains(&&**key));
    if members.iter().all(|(key, _)| key != "arguments") {
        members.push(("arguments".to_owned(), json!({})));
    }
    let mut input = Vec::new();
    lengthy(&mut input, b"mrtr v1 params");
    put_members(&mut input, members);
    Sha256::digest(&input).to_vec()
}

fn put_members(input: &mut Vec<u8>, mut members: Vec<(String, Value)>) {
    members.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    put_count(input, members.len());
    for (key, value) in members {
        lengthy(input, key.as_bytes());
        put_value(input, value);
    }
}

fn put_value(input: &mut Vec<u8>, value: Value) {
    match value {
        Value::Null => input.push(b'n'),
        Value::Bool(true) => input.push(b't'),
        Value::Bool(false) => input.push(b'f'),
        // Enough for the examples: Rust writes integers and short decimals as the page says,
        // and adding zero takes the sign off a zero.
        Value::Number(number) => {
            let text = number.as_i64().map(|n| n.to_string());
            let text = text.unwrap_or_else(|| (number.as_f64().unwrap() + 0.0).to_string());
            input.push(b'd');
            lengthy(input, text.as_bytes());
        }
        Value::String(text) => {
            input.push(b's');
            lengthy(input, text.as_bytes());
        }
        Value::Array(items) => {
            input.push(b'a');
            put_count(input, items.len());
            items.into_iter().for_each(|item| put_value(input, item));
        }
        Value::Object(members) => {
            input.push(b'o');
            put_members(input, members.into_iter().collect());
        }
    }
}

fn lengthy(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

fn put_count(out: &mut Vec<u8>, mut count: usize) {
    while count > 127 {
        out.push((count % 128) as u8 + 128);
        count /= 128;
    }
    out.push(count as u8);
}

fn payload(bytes: &mut &[u8]) -> Value {
    let root = hexadecimal(bytes, 16);
    let start = take(bytes, 6)
        .iter()
        .fold(0, |n, byte| n << 8 | u64::from(*byte));
    let round = take(bytes, 1)[0];
    let (round_end, flow_end) = (start + varint(bytes), start + varint(bytes));
    let state = json!({
        "root": root, "start": start, "round": round, "roundEnd": round_end, "flowEnd": flow_end,
        "asked": list(bytes, asked), "entries": list(bytes, answer), "memos": list(bytes, memo),
    });
    assert!(bytes.is_empty());
    state
}

fn list(bytes: &mut &[u8], read: fn(&mut &[u8], String) -> Value) -> Vec<Value> {
    let count = varint(bytes);
    (0..count)
        .map(|_| {
            let length = usize::from(take(bytes, 1)[0]);
            let key = String::from_utf8(take(bytes, length).to_vec()).unwrap();
            read(bytes, key)
        })
        .collect()
}

const KINDS: [&str; 4] = ["form", "url", "sampling", "roots"];
const ACTIONS: [&str; 3] = ["accept", "decline", "cancel"];

fn asked(bytes: &mut &[u8], key: String) -> Value {
    let question = hexadecimal(bytes, 16);
    let packed = take(bytes, 1)[0];
    json!({
        "key": key, "question": question, "kind": KINDS[usize::from(packed >> 6)],
        "tries": packed >> 3 & 7, "changes": packed & 7,
    })
}

fn answer(bytes: &mut &[u8], key: String) -> Value {
    let question = hexadecimal(bytes, 16);
    let (round, packed) = (take(bytes, 1)[0], take(bytes, 1)[0]);
    let mut answer = json!({
        "key": key, "question": question, "round": round,
        "kind": KINDS[usize::from(packed >> 2 & 3)], "action": ACTIONS[usize::from(packed & 3)],
    });
    if packed & 0x80 != 0 {
        answer["content"] = text(bytes).into();
    }
    answer
}

fn memo(bytes: &mut &[u8], key: String) -> Value {
    let run = take(bytes, 1)[0];
    json!({ "key": key, "run": run, "value": text(bytes) })
}

fn text(bytes: &mut &[u8]) -> String {
    let length = varint(bytes) as usize;
    String::from_utf8(take(bytes, length).to_vec()).unwrap()
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = take(bytes, 1)[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

fn hexadecimal(bytes: &mut &[u8], length: usize) -> String {
    super::hex(take(bytes, length))
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(length);
    *bytes = rest;
    taken
}
