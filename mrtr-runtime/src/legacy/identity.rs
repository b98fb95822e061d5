//! What sessions are known by to the flow store: the roots of their requests' flows.

use mrtr_core::digest::Framed;
use mrtr_core::state::Root;
use rmcp::model::RequestId;

use crate::world::World;

/// Drawn at random, so that roots made from it are nobody else's; nothing where there is no
/// randomness.
#[derive(Clone, Copy)]
pub(super) struct Identity(Option<[u8; 16]>);

impl Identity {
    pub(super) fn draw(world: &dyn World) -> Self {
        let mut identity = [0; 16];
        let drawn = world.random(&mut identity);
        Self(drawn.ok().map(|()| identity))
    }

    /// The root of a request's flow: a request that is sent again is the same flow. `parts` tell
    /// whose it is beside the identity.
    pub(super) fn root(self, purpose: &str, parts: &[&[u8]], id: &RequestId) -> Option<Root> {
        let typed = match id {
            RequestId::Number(number) => format!("n{number}"),
            RequestId::String(text) => format!("s{text}"),
        };
        let mut digest = Framed::new(purpose);
        digest.part(&self.0?);
        for part in parts {
            digest.part(part);
        }
        let digest = digest.part(typed.as_bytes()).finish();
        let mut root = [0; 16];
        root.copy_from_slice(&digest[..16]);
        Some(Root(root))
    }
}
