//! How questions share rounds, and what many rounds cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[tool]
async fn side_by_side() -> String {
    #[ask(message = "First?")]
    let one: String;
    #[ask(message = "Second?")]
    let two: String;
    #[ask(message = "After {one}?")]
    let three: String;
    format!("{one} {two} {three}")
}

#[tool]
async fn joined(ctx: &Ctx) -> String {
    let late = async {
        woken_at_once().await;
        ctx.ask::<String>("late", "Late?").await
    };
    let (early, late) = tokio::join!(ctx.ask::<String>("early", "Early?"), late);
    format!("{early} {late}")
}

/// Pending once, and awake again before the poll is over.
async fn woken_at_once() {
    let mut polled = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[tool]
async fn all_at_once(ctx: &Ctx) -> String {
    let words = ["c", "a", "b"].map(|key| (key, format!("{key}?")));
    let words: Vec<String> = ctx.ask_all(words).await;
    words.join(" ")
}

#[tool]
async fn alone() -> String {
    #[ask(message = "First?", alone)]
    let one: String;
    #[ask(message = "Second?")]
    let two: String;
    format!("{one} {two}")
}

#[tool]
async fn twice(ctx: &Ctx) -> String {
    let mut words = Vec::new();
    for scope in ["home", "work"] {
        words.push(street(&ctx.scope(scope)).await);
    }
    words.join(" ")
}

#[asking]
async fn street(ctx: &Ctx) -> String {
    #[ask(message = "Which street?")]
    let street: String;
    street
}

#[tool]
#[mrtr::allow(
    duplicate_key,
    reason = "the run-time guard behind the lint is what is tested"
)]
async fn same_key(ctx: &Ctx) -> String {
    let mut words = Vec::new();
    for _ in 0..2 {
        words.push(ctx.ask::<String>("word", "Which?").await);
    }
    words.join(" ")
}

/// Answers each question with its own key.
fn echo(keys: &[&str]) -> Value {
    let answers = keys
        .iter()
        .map(|key| ((*key).to_owned(), accept(json!({ "value": key }))));
    Value::Object(answers.collect::<Map<_, _>>())
}

/// Plays a tool to its end; returns the keys of each round and the final text.
async fn play(server: Server, tool: &str) -> (Vec<Vec<String>>, String) {
    let mut round = Peer::of(server).call(tool, json!({})).await;
    let mut rounds = Vec::new();
    while !round.is_over() {
        rounds.push(round.keys().into_iter().map(str::to_owned).collect());
        let answers = echo(&round.keys());
        round = round.answer(answers).await;
    }
    assert_eq!(round.code(), 0, "{}", round.raw);
    (rounds, round.text().to_owned())
}

#[tokio::test]
async fn questions_go_out_together_wherever_none_needs_another() {
    let table: [(&str, &[&[&str]], &str); 5] = [
        (
            "side_by_side",
            &[&["one", "two"], &["three"]],
            "one two three",
        ),
        ("joined", &[&["early", "late"]], "early late"),
        ("all_at_once", &[&["a", "b", "c"]], "c a b"),
        ("alone", &[&["one"], &["two"]], "one two"),
        (
            "twice",
            &[&["home.street"], &["work.street"]],
            "home.street work.street",
        ),
    ];
    for (tool, rounds, text) in table {
        let server = Server::new("rounds", "1").tools([
            side_by_side(),
            joined(),
            all_at_once(),
            alone(),
            twice(),
        ]);
        let played = play(server, tool).await;
        assert_eq!(
            played,
            (
                rounds
                    .iter()
                    .map(|keys| keys.iter().map(ToString::to_string).collect())
                    .collect(),
                text.to_owned()
            ),
            "{tool}"
        );
    }
}

#[tokio::test]
async fn questions_stand_in_the_order_they_were_asked() {
    let asked = Peer::of(Server::new("rounds", "1").tool(all_at_once))
        .call("all_at_once", json!({}))
        .await;
    let at = |key: &str| {
        asked
            .raw
            .find(&format!("\"{key}\":{{\"method\""))
            .expect("the question is there")
    };
    assert!(at("c") < at("a") && at("a") < at("b"), "{}", asked.raw);
}

#[tokio::test]
async fn one_key_for_two_questions_ends_the_call_and_names_the_key() {
    let asked = Peer::of(Server::new("rounds", "1").tool(same_key))
        .call("same_key", json!({}))
        .await;
    let end = asked.answer(echo(&["word"])).await;
    assert!(end.is_over() && end.raw.contains("`word`"), "{}", end.raw);
    assert!(
        !end.text().contains("word word"),
        "one answer must not serve both: {}",
        end.raw
    );
}

/// How many questions the tools below ask, and how often their bodies ran.
#[derive(Clone, Default)]
struct Count {
    questions: usize,
    runs: Arc<AtomicUsize>,
}

#[tool]
#[mrtr::allow(
    state_change_above_ask,
    reason = "counts the runs, which is what is tested"
)]
async fn one_by_one(State(count): State<Count>, ctx: &Ctx) -> String {
    count.runs.fetch_add(1, Ordering::SeqCst);
    let mut words = Vec::new();
    #[mrtr::allow(ask_per_iteration, reason = "many rounds are what is tested")]
    for number in 0..count.questions {
        words.push(
            ctx.ask::<String>(format!("q{number}"), format!("Number {number}?"))
                .await,
        );
    }
    words.join(" ")
}

/// The length of each round's state.
async fn state_lengths(questions: usize, max_rounds: u8) -> Vec<usize> {
    let count = Count {
        questions,
        ..Count::default()
    };
    let server = Server::new("rounds", "1")
        .state(count.clone())
        .max_rounds(max_rounds)
        .tool(one_by_one);
    let mut round = Peer::of(server).call("one_by_one", json!({})).await;
    let mut lengths = Vec::new();
    for number in 0..questions {
        assert_eq!(round.keys(), [format!("q{number}")], "{}", round.raw);
        lengths.push(round.state().len());
        let answers = echo(&round.keys());
        round = round.answer(answers).await;
    }
    let expected: Vec<_> = (0..questions).map(|number| format!("q{number}")).collect();
    assert_eq!(round.text(), expected.join(" "), "{}", round.raw);
    assert_eq!(count.runs.load(Ordering::SeqCst), questions + 1);
    lengths
}

#[tokio::test]
async fn every_earlier_answer_is_seen_and_the_state_grows_by_the_same_each_round() {
    for (questions, max_rounds) in [(9, 10), (20, 21)] {
        let lengths = state_lengths(questions, max_rounds).await;
        let steps: Vec<_> = lengths.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (least, most) = (steps.iter().min(), steps.iter().max());
        // base64 rounds to four characters, and `q10` is one longer than `q9`.
        assert!(
            most.zip(least)
                .is_some_and(|(most, least)| most - least <= 4),
            "{steps:?}"
        );
        assert!(steps.iter().all(|step| *step <= 56), "{steps:?}");
    }
}

#[tokio::test]
async fn a_flow_that_needs_more_rounds_than_allowed_ends_with_a_failure() {
    let count = Count {
        questions: 5,
        ..Count::default()
    };
    let server = Server::new("rounds", "1")
        .state(count)
        .max_rounds(3)
        .tool(one_by_one);
    let mut round = Peer::of(server).call("one_by_one", json!({})).await;
    let mut prompts = 0;
    while !round.is_over() {
        prompts += 1;
        let answers = echo(&round.keys());
        round = round.answer(answers).await;
    }
    assert!(
        prompts < 5 && !round.failure().is_empty(),
        "{prompts}: {}",
        round.raw
    );
}

/// Delays of the tool's branches, in polls that they wait before and after they ask.
#[derive(Clone, Default)]
struct Delays(Vec<(u8, u8)>);

#[tool]
async fn delayed(State(Delays(delays)): State<Delays>, ctx: &Ctx) -> String {
    let branches = delays
        .into_iter()
        .enumerate()
        .map(|(number, (before, after))| async move {
            for _ in 0..before {
                tokio::task::yield_now().await;
            }
            let word: String = ctx
                .ask(format!("q{number}"), format!("Number {number}?"))
                .await;
            for _ in 0..after {
                tokio::task::yield_now().await;
            }
            word
        });
    futures_util::future::join_all(branches).await.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// With any delays an answered question is never asked again, and there are at most as many
    /// rounds as questions.
    #[test]
    fn delays_never_lose_an_answer(delays in proptest::collection::vec((0u8..40, 0u8..4), 1..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let count = delays.len();
        let server = Server::new("rounds", "1").state(Delays(delays)).tool(delayed);
        let (rounds, text) = runtime.expect("a runtime").block_on(play(server, "delayed"));
        let mut keys: Vec<_> = rounds.concat();
        prop_assert!(rounds.len() <= count);
        prop_assert_eq!(keys.len(), count);
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), count, "a question was asked twice");
        let expected: Vec<_> = (0..count).map(|number| format!("q{number}")).collect();
        prop_assert_eq!(text, expected.join(" "));
    }
}
