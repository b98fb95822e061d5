//! Fuzzes the JSON reader and the params digest.

#![no_main]

// The entry points are shared with a property test, so that every test run exercises them.
#[allow(dead_code, reason = "each target uses one of the entry points")]
#[path = "../../tests/vectors/entries.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entries::json_scan(bytes));
