//! What a function was found to do, as plain text that outlives the tokens it was read from.

/// An effect of a helper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HelperEffect {
    /// What it does, such as `writes a file`.
    pub(crate) does: String,
    /// Each call on the way down, the last one being the effect.
    pub(crate) chain: Vec<String>,
}

/// What a helper does when it is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) effect: Option<HelperEffect>,
    /// Whether it asks when it is given a `Ctx`.
    pub(crate) asks: bool,
    pub(crate) is_async: bool,
    /// Whether it never returns.
    pub(crate) diverges: bool,
}
