//! Servers of a test: built on demand, each instance apart, with the clock and keys of the test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::server::{Endpoint, Server};

use super::lab::Lab;

/// What a [`Client`](super::Client) can be made of: a server, or a function that makes one.
///
/// A function makes each instance anew, as each process of a deployment does, so that a test can
/// go [`on_instance`](super::Client::on_instance) 2.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no server",
    label = "neither a `Server` nor a function that returns one",
    note = "write `Client::new(server)`, or `Client::new(move || server(desk.clone()))` for a test with several instances"
)]
pub trait Launch {
    /// Where the servers come from.
    #[doc(hidden)]
    fn launch(self) -> Launcher;
}

/// Where the servers of a test come from.
#[doc(hidden)]
pub struct Launcher(Source);

enum Source {
    One(Box<Mutex<Option<Server>>>),
    Each(Box<dyn Fn() -> Server + Send + Sync>),
}

impl Launch for Server {
    fn launch(self) -> Launcher {
        Launcher(Source::One(Box::new(Mutex::new(Some(self)))))
    }
}

impl<F: Fn() -> Server + Send + Sync + 'static> Launch for F {
    fn launch(self) -> Launcher {
        Launcher(Source::Each(Box::new(self)))
    }
}

/// The instances of one deployment.
pub(super) struct Fleet {
    launcher: Launcher,
    lab: Arc<Lab>,
    built: Mutex<BTreeMap<usize, Endpoint>>,
}

impl Fleet {
    /// The instances that come from here; the first is built at once, so that what is wrong with
    /// the server shows where the test names it.
    #[track_caller]
    pub(super) fn new(launcher: Launcher, lab: Arc<Lab>) -> Arc<Self> {
        let fleet = Self {
            launcher,
            lab,
            built: Mutex::default(),
        };
        fleet.endpoint(1);
        Arc::new(fleet)
    }

    /// An instance; the numbers are only names.
    #[track_caller]
    pub(super) fn endpoint(&self, instance: usize) -> Endpoint {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let endpoint = built
            .entry(instance)
            .or_insert_with(|| self.build(instance));
        endpoint.clone()
    }

    #[track_caller]
    fn build(&self, instance: usize) -> Endpoint {
        let server = match &self.launcher.0 {
            Source::Each(make) => make(),
            Source::One(server) => {
                let server = server.lock().unwrap_or_else(PoisonError::into_inner).take();
                server.unwrap_or_else(|| panic!("{}", only_one(instance)))
            }
        };
        let log = Arc::clone(&self.lab);
        let server = server
            .world(Arc::clone(&self.lab) as _)
            .shared_unless_given(self.lab.ring(), self.lab.store())
            .observe(move |event| log.note(event));
        match server.build_lines() {
            Ok(endpoint) => endpoint,
            Err(error) => panic!("{error}"),
        }
    }
}

fn only_one(instance: usize) -> String {
    format!(
        "there is no instance {instance}: the client was given one server, which can be built once\n\
         help: give it a function, `Client::new(move || server(desk.clone()))`; what instances \
         share, such as a database, goes in by clone"
    )
}
