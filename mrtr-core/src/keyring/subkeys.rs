//! One key per purpose, derived from a key of the ring.

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit as _};
use orion::hazardous::aead::xchacha20poly1305::SecretKey;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use super::{KEY_BYTES, KeyId};
use crate::digest::Framed;
use crate::principal::Principal;

/// The keys that tokens are made with. All of them wipe themselves when they are dropped.
pub(crate) struct Subkeys {
    /// The name that tokens of this key carry.
    pub(crate) id: KeyId,
    /// Encrypts request states.
    pub(crate) seal: SecretKey,
    /// Signs request states that stay readable.
    pub(crate) sign: Hmac<Sha256>,
    /// Encrypts recorded results.
    pub(crate) result: SecretKey,
    /// Encrypts the tickets of links.
    pub(crate) ticket: SecretKey,
    /// Makes the hints that say in the log why a seal is wrong.
    pub(crate) hint: Framed,
    /// The hint at a caller nobody knows, which most states carry.
    pub(crate) nobody: [u8; 2],
    /// Makes nonces.
    pub(crate) nonce: Framed,
    /// Makes digests for the log.
    pub(crate) log: Hmac<Sha256>,
    /// Makes the names of callers in the flow store.
    pub(crate) caller: Hmac<Sha256>,
}

impl Subkeys {
    pub(super) fn derive(key: &[u8; KEY_BYTES]) -> Self {
        let (mut extracted, hkdf) = Hkdf::<Sha256>::extract(Some(b"mrtr v1"), key);
        extracted.as_mut_slice().zeroize();
        let subkey = |purpose: &str| {
            let mut bytes = Zeroizing::new([0; KEY_BYTES]);
            hkdf.expand(purpose.as_bytes(), &mut *bytes)
                .expect("invariant: HKDF-SHA256 yields 32 bytes");
            bytes
        };
        let cipher = |purpose| {
            // By reference: a key that is handed over by value leaves a copy.
            SecretKey::try_from(subkey(purpose).as_slice())
                .expect("invariant: the cipher takes keys of 32 bytes")
        };
        let mac = |purpose| {
            Hmac::<Sha256>::new_from_slice(&*subkey(purpose))
                .expect("invariant: HMAC takes a key of any length")
        };
        let [a, b, c, d, ..] = *subkey("kid");
        let hint = Framed::keyed(&subkey("hint"));
        Subkeys {
            id: KeyId([a, b, c, d]),
            seal: cipher("state seal"),
            sign: mac("state sign"),
            result: cipher("result"),
            ticket: cipher("ticket"),
            nobody: hint.clone().part(&Principal::encode(None)).first(),
            hint,
            nonce: Framed::keyed(&subkey("nonce")),
            log: mac("log"),
            caller: mac("caller"),
        }
    }
}
