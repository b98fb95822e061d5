//! Resources: text, bytes, and those of a template.

use mrtr::Resource;
use mrtr::prelude::*;

/// An image of one pixel.
pub(super) const PIXEL: &[u8] = include_bytes!("pixel.png");

/// The resources of this file.
pub(super) fn resources() -> [Resource; 4] {
    [
        static_text(),
        static_binary(),
        watched_resource(),
        template_data(),
    ]
}

/// A text.
#[resource(uri = "test://static-text", mime_type = "text/plain")]
async fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// An image.
#[resource(uri = "test://static-binary", mime_type = "image/png")]
async fn static_binary() -> &'static [u8] {
    PIXEL
}

/// A text that clients subscribe to.
#[resource(uri = "test://watched-resource", mime_type = "text/plain")]
async fn watched_resource() -> &'static str {
    "Watched resource content"
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    id: String,
    template_test: bool,
    data: String,
}

/// The data of one id.
#[resource(template = "test://template/{id}/data", mime_type = "application/json")]
async fn template_data(id: String) -> Json<Data> {
    let data = format!("Data for ID: {id}");
    Json(Data {
        id,
        template_test: true,
        data,
    })
}
