//! Makes a title and a description of the text that schemars took from a doc comment.

/// The first paragraph is the title and the rest, up to the first heading, the description.
///
/// A title that was set on its own leaves the whole text to the description.
pub(crate) fn split(title: Option<&str>, text: Option<&str>) -> (Option<String>, Option<String>) {
    let mut paragraphs = paragraphs(text.unwrap_or_default()).into_iter();
    let title = title.map(str::to_owned).or_else(|| paragraphs.next());
    let rest: Vec<String> = paragraphs.collect();
    (title, (!rest.is_empty()).then(|| rest.join("\n")))
}

/// Each paragraph on one line: where the author broke the lines of a comment means nothing.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut lines = Vec::new();
    for line in text
        .lines()
        .take_while(|line| !is_heading(line))
        .chain([""])
    {
        if !line.trim().is_empty() {
            lines.push(line.trim());
        } else if !lines.is_empty() {
            all.push(lines.join(" "));
            lines.clear();
        }
    }
    all
}

/// A Markdown heading, such as `# Examples`.
fn is_heading(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches('#');
    text.len() < line.trim_start().len() && text.starts_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: Option<&str>, text: &str, expected: Option<&str>, rest: Option<&str>) {
        let (found, description) = split(title, Some(text));
        assert_eq!(
            (found.as_deref(), description.as_deref()),
            (expected, rest),
            "{text}"
        );
    }

    #[test]
    fn splits_by_paragraph() {
        assert_eq!(split(None, None), (None, None));
        check(None, "", None, None);
        check(None, "Name", Some("Name"), None);
        check(
            None,
            "Name as in\nthe passport\n\nAll\nnames.\n\n\nBig.",
            Some("Name as in the passport"),
            Some("All names.\nBig."),
        );
        check(
            Some("Title"),
            "First.\n\nSecond.",
            Some("Title"),
            Some("First.\nSecond."),
        );
        check(None, "Name\n\n# Examples\nAnn", Some("Name"), None);
        check(None, "#1 of all\n\n", Some("#1 of all"), None);
    }
}
