//! The attacks by name, and what each must come to.

use std::fmt;

/// One way to attack a tool that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Move {
    /// All answers come before any question, and after the first one with answers to later ones.
    FirstShot,
    /// The last yes is a no.
    SaidNo,
    /// The state comes back with other arguments.
    ChangedArguments,
    /// The state is presented by somebody else.
    OtherUser,
    /// The state is presented to another tool.
    OtherTool,
    /// One character of the state is another one; each in turn.
    FlippedState,
    /// The end of the state is missing; each length in turn.
    TruncatedState,
    /// The flow is over its time.
    Expired,
    /// The answers come after the round's time.
    Late,
    /// The final round is sent five times at once.
    AtOnce,
    /// After the end, the first round is answered once more and played to the end.
    EarlierRound,
    /// The first round is answered twice, and both branches are played to the end.
    Fork,
    /// After the no that ended the call, the yes arrives.
    YesAfterNo,
    /// The client goes away while the effect is under way.
    Disconnect,
}

/// How many effects a move may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// None at all.
    None,
    /// None; only a flow store can see to it.
    NoneLater,
    /// Those of one honest call at most; only a flow store can see to it.
    Once,
    /// Exactly those of one honest call.
    Exactly,
}

impl Bound {
    /// Whether only a flow store can see to it.
    pub(super) fn needs_store(self) -> bool {
        matches!(self, Self::NoneLater | Self::Once)
    }

    /// Whether so many effects are right, when an honest call has `per_call`.
    pub(super) fn allows(self, effects: usize, per_call: usize) -> bool {
        match self {
            Self::None | Self::NoneLater => effects == 0,
            Self::Once => effects <= per_call,
            Self::Exactly => effects == per_call,
        }
    }
}

impl Move {
    /// Every move, in the order of the report.
    pub const ALL: &[Self] = &[
        Self::FirstShot,
        Self::SaidNo,
        Self::ChangedArguments,
        Self::OtherUser,
        Self::OtherTool,
        Self::FlippedState,
        Self::TruncatedState,
        Self::Expired,
        Self::Late,
        Self::Disconnect,
        Self::AtOnce,
        Self::EarlierRound,
        Self::Fork,
        Self::YesAfterNo,
    ];

    pub(super) fn bound(self) -> Bound {
        match self {
            Self::AtOnce | Self::EarlierRound | Self::Fork => Bound::Once,
            Self::YesAfterNo => Bound::NoneLater,
            Self::Disconnect => Bound::Exactly,
            _ => Bound::None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::FirstShot => "answers before the questions",
            Self::SaidNo => "a no instead of the last yes",
            Self::ChangedArguments => "other arguments",
            Self::OtherUser => "another user",
            Self::OtherTool => "another tool",
            Self::FlippedState => "a character of the state flipped",
            Self::TruncatedState => "the state cut short",
            Self::Expired => "the flow expired",
            Self::Late => "answers after the round's time",
            Self::AtOnce => "the final round five times at once",
            Self::EarlierRound => "back to the first round after the end",
            Self::Fork => "two branches from the first round",
            Self::YesAfterNo => "the yes after the no",
            Self::Disconnect => "the client gone during the effect",
        })
    }
}
