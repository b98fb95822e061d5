//! The fixed-length names that a flow store compares.

use std::fmt;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident([u8; $len:literal]);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $len]);

        impl fmt::Debug for $name {
            /// The first four bytes: enough to follow a flow in a log.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "("))?;
                self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("..)")
            }
        }

        impl From<[u8; $len]> for $name {
            fn from(bytes: [u8; $len]) -> Self {
                Self(bytes)
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
    )*};
}

names! {
    /// The name of a flow's record.
    ///
    /// It comes from the flow's root alone, never from a key that a rotation could change: under
    /// another name a repeat would find nothing and have its effect again.
    FlowKey([u8; 32]);

    /// What people call a flow: it stands in texts and logs, and an operator finds the record by it.
    FlowLabel([u8; 10]);

    /// Which answers a request brings: a digest that is equal for equal answers to equal questions.
    Cont([u8; 32]);

    /// What a recorded body is sealed to beside the flow and its answers: the caller and the request.
    ///
    /// It is kept in the clear so that an operator can seal an outcome. For a flow it is a digest
    /// with the flow's root in it, from which nobody who reads the store can guess the request; for
    /// a thing that a commit is about there is no such secret, and a guess can be checked.
    Bound([u8; 32]);

    /// The life of a store's data. A store that lost its records comes back with another one, and
    /// every request that relied on the lost records is refused.
    Epoch([u8; 16]);

    /// One attempt to have the effect, drawn at random for each claim.
    ClaimId([u8; 16]);

    /// Whose records count together against the limit per caller: a digest of the principal.
    Caller([u8; 16]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_only_its_beginning() {
        assert_eq!(format!("{:?}", ClaimId([0xab; 16])), "ClaimId(abababab..)");
    }
}
