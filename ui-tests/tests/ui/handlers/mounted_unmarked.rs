// Only a marked block can be mounted.

struct Desk;

impl Desk {
    async fn book(&self) {}
}

fn main() {
    let _ = mrtr::Server::new("desk", "1.0.0").handlers(Desk);
}
