//! Mounted tools in a server of rmcp, as rmcp's own client sees them.

mod attacks;
mod eras;
mod kinds;
#[expect(
    deprecated,
    reason = "sampling and roots are deprecated by 2026-07-28, and asked all the same"
)]
mod person;
mod repeats;
mod settings;
mod world;

/// The example as it stands in its file; its `main` is for `cargo run --example`.
#[path = "../../examples/travel_desk.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "written as a program, compiled as a module"
)]
mod travel_desk;
