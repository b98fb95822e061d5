//! Giving a claim up as lost.

use super::*;

#[test]
fn nothing() {
    stays(None, MarkLost(HOLDER), Marked::NotHeld);
}

#[test]
fn busy_by_the_holder() {
    becomes(busy(), MarkLost(HOLDER), Marked::Lost, lost());
}

#[test]
fn busy_or_lost_by_another() {
    stays(busy(), MarkLost(OTHER), Marked::NotHeld);
    stays(lost(), MarkLost(OTHER), Marked::NotHeld);
}

#[test]
fn lost_already() {
    stays(lost(), MarkLost(HOLDER), Marked::Lost);
}

#[test]
fn ended() {
    stays(super::ended(), MarkLost(HOLDER), Marked::NotHeld);
    stays(bare(), MarkLost(HOLDER), Marked::NotHeld);
}
