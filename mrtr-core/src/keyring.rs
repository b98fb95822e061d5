//! The keys of a server: the first seals, all open.

mod read;
mod subkeys;

use std::fmt;
use std::sync::Arc;

use zeroize::Zeroizing;

pub(crate) use subkeys::Subkeys;

/// The length of a key in bytes.
pub const KEY_BYTES: usize = 32;
/// The fewest different bytes of a key; 32 random ones practically never have fewer than 20.
const DISTINCT_BYTES: usize = 8;

/// One secret key of 32 random bytes; wiped from memory when it is dropped.
pub struct Key(Zeroizing<[u8; KEY_BYTES]>);

/// The keys of a server, with everything derived from them; wiped when the last clone is dropped.
///
/// To change a key without breaking calls that are under way, go from `[old]` over `[old, new]`
/// and `[new, old]` to `[new]`, each step on all instances and the last one after the longest
/// flow has ended.
///
/// # Examples
/// ```
/// # mod mrtr { pub use mrtr_core::keyring::KeyRing; }
/// use mrtr::KeyRing;
/// let ring = KeyRing::parse_list(
///     "hex:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
/// )?;
/// assert_eq!(ring.ids().count(), 1);
/// # Ok::<(), mrtr_core::keyring::KeyRingError>(())
/// ```
#[derive(Clone)]
// Not `Arc<[Subkeys]>`: turning the vector into it would leave an unwiped copy behind.
pub struct KeyRing(Arc<Vec<Subkeys>>);

/// The public name of a key, which its tokens carry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub(crate) [u8; 4]);

/// Why a key or a ring cannot be used. No text of it shows any part of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRingError {
    /// The ring has no key.
    #[error("a key ring needs at least one key")]
    Empty,
    /// The key does not have 32 bytes.
    #[error("a key has 32 bytes, this one has {length}; make one with `openssl rand -hex 32`")]
    Length {
        /// The length it has.
        length: usize,
    },
    /// The key is no random one.
    #[error("the key has fewer than 8 different bytes; make one with `openssl rand -hex 32`")]
    Weak,
    /// The text does not say how the key is written.
    #[error("a key is written `hex:` or `base64:` and then its 32 bytes")]
    Prefix,
    /// The text after `hex:` is not made of pairs of hexadecimal digits.
    #[error("the text after `hex:` is not hexadecimal")]
    Hex,
    /// The text after `base64:` is not standard Base64.
    #[error("the text after `base64:` is not standard Base64")]
    Base64,
    /// The ring has the same key twice.
    #[error("keys {first} and {second} of the ring are the same key; leave one out")]
    EqualKeys {
        /// The position of the first of them, from 1.
        first: usize,
        /// The position of the second, from 1.
        second: usize,
    },
    /// Two keys have the same id by chance, so that a token could not name its key.
    #[error("keys {first} and {second} of the ring have the same id; make another key")]
    EqualIds {
        /// The position of the first of them, from 1.
        first: usize,
        /// The position of the second, from 1.
        second: usize,
    },
    /// One entry of a comma list is not a key.
    #[error("key {entry} of the list: {error}")]
    Entry {
        /// The position of the entry, from 1.
        entry: usize,
        /// What is wrong with it.
        error: Box<KeyRingError>,
    },
    /// One line of a key file is not a key.
    #[error("line {line} of the key file: {error}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: Box<KeyRingError>,
    },
}

impl Key {
    /// A key of 32 random bytes.
    ///
    /// # Errors
    /// There are not 32 bytes, or fewer than 8 different ones: a passphrase typed over and over,
    /// or zeros, is no key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyRingError> {
        let key: [u8; KEY_BYTES] = bytes.try_into().map_err(|_| KeyRingError::Length {
            length: bytes.len(),
        })?;
        let key = Zeroizing::new(key);
        let mut seen = [false; 256];
        key.iter().for_each(|&byte| seen[usize::from(byte)] = true);
        if seen.iter().filter(|seen| **seen).count() < DISTINCT_BYTES {
            return Err(KeyRingError::Weak);
        }
        Ok(Key(key))
    }

    /// Reads `hex:` with 64 digits or `base64:` with standard Base64, padded or not.
    ///
    /// The prefix is required, because 64 hexadecimal digits are Base64 too.
    ///
    /// # Errors
    /// Says what is wrong without showing the text.
    pub fn parse(text: &str) -> Result<Self, KeyRingError> {
        read::key(text)
    }
}

impl KeyRing {
    /// A ring of keys, of which the first seals.
    ///
    /// # Errors
    /// There is no key, or two are equal or have the same id.
    pub fn new(keys: impl IntoIterator<Item = Key>) -> Result<Self, KeyRingError> {
        let keys: Vec<Key> = keys.into_iter().collect();
        let ring: Vec<Subkeys> = keys.iter().map(|key| Subkeys::derive(&key.0)).collect();
        for second in 0..keys.len() {
            for first in 0..second {
                let (one, two) = (first + 1, second + 1);
                if keys[first].0 == keys[second].0 {
                    return Err(KeyRingError::EqualKeys {
                        first: one,
                        second: two,
                    });
                }
                if ring[first].id == ring[second].id {
                    return Err(KeyRingError::EqualIds {
                        first: one,
                        second: two,
                    });
                }
            }
        }
        if ring.is_empty() {
            return Err(KeyRingError::Empty);
        }
        Ok(KeyRing(Arc::new(ring)))
    }

    /// Reads a comma list of keys, as in an environment variable.
    ///
    /// # Errors
    /// Names the position of the entry that is not a key, or as [`KeyRing::new`].
    pub fn parse_list(list: &str) -> Result<Self, KeyRingError> {
        KeyRing::new(read::list(list)?)
    }

    /// Reads the content of a key file: one key a line; blank lines are skipped, and so is
    /// everything after a `#`.
    ///
    /// # Errors
    /// Names the line that is not a key, or as [`KeyRing::new`].
    pub fn parse_file(content: &str) -> Result<Self, KeyRingError> {
        KeyRing::new(read::file(content)?)
    }

    /// The ids of the keys, in the order of the ring.
    pub fn ids(&self) -> impl Iterator<Item = KeyId> + '_ {
        self.0.iter().map(|key| key.id)
    }

    /// The key that seals.
    pub(crate) fn first(&self) -> &Subkeys {
        self.0.first().expect("invariant: a ring is never empty")
    }

    /// The key of that id. An id is public, so how long the search takes tells nothing.
    pub(crate) fn find(&self, id: KeyId) -> Option<&Subkeys> {
        self.0.iter().find(|key| key.id == id)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyRing")?;
        f.debug_list().entries(self.ids()).finish()
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(first: u8) -> Key {
        let mut bytes = std::array::from_fn::<u8, 32, _>(|at| at as u8);
        bytes[0] = first;
        Key::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn a_key_has_32_varied_bytes() {
        for length in [0, 16, 31, 33, 64] {
            let error = Key::from_bytes(&vec![7; length]).unwrap_err();
            assert_eq!(error, KeyRingError::Length { length });
        }
        let distinct = |n: u8| std::array::from_fn::<u8, 32, _>(|at| at as u8 % n);
        assert_eq!(Key::from_bytes(&[0; 32]).unwrap_err(), KeyRingError::Weak);
        assert_eq!(
            Key::from_bytes(&distinct(7)).unwrap_err(),
            KeyRingError::Weak
        );
        assert!(Key::from_bytes(&distinct(8)).is_ok());
    }

    #[test]
    fn a_ring_refuses_nothing_and_repetition() {
        assert_eq!(KeyRing::new([]).unwrap_err(), KeyRingError::Empty);
        let error = KeyRing::new([key(1), key(2), key(1)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "keys 1 and 3 of the ring are the same key; leave one out"
        );
        assert_eq!(KeyRing::new([key(1), key(2)]).unwrap().ids().count(), 2);
    }

    #[test]
    fn a_ring_refuses_equal_ids_of_different_keys() {
        // These two were found by search; their ids are both d4c22f51.
        let numbered = |number: u32| {
            let mut bytes = std::array::from_fn::<u8, 32, _>(|at| at as u8);
            bytes[..4].copy_from_slice(&number.to_be_bytes());
            Key::from_bytes(&bytes).unwrap()
        };
        let error = KeyRing::new([numbered(77_946), numbered(145_144)]).unwrap_err();
        assert_eq!(
            error,
            KeyRingError::EqualIds {
                first: 1,
                second: 2
            }
        );
    }

    #[test]
    fn finds_keys_by_id() {
        let ring = KeyRing::new([key(1), key(2)]).unwrap();
        let ids: Vec<_> = ring.ids().collect();
        assert_eq!(ring.first().id, ids[0]);
        assert_eq!(ring.find(ids[1]).map(|key| key.id), Some(ids[1]));
        assert!(ring.find(KeyId([0; 4])).is_none());
    }

    #[test]
    fn debug_shows_ids_only() {
        let ring = KeyRing::new([key(1)]).unwrap();
        let id = ring.ids().next().unwrap();
        assert_eq!(
            format!("{ring:?} {:?}", key(1)),
            format!("KeyRing[{id}] Key(..)")
        );
        assert_eq!(id.to_string().len(), 8);
    }
}
