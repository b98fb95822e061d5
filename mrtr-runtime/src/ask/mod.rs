//! One ask: a future that yields its value or stays pending.

mod all;
mod kinds;
mod message;
mod subject;
mod until;
mod validate;

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mrtr_core::form::{FormError, FormSchema};
use mrtr_core::key::AskKey;
use mrtr_core::question::Question;
use mrtr_core::reply::{Answer, FromAnswer, Reply, Verdict};
use mrtr_core::round::{AskOptions, End, Found};
use serde::Serialize;

use crate::ctx::Ctx;
use crate::run::WaitingAsk;

pub use all::AskAll;
pub use message::{Message, Template};
pub use subject::IntoForm;
pub(crate) use subject::Subject;
pub use until::Done;
pub use validate::Validate;

use until::{Until, Waiting};

/// A question on its way to its answer: set its options, then `.await` it.
///
/// It is asked when it is first polled, or at once with `now()`.
#[must_use = "a question is asked when it is awaited"]
pub struct Ask<'a, T> {
    ctx: &'a Ctx,
    wording: Option<Wording>,
    options: AskOptions,
    /// What the type makes of an answer; a pointer, so that the future needs no bound.
    typed: Typed<T>,
    /// Looks at every accepted value: a client that is asked while the handler waits may send several.
    validate: Option<Box<dyn Fn(T) -> Checking<'a, T> + Send + 'a>>,
    until: Option<Until<'a, T>>,
    /// How long a round waits for it.
    wait: Duration,
    progress: Progress<'a, T>,
}

/// What the author wrote, until the question is asked.
struct Wording {
    key: Cow<'static, str>,
    message: Message,
    subject: Subject,
    pin: Option<Result<String, String>>,
    draft: Option<Result<String, String>>,
}

/// The functions of `FromAnswer` that an ask needs.
///
/// An expansion makes one where its type is checked and hands it on to what needs no bound, so that a wrong
/// type is one error.
pub struct Typed<T> {
    pub(crate) form: fn(&str) -> Result<Option<FormSchema>, FormError>,
    /// It takes several choices.
    many: bool,
    /// It is a confirmation.
    confirms: bool,
    read: fn(&Reply<'_>) -> Verdict<T>,
    is_no: fn(&T) -> bool,
}

impl<T: FromAnswer> Typed<T> {
    pub(crate) fn of() -> Self {
        Self {
            form: T::form,
            many: T::MANY,
            confirms: T::CONFIRMS,
            read: T::from_reply,
            is_no: T::is_no,
        }
    }
}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::any::type_name::<T>())
    }
}

/// A validator at work: it gives the value back.
type Checking<'a, T> = Pin<Box<dyn Future<Output = (T, Result<(), String>)> + Send + 'a>>;

enum Progress<'a, T> {
    /// Not asked yet.
    New,
    /// Answered; the value waits to be taken.
    Answered(T),
    /// Answered; the author's validator looks at the value.
    Checking(AskKey, Checking<'a, T>),
    /// Sent to the client while the handler waits.
    Waiting(WaitingAsk),
    /// Agreed to; the author looks whether what the link is for is done.
    Finishing(AskKey, T, Waiting<'a>),
    /// Not answered, or the call ends: never ready.
    Parked,
}

impl<'a, T> Ask<'a, T> {
    pub(crate) fn new(
        ctx: &'a Ctx,
        key: Cow<'static, str>,
        message: Message,
        subject: Subject,
        typed: Typed<T>,
    ) -> Self {
        Self {
            ctx,
            wording: Some(Wording {
                key,
                message,
                subject,
                pin: None,
                draft: None,
            }),
            options: AskOptions::default(),
            typed,
            validate: None,
            until: None,
            wait: until::WAIT,
            progress: Progress::New,
        }
    }

    /// Adds a value that the question does not show but that consent depends on: when it changes,
    /// the answer no longer counts.
    pub fn pin(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        if let Some(wording) = &mut self.wording {
            let depth = self.ctx.call().0.shared.limits.depth;
            let text = serde_json::to_string(value).map_err(|error| error.to_string());
            wording.pin = Some(text.and_then(|text| {
                mrtr_core::json::canonical_text(&text, depth).map_err(|error| error.to_string())
            }));
        }
        self
    }

    /// Fills the form in with a value that the user corrects: a struct by its fields, a scalar or
    /// a choice as it is. What does not fit its field is left out.
    ///
    /// It is a draft and no answer: what the user leaves out is not taken from it.
    pub fn default(mut self, value: &(impl Serialize + ?Sized)) -> Self
    where
        T: FromAnswer,
    {
        const {
            assert!(
                !T::CONFIRMS,
                "a `Confirm` has no default: consent that is filled in is none"
            )
        };
        if let Some(wording) = &mut self.wording {
            let text = serde_json::to_string(value).map_err(|error| error.to_string());
            wording.draft = Some(text);
        }
        self
    }

    /// Sends the question in a round of its own.
    pub fn alone(mut self) -> Self {
        self.options.alone = true;
        self
    }

    /// Lets an answer count that the client sent without having been asked.
    ///
    /// For harmless questions only: such an answer was not given to a question anybody was shown.
    pub fn accept_unsolicited(mut self) -> Self
    where
        T: FromAnswer,
    {
        const {
            assert!(
                !T::CONFIRMS,
                "a `Confirm` must have been asked for: leave `accept_unsolicited` out"
            )
        };
        self.options.accept_unsolicited = true;
        self
    }

    /// Has an accepted value looked at by a function of the author's, sync or async, that says why
    /// the value will not do. The question is then asked again with that reason.
    pub fn validate<V, M>(mut self, validator: V) -> Self
    where
        T: FromAnswer + Send + Sync + 'a,
        T::Value: Sync,
        V: Validate<T::Value, M> + Send + Sync + 'a,
        M: 'a,
    {
        let validator = Arc::new(validator);
        self.validate = Some(Box::new(move |value| {
            let validator = Arc::clone(&validator);
            Box::pin(async move {
                let verdict = match value.accepted() {
                    Some(accepted) => validator.validate(accepted).await,
                    None => Ok(()),
                };
                (value, verdict)
            })
        }));
        self
    }

    /// Asks at once instead of at the first poll, so that questions written next to each other go
    /// out together.
    #[doc(hidden)]
    pub fn now(mut self) -> Self {
        self.register();
        self
    }

    /// Puts the question to the round.
    fn register(&mut self) {
        let Some(wording) = self.wording.take() else {
            return;
        };
        self.progress = match self.question(wording) {
            Ok(question) => self.put(question),
            Err(end) => self.end(end),
        };
    }

    fn question(&self, wording: Wording) -> Result<Question, End> {
        let key = self
            .ctx
            .full_key(wording.key)
            .map_err(|error| End::BadKey(error.to_string()))?;
        let bad = |why: String| End::BadQuestion(key.clone(), why);
        let what = wording
            .subject
            .what(self.ctx, &self.typed, &key)
            .map_err(bad)?;
        let mut question = Question::new(key.clone(), wording.message.into_text(), what)
            .map_err(|error| bad(error.to_string()))?;
        if self.typed.confirms {
            question = question.confirming();
        }
        match wording.draft {
            None => {}
            Some(Ok(draft)) => question = question.drafted(draft),
            Some(Err(why)) => return Err(bad(format!("its default does not serialise: {why}"))),
        }
        match wording.pin {
            None => Ok(question),
            Some(Ok(pin)) => Ok(question.pinned(pin)),
            Some(Err(why)) => Err(bad(format!("its pin does not serialise: {why}"))),
        }
    }

    fn put(&mut self, question: Question) -> Progress<'a, T> {
        let key = question.key().clone();
        let mut options = self.options;
        options.missing = self.ctx.client().lacks(question.what().needs());
        let found = self.ctx.run().lock().round.ask(question, options);
        self.found(key, found)
    }

    /// What becomes of the ask by what the round found.
    fn found(&mut self, key: AskKey, found: Found) -> Progress<'a, T> {
        let reply = match &found {
            Found::Accepted(content) => Reply::Accepted(content),
            Found::Declined => Reply::Declined,
            Found::Cancelled => Reply::Cancelled,
            Found::Unsupported => Reply::Unsupported,
            Found::Open => return self.open(&key),
            Found::Ended(end) => return self.end(end.clone()),
        };
        match (self.typed.read)(&reply) {
            Verdict::Value(value) => {
                if (self.typed.is_no)(&value) {
                    self.ctx.run().lock().said_no = true;
                }
                self.answered(key, value)
            }
            Verdict::No if found == Found::Cancelled => self.end(End::Cancelled(key)),
            Verdict::No => self.end(End::Declined(key)),
            Verdict::Refused(why) => {
                let name = std::any::type_name::<T>();
                tracing::warn!(ask = %key, r#type = name, %why, "an answer fits the form but not the type");
                self.refuse(&key, "it is not accepted")
            }
        }
    }

    fn answered(&mut self, key: AskKey, value: T) -> Progress<'a, T> {
        match &self.validate {
            None => self.finishing(key, value),
            Some(validate) => Progress::Checking(key, validate(value)),
        }
    }

    /// The value will do; what it agreed to may have to be done first.
    fn finishing(&self, key: AskKey, value: T) -> Progress<'a, T> {
        let until = self.until.as_ref();
        match until.and_then(|until| until.wait_for(&value, self.wait)) {
            Some(waiting) => Progress::Finishing(key, value, waiting),
            None => Progress::Answered(value),
        }
    }

    fn refuse(&self, key: &AskKey, reason: &str) -> Progress<'a, T> {
        let found = self.ctx.run().lock().round.refuse(key, reason);
        match found {
            Found::Ended(end) => self.end(end),
            _ => self.open(key),
        }
    }

    /// The question is open: it goes out now, or with the end of the round.
    fn open(&self, key: &AskKey) -> Progress<'a, T> {
        match self.ctx.run().send(key) {
            Ok(Some(waiting)) => Progress::Waiting(waiting),
            Ok(None) => Progress::Parked,
            Err(end) => self.end(end),
        }
    }

    fn end(&self, end: End) -> Progress<'a, T> {
        self.ctx.run().end(end);
        Progress::Parked
    }
}

impl<U> Ask<'_, Answer<U>> {
    /// Takes "the client cannot ask this" for an answer, [`Answer::Unsupported`].
    pub fn if_supported(mut self) -> Self {
        self.options.if_supported = true;
        self
    }
}

/// Nothing in it is pinned in place: the validator's future lives in a box.
impl<T> Unpin for Ask<'_, T> {}

impl<T> Future for Ask<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.register();
        loop {
            self.progress = match &mut self.progress {
                Progress::Waiting(waiting) => {
                    let found = ready!(waiting.poll(cx));
                    let key = waiting.key().clone();
                    self.found(key, found)
                }
                Progress::Checking(key, checking) => {
                    let (value, verdict) = ready!(checking.as_mut().poll(cx));
                    let key = key.clone();
                    match verdict {
                        Ok(()) => self.finishing(key, value),
                        Err(reason) => self.refuse(&key, &reason),
                    }
                }
                Progress::Finishing(_, _, waiting) => {
                    let done = ready!(waiting.as_mut().poll(cx));
                    self.waited(done)
                }
                Progress::New | Progress::Answered(_) | Progress::Parked => break,
            };
        }
        match std::mem::replace(&mut self.progress, Progress::Parked) {
            Progress::Answered(value) => Poll::Ready(value),
            _ => Poll::Pending,
        }
    }
}

impl<T> fmt::Debug for Ask<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
