//! Committed expansions: one file per feature in `snapshots/`, which the UI tests compile.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;

use super::{Kind, expand_asking, expand_handlers, expand_item};

type Expand = fn(TokenStream, TokenStream) -> TokenStream;

fn expand_tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_item(Kind::Tool, options, item)
}

fn expand_prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_item(Kind::Prompt, options, item)
}

fn expand_resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_item(Kind::Resource, options, item)
}

fn check(expand: Expand, options: &str, item: &str, expected: ExpectFile) {
    let expansion = expand(tokens(options), tokens(item));
    let file = syn::parse2(expansion).expect("an expansion is a sequence of items");
    let text = prettyplease::unparse(&file);
    expected.assert_eq(&text);
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the source of a snapshot is Rust")
}

#[test]
fn plain() {
    check(
        expand_tool,
        "",
        "pub async fn ping() {}",
        expect_file!["../snapshots/plain.rs"],
    );
}

#[test]
fn book() {
    let item = r#"
        /// Books a seat on a flight.
        ///
        /// # Errors
        /// When the flight is full.
        pub async fn book(
            /// Flight number, such as LH123
            flight: String,
            State(desk): State<Desk>,
        ) -> Result<Json<Booking>, ToolError> {
            let price = desk.quote(&flight).await?;

            #[ask(message = "Who is travelling?")]
            let who: Traveller;

            #[ask(message = "Book {flight} for {who.name} at {price:.2}?", pin = &price)]
            let ok: Confirm;
            if !ok.yes() {
                return Err(ToolError::user("not booked"));
            }

            #[commit(c)]
            let booking = desk.book(&flight, &who, price, c.key("book")).await?;
            Ok(Json(booking))
        }
    "#;
    check(
        expand_tool,
        r#"title = "Book a flight""#,
        item,
        expect_file!["../snapshots/book.rs"],
    );
}

#[test]
fn options() {
    let options = r#"
        name = "list.seats", title = "Seats", description = "Lists seats.", read_only, destructive = false,
        idempotent, open_world = false, meta = seats_meta(), effects = "deny",
        flow_ttl = "2h", round_ttl = "90s", time_limit = "500ms"
    "#;
    let item = r#"
        #[deprecated]
        #[inline]
        pub(crate) async fn seats(
            #[arg(header = "Region")]
            #[serde(rename = "where")]
            region: String,
            #[serde(default)] mut limit: u8,
            r#type: Option<String>,
        ) -> String {
            limit += 1;
            format!("{region} {limit} {type:?}", r#type = r#type)
        }
    "#;
    check(
        expand_tool,
        options,
        item,
        expect_file!["../snapshots/options.rs"],
    );
}

#[test]
fn injected() {
    let item = r#"
        pub async fn who_am_i(
            caller: Option<Principal>,
            State(desk): State<Desk>,
            ctx: &Ctx,
            call: Call,
            #[from_call] extra: Extra,
        ) -> String {
            let name: String = ctx.ask("name", "Your name?").await;
            format!("{name} {caller:?} {} {call:?} {}", desk.0, extra.0)
        }
    "#;
    check(
        expand_tool,
        "",
        item,
        expect_file!["../snapshots/injected.rs"],
    );
}

#[test]
fn parameters_ask() {
    let item = r#"
        pub async fn trip(
            city: String,
            #[ask(message = "{who} to {city}?", alone)] sure: Confirm,
            #[ask(message = "Who?")] who: String,
            /// How many nights?
            #[ask(key = "n", if_supported)]
            nights: Answer<u8>,
        ) -> String {
            format!("{who} {city} {nights:?} {}", sure.yes())
        }
    "#;
    check(
        expand_tool,
        "",
        item,
        expect_file!["../snapshots/parameters_ask.rs"],
    );
}

#[test]
fn rounds() {
    let item = r#"
        pub async fn rounds(seats: u8) -> String {
            #[ask(message = "First?")]
            let first: String;
            #[ask(message = translate("second"), validate = not_empty)]
            let mut second: Option<String>;
            #[ask(message = format!("Third, after {first}?"))]
            let third: bool;
            let note = "a statement ends a round";
            #[ask(message = "Fourth?", accept_unsolicited)]
            let fourth: String;
            #[mrtr::allow(ask_per_iteration, reason = "a seat may depend on the one before")]
            for i in 0..seats {
                #[ask(key = format!("seat-{i}"), message = "Seat {i}, {note}?")]
                let seat: String;
                second = Some(seat);
            }
            format!("{first}{second:?}{third}{fourth}")
        }
    "#;
    check(
        expand_tool,
        "",
        item,
        expect_file!["../snapshots/rounds.rs"],
    );
}

#[test]
fn memo() {
    let item = r#"
        pub async fn memo() -> Result<u32, ToolError> {
            #[memo]
            let quote: u32 = fetch().await?;
            #[memo(repeatable = "the number is only drawn again")]
            let mut draw: u32 = quote + 1;
            draw += 1;
            Ok(draw)
        }
    "#;
    check(expand_tool, "", item, expect_file!["../snapshots/memo.rs"]);
}

#[test]
fn commits() {
    let item = r#"
        pub async fn commits(how: u8) -> Result<String, ToolError> {
            #[ask(message = "Sure?")]
            let sure: bool;
            match how + u8::from(sure) {
                0 => {
                    #[commit(c)]
                    let Some(text) = find(c.key("a")).await else { return Ok(String::new()) };
                    Ok(text)
                }
                1 => {
                    #[commit]
                    act().await?;
                    Ok(String::new())
                }
                2 => {
                    #[commit(c)]
                    {
                        act().await?;
                        Ok(c.key("b"))
                    }
                }
                3 => {
                    #[commit(c)]
                    return Ok(c.key("c"));
                }
                4 => {
                    #[commit]
                    for _ in 0..how {
                        act().await?;
                    }
                    Ok(String::new())
                }
                _ => {
                    let mut last = String::new();
                    #[commit(c)]
                    last = c.key("d");
                    #[allow(clippy::let_and_return)]
                    Ok(last)
                }
            }
        }
    "#;
    check(
        expand_tool,
        "",
        item,
        expect_file!["../snapshots/commits.rs"],
    );
}

#[test]
fn commit_options() {
    let item = r#"
        pub async fn commit_options(invoice: String) -> Result<String, ToolError> {
            #[ask(message = "Pay {invoice}?")]
            let ok: Confirm;
            if ok.yes() {
                #[commit(c, idempotent, in_flow, key = (&invoice, 1).text())]
                pay(&invoice, c.key("pay")).await?;
            } else {
                #[commit(idempotent)]
                note(&invoice).await?;
            }
            Ok(invoice)
        }
    "#;
    check(
        expand_tool,
        "",
        item,
        expect_file!["../snapshots/commit_options.rs"],
    );
}

#[test]
fn kinds() {
    let item = r#"
        pub async fn kinds(ctx: &Ctx, bank: String) -> String {
            #[ask(message = "Connect {bank}?", url = connect_url(ctx), until = is_connected(&bank).await)]
            let page: Consented;
            let _ = page;
            #[ask(sample = Sample::new("Sum up."))]
            let said: Sampled;
            #[ask(roots, if_supported)]
            let folders: Answer<Roots>;
            #[ask(message = "Which?", options = accounts(), default = 1)]
            let account: Select<u32>;
            format!("{said:?} {folders:?} {account:?}")
        }
    "#;
    check(expand_tool, "", item, expect_file!["../snapshots/kinds.rs"]);
}

#[test]
fn helper() {
    let item = r#"
        /// Asks for a seat.
        #[mrtr::allow(effect_above_ask, reason = "writing it twice is the same")]
        pub async fn pick_seat<T: Copy>(ctx: &Ctx, rows: &[T]) -> String {
            #[ask(message = "Which row?")]
            let row: String;
            std::fs::write(row.as_str(), format!("{}", rows.len())).expect("a seat is free");
            #[ask(message = "Which letter?")]
            let letter: String;
            letter
        }
    "#;
    check(
        expand_asking,
        "",
        item,
        expect_file!["../snapshots/helper.rs"],
    );
}

#[test]
fn methods() {
    let item = r#"
        impl Desk {
            /// Counts seats.
            #[tool(read_only)]
            pub async fn count(&self, other: Vec<Self>) -> String {
                format!("{}", self.0.len() + other.len())
            }

            /// Books a seat.
            #[tool]
            async fn reserve(&self, seat: String) -> Result<String, ToolError> {
                #[ask(message = "Reserve {seat}?")]
                let ok: Confirm;
                #[commit]
                self.hold(&seat, ok.yes()).await?;
                Ok(seat)
            }

            async fn hold(&self, _seat: &str, _ok: bool) -> Result<(), ToolError> {
                Ok(())
            }
        }
    "#;
    check(
        expand_handlers,
        "",
        item,
        expect_file!["../snapshots/methods.rs"],
    );
}

#[test]
fn renamed_crate() {
    let item = r#"
        pub async fn hello(name: String) -> String {
            #[ask(message = "Greet {name}?")]
            let ok: bool;
            format!("{name} {ok}")
        }
    "#;
    check(
        expand_tool,
        "crate = renamed",
        item,
        expect_file!["../snapshots/renamed_crate.rs"],
    );
}

#[test]
fn prompt() {
    check(
        expand_prompt,
        r#"title = "Review code""#,
        r#"
        /// Reviews a file.
        async fn review(
            /// The language
            #[arg(complete = languages)]
            language: String,
            lines: Option<u32>,
            State(desk): State<Desk>,
        ) -> Result<String, ToolError> {
            #[ask(message = "What matters most?")]
            let focus: String;
            Ok(desk.review(&language, lines, &focus))
        }
        "#,
        expect_file!["../snapshots/prompt.rs"],
    );
}

#[test]
fn resource() {
    check(
        expand_resource,
        r#"template = "notes:///{id}", mime_type = "text/markdown", ttl = "5m", scope = "private", audience = "both", priority = 0.5"#,
        r#"
        /// A note.
        async fn note(id: u64) -> Option<String> { find_note(id) }
        "#,
        expect_file!["../snapshots/resource.rs"],
    );
}
