//! JSON strings: where they end, and what they say.

use std::borrow::Cow;

use super::Node;

/// How many bytes stand before the first quote, backslash or control character.
///
/// Eight bytes at a time: keys and texts are most of a message.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (at, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        // A quote differs in one bit from a blank: with that bit turned, quotes and control
        // characters are all that is not above a blank.
        let quote = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
        let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        // The lowest mark is exact. Marks above it do not count, because a borrow goes upwards.
        let found = (quote | backslash) & !word & HIGH;
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let ends = |&byte: &u8| byte == b'"' || byte == b'\\' || byte < 0x20;
    bytes.len() - rest.len() + rest.iter().position(ends).unwrap_or(rest.len())
}

/// The text of a node that is a string; half of a surrogate pair is none.
#[inline]
pub(super) fn of<'a>(text: &'a str, node: &Node) -> Option<Cow<'a, str>> {
    let inner = &text[node.start as usize + 1..node.end as usize - 1];
    if node.is(Node::ESCAPED) {
        decode(inner).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// What stands between the quotes of a string that was read, without its escapes.
///
/// # Errors
/// Half of a surrogate pair is no text: gives back where the other half is missing.
pub(super) fn decode(inner: &str) -> Result<String, usize> {
    let mut text = String::with_capacity(inner.len());
    let mut at = 0;
    while let Some(plain) = inner[at..].find('\\') {
        text.push_str(&inner[at..at + plain]);
        let (char, end) = escape(inner, at + plain + 1)?;
        text.push(char);
        at = end;
    }
    text.push_str(&inner[at..]);
    Ok(text)
}

/// What an escape says whose second character is at `at`, and where it ends.
fn escape(inner: &str, at: usize) -> Result<(char, usize), usize> {
    let char = match inner.as_bytes()[at] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(inner, at),
        itself => char::from(itself),
    };
    Ok((char, at + 1))
}

/// A `\u` with four hex digits, or two of them that make one character.
fn unicode(inner: &str, at: usize) -> Result<(char, usize), usize> {
    let first = hex4(inner, at + 1);
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first).map(|char| (char, at + 5)).ok_or(at);
    }
    for (place, wanted) in [(at + 5, b'\\'), (at + 6, b'u')] {
        if inner.as_bytes().get(place) != Some(&wanted) {
            return Err(place);
        }
    }
    let low = hex4(inner, at + 7).checked_sub(0xdc00);
    let low = low.filter(|low| *low < 0x400).ok_or(at)?;
    let code = 0x10000 + ((first - 0xd800) << 10) + low;
    let char = char::from_u32(code).expect("invariant: a pair is a character");
    Ok((char, at + 11))
}

fn hex4(inner: &str, at: usize) -> u32 {
    u32::from_str_radix(&inner[at..at + 4], 16)
        .expect("invariant: the reader has seen four hex digits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn plain_text_ends_where_a_slow_search_says(text in "[ -~\0-\u{20}é\u{10000}\"\\\\]{0,40}") {
            let slow = text.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\');
            prop_assert_eq!(plain(text.as_bytes()), slow.unwrap_or(text.len()));
        }

        #[test]
        fn each_byte_is_told_apart_wherever_it_stands(byte in any::<u8>(), at in 0_usize..16) {
            let mut bytes = [b'~'; 16];
            bytes[at] = byte;
            let ends = byte < 0x20 || byte == b'"' || byte == b'\\';
            prop_assert_eq!(plain(&bytes), if ends { at } else { 16 });
        }
    }
}
