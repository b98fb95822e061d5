//! The other ways to ask through a `Ctx`: links, the client's model, its roots, and forms and
//! choices made at run time.

use std::borrow::Cow;
use std::convert::Infallible;

use mrtr_core::answers::{AnswersFields, AnswersOptions, AnswersRoots, AnswersSample, AnswersUrl};
use mrtr_core::form::Offer;
use mrtr_core::round::{End, Found};
use mrtr_core::sampling::Sample;
use mrtr_core::text;

use super::{Ask, IntoForm, Message, Subject, Typed};
use crate::ctx::Ctx;

impl Ctx {
    /// Asks the user to open a link: for a sign-in, a payment, a secret, and whatever else the
    /// client must not see.
    ///
    /// The answer is [`Consented`](crate::Consented): the user agreed to open it. Whether anything
    /// came of it [`until`](Ask::until) says. The host must be declared with
    /// [`url_hosts`](crate::Server::url_hosts). Put nothing private into the address, and nothing
    /// that lets its holder in; [`link`](Ctx::link) makes what may stand in it.
    pub fn url<T: AnswersUrl>(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
        url: impl Into<String>,
    ) -> Ask<'_, T> {
        self.url_as(Typed::of(), key, message, url)
    }

    /// Asks the client's model. The answer is a [`Sampled`](crate::Sampled).
    ///
    /// The specification deprecates sampling; a new server calls a model itself.
    pub fn sample<T: AnswersSample>(
        &self,
        key: impl Into<Cow<'static, str>>,
        sample: Sample,
    ) -> Ask<'_, T> {
        self.sample_as(Typed::of(), key, sample)
    }

    /// Asks for the folders that the client works in. The answer is a [`Roots`](crate::Roots).
    ///
    /// The specification deprecates roots; a new server takes paths as arguments.
    pub fn roots<T: AnswersRoots>(&self, key: impl Into<Cow<'static, str>>) -> Ask<'_, T> {
        self.roots_as(Typed::of(), key)
    }

    /// Lets the user pick from choices that are known at run time only, at most 256 of them.
    ///
    /// Each is a pair of a value and a title, or a text that is both. The answer is a
    /// [`Select`](crate::Select) or a [`MultiSelect`](crate::MultiSelect); it stands as long as
    /// its value is offered under the title that the user picked, whatever else is offered.
    pub fn choose<T: AnswersOptions, O: Into<Offer>>(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
        options: impl IntoIterator<Item = O>,
    ) -> Ask<'_, T> {
        self.choose_as(Typed::of(), key, message, options)
    }

    /// Asks the user to fill in a form that is made at run time. The answer is a
    /// [`FormAnswer`](crate::FormAnswer).
    pub fn ask_form<T: AnswersFields>(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
        form: impl IntoForm,
    ) -> Ask<'_, T> {
        let form = Subject::Fields(form.into_form());
        Ask::new(self, key.into(), message.into(), form, Typed::of())
    }

    /// Takes the answer to an earlier question back, with every answer asked for after it, and
    /// asks it again with the old answer filled in. It never returns: the handler runs again with
    /// the new answer.
    ///
    /// `key` is that of a question that this run has asked; `reason` is shown above it.
    pub async fn back_to(
        &self,
        key: impl Into<Cow<'static, str>>,
        reason: impl Into<Message>,
    ) -> ! {
        if let Err(end) = self.go_back(key.into(), reason.into()) {
            self.run().end(end);
        }
        match std::future::pending::<Infallible>().await {}
    }

    fn go_back(&self, key: Cow<'static, str>, reason: Message) -> Result<(), End> {
        let key = self
            .full_key(key)
            .map_err(|error| End::BadKey(error.to_string()))?;
        let reason = text::message(reason.into_text())
            .map_err(|error| End::BadQuestion(key.clone(), error.to_string()))?;
        match self.run().lock().round.back_to(&key, &reason) {
            Found::Ended(end) => Err(end),
            _ => Ok(()),
        }
    }

    /// [`url`](Ctx::url) with a type that was checked before; expansions come here.
    #[doc(hidden)]
    pub fn url_as<T>(
        &self,
        typed: Typed<T>,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
        url: impl Into<String>,
    ) -> Ask<'_, T> {
        let url = Subject::Url(url.into());
        Ask::new(self, key.into(), message.into(), url, typed)
    }

    /// [`sample`](Ctx::sample) with a type that was checked before; expansions come here.
    #[doc(hidden)]
    pub fn sample_as<T>(
        &self,
        typed: Typed<T>,
        key: impl Into<Cow<'static, str>>,
        sample: Sample,
    ) -> Ask<'_, T> {
        let sample = Subject::Sample(Box::new(sample));
        Ask::new(self, key.into(), "".into(), sample, typed)
    }

    /// [`roots`](Ctx::roots) with a type that was checked before; expansions come here.
    #[doc(hidden)]
    pub fn roots_as<T>(&self, typed: Typed<T>, key: impl Into<Cow<'static, str>>) -> Ask<'_, T> {
        Ask::new(self, key.into(), "".into(), Subject::Roots, typed)
    }

    /// [`choose`](Ctx::choose) with a type that was checked before; expansions come here.
    #[doc(hidden)]
    pub fn choose_as<T, O: Into<Offer>>(
        &self,
        typed: Typed<T>,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
        options: impl IntoIterator<Item = O>,
    ) -> Ask<'_, T> {
        let options = Subject::Options(options.into_iter().map(Into::into).collect());
        Ask::new(self, key.into(), message.into(), options, typed)
    }
}
