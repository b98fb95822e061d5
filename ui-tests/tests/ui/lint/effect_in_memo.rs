// A known effect stands in a `#[memo]`.

use mrtr::prelude::*;

#[tool]
async fn reserve() -> Result<String, ToolError> {
    #[memo]
    let reserved: bool = std::fs::write("reservation", "1").is_ok();
    #[ask(message = "Keep the reservation?")]
    let ok: Confirm;
    Ok(format!("{reserved} {}", ok.yes()))
}

fn main() {}
