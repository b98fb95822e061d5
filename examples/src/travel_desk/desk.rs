//! The desk itself: prices, and bookings that are counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use mrtr::prelude::*;

/// Bookings in memory; clones share them.
#[derive(Clone, Default)]
pub struct Desk {
    /// What was booked, by idempotency key.
    bookings: Arc<Mutex<BTreeMap<String, String>>>,
}

/// A price in whole euros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Price(u32);

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} EUR", self.0)
    }
}

/// Why the desk cannot do it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeskError {
    /// There is no flight of this number.
    NoSuchFlight(String),
}

impl fmt::Display for DeskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFlight(flight) => write!(f, "there is no flight {flight}"),
        }
    }
}

impl std::error::Error for DeskError {}

impl Desk {
    /// An empty desk.
    #[must_use]
    pub fn open() -> Self {
        Self::default()
    }

    /// The price of a seat.
    ///
    /// # Errors
    /// When the flight's number is not two letters and some digits.
    pub async fn quote(&self, flight: &str) -> Result<Price, DeskError> {
        // `parse` alone would take a sign, too.
        let number = flight
            .get(2..)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|digits| digits.parse::<u16>().ok());
        let letters = flight.bytes().take(2).all(|b| b.is_ascii_uppercase());
        match number {
            Some(number) if letters => Ok(Price(u32::from(number) + 57)),
            _ => Err(DeskError::NoSuchFlight(flight.to_owned())),
        }
    }

    /// Books, once per key: the same key again gets the same booking.
    pub async fn book(&self, what: String, key: String) -> String {
        self.lock().entry(key).or_insert(what).clone()
    }

    /// How many bookings there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.bookings
            .lock()
            .expect("no code panics while it holds the bookings")
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("bookings", &self.count())
            .finish()
    }
}
