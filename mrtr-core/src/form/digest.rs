//! The bytes of a form that a yes depends on.

use super::field::{Field, Kind, Offered, Span};

/// Encodes the fields so that two forms give the same bytes only if they ask the same.
///
/// Every variable part has its length before it, and every optional one a presence byte. Titles
/// and descriptions of fields are left out, because they are help; titles of choices are not,
/// because they are what the user picks.
pub(crate) fn input(fields: &[Field]) -> Vec<u8> {
    let mut bytes = Bytes(b"form1".to_vec());
    bytes.count(fields.len());
    for field in fields {
        bytes.text(&field.name);
        bytes.flag(field.required);
        bytes.kind(&field.kind);
    }
    bytes.0
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Text { length, format } => {
                self.0.push(b't');
                self.span(*length, u64::to_be_bytes);
                self.text(format.map_or("", |format| format.name()));
            }
            Kind::Integer(range) => {
                self.0.push(b'i');
                self.span(*range, i128::to_be_bytes);
            }
            Kind::Number {
                range,
                single_precision,
            } => {
                self.0.push(b'n');
                // Adding zero makes -0 the same bound as 0.
                self.span(*range, |bound| (bound + 0.0).to_be_bytes());
                self.flag(*single_precision);
            }
            Kind::Boolean => self.0.push(b'b'),
            Kind::One { choices, .. } => {
                self.0.push(b'o');
                self.choices(choices);
            }
            Kind::Many { choices, count } => {
                self.0.push(b'm');
                self.span(*count, u64::to_be_bytes);
                self.choices(choices);
            }
        }
    }

    fn choices(&mut self, choices: &[Offered]) {
        self.count(choices.len());
        for choice in choices {
            self.text(&choice.value);
            self.text(choice.label());
        }
    }

    fn span<T, const N: usize>(&mut self, span: Span<T>, encode: impl Fn(T) -> [u8; N]) {
        for bound in [span.min, span.max] {
            self.flag(bound.is_some());
            self.0.extend(bound.map(&encode).into_iter().flatten());
        }
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.0.extend_from_slice(&(count as u64).to_be_bytes());
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }
}
