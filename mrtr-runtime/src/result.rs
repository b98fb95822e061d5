//! What a tool may return, and how it becomes a result.

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::content::{ContentBlock, ToolResult};
use crate::error::ToolError;

/// A value that goes out as `structuredContent`, with an `outputSchema` in the tool's listing and
/// its JSON as a text block for clients that read only text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Json<T>(pub T);

/// A type that a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no result of a tool",
    label = "a tool cannot return this",
    note = "a tool returns text, a number, `()`, a `ContentBlock`, a `ToolResult`, `mrtr::Json<T>` for structured content, or a `Result` of one of these",
    note = "an `axum::Json` is another type: use `mrtr::Json`"
)]
pub trait IntoToolResult {
    /// Makes the result.
    ///
    /// # Errors
    /// When the value is an error, or does not serialise.
    fn into_tool_result(self) -> Result<ToolResult, ToolError>;

    /// The schema of `structuredContent`, if it is always there.
    fn output_schema() -> Option<Schema> {
        None
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(self)
    }
}

impl IntoToolResult for ContentBlock {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::new().with(self))
    }
}

impl IntoToolResult for Vec<ContentBlock> {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult {
            content: self,
            ..ToolResult::new()
        })
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::new())
    }
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::text(self))
    }
}

macro_rules! by_display {
    ($($ty:ty)*) => {$(
        impl IntoToolResult for $ty {
            fn into_tool_result(self) -> Result<ToolResult, ToolError> {
                Ok(ToolResult::text(self.to_string()))
            }
        }
    )*};
}

by_display! {
    &str std::borrow::Cow<'_, str> bool char
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64
}

impl<T: Serialize + JsonSchema> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        let json = serde_json::value::to_raw_value(&self.0)?;
        let mut result = ToolResult::text(json.get());
        result.structured_content = Some(json);
        Ok(result)
    }

    fn output_schema() -> Option<Schema> {
        Some(crate::schema::of_output::<T>())
    }
}

impl<T: IntoToolResult, E: Into<ToolError>> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        self.map_err(Into::into)?.into_tool_result()
    }

    fn output_schema() -> Option<Schema> {
        T::output_schema()
    }
}
