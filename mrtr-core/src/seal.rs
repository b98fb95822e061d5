//! The sealing of request states, recorded results and tickets.

mod bind;
mod envelope;

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use orion::hazardous::aead::xchacha20poly1305::SecretKey;
use sha2::Sha256;

use crate::keyring::{KeyId, KeyRing, Subkeys};
use crate::principal::Principal;
use crate::state::FlowState;

pub use bind::{Bind, Realm, record_aad, record_bound};
use envelope::{Envelope, MAC_BYTES};

/// How far the clock of the instance that sealed may be ahead, in milliseconds.
pub const CLOCK_SKEW: u64 = 60_000;

/// Kind byte, key id and two hints; its first half-byte is the version of the format.
const STATE_HEADER: usize = 9;
const VERSION: u8 = 0x10;
const SEALED: u8 = VERSION | 1;
const SIGNED: u8 = VERSION | 2;
const TICKET: u8 = VERSION | 3;
const RECORD: u8 = VERSION | 4;

/// How a server protects its request states; it opens only those of its own kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sealing {
    /// Encrypted with XChaCha20-Poly1305: the client can neither read nor change it.
    #[default]
    Sealed,
    /// Signed with HMAC-SHA256: the client can read it, with all answers and remembered values.
    Signed,
}

/// Why a state, record or ticket is refused. For the log only: a client is told nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The text is longer than a server reads.
    #[error("it is too long")]
    TooLong,
    /// The text is not strict base64url.
    #[error("it is not base64url without padding")]
    NotBase64,
    /// It is of another version of the format.
    #[error("it is of another version")]
    Version,
    /// It is of another kind, such as a signed state for a server that seals.
    #[error("it is of another kind")]
    Kind,
    /// No key of the ring has its key id, as when a key was taken out of the ring too early.
    #[error("it names the key {0}, which is not in the ring")]
    UnknownKey(KeyId),
    /// The seal is wrong, and its hints say it was made for another principal.
    #[error("it seems to be made for another principal")]
    OtherPrincipal,
    /// The seal is wrong, and its hints say it was made for another method or other params.
    #[error("it seems to be made for another call")]
    OtherCall,
    /// The seal is wrong: changed bytes, another realm, or a flow store that lost its memory.
    #[error("its seal is wrong: changed bytes, another realm or another flow store")]
    Seal,
    /// The seal is right, but what is inside is no state.
    #[error("what it holds is malformed")]
    Payload,
    /// It starts more than a minute after now.
    #[error("it comes from the future")]
    FromTheFuture,
    /// Its flow is over.
    #[error("its flow is over")]
    FlowOver,
    /// Its flow has no round left.
    #[error("its flow has no round left")]
    RoundsOver,
}

/// Seals with the first key of a ring and opens with all of them.
#[derive(Clone)]
pub struct Sealer {
    ring: KeyRing,
    sealing: Sealing,
}

impl Sealer {
    /// A sealer with these keys.
    #[must_use]
    pub fn new(ring: KeyRing, sealing: Sealing) -> Self {
        Sealer { ring, sealing }
    }

    /// How states are protected.
    #[must_use]
    pub fn sealing(&self) -> Sealing {
        self.sealing
    }

    /// The keys.
    #[must_use]
    pub fn ring(&self) -> &KeyRing {
        &self.ring
    }

    /// Seals a state for the request that it answers.
    ///
    /// `random` are fresh bytes of the operating system. The nonce is a digest of them and of
    /// all that is sealed, so that a generator that repeats itself alone repeats no nonce.
    #[must_use]
    pub fn seal(&self, state: &FlowState, bind: &Bind, random: [u8; 24]) -> String {
        let keys = self.ring.first();
        let kind = match self.sealing {
            Sealing::Sealed => SEALED,
            Sealing::Signed => SIGNED,
        };
        let bound = bound(keys.id, kind, bind.hints(keys), bind);
        let bytes = match self.sealing {
            Sealing::Sealed => {
                let envelope = Envelope::new(&keys.seal, &bound, STATE_HEADER);
                envelope.seal(&keys.nonce, random, |out| state.encode_into(out))
            }
            Sealing::Signed => {
                let payload = state.to_json();
                let mac = state_mac(keys, &bound, payload.as_bytes()).finalize();
                let header = &bound[..STATE_HEADER];
                [header, payload.as_bytes(), &mac.into_bytes()].concat()
            }
        };
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Opens a state that a request brought.
    ///
    /// `now` is the time in milliseconds since the Unix epoch, `max_rounds` the number of rounds
    /// a flow may have, `max_length` the longest text that is read. A state whose round is over
    /// still opens: the caller compares [`FlowState::round_end`] and asks again.
    ///
    /// # Errors
    /// Says for the log why the state is refused. Length, alphabet, version, kind and key are
    /// public properties of the text and checked first; everything bound fails in the one check
    /// of the seal; times and rounds are read only from a state that is genuine.
    pub fn open(
        &self,
        text: &str,
        bind: &Bind,
        now: u64,
        max_rounds: u8,
        max_length: usize,
    ) -> Result<FlowState, Refused> {
        let mut bytes = decode(text, max_length)?;
        let kind = match self.sealing {
            Sealing::Sealed => SEALED,
            Sealing::Signed => SIGNED,
        };
        let keys = self.keys_of(&bytes, kind)?;
        let (header, body) = bytes
            .split_first_chunk_mut::<STATE_HEADER>()
            .ok_or(Refused::Seal)?;
        let [.., p0, p1, c0, c1] = *header;
        let hints = [p0, p1, c0, c1];
        let bound = bound(keys.id, kind, hints, bind);
        let payload = match self.sealing {
            Sealing::Sealed => Envelope::new(&keys.seal, &bound, STATE_HEADER).open(body),
            Sealing::Signed => verified(keys, &bound, body),
        };
        let payload = payload.ok_or_else(|| suspicion(hints, bind.hints(keys)))?;
        let state = self.read(payload).ok_or(Refused::Payload)?;
        in_time(&state, now, max_rounds)?;
        Ok(state)
    }

    /// Encrypts the body of a recorded result; `aad` is what it is bound to, see [`record_aad`].
    #[must_use]
    pub fn seal_record(&self, plaintext: &[u8], aad: &[u8], random: [u8; 24]) -> Vec<u8> {
        let keys = self.ring.first();
        let bound = opaque(RECORD, keys.id, aad);
        Envelope::new(&keys.result, &bound, OPAQUE_HEADER)
            .seal(&keys.nonce, random, |out| out.extend(plaintext))
    }

    /// Decrypts the body of a recorded result.
    ///
    /// # Errors
    /// Says for the log why the record is refused.
    pub fn open_record(&self, record: &[u8], aad: &[u8]) -> Result<Vec<u8>, Refused> {
        self.open_opaque(record.to_vec(), RECORD, aad, |keys| &keys.result)
    }

    /// Encrypts the ticket of a link, as text that can stand in a URL.
    #[must_use]
    pub fn seal_ticket(&self, plaintext: &[u8], aad: &[u8], random: [u8; 24]) -> String {
        let keys = self.ring.first();
        let bound = opaque(TICKET, keys.id, aad);
        let bytes =
            Envelope::new(&keys.ticket, &bound, OPAQUE_HEADER)
                .seal(&keys.nonce, random, |out| out.extend(plaintext));
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Decrypts the ticket of a link.
    ///
    /// # Errors
    /// Says for the log why the ticket is refused.
    pub fn open_ticket(
        &self,
        text: &str,
        aad: &[u8],
        max_length: usize,
    ) -> Result<Vec<u8>, Refused> {
        self.open_opaque(decode(text, max_length)?, TICKET, aad, |keys| &keys.ticket)
    }

    /// A short name for bytes that must not stand in a log: equal for equal bytes, and not
    /// reversible by guessing without the first key of the ring.
    #[must_use]
    pub fn log_digest(&self, bytes: &[u8]) -> String {
        let mac = short_mac::<6>(&self.ring.first().log, &[bytes]);
        mac.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of a caller in the flow store, where its records are counted together: not
    /// reversible by guessing without the first key of the ring.
    ///
    /// A rotation gives callers new names, so that a caller may have twice the records while those
    /// under the old name live. Without a key in it the name would say who called what.
    #[must_use]
    pub fn caller_digest(&self, caller: &Principal) -> [u8; 16] {
        let encoded = Principal::encode(Some(caller));
        short_mac(&self.ring.first().caller, &[&encoded])
    }

    fn open_opaque(
        &self,
        mut bytes: Vec<u8>,
        kind: u8,
        aad: &[u8],
        key: fn(&Subkeys) -> &SecretKey,
    ) -> Result<Vec<u8>, Refused> {
        let keys = self.keys_of(&bytes, kind)?;
        let bound = opaque(kind, keys.id, aad);
        let body = bytes.get_mut(OPAQUE_HEADER..).ok_or(Refused::Seal)?;
        let plaintext = Envelope::new(key(keys), &bound, OPAQUE_HEADER).open(body);
        plaintext.map(<[u8]>::to_vec).ok_or(Refused::Seal)
    }

    /// The keys that the bytes name, if they are of the wanted kind.
    fn keys_of(&self, bytes: &[u8], kind: u8) -> Result<&Subkeys, Refused> {
        let found = *bytes.first().ok_or(Refused::Version)?;
        if found & 0xf0 != VERSION {
            return Err(Refused::Version);
        }
        if found != kind {
            return Err(Refused::Kind);
        }
        let id = KeyId(*bytes[1..].first_chunk().ok_or(Refused::Seal)?);
        self.ring.find(id).ok_or(Refused::UnknownKey(id))
    }

    fn read(&self, payload: &[u8]) -> Option<FlowState> {
        match self.sealing {
            Sealing::Sealed => FlowState::decode(payload).ok(),
            Sealing::Signed => FlowState::from_json(std::str::from_utf8(payload).ok()?).ok(),
        }
    }
}

/// Kind byte and key id, which is the header of records and tickets.
const OPAQUE_HEADER: usize = 5;

/// The header of a state and what it is bound to.
fn bound(id: KeyId, kind: u8, hints: [u8; 4], bind: &Bind) -> [u8; STATE_HEADER + 32] {
    let mut bound = [0; STATE_HEADER + 32];
    bound[0] = kind;
    bound[1..5].copy_from_slice(&id.0);
    bound[5..STATE_HEADER].copy_from_slice(&hints);
    bound[STATE_HEADER..].copy_from_slice(bind.digest());
    bound
}

/// The header of a record or ticket and what it is bound to.
fn opaque(kind: u8, id: KeyId, aad: &[u8]) -> Vec<u8> {
    [&[kind][..], &id.0, aad].concat()
}

fn decode(text: &str, max_length: usize) -> Result<Vec<u8>, Refused> {
    if text.len() > max_length {
        return Err(Refused::TooLong);
    }
    (BASE64_URL_SAFE_NO_PAD.decode(text)).map_err(|_| Refused::NotBase64)
}

fn state_mac(keys: &Subkeys, bound: &[u8], payload: &[u8]) -> Hmac<Sha256> {
    let mac = keys.sign.clone().chain_update(b"mrtr v1 signed");
    mac.chain_update(bound).chain_update(payload)
}

fn verified<'a>(keys: &Subkeys, bound: &[u8], body: &'a [u8]) -> Option<&'a [u8]> {
    let (payload, mac) = body.split_last_chunk::<MAC_BYTES>()?;
    state_mac(keys, bound, payload).verify_slice(mac).ok()?;
    Some(payload)
}

/// What a wrong seal looks like. A forger chooses the hints, so this is no evidence.
fn suspicion(found: [u8; 4], expected: [u8; 4]) -> Refused {
    if found[..2] != expected[..2] {
        Refused::OtherPrincipal
    } else if found[2..] != expected[2..] {
        Refused::OtherCall
    } else {
        Refused::Seal
    }
}

fn in_time(state: &FlowState, now: u64, max_rounds: u8) -> Result<(), Refused> {
    if state.start > now.saturating_add(CLOCK_SKEW) {
        return Err(Refused::FromTheFuture);
    }
    if now >= state.flow_end {
        return Err(Refused::FlowOver);
    }
    if state.round >= max_rounds {
        return Err(Refused::RoundsOver);
    }
    Ok(())
}

/// The first bytes of an HMAC over the parts.
pub(crate) fn short_mac<const N: usize>(key: &Hmac<Sha256>, parts: &[&[u8]]) -> [u8; N] {
    let mac = (parts.iter()).fold(key.clone(), |mac, part| mac.chain_update(part));
    *mac.finalize()
        .into_bytes()
        .first_chunk()
        .expect("invariant: nothing asks for more than an HMAC has")
}

impl Refused {
    /// A fixed name, for counters and log fields.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Refused::TooLong => "too_long",
            Refused::NotBase64 => "not_base64",
            Refused::Version => "version",
            Refused::Kind => "kind",
            Refused::UnknownKey(_) => "unknown_key",
            Refused::OtherPrincipal => "other_principal",
            Refused::OtherCall => "other_call",
            Refused::Seal => "seal",
            Refused::Payload => "payload",
            Refused::FromTheFuture => "from_the_future",
            Refused::FlowOver => "flow_over",
            Refused::RoundsOver => "rounds_over",
        }
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer({:?}, {:?})", self.sealing, self.ring)
    }
}

#[cfg(test)]
mod tests;
