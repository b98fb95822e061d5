//! Cutting a byte stream into lines, without ever holding more than one line may have.

use bytes::Bytes;

/// What stands between two line feeds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line feed, not blank.
    Whole(Bytes),
    /// A line longer than allowed; it is passed over.
    TooLong,
}

/// The state between two chunks of the stream.
#[derive(Debug)]
pub(super) struct Lines {
    limit: usize,
    begun: Vec<u8>,
    skipping: bool,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            begun: Vec::new(),
            skipping: false,
        }
    }

    /// Takes the next chunk and gives the lines that end in it.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.take(&rest[..end], &mut lines);
            self.end(&mut lines);
            rest = &rest[end + 1..];
        }
        self.take(rest, &mut lines);
        lines
    }

    /// The last line, if the stream ended without a line feed.
    pub(super) fn finish(mut self) -> Option<Line> {
        let mut lines = Vec::new();
        self.end(&mut lines);
        lines.pop()
    }

    fn take(&mut self, part: &[u8], lines: &mut Vec<Line>) {
        if self.skipping {
            return;
        }
        if self.begun.len() + part.len() > self.limit {
            self.begun = Vec::new();
            self.skipping = true;
            lines.push(Line::TooLong);
            return;
        }
        self.begun.extend_from_slice(part);
    }

    fn end(&mut self, lines: &mut Vec<Line>) {
        self.skipping = false;
        let mut line = std::mem::take(&mut self.begun);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !line.trim_ascii().is_empty() {
            lines.push(Line::Whole(line.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&str]) -> Vec<String> {
        let mut lines = Lines::new(5);
        let mut all: Vec<Line> = chunks
            .iter()
            .flat_map(|chunk| lines.feed(chunk.as_bytes()))
            .collect();
        all.extend(lines.finish());
        all.into_iter()
            .map(|line| match line {
                Line::Whole(line) => String::from_utf8(line.into()).unwrap(),
                Line::TooLong => "!".into(),
            })
            .collect()
    }

    #[test]
    fn chunks_and_lines_have_nothing_to_do_with_each_other() {
        let cases: [(&[&str], &[&str]); 9] = [
            (&["ab\ncd\n"], &["ab", "cd"]),
            (&["a", "b\nc", "d"], &["ab", "cd"]),
            (&["ab\r\n\r\n \n\ncd\n"], &["ab", "cd"]),
            (&["abcde\nf\n"], &["abcde", "f"]),
            (&["abcdef\nf\n"], &["!", "f"]),
            (&["abc", "def", "ghi", "jkl\nok\n"], &["!", "ok"]),
            (&["abcdef"], &["!"]),
            (&["", "\n", ""], &[]),
            (&["é\n"], &["é"]),
        ];
        for (chunks, expected) in cases {
            assert_eq!(cut(chunks), expected, "{chunks:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_not_held() {
        let mut lines = Lines::new(5);
        for _ in 0..1000 {
            lines.feed(b"xxxxxxxxxxxxxxxx");
        }
        assert!(lines.begun.capacity() <= 16);
    }
}
