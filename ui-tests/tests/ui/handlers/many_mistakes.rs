// The mistakes of all tools of a block come in one build.

use mrtr::prelude::*;

struct Desk;

#[handlers(name = "desk")]
impl Desk {
    #[tool(tilte = "Book")]
    async fn book(&self, seat: &str) -> String {
        #[ask]
        let ok: Confirm;
        format!("{seat}{}", ok.yes())
    }

    #[tool]
    fn count(&self) -> usize {
        1
    }
}

fn main() {
    fn mounted<T: mrtr::Handlers>(_: T) {}
    mounted(Desk);
}
