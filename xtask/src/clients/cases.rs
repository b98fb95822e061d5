//! The cases that every client plays.

use super::case::Kind::{Choices, Form, Link, Model, Roots};
use super::case::Reply::{Accept, Agree, Cancel, Decline, Folders, Refuse, Says};
use super::case::Request::{Prompt, Resource, Tool};
use super::case::{Ask, Case, End, Kind, Reply, Request};

const ADA: &str = r#"{"name":"Ada Lovelace","email":"ada@example.org","seat":"Window"}"#;
const NO_EMAIL: &str = r#"{"name":"Ada Lovelace","email":"nobody","seat":"Window"}"#;
const FEEDBACK: &str = r#"{"headline":"Fine","left":"2026-07-28","stars":5,"again":true,
    "cabin":"Business","good":["Crew","Price"],"email":"ada@example.org","page":"https://example.org/",
    "landed":"2026-07-28T10:00:00Z","delay":1.5,"purpose":"work","served":["tea"]}"#;
const YES: &str = r#"{"ok":true}"#;

const WHOAMI: Request = Tool("whoami", "{}");
const BOOK: Request = Tool("book", r#"{"flight":"LH123"}"#);
const REVIEW: Request = Prompt("review", r#"{"language":"Rust"}"#);
const DIARY: Request = Resource("notes:///diary/3");
const MOVING: Request = Tool("moving", "{}");

const fn ask(kind: Kind, key: &'static str, says: &'static str, reply: Reply) -> Ask {
    Ask {
        kind,
        key,
        says,
        reply,
    }
}

const fn case(
    name: &'static str,
    request: Request,
    batches: &'static [&'static [Ask]],
    end: End,
) -> Case {
    Case {
        name,
        request,
        batches,
        end,
        only_legacy: None,
    }
}

const fn who(reply: Reply) -> Ask {
    ask(Form, "who", "your name", reply)
}

const fn traveller(reply: Reply) -> Ask {
    ask(Form, "who", "Who is travelling", reply)
}

const fn price(reply: Reply) -> Ask {
    ask(Form, "ok", "for Ada Lovelace at", reply)
}

const fn clue(key: &'static str, says: &'static str, value: &'static str) -> Ask {
    ask(Form, key, says, Accept(value))
}

pub(crate) const CASES: &[Case] = &[
    case(
        "a form accepted",
        WHOAMI,
        &[&[who(Accept(r#"{"name":"Ada"}"#))]],
        End::Good("Hello, Ada!"),
    ),
    case(
        "a form declined",
        WHOAMI,
        &[&[who(Decline)]],
        End::Good("Hello, stranger!"),
    ),
    case(
        "a form cancelled",
        WHOAMI,
        &[&[who(Cancel)]],
        End::Good("Hello, stranger!"),
    ),
    case(
        "a form answered wrongly, then right",
        WHOAMI,
        &[
            &[who(Accept(r#"{"name":""}"#))],
            &[who(Accept(r#"{"name":"Ada"}"#))],
        ],
        End::Good("Hello, Ada!"),
    ),
    case(
        "a booking",
        BOOK,
        &[&[traveller(Accept(ADA))], &[price(Accept(YES))]],
        End::Good("Booked"),
    ),
    case(
        "a booking declined",
        BOOK,
        &[&[traveller(Decline)]],
        End::Bad("`who`"),
    ),
    case(
        "a booking cancelled",
        BOOK,
        &[&[traveller(Cancel)]],
        End::Bad("`who`"),
    ),
    case(
        "a booking declined at the price",
        BOOK,
        &[&[traveller(Accept(ADA))], &[price(Decline)]],
        End::Bad("not booked"),
    ),
    case(
        "a booking cancelled at the price",
        BOOK,
        &[&[traveller(Accept(ADA))], &[price(Cancel)]],
        End::Bad("not booked"),
    ),
    case(
        "a booking answered wrongly, then right",
        BOOK,
        &[
            &[traveller(Accept(NO_EMAIL))],
            &[traveller(Accept(ADA))],
            &[price(Accept(YES))],
        ],
        End::Good("Booked"),
    ),
    case(
        "questions side by side, one by one and all at once",
        Tool("trip", r#"{"to":"Rome"}"#),
        &[
            &[
                ask(Form, "party", "How many are going", Accept(r#"{"size":1}"#)),
                ask(Form, "seat", "like to sit", Accept(r#"{"value":"Aisle"}"#)),
            ],
            &[
                ask(Form, "nights", "How many nights", Accept(r#"{"value":3}"#)),
                ask(Form, "breakfast", "breakfast", Accept(r#"{"value":false}"#)),
            ],
            &[ask(Form, "wish", "hotel to know", Decline)],
            &[ask(
                Form,
                "guest-1",
                "name of guest 1",
                Accept(r#"{"value":"Ada"}"#),
            )],
            &[ask(
                Form,
                "meal-1",
                "does Ada eat",
                Accept(r#"{"value":"vegan"}"#),
            )],
            &[ask(Form, "ok", "Book the trip", Accept(YES))],
        ],
        End::Good("Booked Rome"),
    ),
    case(
        "a form with every kind of field",
        Tool("feedback", "{}"),
        &[&[ask(Choices, "form", "", Accept(FEEDBACK))]],
        End::Good("Business"),
    ),
    case(
        "choices known at run time, a draft, and the way back",
        Tool("seats", "{}"),
        &[
            &[
                ask(
                    Form,
                    "number",
                    "Which flight?",
                    Accept(r#"{"value":"LH2"}"#),
                ),
                ask(Form, "wanted", "How many seats?", Accept(r#"{"value":2}"#)),
            ],
            &[ask(
                Form,
                "number",
                "only 1 left",
                Accept(r#"{"value":"LH1"}"#),
            )],
        ],
        End::Good("2 on LH1"),
    ),
    case(
        "a prompt that asks",
        REVIEW,
        &[&[ask(
            Form,
            "focus",
            "a review of Rust",
            Accept(r#"{"value":"races"}"#),
        )]],
        End::Good("Look for races."),
    ),
    case(
        "a prompt that asks, declined",
        REVIEW,
        &[&[ask(Form, "focus", "a review of Rust", Decline)]],
        End::Error(-32603, "`focus`"),
    ),
    case(
        "a resource that asks",
        DIARY,
        &[&[ask(Form, "ok", "diary of day 3", Accept(YES))]],
        End::Good("Day 3: it rained."),
    ),
    case(
        "a resource that asks, cancelled",
        DIARY,
        &[&[ask(Form, "ok", "diary of day 3", Cancel)]],
        End::Error(-32603, "stays closed"),
    ),
    case(
        "a link opened",
        Tool("sign", "{}"),
        &[&[ask(Link, "signed", "https://post.example/sign", Agree)]],
        End::Good("on its way"),
    ),
    case(
        "a link declined",
        Tool("sign", "{}"),
        &[&[ask(Link, "signed", "https://post.example/sign", Decline)]],
        End::Good("stays here"),
    ),
    case(
        "a link opened, and done later",
        Tool("collect", "{}"),
        &[
            &[ask(Link, "collected", "collect the letter", Agree)],
            &[ask(Link, "collected", "not finished yet", Agree)],
        ],
        End::Good("The letter is here."),
    ),
    case(
        "the client's model",
        Tool("name_it", r#"{"thing":"boat"}"#),
        &[&[ask(Model, "name", "One word.", Says("Argo"))]],
        End::Good("Argo (m-1)"),
    ),
    Case {
        only_legacy: Some("the client gives the call up when its user refuses the model"),
        ..case(
            "the client's model, refused",
            Tool("sum_up", r#"{"text":"Lorem."}"#),
            &[&[ask(Model, "summary", "Sum up: Lorem.", Refuse)]],
            End::Good("no summary"),
        )
    },
    case(
        "the client's roots",
        Tool("folders", "{}"),
        &[&[ask(
            Roots,
            "folders",
            "",
            Folders(&["file:///home/a%20b", "file:///srv"]),
        )]],
        End::Good("/home/a b and /srv"),
    ),
    case(
        "two batches of several kinds",
        MOVING,
        &[
            &[
                ask(
                    Form,
                    "town",
                    "Where do you move",
                    Accept(r#"{"value":"Bonn"}"#),
                ),
                ask(Form, "boxes", "How many boxes", Accept(r#"{"value":40}"#)),
                ask(Roots, "papers", "", Folders(&["file:///papers"])),
            ],
            &[
                ask(Link, "contract", "for 40 boxes", Agree),
                ask(Model, "farewell", "moving to Bonn", Says("So long!")),
                ask(Form, "ok", "Move to Bonn", Accept(YES)),
            ],
        ],
        End::Good("40 boxes and 1 folders go to Bonn. So long!"),
    ),
    case(
        "two batches of several kinds, declined at the end",
        MOVING,
        &[
            &[
                ask(
                    Form,
                    "town",
                    "Where do you move",
                    Accept(r#"{"value":"Bonn"}"#),
                ),
                ask(Form, "boxes", "How many boxes", Accept(r#"{"value":40}"#)),
                ask(Roots, "papers", "", Folders(&[])),
            ],
            &[
                ask(Link, "contract", "for 40 boxes", Agree),
                ask(Model, "farewell", "moving to Bonn", Says("So long!")),
                ask(Form, "ok", "Move to Bonn", Decline),
            ],
        ],
        End::Bad("nobody moves"),
    ),
    case(
        "nine questions one after another, the result in the tenth round",
        Tool("quiz", "{}"),
        &[
            &[clue(
                "clue-1",
                "Clue 1, after nothing yet",
                r#"{"value":"a"}"#,
            )],
            &[clue("clue-2", "Clue 2, after a:", r#"{"value":"b"}"#)],
            &[clue("clue-3", "Clue 3, after b:", r#"{"value":"c"}"#)],
            &[clue("clue-4", "Clue 4, after c:", r#"{"value":"d"}"#)],
            &[clue("clue-5", "Clue 5, after d:", r#"{"value":"e"}"#)],
            &[clue("clue-6", "Clue 6, after e:", r#"{"value":"f"}"#)],
            &[clue("clue-7", "Clue 7, after f:", r#"{"value":"g"}"#)],
            &[clue("clue-8", "Clue 8, after g:", r#"{"value":"h"}"#)],
            &[clue("clue-9", "Clue 9, after h:", r#"{"value":"i"}"#)],
        ],
        End::Good("It is abcdefghi."),
    ),
];
