//! Authenticated encryption with a nonce that does not trust the random generator alone.

use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::digest::Framed;

pub(super) type Cipher = XChaCha20Poly1305;
pub(super) const MAC_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;

/// A cipher and the associated data, of which the first part is the header of the token.
pub(super) struct Envelope<'a> {
    cipher: &'a Cipher,
    bound: &'a [u8],
    header: usize,
}

impl<'a> Envelope<'a> {
    pub(super) fn new(cipher: &'a Cipher, bound: &'a [u8], header: usize) -> Self {
        Envelope {
            cipher,
            bound,
            header,
        }
    }

    /// Header, nonce, encrypted payload and tag.
    ///
    /// The header is no part of the nonce: each kind has a cipher of its own, and what else stands
    /// in it follows from the key and from what is bound.
    pub(super) fn seal(
        &self,
        nonce_key: &Framed,
        random: [u8; NONCE_BYTES],
        write_payload: impl FnOnce(&mut Vec<u8>),
    ) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(128);
        bytes.extend(&self.bound[..self.header]);
        bytes.extend([0; NONCE_BYTES]);
        let start = bytes.len();
        write_payload(&mut bytes);
        let payload = &mut bytes[start..];
        let nonce: [u8; NONCE_BYTES] = (nonce_key.clone())
            .part(&random)
            .part(&self.bound[self.header..])
            .part(payload)
            .first();
        let tag = self
            .cipher
            .encrypt_inout_detached(&XNonce::from(nonce), self.bound, payload.into())
            .expect("invariant: no payload comes near 256 GiB");
        bytes[self.header..start].copy_from_slice(&nonce);
        bytes.extend(tag);
        bytes
    }

    /// The payload of a body (nonce, encrypted payload, tag), decrypted in place.
    pub(super) fn open<'b>(&self, body: &'b mut [u8]) -> Option<&'b [u8]> {
        let (nonce, body) = body.split_first_chunk_mut::<NONCE_BYTES>()?;
        let (payload, tag) = body.split_last_chunk_mut::<TAG_BYTES>()?;
        let (nonce, tag) = (XNonce::from(*nonce), (*tag).into());
        let payload_in = (&mut *payload).into();
        self.cipher
            .decrypt_inout_detached(&nonce, self.bound, payload_in, &tag)
            .ok()?;
        Some(payload)
    }
}
