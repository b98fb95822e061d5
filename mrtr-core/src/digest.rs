//! Digests that two different inputs cannot share: every part is hashed with its length.

mod params;

use std::fmt;

use sha2::{Digest, Sha256};
use zeroize::Zeroize;

use crate::varint::Varint;

pub use params::{ParamsDigest, params_digest};

/// The bytes that SHA-256 takes at a time.
const BLOCK: usize = 64;

/// SHA-256 over parts, each preceded by its length, which is written in as few bytes as it needs.
///
/// A clone goes on from where the original stands, so that what many digests begin with is hashed
/// once.
#[derive(Clone)]
pub struct Framed {
    /// What the whole blocks came to.
    hash: Sha256,
    /// The block that is being filled: handing over each part alone costs more than hashing them.
    block: [u8; BLOCK],
    /// How many of its bytes are taken.
    taken: usize,
}

impl Framed {
    /// Starts a digest of its own purpose; the purpose is its first part.
    #[must_use]
    pub fn new(purpose: &str) -> Self {
        let mut digest = Self::empty();
        digest.add(purpose.as_bytes());
        digest
    }

    /// Starts a digest that only holders of the key can make.
    ///
    /// For some bytes of it only, because whoever had all of them could go on from there.
    #[must_use]
    pub(crate) fn keyed(key: &[u8; 32]) -> Self {
        let mut digest = Self::empty();
        // Not as a part, of which a copy would be left behind.
        digest.count(key.len());
        digest.raw(key);
        digest.whole_blocks();
        digest
    }

    fn empty() -> Self {
        Framed {
            hash: Sha256::new(),
            block: [0; BLOCK],
            taken: 0,
        }
    }

    /// Adds a part.
    ///
    /// In place: a digest that is moved from part to part takes as long as one that is hashed.
    #[inline]
    pub fn part(&mut self, bytes: &[u8]) -> &mut Self {
        self.add(bytes);
        self
    }

    /// Fills the block with zeros, so that nothing before this has to be hashed again by a clone.
    ///
    /// Where the parts end follows from their lengths, and so does the number of zeros.
    pub(crate) fn whole_blocks(&mut self) -> &mut Self {
        if self.taken > 0 {
            self.raw(&[0; BLOCK][self.taken..]);
            // What stood there may be a key.
            self.block.zeroize();
        }
        self
    }

    /// Ends the digest, and leaves an empty one.
    #[must_use]
    pub fn finish(&mut self) -> [u8; 32] {
        self.hash.update(&self.block[..self.taken]);
        self.taken = 0;
        self.hash.finalize_reset().into()
    }

    /// Ends the digest with its first bytes.
    #[must_use]
    pub(crate) fn first<const N: usize>(&mut self) -> [u8; N] {
        *(self.finish().first_chunk()).expect("invariant: nobody asks for more than a digest has")
    }

    #[inline]
    fn add(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.raw(bytes);
    }

    #[inline]
    fn count(&mut self, count: usize) {
        match u8::try_from(count) {
            // Nearly every length is a byte.
            Ok(byte @ ..0x80) => self.raw(&[byte]),
            _ => self.raw(Varint::of_length(count).as_bytes()),
        }
    }

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        let end = self.taken + bytes.len();
        if end < BLOCK {
            self.block[self.taken..end].copy_from_slice(bytes);
            self.taken = end;
        } else {
            self.fill(bytes);
        }
    }

    /// Adds bytes that fill the block, or more than one.
    fn fill(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(BLOCK - self.taken);
        self.block[self.taken..].copy_from_slice(first);
        self.hash.update(self.block);
        let (whole, rest) = rest.split_at(rest.len() - rest.len() % BLOCK);
        self.hash.update(whole);
        self.block[..rest.len()].copy_from_slice(rest);
        self.taken = rest.len();
    }
}

impl fmt::Debug for Framed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Framed(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_cannot_be_moved() {
        let two = |a: &[u8], b: &[u8]| Framed::new("test").part(a).part(b).finish();
        assert_ne!(two(b"ab", b"c"), two(b"a", b"bc"));
        assert_ne!(two(b"", b"abc"), two(b"abc", b""));
        // What fills a block is no part, and a part of zeros does not fill one.
        let filled = |zeros: usize| {
            let mut digest = Framed::new("test");
            digest.part(&vec![0; zeros]).whole_blocks().finish()
        };
        let digests: HashSet<_> = (0..130).map(filled).collect();
        assert_eq!(digests.len(), 130);
    }

    #[test]
    fn a_part_has_its_length_in_as_few_bytes_as_it_needs() {
        for (length, before) in [(0, &[0][..]), (127, &[127]), (128, &[128, 1])] {
            let part = vec![b'x'; length];
            let input = [b"\x04test", before, &part].concat();
            let by_hand: [u8; 32] = Sha256::digest(&input).into();
            assert_eq!(
                Framed::new("test").part(&part).finish(),
                by_hand,
                "{length}"
            );
        }
    }

    #[test]
    fn whole_blocks_end_in_zeros_and_a_clone_goes_on_from_there() {
        // The purpose and the lengths take seven bytes.
        for (length, zeros) in [(0, 58), (57, 1), (58, 0), (59, 63), (200, 49)] {
            let part = vec![b'x'; length];
            let mut before = Framed::new("test");
            before.part(&part).whole_blocks();
            let lengths = Varint::of_length(length);
            let input = [
                b"\x04test",
                lengths.as_bytes(),
                &part,
                &vec![0; zeros],
                b"\x01y",
            ];
            let by_hand: [u8; 32] = Sha256::digest(input.concat()).into();
            assert_eq!(before.clone().part(b"y").finish(), by_hand, "{length}");
            assert_eq!(before.part(b"y").finish(), by_hand, "{length}");
        }
    }
}
