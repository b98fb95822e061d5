//! The random generator of a flow.

use std::convert::Infallible;
use std::fmt;

use chacha20::ChaCha12Rng;
use rand_core::{SeedableRng, TryRng};

/// A random generator that gives the same numbers in every round of a flow; see
/// [`Ctx::rng`](crate::Ctx::rng).
///
/// It is a [`rand_core::Rng`](https://docs.rs/rand_core/0.10), so that everything in `rand` 0.10
/// takes it. The algorithm is fixed, because a deploy between two rounds must not change the
/// numbers. It is no `CryptoRng`: who can start flows without end gets the numbers that they like.
pub struct FlowRng(ChaCha12Rng);

impl FlowRng {
    pub(crate) fn from_seed(seed: [u8; 32]) -> Self {
        Self(ChaCha12Rng::from_seed(seed))
    }
}

impl TryRng for FlowRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

impl fmt::Debug for FlowRng {
    /// Without its state, which tells the numbers to come.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowRng").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    /// States in flight while a new release is rolled out go on with the numbers of the old one.
    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut rng = FlowRng::from_seed([7; 32]);
        let drawn = [rng.next_u64(), rng.next_u64()];
        assert_eq!(
            drawn,
            [2_363_194_108_971_422_454, 13_552_751_203_817_743_523]
        );
    }

    #[test]
    fn debug_does_not_tell_the_seed() {
        let rng = FlowRng::from_seed([7; 32]);
        assert_eq!(format!("{rng:?}"), "FlowRng { .. }");
    }
}
