// While a method does not parse, only rustc speaks.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Desk {
    #[tool]
    async fn book(&self, seat: String) -> String {
        seat.
    }
}

fn main() {
    fn mounted<T: mrtr::Handlers>(_: T) {}
    mounted(Desk);
}
