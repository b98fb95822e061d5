// An effect stands below an ask in a loop, and the loop asks again in its next iteration.

use mrtr::prelude::*;

#[tool]
async fn label(ctx: &Ctx) -> Result<String, ToolError> {
    let mut n = 0;
    loop {
        n += 1;
        let label: String = ctx.ask(format!("label-{n}"), "Next label, or `end`?").await;
        if label == "end" {
            return Ok("done".to_owned());
        }
        std::fs::write(format!("label-{n}"), &label)?;
    }
}

fn main() {}
