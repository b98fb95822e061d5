//! Authenticated encryption with a nonce that does not trust the random generator alone.

use orion::hazardous::aead::xchacha20poly1305::{Nonce, SecretKey, Tag, XChaCha20Poly1305};

use crate::digest::Framed;

pub(super) const MAC_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;

/// A key and the associated data, of which the first part is the header of the token.
pub(super) struct Envelope<'a> {
    key: &'a SecretKey,
    bound: &'a [u8],
    header: usize,
}

impl<'a> Envelope<'a> {
    pub(super) fn new(key: &'a SecretKey, bound: &'a [u8], header: usize) -> Self {
        Envelope { key, bound, header }
    }

    /// Header, nonce, encrypted payload and tag.
    ///
    /// The header is no part of the nonce: each kind has a key of its own, and what else stands
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
        let bound = Some(self.bound);
        let tag = XChaCha20Poly1305::seal_inplace(self.key, &nonce.into(), bound, payload)
            .expect("invariant: no payload comes near 256 GiB");
        bytes[self.header..start].copy_from_slice(&nonce);
        bytes.extend(tag.unprotected_as_ref());
        bytes
    }

    /// The payload of a body (nonce, encrypted payload, tag), decrypted in place.
    pub(super) fn open<'b>(&self, body: &'b mut [u8]) -> Option<&'b [u8]> {
        let (nonce, body) = body.split_first_chunk_mut::<NONCE_BYTES>()?;
        let (payload, tag) = body.split_last_chunk_mut::<TAG_BYTES>()?;
        let (nonce, tag) = (Nonce::from(*nonce), Tag::from(*tag));
        let bound = Some(self.bound);
        XChaCha20Poly1305::open_inplace(self.key, &nonce, &tag, bound, payload).ok()?;
        Some(payload)
    }
}
