//! One request of a flow, step by step, with the rules that the driver follows.

use std::time::Duration;

use bytes::Bytes;

use super::{ORIGIN, Rules, Seen, World, claim_id};
use crate::flow::names::{Cont, Epoch};
use crate::flow::table::{MarkLost, Release};
use crate::flow::verb::{
    Claim, Claimed, End, Ended, EndedFlow, Finish, Finished, Look, Looked, MOST_TAKEOVERS, Met,
    Renew,
};

pub(super) const LEASE: Duration = Duration::from_secs(30);
pub(super) const KEEP: Duration = Duration::from_secs(3_720);

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Actor {
    number: u8,
    /// Whether its user agreed.
    agrees: bool,
    cont: Cont,
    /// Whether its author declared the effect idempotent.
    takeover: bool,
    /// The epoch that its state was sealed in.
    epoch: Epoch,
    phase: Phase,
    had_effect: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    /// The request has arrived.
    New,
    /// The handler runs, before its commit or its no.
    Running,
    /// The claim was sent and nothing came back.
    Unanswered,
    /// It holds the claim.
    Holding,
    /// It had its effect.
    Effected,
    /// Its caller was answered, or it is dead; `claim_on_its_way` may still arrive.
    Over {
        reply: Reply,
        claim_on_its_way: bool,
    },
}

/// What the caller is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reply {
    /// A result; the number tells whose.
    Result(u8),
    /// The flow ended in a no.
    No,
    /// The result is not kept.
    NotKept,
    Ended,
    Busy,
    Unknown,
    NotDone,
    /// Nothing: the process died or the caller left.
    Nothing,
}

/// What happens next with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Begin,
    Claim,
    ClaimWithoutReply,
    ClaimAgain,
    GiveUp,
    GiveUpWithoutRelease,
    LateClaimArrives,
    Effect,
    NothingDone,
    Panic,
    Renew,
    Finish,
    FinishWithoutReply,
    SayNo,
    SayNoWithoutStore,
    Leave,
    Kill,
}

impl Actor {
    pub(super) fn new(number: u8, agrees: bool, cont: Cont, takeover: bool, epoch: Epoch) -> Self {
        Self {
            number,
            agrees,
            cont,
            takeover,
            epoch,
            phase: Phase::New,
            had_effect: false,
        }
    }

    pub(super) fn reply(&self) -> Option<Reply> {
        match self.phase {
            Phase::Over { reply, .. } => Some(reply),
            _ => None,
        }
    }

    pub(super) fn denies_its_effect(&self) -> bool {
        self.had_effect && matches!(self.reply(), Some(Reply::NotDone | Reply::Busy | Reply::No))
    }

    /// What may happen next.
    pub(super) fn actions(&self, rules: Rules) -> &'static [Action] {
        use Action::*;
        match self.phase {
            Phase::New => &[Begin, Leave, Kill],
            Phase::Running if self.agrees => &[Claim, ClaimWithoutReply, Leave, Kill],
            Phase::Running => &[SayNo, SayNoWithoutStore, Leave, Kill],
            Phase::Unanswered => &[ClaimAgain, GiveUp, GiveUpWithoutRelease, Kill],
            Phase::Holding => &[Effect, NothingDone, Panic, Renew, Kill],
            Phase::Effected if rules.shield => &[Finish, FinishWithoutReply, Panic, Renew, Kill],
            Phase::Effected => &[Finish, FinishWithoutReply, Panic, Renew, Kill, Leave],
            Phase::Over {
                claim_on_its_way: true,
                ..
            } => &[LateClaimArrives],
            Phase::Over { .. } => &[],
        }
    }

    /// Lets it happen.
    pub(super) fn act(
        &mut self,
        action: Action,
        world: &mut impl World,
        seen: &mut Seen,
        rules: Rules,
    ) {
        match action {
            Action::Begin => self.begin(world, rules),
            Action::Claim | Action::ClaimAgain => self.claim(world, rules),
            Action::ClaimWithoutReply => {
                let _ = world.event(self.claim_event(world, rules));
                self.phase = Phase::Unanswered;
            }
            Action::GiveUp => {
                let _ = world.event(Release(claim_id(self.number)));
                self.phase = Phase::Over {
                    reply: Reply::NotDone,
                    claim_on_its_way: true,
                };
            }
            Action::GiveUpWithoutRelease => {
                self.phase = Phase::Over {
                    reply: Reply::NotDone,
                    claim_on_its_way: true,
                };
            }
            Action::LateClaimArrives => {
                let _ = world.event(self.claim_event(world, rules));
                let reply = self.reply().expect("invariant: the request is over");
                self.over(reply);
            }
            Action::Effect => {
                seen.effect();
                self.had_effect = true;
                self.phase = Phase::Effected;
            }
            Action::NothingDone => {
                let _ = world.event(Release(claim_id(self.number)));
                self.over(Reply::NotDone);
            }
            Action::Panic => {
                let _ = world.event(MarkLost(claim_id(self.number)));
                self.over(Reply::Unknown);
            }
            Action::Renew => {
                let id = claim_id(self.number);
                let _ = world.event(Renew {
                    id,
                    lease: LEASE,
                    keep: KEEP,
                });
            }
            Action::Finish => self.finish(world, rules),
            Action::FinishWithoutReply => {
                let _ = world.event(self.finish_event(world, rules));
            }
            Action::SayNo => self.say_no(world, seen, rules),
            // It is said all the same, but it is no promise.
            Action::SayNoWithoutStore => self.over(Reply::No),
            Action::Leave => {
                if self.phase == Phase::Effected {
                    let _ = world.event(Release(claim_id(self.number)));
                }
                self.over(Reply::Nothing);
            }
            Action::Kill => self.over(Reply::Nothing),
        }
    }

    fn over(&mut self, reply: Reply) {
        self.phase = Phase::Over {
            reply,
            claim_on_its_way: false,
        };
    }

    /// The epoch that the request goes by: its own, or anybody's where the rule is switched off.
    fn epoch(&self, world: &impl World, rules: Rules) -> Epoch {
        if rules.epoch {
            self.epoch
        } else {
            world.epoch()
        }
    }

    fn begin(&mut self, world: &mut impl World, rules: Rules) {
        let epoch = self.epoch(world, rules);
        if epoch != world.epoch() {
            // The state does not open.
            return self.over(Reply::NotDone);
        }
        match world.event(Look {
            epoch,
            cont: self.cont,
        }) {
            Looked::Free => self.phase = Phase::Running,
            Looked::Met(Met::Lost {
                same: true,
                takeovers,
            }) if self.takeover && takeovers < MOST_TAKEOVERS => {
                self.phase = Phase::Running;
            }
            Looked::Met(met) => self.settle(&met),
            Looked::OtherEpoch => self.over(Reply::NotDone),
        }
    }

    fn claim_event(&self, world: &impl World, rules: Rules) -> Claim {
        Claim {
            epoch: self.epoch(world, rules),
            id: claim_id(self.number),
            cont: self.cont,
            origin: ORIGIN,
            lease: LEASE,
            keep: KEEP,
            takeover: self.takeover,
        }
    }

    fn claim(&mut self, world: &mut impl World, rules: Rules) {
        match world.event(self.claim_event(world, rules)) {
            Claimed::Won => self.phase = Phase::Holding,
            Claimed::Met(met) => self.settle(&met),
            Claimed::Full(_) | Claimed::OtherEpoch => self.over(Reply::NotDone),
        }
    }

    fn finish_event(&self, world: &impl World, rules: Rules) -> Finish {
        Finish {
            epoch: self.epoch(world, rules),
            id: claim_id(self.number),
            cont: self.cont,
            keep: KEEP,
            body: Some(Bytes::copy_from_slice(&[self.number])),
        }
    }

    fn finish(&mut self, world: &mut impl World, rules: Rules) {
        match world.event(self.finish_event(world, rules)) {
            Finished::Earlier(Ended::Recorded(body)) => self.over(Reply::Result(body[0])),
            // The caller is told what truly happened, recorded or not.
            _ => self.over(Reply::Result(self.number)),
        }
    }

    fn say_no(&mut self, world: &mut impl World, seen: &mut Seen, rules: Rules) {
        if !rules.no_ends {
            seen.promised_no = true;
            return self.over(Reply::No);
        }
        let end = End {
            epoch: self.epoch(world, rules),
            cont: self.cont,
            origin: ORIGIN,
            keep: KEEP,
            body: Some(Bytes::copy_from_slice(&[self.number])),
        };
        match world.event(end) {
            EndedFlow::Recorded => {
                seen.promised_no = true;
                self.over(Reply::No);
            }
            EndedFlow::Met(met) => self.settle(&met),
            EndedFlow::Full(_) => self.over(Reply::No),
            EndedFlow::OtherEpoch => self.over(Reply::NotDone),
        }
    }

    fn settle(&mut self, met: &Met) {
        self.over(match met {
            Met::Busy { .. } => Reply::Busy,
            Met::Lost { .. } => Reply::Unknown,
            Met::Ended(Ended::Recorded(body)) => Reply::Result(body[0]),
            Met::Ended(Ended::NotKept) => Reply::NotKept,
            Met::Ended(Ended::OtherAnswers) => Reply::Ended,
        });
    }
}
