//! The authenticated caller, encoded so that no two callers look the same.

use std::borrow::Cow;
use std::fmt;

use crate::varint::Varint;

/// Who makes a request, as an authentication layer found it out.
///
/// Two principals are the same only if all four fields are. A request without a principal is a
/// caller of its own, who never equals a principal. `Debug` shows none of the fields.
///
/// # Examples
/// ```
/// # mod mrtr { pub use mrtr_core::principal::Principal; }
/// use mrtr::Principal;
/// let ada = Principal::new("https://login.example", "ada")?.tenant("acme");
/// assert_eq!(ada.subject(), "ada");
/// # Ok::<(), mrtr_core::principal::PrincipalError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal {
    issuer: Box<str>,
    subject: Box<str>,
    client: Option<Box<str>>,
    tenant: Option<Box<str>>,
}

/// Why there is no principal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrincipalError {
    /// The subject is empty or blank: such a token names nobody, and nobody must not become
    /// one caller that all such tokens share.
    #[error("a principal must have a subject")]
    NoSubject,
}

impl Principal {
    /// A principal of an issuer; the issuer is empty where there is only one.
    ///
    /// # Errors
    /// The subject is empty or blank.
    pub fn new(
        issuer: impl Into<Box<str>>,
        subject: impl Into<Box<str>>,
    ) -> Result<Self, PrincipalError> {
        let subject = subject.into();
        if subject.trim().is_empty() {
            return Err(PrincipalError::NoSubject);
        }
        Ok(Principal {
            issuer: issuer.into(),
            subject,
            client: None,
            tenant: None,
        })
    }

    /// Adds the client application that acts for the subject.
    #[must_use]
    pub fn client(mut self, client: impl Into<Box<str>>) -> Self {
        self.client = Some(client.into());
        self
    }

    /// Adds the tenant in which the subject acts.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<Box<str>>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// The same user, whichever client application acts for them.
    pub(crate) fn without_client(&self) -> Self {
        Self {
            client: None,
            ..self.clone()
        }
    }

    /// Who vouches for the subject.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The subject, unique within the issuer.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The client application, if known.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.client.as_deref()
    }

    /// The tenant, if there are tenants.
    #[must_use]
    pub fn tenant_id(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// The unambiguous bytes of a caller: a zero byte for none, otherwise a one and then issuer,
    /// subject, client and tenant, each a presence byte, its length as a varint and its text; an
    /// absent field is a zero byte.
    #[must_use]
    pub fn encode(principal: Option<&Principal>) -> Cow<'static, [u8]> {
        let Some(principal) = principal else {
            return Cow::Borrowed(&[0]);
        };
        let mut bytes = vec![1];
        for field in [
            Some(&principal.issuer),
            Some(&principal.subject),
            principal.client.as_ref(),
            principal.tenant.as_ref(),
        ] {
            bytes.push(u8::from(field.is_some()));
            if let Some(text) = field {
                bytes.extend(Varint::of_length(text.len()).as_bytes());
                bytes.extend(text.as_bytes());
            }
        }
        Cow::Owned(bytes)
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Principal(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn ada() -> Principal {
        Principal::new("iss", "ada").unwrap()
    }

    #[test]
    fn each_field_makes_another_caller() {
        let callers = [
            Some(ada()),
            Some(Principal::new("iss", "bob").unwrap()),
            Some(Principal::new("", "issada").unwrap()),
            Some(Principal::new("issa", "da").unwrap()),
            Some(ada().client("c")),
            Some(ada().client("")),
            Some(ada().tenant("c")),
            Some(ada().client("c").tenant("t")),
            Some(ada().client("ct").tenant("")),
            None,
        ];
        let encodings: HashSet<_> = callers
            .iter()
            .map(|c| Principal::encode(c.as_ref()))
            .collect();
        assert_eq!(encodings.len(), callers.len());
    }

    #[test]
    fn a_subject_is_required() {
        for subject in ["", " ", "\t\n"] {
            assert_eq!(
                Principal::new("iss", subject),
                Err(PrincipalError::NoSubject)
            );
        }
    }

    #[test]
    fn debug_names_nobody() {
        let shown = format!("{:?}", ada().client("canary").tenant("canary"));
        assert_eq!(shown, "Principal(..)");
    }

    proptest! {
        #[test]
        fn encodings_are_equal_only_for_equal_callers(
            a in caller(), b in caller()
        ) {
            let equal = Principal::encode(a.as_ref()) == Principal::encode(b.as_ref());
            prop_assert_eq!(equal, a == b);
        }
    }

    fn caller() -> impl Strategy<Value = Option<Principal>> {
        let field = || prop::option::of("[\0-\u{1}a]{0,2}");
        prop::option::of(("a{0,2}", "a{1,2}", field(), field())).prop_map(|fields| {
            let (issuer, subject, client, tenant) = fields?;
            let mut principal = Principal::new(issuer, subject).ok()?;
            principal.client = client.map(Into::into);
            principal.tenant = tenant.map(Into::into);
            Some(principal)
        })
    }
}
