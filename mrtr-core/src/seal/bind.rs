//! What a state is bound to: it opens only for the same request of the same caller.

use std::borrow::Cow;
use std::fmt;

use crate::digest::{Framed, ParamsDigest};
use crate::keyring::Subkeys;
use crate::principal::Principal;

/// The name of a server or tenant, and the digest that everything bound to it begins with.
#[derive(Clone)]
pub struct Realm {
    name: String,
    begin: Framed,
}

impl Realm {
    /// The realm of this name; made once for a server.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let mut begin = Framed::new("mrtr v1 bind");
        begin.part(name.as_bytes()).whole_blocks();
        Realm { name, begin }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a request binds its states to.
    ///
    /// `epoch` is that of the flow store, and given for handlers that commit only, so that no
    /// state outlives the memory of its effect.
    #[must_use]
    pub fn bind(
        &self,
        epoch: Option<&[u8; 16]>,
        principal: Option<&Principal>,
        method: impl Into<Cow<'static, str>>,
        params: &ParamsDigest,
    ) -> Bind {
        let anonymous = principal.is_none();
        let principal = Principal::encode(principal);
        let method = method.into();
        let digest = (self.begin.clone())
            .part(epoch.map_or(&[][..], |epoch| epoch))
            .part(&principal)
            .part(method.as_bytes())
            .part(params.as_bytes())
            .finish();
        Bind {
            digest,
            principal,
            anonymous,
            method,
            params: *params,
        }
    }
}

/// Realm, store epoch, principal, method and params of a request. None of it is in the token.
#[derive(Clone)]
pub struct Bind {
    digest: [u8; 32],
    principal: Cow<'static, [u8]>,
    anonymous: bool,
    method: Cow<'static, str>,
    params: ParamsDigest,
}

impl Bind {
    /// The digest of all that is bound.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Two bytes of the principal and two of the call, which only holders of the key can compare.
    pub(super) fn hints(&self, keys: &Subkeys) -> [u8; 4] {
        let [p0, p1] = if self.anonymous {
            keys.nobody
        } else {
            keys.hint.clone().part(&self.principal).first()
        };
        let [c0, c1] = (keys.hint.clone())
            .part(self.method.as_bytes())
            .part(self.params.as_bytes())
            .first();
        [p0, p1, c0, c1]
    }
}

/// The digest of a request that a record holds in the clear, so that a result can be sealed to it
/// without the request.
///
/// `secret` is the root of the flow, so that nobody who reads the record can guess the request from
/// it. A thing that a commit is about has only its name in the store to give.
#[must_use]
pub fn record_bound(secret: &[u8], bind: &Bind) -> [u8; 32] {
    Framed::new("mrtr v1 bound")
        .part(secret)
        .part(bind.digest())
        .finish()
}

/// What a recorded result is bound to: its name in the store, the answers that led to it, and
/// the request ([`record_bound`]), so that a record copied to another name or caller does not open.
#[must_use]
pub fn record_aad(name: &[u8; 32], continuation: &[u8; 32], bound: &[u8; 32]) -> Vec<u8> {
    [&b"result"[..], name, continuation, bound].concat()
}

impl fmt::Debug for Realm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Realm").field(&self.name).finish()
    }
}

impl fmt::Debug for Bind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bind(..)")
    }
}
