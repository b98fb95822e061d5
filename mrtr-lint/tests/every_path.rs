//! Which asks no path avoids, by which the runtime refuses a client before anything ran.

use mrtr_lint::{AskSite, Handler, HandlerKind, asks_on_every_path};

fn sites(function: &str) -> Vec<AskSite> {
    let function: syn::ItemFn = syn::parse_str(function).expect("a function");
    asks_on_every_path(&Handler::new(
        HandlerKind::Tool,
        &function.sig,
        &function.block,
    ))
}

const ASK: &str = "#[ask(message = \"?\")] let x: Confirm;";

#[test]
fn an_ask_counts_when_every_path_to_an_end_meets_it() {
    let first = vec![AskSite::Statement(0)];
    let cases: [(&str, &[AskSite]); 12] = [
        ("ASK Ok(())", &first),
        ("if c() { ASK } Ok(())", &[]),
        ("let y = f()?; ASK Ok(())", &[]),
        ("ASK let y = f()?; Ok(())", &first),
        ("if c() { return Ok(()); } ASK Ok(())", &[]),
        ("if c() { panic!(); } ASK Ok(())", &first),
        ("for i in 0..2 { ASK } Ok(())", &[]),
        ("loop { ASK if c() { break; } } Ok(())", &first),
        ("loop { ASK }", &[]),
        ("match c() { true => { ASK } false => { ASK } } Ok(())", &[]),
        ("ensure!(c()); ASK Ok(())", &[]),
        ("unknown!(c()); ASK Ok(())", &[]),
    ];
    for (body, expected) in cases {
        let text = format!(
            "async fn f() -> Result<(), E> {{ {} }}",
            body.replace("ASK", ASK)
        );
        assert_eq!(sites(&text), expected, "{body}");
    }
}

#[test]
fn parameter_asks_come_before_everything() {
    let text =
        "async fn f(a: u8, #[ask(message = \"?\")] who: Who) -> Result<(), E> { g()?; Ok(()) }";
    assert_eq!(sites(text), [AskSite::Parameter(1)]);
}
