//! Choices known at run time: which were shown, so that an answer stands while its own is.
//!
//! The digest of the question leaves them out. Instead the state remembers a digest of each value
//! with its title, and of the picked ones alone once there is an answer. They live among the
//! remembered values, under names that no variable has, and go where those of their round go.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::Round;
use crate::digest::Framed;
use crate::form::FormSchema;
use crate::key::AskKey;
use crate::question::What;
use crate::state::{Memo, Root};

/// How much of a digest is kept; the flow's root keys it, so that no two titles can be made to agree.
const SHORT: usize = 8;

impl Round {
    /// Whether the question has choices known at run time only.
    pub(super) fn has_options(&self, index: usize) -> bool {
        matches!(self.registered[index].question.what(), What::Options(_))
    }

    /// Remembers what a question with choices offers.
    pub(super) fn note_offers(&mut self, index: usize) {
        let registered = &self.registered[index];
        let What::Options(form) = registered.question.what() else {
            return;
        };
        let shown = shown(&self.root, form.offers());
        let name = name_of(registered.question.key());
        self.remember(name, written(&shown));
    }

    /// Whether the picked choices were shown with the titles that they have now.
    pub(super) fn is_offered_still(&mut self, index: usize, content: &str) -> bool {
        let registered = &self.registered[index];
        let What::Options(form) = registered.question.what() else {
            return true;
        };
        let picked = picked(&self.root, form, content);
        let name = name_of(registered.question.key());
        let Some(memo) = self.memo_mut(&name) else {
            return false;
        };
        let before = read(&memo.value);
        let still = picked.iter().all(|offer| before.contains(offer));
        if still {
            // The others are of no use any more, and the state is to stay small.
            memo.value = written(&picked).into();
        }
        still
    }

    /// The question whose choices are remembered under this name.
    pub(super) fn ask_of_offers(&self, name: &AskKey) -> Option<&AskKey> {
        let mut asked = self
            .registered
            .iter()
            .map(|registered| registered.question.key());
        asked.find(|key| name_of(key) == *name)
    }

    fn memo_mut(&mut self, key: &AskKey) -> Option<&mut Memo> {
        self.memos
            .binary_search_by(|memo| memo.key.cmp(key))
            .ok()
            .map(|index| &mut self.memos[index])
    }
}

/// A variable's name never begins like this, and a key of any length fits.
fn name_of(key: &AskKey) -> AskKey {
    let digest = Framed::new("mrtr v1 offers")
        .part(key.as_str().as_bytes())
        .finish();
    let short = BASE64_URL_SAFE_NO_PAD.encode(&digest[..SHORT]);
    AskKey::new(format!("-{short}")).expect("invariant: base64url is made of key characters")
}

fn picked(root: &Root, form: &FormSchema, content: &str) -> Vec<[u8; SHORT]> {
    let picked = form.picked(content);
    shown(
        root,
        picked.iter().map(|(value, title)| (&**value, &**title)),
    )
}

fn shown<'a>(root: &Root, offers: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<[u8; SHORT]> {
    offers
        .map(|(value, title)| {
            let digest = Framed::new("mrtr v1 offer")
                .part(root.as_bytes())
                .part(value.as_bytes())
                .part(title.as_bytes())
                .finish();
            let mut short = [0; SHORT];
            short.copy_from_slice(&digest[..SHORT]);
            short
        })
        .collect()
}

fn written(offers: &[[u8; SHORT]]) -> String {
    format!(
        r#""{}""#,
        BASE64_URL_SAFE_NO_PAD.encode(offers.as_flattened())
    )
}

fn read(json: &str) -> Vec<[u8; SHORT]> {
    let bytes = (BASE64_URL_SAFE_NO_PAD.decode(json.trim_matches('"'))).unwrap_or_default();
    let (offers, _) = bytes.as_chunks();
    offers.to_vec()
}
