//! Tickets: what a link carries so that the page behind it knows whose flow it belongs to.
//!
//! A link can be passed on. The one who opens it has to be the one who was asked, or somebody
//! could have a stranger sign in for a flow of their own.

use std::fmt;

use crate::digest::Framed;
use crate::ident::FlowId;
use crate::key::AskKey;
use crate::principal::Principal;
use crate::seal::Sealer;

/// The longest ticket that is read, in characters.
const MAX_TICKET: usize = 512;

/// When it ends (8 bytes), the flow (10) and the user (16); the ask's key follows.
const FIXED: usize = 8 + 10 + 16;

/// What a link was made for.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket {
    flow: FlowId,
    ask: AskKey,
    /// In milliseconds since the Unix epoch.
    end: u64,
}

/// Why a ticket does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicketError {
    /// It is no ticket of this server.
    #[error("the link is not valid")]
    Invalid,
    /// Another user was asked.
    #[error("the link is for another user")]
    OtherUser,
    /// Its time is over.
    #[error("the link has expired")]
    Expired,
}

impl Ticket {
    /// A ticket for a flow's ask, until `end` in milliseconds since the Unix epoch.
    #[must_use]
    pub fn new(flow: FlowId, ask: AskKey, end: u64) -> Self {
        Self { flow, ask, end }
    }

    /// The flow that the link belongs to: the same as `ctx.call().flow_id()` in the handler.
    #[must_use]
    pub fn flow_id(&self) -> FlowId {
        self.flow
    }

    /// The key of the ask.
    #[must_use]
    pub fn ask(&self) -> &str {
        self.ask.as_str()
    }

    /// Until when the ticket opens, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The ticket as text that can stand in a URL. `random` are fresh bytes.
    #[must_use]
    pub fn seal(
        &self,
        sealer: &Sealer,
        realm: &str,
        user: Option<&Principal>,
        random: [u8; 24],
    ) -> String {
        let mut plain = Vec::with_capacity(FIXED + self.ask.as_str().len());
        plain.extend(self.end.to_be_bytes());
        plain.extend(self.flow.as_bytes());
        plain.extend(user_digest(user));
        plain.extend(self.ask.as_str().as_bytes());
        sealer.seal_ticket(&plain, &aad(realm), random)
    }

    /// Opens a ticket for the user who opens the link, `now` in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Why it does not open. Only the holder of a genuine ticket learns more than that it does not.
    pub fn open(
        sealer: &Sealer,
        realm: &str,
        user: Option<&Principal>,
        text: &str,
        now: u64,
    ) -> Result<Self, TicketError> {
        let plain = sealer
            .open_ticket(text, &aad(realm), MAX_TICKET)
            .map_err(|_| TicketError::Invalid)?;
        let (end, rest) = plain.split_first_chunk().ok_or(TicketError::Invalid)?;
        let (flow, rest) = rest.split_first_chunk().ok_or(TicketError::Invalid)?;
        let (owner, ask) = rest.split_first_chunk::<16>().ok_or(TicketError::Invalid)?;
        if *owner != user_digest(user) {
            return Err(TicketError::OtherUser);
        }
        let end = u64::from_be_bytes(*end);
        if now >= end {
            return Err(TicketError::Expired);
        }
        let ask = String::from_utf8(ask.to_vec()).map_err(|_| TicketError::Invalid)?;
        Ok(Self {
            flow: FlowId::from_bytes(*flow),
            ask: AskKey::new(ask).map_err(|_| TicketError::Invalid)?,
            end,
        })
    }
}

/// The user without the client application: the page has another one than the MCP client.
fn user_digest(user: Option<&Principal>) -> [u8; 16] {
    let user = user.map(Principal::without_client);
    let digest = Framed::new("mrtr v1 ticket user")
        .part(&Principal::encode(user.as_ref()))
        .finish();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}

fn aad(realm: &str) -> [u8; 32] {
    Framed::new("mrtr v1 ticket")
        .part(realm.as_bytes())
        .finish()
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket")
            .field("flow", &self.flow)
            .field("ask", &self.ask)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ident::flow_id;
    use crate::keyring::{Key, KeyRing};
    use crate::seal::Sealing;
    use crate::state::Root;

    fn sealer(first: u8) -> Sealer {
        let key = |first: u8| {
            Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|at| at as u8 + first))
                .expect("a key")
        };
        Sealer::new(KeyRing::new([key(first)]).expect("a ring"), Sealing::Sealed)
    }

    fn ada() -> Principal {
        Principal::new("iss", "ada").expect("a subject")
    }

    fn ticket() -> Ticket {
        let ask = AskKey::new("connect").expect("a key");
        Ticket::new(flow_id(&Root([7; 16])), ask, 1_000)
    }

    #[test]
    fn a_ticket_opens_for_its_user_in_time_only() {
        let text = ticket().seal(&sealer(1), "realm", Some(&ada().client("mcp")), [5; 24]);
        let open = |realm: &str, user: Option<Principal>, now| {
            Ticket::open(&sealer(1), realm, user.as_ref(), &text, now)
        };
        assert_eq!(open("realm", Some(ada()), 999), Ok(ticket()));
        // The page is another client application of the same user.
        assert_eq!(open("realm", Some(ada().client("web")), 0), Ok(ticket()));
        let bob = Principal::new("iss", "bob").expect("a subject");
        for other in [Some(bob), Some(ada().tenant("t")), None] {
            assert_eq!(open("realm", other, 0), Err(TicketError::OtherUser));
        }
        assert_eq!(open("realm", Some(ada()), 1_000), Err(TicketError::Expired));
        assert_eq!(open("other", Some(ada()), 0), Err(TicketError::Invalid));
        let stranger = Ticket::open(&sealer(2), "realm", Some(&ada()), &text, 0);
        assert_eq!(stranger, Err(TicketError::Invalid));
        assert!(text.len() < 200, "{}", text.len());
    }

    #[test]
    fn every_changed_character_is_refused() {
        let text = ticket().seal(&sealer(1), "realm", None, [5; 24]);
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            let opened = Ticket::open(&sealer(1), "realm", None, &changed, 0);
            assert_eq!(opened, Err(TicketError::Invalid), "{at}");
        }
        for text in ["", "A", &"A".repeat(10_000)] {
            assert_eq!(
                Ticket::open(&sealer(1), "realm", None, text, 0),
                Err(TicketError::Invalid)
            );
        }
    }
}
