//! Every way to ask several things: on parameters, side by side, one after another, in a loop and
//! all at once.

use mrtr::prelude::*;

use super::book::Seat;
use super::desk::Desk;

/// How many are going.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Party {
    /// Travellers
    #[schemars(range(min = 1, max = 3))]
    size: u8,
}

/// What somebody eats.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema, Form)]
#[serde(rename_all = "kebab-case")]
enum Meal {
    /// Whatever there is
    Any,
    /// Nothing that had parents
    Vegan,
    /// No gluten
    GlutenFree,
}

/// Somebody on the trip.
#[derive(Debug, Serialize, JsonSchema)]
struct Guest {
    name: String,
    meal: Meal,
}

/// A planned trip.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Trip {
    /// What was booked.
    confirmation: String,
    guests: Vec<Guest>,
}

/// Plans a trip for up to three and books it.
#[tool(title = "Plan a trip")]
pub async fn trip(
    /// Where to, such as Rome
    to: String,
    #[ask(message = "How many are going to {to}?")] party: Party,
    #[ask(message = "Where do you like to sit?")] seat: Seat,
    State(desk): State<Desk>,
    ctx: &Ctx,
) -> Result<Json<Trip>, ToolError> {
    // Side by side: one round.
    #[ask(message = "How many nights?")]
    let nights: u8;
    #[ask(message = "Is breakfast wanted?")]
    let breakfast: bool;

    // It shows what the one above brought, so it has to wait for it.
    #[ask(message = "{nights} nights in {to}: what is the hotel to know?")]
    let wish: Option<String>;

    let mut names = Vec::new();
    #[mrtr::allow(
        ask_per_iteration,
        reason = "shows keys made at run time; three at most"
    )]
    for number in 1..=party.size {
        #[ask(key = format!("guest-{number}"), message = "What is the name of guest {number}?")]
        let name: String;
        names.push(name);
    }

    let meals: Vec<Meal> = ctx
        .ask_all(
            (1..)
                .zip(&names)
                .map(|(number, name)| (format!("meal-{number}"), format!("What does {name} eat?"))),
        )
        .await;

    let travellers = names.len();
    #[ask(message = "Book the trip to {to} for {travellers}?", pin = &names)]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }

    let extras = if breakfast {
        "with breakfast"
    } else {
        "without breakfast"
    };
    let wish = wish.map(|wish| format!("; {wish}")).unwrap_or_default();
    let stay = format!("Booked {to}: {nights} nights {extras}, seats {seat}{wish}");
    #[commit(c)]
    let confirmation = desk.book(stay, c.key("trip")).await;
    let guests = names
        .into_iter()
        .zip(meals)
        .map(|(name, meal)| Guest { name, meal })
        .collect();
    Ok(Json(Trip {
        confirmation,
        guests,
    }))
}
