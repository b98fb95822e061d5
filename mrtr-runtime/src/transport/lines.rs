//! Cutting a byte stream into lines, without ever holding more than one line may have.

/// What stands between two line feeds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line without its line feed, not blank.
    Whole(&'a [u8]),
    /// A line longer than allowed; it is passed over.
    TooLong,
}

/// The state between two chunks of the stream.
#[derive(Debug)]
pub(super) struct Lines {
    limit: usize,
    /// A line whose end has yet to come. Lines that lie whole in a chunk are never copied.
    begun: Vec<u8>,
    /// That line was given away and is done with.
    given: bool,
    skipping: bool,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            begun: Vec::new(),
            given: false,
            skipping: false,
        }
    }

    /// The next line that ends in the chunk, which goes on behind it. When there is none any more,
    /// the rest is kept for the next chunk.
    pub(super) fn next<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Option<Line<'a>> {
        self.forget_given();
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            let part = &chunk[..end];
            *chunk = &chunk[end + 1..];
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if self.is_too_long_with(part) {
                self.begun = Vec::new();
                return Some(Line::TooLong);
            }
            if self.begun.is_empty() {
                if !is_blank(part) {
                    return Some(Line::Whole(without_return(part)));
                }
                continue;
            }
            self.begun.extend_from_slice(part);
            self.given = true;
            if !is_blank(&self.begun) {
                return Some(Line::Whole(without_return(&self.begun)));
            }
            self.forget_given();
        }
        self.keep(std::mem::take(chunk))
    }

    /// The last line, if the stream ended without a line feed.
    pub(super) fn last(&mut self) -> Option<Line<'_>> {
        self.forget_given();
        (!is_blank(&self.begun)).then(|| Line::Whole(without_return(&self.begun)))
    }

    fn keep(&mut self, part: &[u8]) -> Option<Line<'static>> {
        if self.skipping {
            return None;
        }
        if self.is_too_long_with(part) {
            self.begun = Vec::new();
            self.skipping = true;
            return Some(Line::TooLong);
        }
        self.begun.extend_from_slice(part);
        None
    }

    fn is_too_long_with(&self, part: &[u8]) -> bool {
        self.begun.len() + part.len() > self.limit
    }

    fn forget_given(&mut self) {
        if std::mem::take(&mut self.given) {
            self.begun = Vec::new();
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// A line may end in a carriage return and a line feed.
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a chunk; `!` for one that is too long.
    fn fed(lines: &mut Lines, mut chunk: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(line) = lines.next(&mut chunk) {
            all.push(text(&line));
        }
        all
    }

    fn text(line: &Line<'_>) -> String {
        match line {
            Line::Whole(line) => String::from_utf8(line.to_vec()).unwrap(),
            Line::TooLong => "!".into(),
        }
    }

    fn cut(chunks: &[&str]) -> Vec<String> {
        let mut lines = Lines::new(5);
        let mut all: Vec<String> = chunks
            .iter()
            .flat_map(|chunk| fed(&mut lines, chunk.as_bytes()))
            .collect();
        all.extend(lines.last().map(|line| text(&line)));
        all
    }

    #[test]
    fn chunks_and_lines_have_nothing_to_do_with_each_other() {
        let cases: [(&[&str], &[&str]); 13] = [
            (&["ab\ncd\n"], &["ab", "cd"]),
            (&["a", "b\nc", "d"], &["ab", "cd"]),
            (&["ab\r\n\r\n \n\ncd\n"], &["ab", "cd"]),
            (&["abcde\nf\n"], &["abcde", "f"]),
            (&["abcdef\nf\n"], &["!", "f"]),
            (&["abc", "def", "ghi", "jkl\nok\n"], &["!", "ok"]),
            (&["abcdef"], &["!"]),
            (&["", "\n", ""], &[]),
            (&["é\n"], &["é"]),
            (&["a", "b\ncd\ne", "f\n"], &["ab", "cd", "ef"]),
            (&["ab\r", "\n \r", "\n", "c\r"], &["ab", "c"]),
            (&["abc", "def\nok\n"], &["!", "ok"]),
            (&["ab", "\n"], &["ab"]),
        ];
        for (chunks, expected) in cases {
            assert_eq!(cut(chunks), expected, "{chunks:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_not_held() {
        let mut lines = Lines::new(5);
        for _ in 0..1000 {
            fed(&mut lines, b"xxxxxxxxxxxxxxxx");
        }
        assert!(lines.begun.capacity() <= 16);
    }

    #[test]
    fn a_line_that_came_whole_is_not_copied() {
        let mut lines = Lines::new(100);
        let chunk = b"one\ntwo\nthr";
        let mut rest: &[u8] = chunk;
        for start in [0, 4] {
            let Some(Line::Whole(line)) = lines.next(&mut rest) else {
                panic!("a line ends there");
            };
            assert!(std::ptr::eq(line, &chunk[start..start + 3]));
        }
        assert_eq!(lines.next(&mut rest), None);
        assert_eq!(lines.begun, b"thr");
    }
}
