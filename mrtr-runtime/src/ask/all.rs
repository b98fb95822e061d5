//! Several asks of one type that go out together.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::Ask;

/// Questions that go out together; yields their values in order.
#[must_use = "questions are asked when they are awaited"]
pub struct AskAll<'a, T> {
    asks: Vec<Slot<'a, T>>,
}

enum Slot<'a, T> {
    Asking(Box<Ask<'a, T>>),
    Answered(T),
    Taken,
}

impl<'a, T> AskAll<'a, T> {
    pub(crate) fn new(asks: impl Iterator<Item = Ask<'a, T>>) -> Self {
        Self {
            asks: asks.map(|ask| Slot::Asking(Box::new(ask))).collect(),
        }
    }
}

impl<T> Unpin for AskAll<'_, T> {}

impl<T> Future for AskAll<'_, T> {
    type Output = Vec<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<T>> {
        let mut waiting = false;
        for slot in &mut self.asks {
            if let Slot::Asking(ask) = slot {
                match Pin::new(&mut **ask).poll(cx) {
                    Poll::Ready(value) => *slot = Slot::Answered(value),
                    Poll::Pending => waiting = true,
                }
            }
        }
        if waiting {
            return Poll::Pending;
        }
        let answered =
            self.asks
                .iter_mut()
                .filter_map(|slot| match std::mem::replace(slot, Slot::Taken) {
                    Slot::Answered(value) => Some(value),
                    Slot::Asking(_) | Slot::Taken => None,
                });
        Poll::Ready(answered.collect())
    }
}

impl<T> fmt::Debug for AskAll<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskAll")
            .field("asks", &self.asks.len())
            .finish()
    }
}
