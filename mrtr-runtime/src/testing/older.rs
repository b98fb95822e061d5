//! Playing a script on a revision whose clients are asked while the handler waits.

use serde_json::Value;

use super::faults;
use super::play::Play;
use super::question::Question;
use super::script::Said;
use super::session::{Session, Told};
use super::stance::Change;
use super::transcript::{End, RoundAsked, Transcript};

impl Play {
    /// Plays the script in a session of its own.
    pub(super) async fn run_in_session(mut self) -> Transcript {
        let mut session = Session::open(&self.stance).await;
        self.flow = session.flow();
        session.call(self.method, &self.params).await;
        let mut last = None;
        while matches!(self.transcript.end, End::Open) {
            let told = session.next().await;
            self.observe();
            match told {
                Told::Notification(message) => self.transcript.notifications.push(message),
                Told::Over(came) => self.transcript.end = came.into_end(),
                Told::Asked {
                    question,
                    id,
                    round,
                } => {
                    self.check_effects(std::slice::from_ref(&question));
                    if last.replace(round) != Some(round) || self.asks_again(&question) {
                        self.transcript.rounds.push(RoundAsked::new(Vec::new(), ""));
                    }
                    match self.response(question) {
                        Some(response) => session.answer(&id, &response).await,
                        None => {
                            session.cancel().await;
                            self.transcript.end = End::Left;
                        }
                    }
                }
            }
        }
        self.observe();
        self.finish()
    }

    /// Whether the question was asked in this round already: its answer was not taken, while
    /// another question is still in flight.
    fn asks_again(&self, question: &Question) -> bool {
        let round = self.transcript.rounds.last();
        let mut questions = round.map_or(&[][..], |round| &round.questions).iter();
        questions.any(|earlier| earlier.key() == question.key())
    }

    /// Takes down what observers were told meanwhile.
    fn observe(&mut self) {
        let observed = self.client.lab.take_of(self.flow);
        self.check_invalid(&observed);
        self.transcript.observed.extend(observed);
    }

    /// The answer to a question; `None` when the user walks away.
    fn response(&mut self, question: Question) -> Option<Value> {
        let key = question.key().to_owned();
        let Some((at, said)) = self.script.take(&key) else {
            let before = std::mem::take(&mut self.said);
            self.unscripted(&question, &before)
        };
        self.transcript.rounds.last_mut()?.questions.push(question);
        if matches!(said, Said::Leave) {
            return None;
        }
        for change in self.script.changes_before(at) {
            if !matches!(change, Change::Advance(_)) {
                self.fail(&faults::moved_in_session(self.stance.era, &change));
            }
            self.transcript.says(&change);
            self.stance.apply(&change, &self.client.lab);
        }
        self.transcript.answers(&self.script.0[at]);
        let Some(response) = said.response() else {
            self.fail(&faults::silent_in_session(self.stance.era, &key))
        };
        let responses = &mut self.transcript.rounds.last_mut()?.responses;
        responses.insert(key.clone(), response.clone());
        self.said.retain(|(earlier, _)| *earlier != key);
        self.said.push((key, said));
        Some(response)
    }
}
