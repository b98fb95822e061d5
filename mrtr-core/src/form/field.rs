//! One field of a form: its name, its texts and the kind of value it takes.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::format::Format;

/// The largest whole number that every JSON client keeps exactly, 2^53 - 1.
pub(crate) const EXACT: i128 = (1 << 53) - 1;

/// One field of a form.
///
/// The functions here make a field by hand; `#[derive(Form)]` makes them from a type. A field is
/// required unless it is [`optional`](Field::optional) or has a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) required: bool,
    /// The default as JSON text; numbers and texts as a normalised answer holds them.
    pub(crate) default: Option<String>,
    /// What the field is filled in with, as JSON text; shown in the default's place.
    pub(crate) draft: Option<String>,
    pub(crate) kind: Kind,
}

/// What values a field takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Text {
        length: Span<u64>,
        format: Option<Format>,
    },
    Integer(Span<i128>),
    Number {
        range: Span<f64>,
        /// The value must fit an `f32`, which serde would otherwise read as infinite.
        single_precision: bool,
    },
    Boolean,
    One {
        choices: Vec<Offered>,
        /// Publish `enum` with the older `enumNames` instead of `oneOf`.
        enum_names: bool,
    },
    Many {
        choices: Vec<Offered>,
        count: Span<u64>,
    },
}

/// Inclusive bounds, each of which may be missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span<T> {
    pub(crate) min: Option<T>,
    pub(crate) max: Option<T>,
}

/// One choice: the value that comes back, and the text that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offered {
    pub(crate) value: String,
    pub(crate) title: Option<String>,
}

impl Field {
    /// A text of any length.
    #[must_use]
    pub fn text(name: impl Into<String>) -> Self {
        let kind = Kind::Text {
            length: Span::open(),
            format: None,
        };
        Field::new(name, kind)
    }

    /// A text in a format that is checked, such as an e-mail address.
    #[must_use]
    pub fn formatted(name: impl Into<String>, format: Format) -> Self {
        let kind = Kind::Text {
            length: Span::open(),
            format: Some(format),
        };
        Field::new(name, kind)
    }

    /// A whole number within the bounds.
    #[must_use]
    pub fn integer(name: impl Into<String>, bounds: RangeInclusive<i64>) -> Self {
        let span = Span::of(i128::from(*bounds.start()), i128::from(*bounds.end()));
        Field::new(name, Kind::Integer(span))
    }

    /// A number within the bounds; infinite bounds are open.
    #[must_use]
    pub fn number(name: impl Into<String>, bounds: RangeInclusive<f64>) -> Self {
        let finite = |bound: f64| bound.is_finite().then_some(bound);
        let range = Span {
            min: finite(*bounds.start()),
            max: finite(*bounds.end()),
        };
        let kind = Kind::Number {
            range,
            single_precision: false,
        };
        Field::new(name, kind)
    }

    /// Yes or no.
    #[must_use]
    pub fn boolean(name: impl Into<String>) -> Self {
        Field::new(name, Kind::Boolean)
    }

    /// One of several choices, each a value and the title that is shown.
    #[must_use]
    pub fn choice<V: Into<String>, T: Into<String>>(
        name: impl Into<String>,
        choices: impl IntoIterator<Item = (V, T)>,
    ) -> Self {
        let kind = Kind::One {
            choices: choices.into_iter().map(Offered::titled).collect(),
            enum_names: false,
        };
        Field::new(name, kind)
    }

    /// Any of several choices, as many as `count` says, none of them twice.
    #[must_use]
    pub fn choices<V: Into<String>, T: Into<String>>(
        name: impl Into<String>,
        choices: impl IntoIterator<Item = (V, T)>,
        count: RangeInclusive<u64>,
    ) -> Self {
        let kind = Kind::Many {
            choices: choices.into_iter().map(Offered::titled).collect(),
            count: Span::of(*count.start(), *count.end()),
        };
        Field::new(name, kind)
    }

    pub(crate) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Field {
            name: name.into(),
            title: None,
            description: None,
            required: true,
            default: None,
            draft: None,
            kind,
        }
    }

    /// Sets the label that is shown instead of the name.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the help text.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Lets the user leave the field out.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Sets the value that a missing answer stands for, which makes the field optional.
    #[must_use]
    pub fn or(mut self, default: impl Into<Value>) -> Self {
        self.default = Some(default.into().to_string());
        self.required = false;
        self
    }

    /// Bounds the length of a text in characters; other kinds of fields are left as they are.
    #[must_use]
    pub fn length(mut self, bounds: RangeInclusive<u64>) -> Self {
        if let Kind::Text { length, .. } = &mut self.kind {
            *length = Span::of(*bounds.start(), *bounds.end());
        }
        self
    }

    /// The name under which the value comes back.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The label, if there is one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The help text, if there is one.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

impl<T> Span<T> {
    pub(crate) fn open() -> Self {
        Span {
            min: None,
            max: None,
        }
    }

    pub(crate) fn of(min: T, max: T) -> Self {
        Span {
            min: Some(min),
            max: Some(max),
        }
    }
}

impl<T: PartialOrd + Copy> Span<T> {
    /// Whether some value lies between the bounds.
    pub(crate) fn holds_a_value(&self) -> bool {
        match (self.min, self.max) {
            (Some(min), Some(max)) => min <= max,
            _ => true,
        }
    }
}

impl Offered {
    pub(crate) fn plain(value: impl Into<String>) -> Self {
        Offered {
            value: value.into(),
            title: None,
        }
    }

    fn titled<V: Into<String>, T: Into<String>>((value, title): (V, T)) -> Self {
        Offered {
            value: value.into(),
            title: Some(title.into()),
        }
    }

    /// The text that is shown.
    pub(crate) fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.value)
    }
}
