//! Every name of a flow, derived from its root alone and so the same under every key ring.
//!
//! A name that followed the ring would change when a key is rotated: the record of a finished
//! flow would not be found, and its effect would happen again under another idempotency key.

use std::fmt;
use std::str::FromStr;

use crate::digest::Framed;
use crate::principal::Principal;
use crate::seal::Bind;
use crate::state::{Entry, Root, in_order};

/// The public name of a flow, for people, logs and support. It does not give the root away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId([u8; 10]);

impl FlowId {
    /// The id that a ticket holds.
    pub(crate) fn from_bytes(bytes: [u8; 10]) -> Self {
        Self(bytes)
    }

    /// The id as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 10] {
        &self.0
    }
}

/// The public name of a flow.
#[must_use]
pub fn flow_id(root: &Root) -> FlowId {
    let digest = Framed::new("mrtr v1 id").part(&root.0).finish();
    FlowId(*first(&digest))
}

/// The name of a thing in a flow store: what a commit is about, by the author's word for it, for
/// one caller and one tool.
///
/// Every call about it has to find it, so that there is no secret in it: whoever can read the store
/// can tell whether there is a record for a caller and a thing they can guess.
#[must_use]
pub fn thing_key(realm: &str, principal: Option<&Principal>, tool: &str, thing: &str) -> [u8; 32] {
    Framed::new("mrtr v1 thing")
        .part(realm.as_bytes())
        .part(&Principal::encode(principal))
        .part(tool.as_bytes())
        .part(thing.as_bytes())
        .finish()
}

/// The digest of what a request about a thing brings: [`continuation`] without a root, and without
/// the digests of the questions, which differ from flow to flow.
#[must_use]
pub fn thing_continuation(key: &[u8; 32], bind: &Bind, entries: &[Entry]) -> [u8; 32] {
    let mut digest = Framed::new("mrtr v1 thing cont");
    digest.part(key).part(bind.digest());
    for entry in in_order(entries).iter() {
        let answer = &entry.answer;
        digest
            .part(entry.key.as_str().as_bytes())
            .part(&[answer.kind as u8, answer.action as u8])
            .part(answer.accepted().unwrap_or_default().as_bytes());
    }
    digest.finish()
}

/// What people call the record of a thing, as they call a flow by its id.
#[must_use]
pub fn thing_id(key: &[u8; 32]) -> FlowId {
    FlowId(*first(key))
}

/// The name of a flow in a flow store, which may be shared by servers of several realms.
#[must_use]
pub fn flow_key(realm: &str, root: &Root) -> [u8; 32] {
    Framed::new("mrtr v1 flow")
        .part(realm.as_bytes())
        .part(&root.0)
        .finish()
}

/// The idempotency key of an effect: the same in all rounds, forks and instances of the flow.
#[must_use]
pub fn idempotency_key(root: &Root, name: &str) -> String {
    uuid(of_flow("mrtr v1 idem", root, name))
}

/// The idempotency key of an effect on a thing: the same whenever the same caller does it again,
/// in this call or another.
///
/// `canonical` is the canonical JSON of what the effect is about.
#[must_use]
pub fn idempotency_key_for(
    realm: &str,
    principal: Option<&Principal>,
    name: &str,
    canonical: &str,
) -> String {
    let digest = Framed::new("mrtr v1 idem for")
        .part(realm.as_bytes())
        .part(&Principal::encode(principal))
        .part(name.as_bytes())
        .part(canonical.as_bytes())
        .finish();
    uuid(digest)
}

/// A UUID that is the same in all rounds of the flow. It is stable, not secret.
#[must_use]
pub fn flow_uuid(root: &Root, name: &str) -> String {
    uuid(of_flow("mrtr v1 uuid", root, name))
}

/// A seed for a random generator that is the same in all rounds of the flow. It is stable, not
/// secret: a client can start flows until it likes the numbers.
#[must_use]
pub fn flow_rng_seed(root: &Root, name: &str) -> [u8; 32] {
    of_flow("mrtr v1 rng", root, name)
}

/// The digest of what a request brings: equal for the same answers of the same flow, however
/// often and in whatever bytes they are sent.
///
/// Rounds, tries and remembered values are left out, because they differ between two states
/// that hold the same answers.
#[must_use]
pub fn continuation(root: &Root, entries: &[Entry]) -> [u8; 32] {
    let mut digest = Framed::new("mrtr v1 cont");
    digest.part(&root.0);
    for entry in in_order(entries).iter() {
        let answer = &entry.answer;
        digest
            .part(entry.key.as_str().as_bytes())
            .part(&entry.question.0)
            .part(&[answer.kind as u8, answer.action as u8])
            .part(&[u8::from(answer.accepted().is_some())])
            .part(answer.accepted().unwrap_or_default().as_bytes());
    }
    digest.finish()
}

fn of_flow(purpose: &str, root: &Root, name: &str) -> [u8; 32] {
    Framed::new(purpose)
        .part(&root.0)
        .part(name.as_bytes())
        .finish()
}

/// A UUID of version 8, whose content is left to its maker (RFC 9562).
fn uuid(digest: [u8; 32]) -> String {
    let mut bytes: [u8; 16] = *first(&digest);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = format!("{:032x}", u128::from_be_bytes(bytes));
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

fn first<const N: usize>(digest: &[u8; 32]) -> &[u8; N] {
    digest
        .first_chunk()
        .expect("invariant: no name is longer than a digest")
}

impl fmt::Display for FlowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not the id of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id of a flow has 20 hexadecimal digits, as in `Reference 6b1f0c2d9a4e83f75210`")]
pub struct NoFlowId;

impl FromStr for FlowId {
    type Err = NoFlowId;

    /// Reads an id as [`Display`](fmt::Display) writes it.
    fn from_str(text: &str) -> Result<Self, NoFlowId> {
        let mut id = [0; 10];
        if text.len() != 2 * id.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NoFlowId);
        }
        for (byte, at) in id.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| NoFlowId)?;
        }
        Ok(Self(id))
    }
}

impl fmt::Debug for FlowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::answered;
    use crate::state::{Action, Kind};
    use std::collections::HashSet;

    #[test]
    fn a_flow_id_is_read_as_it_is_written() {
        let id = flow_id(&ROOT);
        assert_eq!(id.to_string().parse(), Ok(id));
        for text in [
            "",
            "6b1f",
            "+b1f0c2d9a4e83f75210",
            "6b1f0c2d9a4e83f75210a",
            "ä1f0c2d9a4e83f7521",
        ] {
            assert_eq!(text.parse::<FlowId>(), Err(NoFlowId), "{text}");
        }
    }

    const ROOT: Root = Root([7; 16]);
    const OTHER: Root = Root([8; 16]);

    #[test]
    fn names_of_a_flow_do_not_collide() {
        let names = HashSet::from([
            idempotency_key(&ROOT, "book"),
            idempotency_key(&ROOT, "charge"),
            idempotency_key(&OTHER, "book"),
            flow_uuid(&ROOT, "book"),
            idempotency_key_for("realm", None, "book", "1"),
        ]);
        assert_eq!(names.len(), 5);
        assert_ne!(flow_id(&ROOT), flow_id(&OTHER));
        assert_ne!(flow_key("a", &ROOT), flow_key("b", &ROOT));
        assert_ne!(flow_rng_seed(&ROOT, "a"), flow_rng_seed(&ROOT, "b"));
    }

    #[test]
    fn uuids_are_of_version_8() {
        for n in 0..50 {
            let text = flow_uuid(&Root([n; 16]), "x");
            let parts: Vec<_> = text.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12]);
            assert_eq!(text.as_bytes()[14], b'8');
            assert!(
                matches!(text.as_bytes()[19], b'8' | b'9' | b'a' | b'b'),
                "{text}"
            );
        }
    }

    #[test]
    fn a_key_for_a_thing_depends_on_the_caller_and_the_thing() {
        let ada = Principal::new("iss", "ada").unwrap();
        let key =
            |realm, principal, name, thing| idempotency_key_for(realm, principal, name, thing);
        let keys = HashSet::from([
            key("r", Some(&ada), "pay", "[7,100]"),
            key("s", Some(&ada), "pay", "[7,100]"),
            key("r", None, "pay", "[7,100]"),
            key("r", Some(&ada), "refund", "[7,100]"),
            key("r", Some(&ada), "pay", "[7,101]"),
        ]);
        assert_eq!(keys.len(), 5);
    }

    #[test]
    fn a_continuation_is_made_of_answers_only() {
        let cont = |entries: &[Entry]| continuation(&ROOT, entries);
        let (who, ok) = (answered("who", "{}"), answered("ok", "true"));
        let base = cont(&[ok.clone(), who.clone()]);
        assert_eq!(base, cont(&[who.clone(), ok.clone()]), "order");
        let mut later = who.clone();
        later.asked_round = 9;
        assert_eq!(base, cont(&[ok.clone(), later]), "round");

        let changed = |change: fn(&mut Entry)| {
            let mut entry = who.clone();
            change(&mut entry);
            cont(&[ok.clone(), entry])
        };
        let all = HashSet::from([
            base,
            continuation(&OTHER, &[ok.clone(), who.clone()]),
            cont(&[]),
            cont(std::slice::from_ref(&ok)),
            changed(|entry| entry.question.0[0] ^= 1),
            changed(|entry| entry.answer.kind = Kind::Sampling),
            changed(|entry| entry.answer.action = Action::Cancel),
            changed(|entry| entry.answer.content = None),
            changed(|entry| entry.answer.content = Some("".into())),
            changed(|entry| entry.answer.content = Some("{ }".into())),
        ]);
        assert_eq!(all.len(), 10);
    }

    #[test]
    fn flow_ids_are_twenty_digits() {
        let id = flow_id(&ROOT);
        assert_eq!(id.to_string().len(), 20);
        assert_eq!(id.to_string(), format!("{id:?}"));
    }
}
