//! The tool: it pays a ticket once somebody has confirmed who pays.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mrtr::prelude::*;
use tokio::fs::OpenOptions;
use tokio::io::AsyncWriteExt;

use crate::hold::{Hold, Point};

/// The desk, and the ledger it pays by.
#[derive(Clone)]
pub(crate) struct Desk {
    ledger: PathBuf,
    hold: Arc<Hold>,
}

impl Desk {
    pub(crate) fn new(ledger: PathBuf, hold: Arc<Hold>) -> Self {
        Self { ledger, hold }
    }

    /// Whether a ticket has been paid: the effect takes away its own precondition.
    async fn is_paid(&self, ticket: u64) -> io::Result<bool> {
        let ledger = match tokio::fs::read_to_string(&self.ledger).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            ledger => ledger?,
        };
        let beginning = format!("{ticket} ");
        Ok(ledger.lines().any(|line| line.starts_with(&beginning)))
    }

    /// Pays: one line in the ledger, written in one piece.
    async fn pay(&self, ticket: u64, who: &str, c: &mut Commit) -> io::Result<String> {
        self.hold.reached(Point::Claimed).await;
        // An effect takes a while, and a kill must be able to meet it on both sides of the line.
        tokio::time::sleep(Duration::from_millis(10)).await;
        self.hold.reached(Point::Half).await;
        let mut ledger = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.ledger)
            .await?;
        let key = c.key("pay");
        ledger
            .write_all(format!("{ticket} {who} {key}\n").as_bytes())
            .await?;
        ledger.flush().await?;
        self.hold.reached(Point::Done).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok(format!("paid {ticket} for {who}"))
    }
}

/// Pays a ticket.
#[tool]
pub(crate) async fn pay(
    /// The ticket's number.
    ticket: u64,
    State(desk): State<Desk>,
) -> Result<String, ToolError> {
    if desk.is_paid(ticket).await? {
        return Err(ToolError::user("this ticket is paid already"));
    }

    #[ask(message = "Who pays ticket {ticket}?")]
    let who: String;

    #[ask(message = "Pay ticket {ticket} for {who}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }

    #[commit(c)]
    let receipt = desk.pay(ticket, &who, c).await?;
    Ok(receipt)
}
