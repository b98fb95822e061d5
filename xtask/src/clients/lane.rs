//! One line of the matrix: a client, the way to the server, and how they agree on a revision.

use std::fmt;

use mrtr_wire::Revision;

use super::install::Client;

/// How a client finds out which revision to speak.
#[derive(Clone, Copy)]
pub(crate) enum Negotiation {
    /// It was told that the server speaks 2026-07-28.
    Pinned,
    /// It asks the server.
    Automatic,
    /// It opens a session and offers this revision.
    Legacy(Revision),
}

/// How a client reaches the server.
#[derive(Clone, Copy)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// A line of the matrix.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'a> {
    pub(crate) client: &'a Client,
    pub(crate) transport: Transport,
    pub(crate) negotiation: Negotiation,
}

impl<'a> Lane<'a> {
    /// Every line there is for a client.
    pub(crate) fn all(client: &'a Client) -> impl Iterator<Item = Self> {
        let transports = [Transport::Stdio, Transport::Http];
        let legacy = Revision::HANDSHAKES.map(Negotiation::Legacy);
        transports.into_iter().flat_map(move |transport| {
            [Negotiation::Pinned, Negotiation::Automatic]
                .into_iter()
                .chain(legacy)
                .map(move |negotiation| Self {
                    client,
                    transport,
                    negotiation,
                })
        })
    }

    /// The revision that client and server have to agree on.
    pub(crate) fn revision(self) -> Revision {
        match self.negotiation {
            Negotiation::Pinned | Negotiation::Automatic => Revision::V2026_07_28,
            Negotiation::Legacy(revision) => revision,
        }
    }

    /// Why the client cannot play here.
    pub(crate) fn impossible(self) -> Option<String> {
        let Negotiation::Legacy(revision) = self.negotiation else {
            return None;
        };
        let cannot = !self.client.offers.contains(&revision);
        let offers = self.client.offers.iter().map(|revision| revision.name());
        cannot.then(|| {
            let offers: Vec<_> = offers.collect();
            format!("its handshake offers only {}", offers.join(" and "))
        })
    }

    /// What the files of this line are called.
    pub(crate) fn file_name(self) -> String {
        self.to_string().to_lowercase().replace([' ', ','], "-")
    }
}

impl fmt::Display for Lane<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = self.client.name;
        write!(f, "{client} {} {}", self.transport, self.negotiation)
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stdio => "stdio",
            Self::Http => "HTTP",
        })
    }
}

impl fmt::Display for Negotiation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned => f.write_str("pinned"),
            Self::Automatic => f.write_str("automatic"),
            Self::Legacy(revision) => write!(f, "legacy {}", revision.name()),
        }
    }
}
