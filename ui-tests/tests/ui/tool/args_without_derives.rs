// The struct of all arguments needs both derives; one error says so.

use mrtr::prelude::*;

struct Booking;

#[tool]
async fn book(Args(booking): Args<Booking>) -> String {
    let Booking = booking;
    String::new()
}

fn main() {}
