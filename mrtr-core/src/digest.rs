//! Digests that two different inputs cannot share: every part is hashed with its length.

mod params;

use std::{fmt, slice};

use sha2::block_api::compress256;
use zeroize::Zeroize;

use crate::varint::Varint;

pub use params::{ParamsDigest, params_digest};

/// The bytes that SHA-256 takes at a time.
const BLOCK: usize = 64;
/// Where SHA-256 starts (FIPS 180-4, 5.3.3).
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// SHA-256 over parts, each preceded by its length, which is written in as few bytes as it needs.
///
/// A clone goes on from where the original stands, so that what many digests begin with is hashed
/// once. When it is dropped it wipes what the whole blocks came to, because they may have begun with
/// a key; the block that is being filled holds parts of messages, which are not wiped elsewhere either.
///
/// A request makes many short digests, most of one block, for which a hasher that takes bytes in
/// pieces costs as much as the hashing: here the block is filled, and whole ones are handed over.
#[derive(Clone)]
pub struct Framed {
    /// What the whole blocks came to.
    state: [u32; 8],
    /// The block that is being filled.
    block: [u8; BLOCK],
    /// How many bytes there are so far.
    length: usize,
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
        digest.add(key);
        digest.whole_blocks();
        digest
    }

    fn empty() -> Self {
        Framed {
            state: START,
            block: [0; BLOCK],
            length: 0,
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
        if self.taken() > 0 {
            self.raw(&[0; BLOCK][self.taken()..]);
            // What stood there may be a key.
            self.block.zeroize();
        }
        self
    }

    /// The digest of what there is so far.
    #[must_use]
    pub fn finish(&self) -> [u8; 32] {
        let (mut state, mut last, taken) = (self.state, self.block, self.taken());
        // FIPS 180-4, 5.1.1: a bit, zeros, and how many bits there were, at the end of a block.
        last[taken] = 0x80;
        last[taken + 1..].fill(0);
        if taken >= BLOCK - 8 {
            compress256(&mut state, slice::from_ref(&last));
            last.fill(0);
        }
        last[BLOCK - 8..].copy_from_slice(&(8 * self.length as u64).to_be_bytes());
        compress256(&mut state, slice::from_ref(&last));
        let mut digest = [0; 32];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }

    /// Its first bytes.
    #[must_use]
    pub(crate) fn first<const N: usize>(&self) -> [u8; N] {
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

    /// How many bytes of the block are taken.
    #[inline]
    fn taken(&self) -> usize {
        self.length % BLOCK
    }

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        let taken = self.taken();
        self.length += bytes.len();
        let end = taken + bytes.len();
        if end < BLOCK {
            self.block[taken..end].copy_from_slice(bytes);
        } else {
            self.fill(taken, bytes);
        }
    }

    /// Takes bytes that fill the block, or more than one.
    fn fill(&mut self, taken: usize, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(BLOCK - taken);
        self.block[taken..].copy_from_slice(first);
        // In place: the block may hold a key, of which no copy is to be left behind.
        compress256(&mut self.state, slice::from_ref(&self.block));
        let (whole, rest) = rest.as_chunks();
        if !whole.is_empty() {
            compress256(&mut self.state, whole);
        }
        self.block[..rest.len()].copy_from_slice(rest);
    }
}

impl Drop for Framed {
    fn drop(&mut self) {
        self.state.zeroize();
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
    use sha2::{Digest, Sha256};
    use std::collections::HashSet;

    #[test]
    fn it_is_sha_256_of_the_parts_with_their_lengths() {
        for first in 0..140 {
            for second in [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 300] {
                let parts = [vec![b'a'; first], vec![b'b'; second]];
                let mut digest = Framed::new("test");
                let mut hash = Sha256::new_with_prefix(b"\x04test");
                for part in &parts {
                    digest.part(part);
                    hash.update(Varint::of_length(part.len()).as_bytes());
                    hash.update(part);
                }
                let by_hand: [u8; 32] = hash.finalize().into();
                assert_eq!(digest.finish(), by_hand, "{first} {second}");
            }
        }
    }

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
