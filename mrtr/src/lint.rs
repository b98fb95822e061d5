//! The findings of the replay-safety lint, one page each.
//!
//! A handler runs again from the top for every round, so what stands above an ask happens once per
//! round and before the user agreed. The lint asks of every known effect: is an ask still
//! reachable from here? Each page says what it found, why it matters, and what to write instead.
//!
//! How often it is right is measured: `cargo xtask lint-report` in the source.

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
    helper_effect_above_ask
    malformed_allow
    raced_ask
    send_or_spawn_above_ask
    state_change_above_ask
    stdout_in_handler
    unordered_asks
    unshown_value
    unstable_ask
    unstable_value_across_ask
    unused_allow
}
