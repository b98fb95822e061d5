//! What each kind of question asks of the type of its answer: one bound for each, with its own error text.

use crate::reply::{
    FieldsQuestion, FormQuestion, FromAnswer, OptionsQuestion, RootsQuestion, SamplingQuestion,
    UrlQuestion,
};

/// A type that answers a form: `T: Form`, `Option<T>`, `Answer<T>` or `Confirm`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer to a form",
    label = "the user cannot be asked for this type",
    note = "write `#[derive(Deserialize, JsonSchema, Form)]` on a struct, enum or newtype of yours; a `String`, a number, a `bool`, a date or time and `Confirm` are forms as they are",
    note = "a `Consented` goes with `url = ..`, a `Select` or `MultiSelect` with `options = ..`, a `Sampled` with `sample = ..`, `Roots` with `roots`",
    note = "around a form, `Option` takes a no for `None`, and `Answer` tells decline from cancel"
)]
pub trait AnswersForm: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = FormQuestion>> AnswersForm for T {}

/// A type that answers a form made at run time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer to a form made at run time",
    label = "its fields are not known to this type",
    note = "write `FormAnswer`, or `Option<FormAnswer>` or `Answer<FormAnswer>` to go on after a no"
)]
pub trait AnswersFields: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = FieldsQuestion>> AnswersFields for T {}

/// A type that holds a choice known at run time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no choice among `options`",
    label = "what is picked at run time is a `Select` or a `MultiSelect`",
    note = "write `Select<T>` for one of them or `MultiSelect<T>` for several, where `T` is a choice's value: `Select<String>`",
    note = "around it, `Option` takes a no for `None`, and `Answer` tells decline from cancel"
)]
pub trait AnswersOptions: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = OptionsQuestion>> AnswersOptions for T {}

/// A type that holds the consent to open a link.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer to a link",
    label = "a link is answered by consent to open it",
    note = "write `Consented`, or `Option<Consented>` or `Answer<Consented>` to go on after a no",
    note = "what the user does there does not come back with the answer"
)]
pub trait AnswersUrl: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = UrlQuestion>> AnswersUrl for T {}

/// A type that holds what the client's model said.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer of a model",
    label = "a model's answer is a `Sampled`",
    note = "write `Sampled`, and take its words with `.text()`; `Option<Sampled>` or `Answer<Sampled>` goes on after a no"
)]
pub trait AnswersSample: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = SamplingQuestion>> AnswersSample for T {}

/// A type that holds the client's roots.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of roots",
    label = "a client answers with `Roots`",
    note = "write `Roots`, or `Option<Roots>` or `Answer<Roots>` to go on after a no"
)]
pub trait AnswersRoots: FromAnswer {}

#[diagnostic::do_not_recommend]
impl<T: FromAnswer<Kind = RootsQuestion>> AnswersRoots for T {}
