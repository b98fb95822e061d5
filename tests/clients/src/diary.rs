//! A resource that asks.

use mrtr::prelude::*;

/// The notes of one day, once somebody has said that they may be read.
#[resource(template = "notes:///diary/{day}", mime_type = "text/plain")]
pub(crate) async fn diary(day: u8) -> Result<String, ToolError> {
    #[ask(message = "May the diary of day {day} be read?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("the diary stays closed"));
    }
    Ok(format!("Day {day}: it rained."))
}
