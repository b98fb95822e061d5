//! The findings of the replay-safety lint, one page each.
//!
//! A handler runs again from the top for every round, so what stands above an ask happens once per
//! round and before the user agreed. The lint asks of every known effect: is an ask still
//! reachable from here? Each page says what it found, why it matters, and what to write instead.
//!
//! # Levels
//!
//! `#[tool(effects = "..")]` sets how strict the lint is for one handler, and for all handlers of a
//! crate its manifest does; what a handler says goes first:
//!
//! ```toml
//! [package.metadata.mrtr]
//! effects = "deny"
//! ```
//!
//! | level | what it means |
//! |---|---|
//! | none | each finding is the error or warning that its page says |
//! | `warn` | every finding is a warning |
//! | `deny` | every finding is an error |
//! | `allow` | only what cannot work at all is reported, effects or not: [`raced_ask`], [`duplicate_key`], [`ask_after_commit`], [`second_commit`], [`malformed_allow`] |
//! | `commit_only` | as without a level, and a known effect outside `#[commit]` is an error wherever it stands |
//!
//! One finding is silenced where it stands, with a reason:
//! `#[mrtr::allow(effect_above_ask, reason = "..")]` on a statement, an expression, or below
//! `#[tool]` on a whole handler. In a crate that is built as somebody's dependency no finding is an
//! error.
//!
//! # How a warning looks
//!
//! Stable Rust lets a macro show errors, and no warnings. So a warning comes as the use of a deprecated
//! constant that has the finding's name, and begins ``use of deprecated constant
//! `book::_::unshown_value` ``; nothing in your code is deprecated. `#![allow(deprecated)]` silences it
//! with all the rest, `-D warnings` makes an error of it, and editors strike the place through. Where that
//! is in the way, `effects = "deny"` has every finding as an error, whatever is allowed.
//!
//! How often it is right, and how much it does not see, is measured: `docs/lint-accuracy.md` in the
//! source has the figures, on code that it was not made for, too. What only a name says, and what another
//! crate does, it cannot see; mark such functions `#[effect]`.

/// Mounts the pages of the findings, so that their examples run as tests.
macro_rules! pages {
    ($($name:ident)*) => {$(
        #[doc = include_str!(concat!("docs/lint/", stringify!($name), ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    ask_after_commit
    ask_per_iteration
    commit_without_ask
    drop_effect_across_ask
    duplicate_key
    effect_above_ask
    effect_before_next_iteration
    effect_in_ask
    effect_in_memo
    effect_in_read_only_tool
    effect_without_commit
    helper_effect_above_ask
    malformed_allow
    raced_ask
    second_commit
    send_or_spawn_above_ask
    state_change_above_ask
    stdout_in_handler
    unordered_asks
    unread_confirm
    unshown_value
    unstable_ask
    unstable_value_across_ask
    unused_allow
}
