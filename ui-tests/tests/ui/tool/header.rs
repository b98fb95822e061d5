// A header repeats one plain argument that is no secret, under a name of its own.

use mrtr::prelude::*;

#[tool]
async fn list(
    #[arg(header = "The Region")] region: String,
    #[arg(header = "Zone")] zone: Vec<String>,
    #[arg(header = "zone")] other: Option<u8>,
    #[arg(header = "Api-Key")] access: String,
    #[arg(name = "x")] x: u8,
) -> String {
    format!("{region}{zone:?}{other:?}{access}{x}")
}

fn main() {}
