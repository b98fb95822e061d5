//! The round plan of a call: which questions went out together.

use std::fmt;

/// Which questions went out together, round by round.
///
/// It compares with arrays and vectors of keys: `assert_eq!(call.asked(), [["who"], ["ok"]])`, or,
/// with rounds of different lengths, `[vec!["who", "seat"], vec!["ok"]]`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Plan(pub(super) Vec<Vec<String>>);

impl Plan {
    /// The keys of each round, in the order the questions were asked.
    pub fn rounds(&self) -> impl ExactSizeIterator<Item = &[String]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// What differs from the plan that somebody expected, as a reader of a failing test needs it.
    pub(super) fn difference(&self, expected: &Self) -> Option<String> {
        if self == expected {
            return None;
        }
        let mut text =
            format!("the round plan is another one\n  expected: {expected}\n  asked:    {self}");
        if self.keys() == expected.keys() {
            let (now, then) = (self.0.len(), expected.0.len());
            text += &format!("\nnote: the same questions take {now} rounds instead of {then}");
            if now > then {
                text += "; clients stop after 8 to 10\n\
                         help: asks go out together when nothing stands between them and no message \
                         of theirs uses an earlier answer";
            }
        }
        Some(text)
    }

    fn keys(&self) -> Vec<&String> {
        self.0.iter().flatten().collect()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (number, round) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}[{}]", round.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<R, const N: usize> PartialEq<[R; N]> for Plan
where
    Vec<String>: PartialEq<R>,
{
    fn eq(&self, rounds: &[R; N]) -> bool {
        self.0 == *rounds
    }
}

impl<R> PartialEq<Vec<R>> for Plan
where
    Vec<String>: PartialEq<R>,
{
    fn eq(&self, rounds: &Vec<R>) -> bool {
        self.0 == *rounds
    }
}
