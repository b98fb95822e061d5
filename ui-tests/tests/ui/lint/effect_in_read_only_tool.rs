// A tool that is annotated read-only has a known effect, or a `#[commit]`.

use mrtr::prelude::*;

#[tool(read_only)]
async fn peek(path: String) -> Result<String, ToolError> {
    std::fs::remove_file(&path)?;
    Ok("gone".to_owned())
}

fn main() {}
