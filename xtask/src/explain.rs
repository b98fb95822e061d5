//! `cargo xtask explain NAME`: prints the page of one finding of the lint.

use std::fs;
use std::path::Path;

use mrtr_lint::Code;

/// Prints the page of the finding that is named, or numbered, by the first argument.
///
/// # Errors
///
/// A text that lists the findings when none is named, or none has that name.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let Some(wanted) = args.first() else {
        return Err(format!("name a finding:\n{}", listing()));
    };
    let code = Code::ALL
        .iter()
        .find(|code| code.name() == wanted || code.number().eq_ignore_ascii_case(wanted))
        .ok_or_else(|| format!("no finding is called `{wanted}`; there are:\n{}", listing()))?;
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrtr/src/docs/lint");
    let path = pages.join(format!("{}.md", code.name()));
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    print!("{page}");
    Ok(())
}

fn listing() -> String {
    let rows = Code::ALL
        .iter()
        .map(|code| format!("  {:<28} {}", code.name(), code.summary()));
    rows.collect::<Vec<_>>().join("\n")
}
