//! Numbers in as few bytes as they need: seven bits a byte, the lowest first.

/// The bytes of a number. All but the last have the highest bit; there is no shorter way to write it.
pub(crate) struct Varint {
    bytes: [u8; 10],
    length: usize,
}

impl Varint {
    /// The bytes of a count or length.
    pub(crate) fn of_length(length: usize) -> Self {
        Self::of(u64::try_from(length).expect("invariant: a length is a u64"))
    }

    /// The bytes of a number.
    pub(crate) fn of(mut number: u64) -> Self {
        let mut bytes = [0; 10];
        let mut length = 0;
        while number >= 0x80 {
            bytes[length] = number as u8 | 0x80;
            number >>= 7;
            length += 1;
        }
        bytes[length] = number as u8;
        Self {
            bytes,
            length: length + 1,
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::Varint;

    #[test]
    fn each_number_is_as_short_as_it_can_be() {
        for (number, bytes) in [
            (0, &[0][..]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (16_383, &[0xff, 0x7f]),
            (16_384, &[0x80, 0x80, 1]),
            (
                u64::MAX,
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
            ),
        ] {
            assert_eq!(Varint::of(number).as_bytes(), bytes, "{number}");
        }
    }
}
