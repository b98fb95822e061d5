//! A client that says one request after the other, over HTTP or a pipe.

use ureq::Agent;

use crate::Failure;
use crate::messages::Request;
use crate::peer::{Http, Lines};

/// One request after the other.
pub(crate) trait Client {
    /// Sends a request and yields its answer, which is the right one.
    fn ask(&mut self, request: &Request) -> Result<Vec<u8>, Failure>;
}

/// A client of a server that listens; it keeps its connection.
pub(crate) struct HttpClient {
    agent: Agent,
    url: String,
}

impl HttpClient {
    pub(crate) fn new(server: &Http) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).build();
        Self {
            agent: config.new_agent(),
            url: format!("http://127.0.0.1:{}/mcp", server.port),
        }
    }

    /// Sends a request and yields whatever comes.
    pub(crate) fn send(&self, request: &Request) -> Result<Vec<u8>, Failure> {
        let mut post = self.agent.post(&self.url);
        for (name, value) in request.headers() {
            post = post.header(name, value);
        }
        let mut response = post.send(request.text(1))?;
        Ok(response.body_mut().read_to_vec()?)
    }
}

impl Client for HttpClient {
    fn ask(&mut self, request: &Request) -> Result<Vec<u8>, Failure> {
        let answer = self.send(request)?;
        request.check(&answer)?;
        Ok(answer)
    }
}

impl Client for Lines {
    fn ask(&mut self, request: &Request) -> Result<Vec<u8>, Failure> {
        let mut answer = Vec::new();
        self.exchange(&(request.text(1) + "\n"), &mut answer)?;
        request.check(&answer)?;
        Ok(answer)
    }
}
