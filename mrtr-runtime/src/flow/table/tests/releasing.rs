//! Giving a claim back.

use super::*;

#[test]
fn nothing() {
    stays(None, Release(HOLDER), Released::NotHeld);
}

#[test]
fn busy_or_lost_by_the_holder() {
    becomes(busy(), Release(HOLDER), Released::Freed, None);
    becomes(lost(), Release(HOLDER), Released::Freed, None);
}

#[test]
fn busy_or_lost_by_another() {
    stays(busy(), Release(OTHER), Released::NotHeld);
    stays(lost(), Release(OTHER), Released::NotHeld);
}

#[test]
fn ended() {
    stays(super::ended(), Release(HOLDER), Released::NotHeld);
    stays(bare(), Release(HOLDER), Released::NotHeld);
}
