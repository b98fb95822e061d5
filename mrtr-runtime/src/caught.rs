//! Running code of the author's that may panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What it gives back; nothing if it panicked.
///
/// What it panicked with is dropped here, and that may panic as well: then it is forgotten, so that
/// no panic leaves this function.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    let payload = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => return Some(value),
        Err(payload) => payload,
    };
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                std::panic::panic_any(Bomb);
            }
        }
    }

    #[test]
    fn a_panic_is_nothing_whatever_it_panicked_with() {
        assert_eq!(caught(|| 7), Some(7));
        assert_eq!(caught(|| -> u8 { panic!("on purpose") }), None);
        assert_eq!(caught(|| -> u8 { std::panic::panic_any(Bomb) }), None);
    }
}
