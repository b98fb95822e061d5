//! The travel desk: four tools that ask, over bookings kept in memory.

mod book;
mod desk;
mod feedback;
mod trip;
mod whoami;

use mrtr::Server;

pub use book::{Booking, Seat, Traveller, book};
pub use desk::{Desk, DeskError, Price};
pub use feedback::{Feedback, feedback};
pub use trip::{Trip, trip};
pub use whoami::whoami;

/// The server, with an empty desk.
pub fn server() -> Server {
    server_of(Desk::open())
}

/// The server, over this desk.
pub fn server_of(desk: Desk) -> Server {
    Server::new("travel-desk", env!("CARGO_PKG_VERSION"))
        .title("Travel desk")
        .instructions(
            "Books flights and trips. The tools ask the traveller what they need to know.",
        )
        .state(desk)
        .tools([whoami(), book(), trip(), feedback()])
}
