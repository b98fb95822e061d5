//! Reading keys from the texts that operators write.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use zeroize::Zeroizing;

use super::{Key, KeyRingError};

pub(super) fn key(text: &str) -> Result<Key, KeyRingError> {
    if let Some(digits) = text.strip_prefix("hex:") {
        return Key::from_bytes(&hex(digits).ok_or(KeyRingError::Hex)?);
    }
    let Some(base64) = text.strip_prefix("base64:") else {
        return Err(KeyRingError::Prefix);
    };
    let mut bytes = Zeroizing::new(vec![0; base64.len()]);
    let engine = if base64.ends_with('=') {
        BASE64_STANDARD
    } else {
        BASE64_STANDARD_NO_PAD
    };
    let length = (engine.decode_slice(base64, &mut bytes)).map_err(|_| KeyRingError::Base64)?;
    Key::from_bytes(&bytes[..length])
}

pub(super) fn list(list: &str) -> Result<Vec<Key>, KeyRingError> {
    if list.trim().is_empty() {
        return Err(KeyRingError::Empty);
    }
    let entries = list.split(',').enumerate();
    entries
        .map(|(at, entry)| {
            key(entry.trim()).map_err(|error| KeyRingError::Entry {
                entry: at + 1,
                error: Box::new(error),
            })
        })
        .collect()
}

pub(super) fn file(content: &str) -> Result<Vec<Key>, KeyRingError> {
    // Some editors begin a file with a byte order mark, which nobody can see.
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let lines = content.lines().enumerate();
    lines
        .map(|(at, line)| (at, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(at, line)| {
            key(line).map_err(|error| KeyRingError::Line {
                line: at + 1,
                error: Box::new(error),
            })
        })
        .collect()
}

fn hex(digits: &str) -> Option<Zeroizing<Vec<u8>>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let nibble = |byte: u8| char::from(byte).to_digit(16);
    // The capacity is exact, so that no unwiped copy is left behind by growing.
    let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
    for pair in digits.chunks_exact(2) {
        let byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        bytes.push(u8::try_from(byte).expect("invariant: two nibbles are a byte"));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::{KeyRing, KeyRingError};
    use super::*;

    const HEX: &str = "hex:000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F";
    const BASE64: &str = "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const OTHER: &str = "hex:ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn reads_both_spellings() {
        let same = |text: &str| assert_eq!(*key(text).unwrap().0, std::array::from_fn(|n| n as u8));
        same(HEX);
        same(BASE64);
        same(BASE64.trim_end_matches('='));
    }

    #[test]
    fn says_what_is_wrong_and_never_shows_the_key() {
        for (text, expected) in [
            ("", KeyRingError::Prefix),
            (&HEX[4..], KeyRingError::Prefix),
            ("HEX:00", KeyRingError::Prefix),
            ("hex:0", KeyRingError::Hex),
            ("hex:zz", KeyRingError::Hex),
            ("hex:é", KeyRingError::Hex),
            ("hex:canary", KeyRingError::Hex),
            ("hex:00", KeyRingError::Length { length: 1 }),
            (&HEX[..66], KeyRingError::Length { length: 31 }),
            ("base64:canary!", KeyRingError::Base64),
            ("base64:AA=", KeyRingError::Base64),
            ("base64:AB", KeyRingError::Base64),
            ("base64:", KeyRingError::Length { length: 0 }),
            ("correct horse battery staple 1234", KeyRingError::Prefix),
        ] {
            let error = key(text).unwrap_err();
            assert_eq!(error, expected, "{text}");
            assert!(!format!("{error} {error:?}").contains("canary"));
        }
    }

    #[test]
    fn reads_lists() {
        let ring = KeyRing::parse_list(&format!("{HEX}, {OTHER}")).unwrap();
        assert_eq!(ring.ids().count(), 2);
        assert_eq!(KeyRing::parse_list(" ").unwrap_err(), KeyRingError::Empty);
        let error = KeyRing::parse_list(&format!("{HEX},")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "key 2 of the list: a key is written `hex:` or `base64:` and then its 32 bytes"
        );
        let error = KeyRing::parse_list(&format!("{HEX},{BASE64}")).unwrap_err();
        assert_eq!(
            error,
            KeyRingError::EqualKeys {
                first: 1,
                second: 2
            }
        );
    }

    #[test]
    fn reads_files() {
        let file =
            format!("\u{feff}# the keys of production\r\n\r\n{HEX} # since May\r\n  {OTHER}\n");
        assert_eq!(KeyRing::parse_file(&file).unwrap().ids().count(), 2);
        assert_eq!(
            KeyRing::parse_file("# none yet\n").unwrap_err(),
            KeyRingError::Empty
        );
        let error = KeyRing::parse_file(&format!("# keys\n{HEX}\nhex:12\n")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3 of the key file: a key has 32 bytes, this one has 1; \
             make one with `openssl rand -hex 32`"
        );
    }
}
