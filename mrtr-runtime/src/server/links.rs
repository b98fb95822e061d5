//! Links that questions send users to: where they may lead, and the tickets in them.

use std::borrow::Cow;

use mrtr_core::ident;
use mrtr_core::principal::Principal;
use mrtr_core::round::End;
use mrtr_core::text::log_name;
use mrtr_core::ticket::{Ticket, TicketError};
use mrtr_core::url::UrlPolicy;

use crate::ctx::Ctx;

use super::{Endpoint, Problem, Server};

/// Where links may lead.
#[derive(Default)]
pub(super) struct Links {
    pub(super) policy: UrlPolicy,
    /// What was declared and is no host name.
    bad: Vec<String>,
}

impl Links {
    fn check(&self, problems: &mut Vec<Problem>) {
        problems.extend(self.bad.iter().map(|host| Problem::Setting {
            setting: "url_hosts",
            value: log_name(host),
            remedy: "a host name such as `pay.example.com`, with `:8443` for another port than 443",
        }));
    }
}

impl Server {
    /// Hosts that are none, and handlers whose links could lead nowhere.
    pub(super) fn check_links(&self, problems: &mut Vec<Problem>) {
        self.links.check(problems);
        if self.links.policy.allows_an_address() {
            return;
        }
        let tools = self.tools.iter().map(|tool| &tool.handler);
        let prompts = self.prompts.iter().map(|prompt| &prompt.handler);
        let resources = self.resources.iter().map(|resource| &resource.handler);
        let handlers = tools.chain(prompts).chain(resources);
        let linking = handlers.filter(|handler| handler.asks_by_url());
        problems.extend(linking.map(|handler| Problem::NoUrlHost(handler.name.into())));
    }

    /// The hosts that questions may send users to, over `https`, such as `pay.example.com`, or
    /// `pay.example.com:8443` for another port than 443.
    ///
    /// An ask with any other address ends its call: a user trusts a link that a server sends.
    pub fn url_hosts<H: AsRef<str>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        for host in hosts {
            if !self.links.policy.declare(host.as_ref()) {
                self.links.bad.push(host.as_ref().to_owned());
            }
        }
        self
    }

    /// Lets questions send users to pages on this machine, also over `http`: for development, and
    /// for servers that run beside their users.
    pub fn allow_loopback_urls(mut self) -> Self {
        self.links.policy.allow_loopback();
        self
    }
}

impl Ctx {
    /// A ticket for the link of the ask `key`: text that can stand in its address.
    ///
    /// The page behind the link opens it with [`Endpoint::open_ticket`], which refuses everybody
    /// but the user of this call. It holds for as long as the round's questions do. Over HTTP a
    /// caller who is not signed in gets none: the call ends.
    #[must_use]
    pub fn link(&self, key: impl Into<Cow<'static, str>>) -> String {
        self.make_ticket(key.into()).unwrap_or_else(|end| {
            self.run().end(end);
            String::new()
        })
    }

    fn make_ticket(&self, key: Cow<'static, str>) -> Result<String, End> {
        let key = self
            .full_key(key)
            .map_err(|error| End::BadKey(error.to_string()))?;
        let call = &self.call().0;
        #[cfg(feature = "http")]
        if call.parts.is_some() && call.principal.is_none() {
            return Err(End::BadQuestion(key, NOT_SIGNED_IN.into()));
        }
        let shared = &call.shared;
        let mut run = self.run().lock();
        let end = run.round.answers_until(shared.world.now());
        let ticket = Ticket::new(self.call().flow_id(), key.clone(), end);
        // The nonce is a digest of the ticket and of these, so that the same ticket of a flow is
        // the same text: a question that is sent twice is one question.
        let mut seed = [0; 24];
        seed.copy_from_slice(&ident::flow_rng_seed(&call.root, key.as_str())[..24]);
        let user = call.principal.as_ref();
        let text = ticket.seal(&shared.sealer, shared.realm.name(), user, seed);
        run.tickets.push((key, text.clone()));
        Ok(text)
    }
}

#[cfg(feature = "http")]
const NOT_SIGNED_IN: &str = "its link holds a ticket, which only a signed-in caller can get: authenticate callers with `.principal(..)`";

impl Endpoint {
    /// Opens the ticket of a link that [`Ctx::link`] made, for the user who opens the page.
    ///
    /// `user` is who the page's own sign-in says it is, never what the link says; `None` is right
    /// only where calls have no caller either, as over stdio. The client application of a
    /// principal is left aside, because the page is another one than the MCP client.
    ///
    /// # Errors
    /// When the ticket is not this server's, has expired, or was made for another user.
    pub fn open_ticket<'a>(
        &self,
        text: &str,
        user: impl Into<Option<&'a Principal>>,
    ) -> Result<Ticket, TicketError> {
        let shared = &self.0.shared;
        let now = shared.world.now();
        Ticket::open(&shared.sealer, shared.realm.name(), user.into(), text, now)
    }
}
