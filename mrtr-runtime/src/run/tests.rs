//! What a handler can do with its asks, and what it cannot get around.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use mrtr_core::reply::{Answer, Confirm};

use super::Ended;
use super::desk::{ADA, Desk, FORMS, NO, YES, asked, text};
use crate::call::Call;
use crate::client::ClientCapabilities;
use crate::commit::commit;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::observe::Outcome;
use crate::result::IntoToolResult;
use crate::tool::{Tool, ToolDef};

/// A tool made of an async function of its context.
macro_rules! tool {
    (|$ctx:ident, $call:ident| $body:expr) => {
        ToolDef::new("t").handler(|$ctx: Ctx, $call: Call| async move {
            let value: Result<_, ToolError> = $body;
            value.into_tool_result()
        })
    };
}

#[tokio::test]
async fn asks_one_after_the_other() {
    let desk = Desk::new(tool!(|ctx, _call| {
        let who: String = ctx.ask("who", "Who?").await;
        let ok: Confirm = ctx.ask("ok", format!("Greet {who}?")).await;
        Ok(format!("{who} {}", ok.yes()))
    }));
    let (keys, state) = desk.first().await;
    assert_eq!(keys, ["who"]);
    let (keys, state) = asked(desk.round(Some(&state), &[("who", ADA)]).await);
    assert_eq!(keys, ["ok"]);
    assert_eq!(
        text(desk.round(Some(&state), &[("ok", YES)]).await),
        "Ada true"
    );
    assert_eq!(
        *desk.seen.lock().unwrap(),
        [
            "who Asked",
            "who Accepted",
            "ok Asked",
            "who Accepted",
            "ok Accepted",
            "Ended(Result)"
        ]
    );
}

#[tokio::test]
async fn asks_joined_or_batched_go_out_together() {
    let joined = Desk::new(tool!(|ctx, _call| {
        let (a, b) = tokio::join!(ctx.ask::<String>("a", "A?"), ctx.ask::<String>("b", "B?"));
        Ok(format!("{a}{b}"))
    }));
    assert_eq!(joined.first().await.0, ["a", "b"]);
    let all = Desk::new(tool!(|ctx, _call| {
        let names: Vec<String> = ctx
            .ask_all((0..3).map(|i| (format!("n.{i}"), "Name?")))
            .await;
        Ok(names.join(","))
    }));
    let (keys, state) = all.first().await;
    assert_eq!(keys, ["n.0", "n.1", "n.2"]);
    let answers = ["n.0", "n.1", "n.2"].map(|key| (key, ADA));
    assert_eq!(text(all.round(Some(&state), &answers).await), "Ada,Ada,Ada");
    // Part of the answers: the rest is asked again, alone.
    let (keys, _) = asked(all.round(Some(&state), &answers[..2]).await);
    assert_eq!(keys, ["n.2"]);
}

#[tokio::test]
async fn an_open_question_goes_out_whatever_the_handler_does_with_it() {
    let selected = Desk::new(tool!(|ctx, _call| {
        let answer = tokio::select! {
            biased;
            answer = ctx.ask::<String>("who", "Who?") => answer,
            () = std::future::ready(()) => "nobody".to_owned(),
        };
        Ok(answer)
    }));
    assert_eq!(selected.first().await.0, ["who"]);
    let never = Desk::new(tool!(|ctx, _call| {
        let answer = ctx.ask::<String>("who", "Who?").now_or_never();
        Ok(answer.unwrap_or_default())
    }));
    assert_eq!(never.first().await.0, ["who"]);
    let timed = Desk::new(tool!(|ctx, _call| {
        let ask = ctx.ask::<String>("who", "Who?");
        let answer = tokio::time::timeout(Duration::from_millis(1), ask).await;
        Ok(answer.unwrap_or_default())
    }));
    assert_eq!(timed.first().await.0, ["who"]);
    let unordered = Desk::new(tool!(|ctx, _call| {
        let mut asks: FuturesUnordered<_> = (0..2)
            .map(|i| ctx.ask::<String>(format!("q{i}"), "Who?"))
            .collect();
        Ok(asks.next().await.unwrap_or_default())
    }));
    assert_eq!(unordered.first().await.0, ["q0", "q1"]);
}

#[tokio::test]
async fn nothing_commits_while_a_question_is_open() {
    static EFFECTS: AtomicUsize = AtomicUsize::new(0);
    let desk = Desk::new(
        ToolDef::new("t")
            .commits()
            .handler(|ctx: Ctx, _call: Call| async move {
                // What a helper could do behind the macro's back: an ask left open beside the commit.
                let open = ctx.ask::<Confirm>("ok", "Sure?").now().now_or_never();
                if open.is_none_or(Confirm::yes) {
                    let _c = commit(ctx).await;
                    EFFECTS.fetch_add(1, Ordering::SeqCst);
                }
                "done".into_tool_result()
            }),
    );
    let (keys, state) = desk.first().await;
    assert_eq!(
        (keys, EFFECTS.load(Ordering::SeqCst)),
        (vec!["ok".to_owned()], 0)
    );
    assert_eq!(text(desk.round(Some(&state), &[("ok", YES)]).await), "done");
    assert_eq!(EFFECTS.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_commit_knows_whether_a_flow_names_it() {
    let desk = Desk::new(
        ToolDef::new("t")
            .commits()
            .handler(|ctx: Ctx, _call: Call| async move {
                let _: Option<String> = ctx.ask("who", "Who?").await;
                let c = commit(ctx).await;
                format!("{}", c.flow().is_some()).into_tool_result()
            }),
    );
    let (_, state) = desk.first().await;
    assert_eq!(
        text(desk.round(Some(&state), &[("who", ADA)]).await),
        "true"
    );
    let unasked = Desk::new(ToolDef::new("t").commits().handler(
        |ctx: Ctx, _call: Call| async move {
            let c = commit(ctx).await;
            format!("{}", c.flow().is_some()).into_tool_result()
        },
    ));
    assert_eq!(text(unasked.round(None, &[]).await), "false");
}

#[tokio::test]
async fn a_no_ends_the_call_unless_the_type_has_room_for_it() {
    let plain = Desk::new(tool!(|ctx, _call| Ok(ctx
        .ask::<String>("who", "Who?")
        .await)));
    let (_, state) = plain.first().await;
    assert_eq!(
        text(plain.round(Some(&state), &[("who", NO)]).await),
        "`who` was declined"
    );
    let cancel = r#"{"action":"cancel","content":null}"#;
    assert_eq!(
        text(plain.round(Some(&state), &[("who", cancel)]).await),
        "`who` was cancelled"
    );

    let option = Desk::new(tool!(|ctx, _call| {
        Ok(ctx
            .ask::<Option<String>>("who", "Who?")
            .await
            .unwrap_or("nobody".into()))
    }));
    let (_, state) = option.first().await;
    assert_eq!(
        text(option.round(Some(&state), &[("who", NO)]).await),
        "nobody"
    );

    let answer = Desk::new(tool!(|ctx, _call| {
        Ok(format!(
            "{:?}",
            ctx.ask::<Answer<String>>("who", "Who?").await
        ))
    }));
    let (_, state) = answer.first().await;
    assert_eq!(
        text(answer.round(Some(&state), &[("who", cancel)]).await),
        "Cancelled"
    );
    assert_eq!(
        text(answer.round(Some(&state), &[("who", NO)]).await),
        "Declined"
    );

    let confirm = Desk::new(tool!(|ctx, _call| Ok(ctx
        .ask::<Confirm>("ok", "Sure?")
        .await
        .yes())));
    let (_, state) = confirm.first().await;
    let unticked = r#"{"action":"accept","content":{"ok":false}}"#;
    for no in [NO, cancel, unticked] {
        assert_eq!(
            text(confirm.round(Some(&state), &[("ok", no)]).await),
            "false"
        );
    }
    // An accept without the boolean is no yes and no no.
    let empty = r#"{"action":"accept","content":{}}"#;
    assert_eq!(
        asked(confirm.round(Some(&state), &[("ok", empty)]).await).0,
        ["ok"]
    );
}

#[tokio::test]
async fn a_validator_has_the_question_asked_again_with_its_reason() {
    async fn known(name: &String) -> Result<(), String> {
        tokio::task::yield_now().await;
        if name == "Bob" {
            Ok(())
        } else {
            Err("only Bob is known here".into())
        }
    }
    #[expect(clippy::ptr_arg, reason = "a validator takes the type of the answer")]
    fn short(name: &String) -> Result<(), &'static str> {
        if name.len() < 4 {
            Ok(())
        } else {
            Err("too long")
        }
    }
    let desk = Desk::new(tool!(|ctx, _call| {
        let short: String = ctx.ask("short", "Short?").validate(short).await;
        let known: String = ctx.ask("known", "Known?").validate(known).await;
        Ok(short + &known)
    }));
    let (_, state) = desk.first().await;
    let (_, state) = asked(desk.round(Some(&state), &[("short", ADA)]).await);
    let Ended::Asked { questions, state } = desk.round(Some(&state), &[("known", ADA)]).await
    else {
        panic!("not asked");
    };
    assert!(
        questions[0].request.contains("only Bob is known here"),
        "{}",
        questions[0].request
    );
    let bob = r#"{"action":"accept","content":{"value":"Bob"}}"#;
    assert_eq!(
        text(desk.round(Some(&state), &[("known", bob)]).await),
        "AdaBob"
    );
}

#[tokio::test]
async fn a_client_that_declares_nothing_is_not_asked() {
    let mut desk = Desk::new(tool!(|ctx, _call| Ok(ctx
        .ask::<String>("who", "Who?")
        .await)));
    desk.client = ClientCapabilities::default();
    let Ended::Failed(error) = desk.round(None, &[]).await else {
        panic!("no error")
    };
    assert_eq!(error.code, -32021);
    assert_eq!(
        error.data.unwrap().get(),
        r#"{"requiredCapabilities":{"elicitation":{"form":{}}}}"#
    );
    let mut lenient = Desk::new(tool!(|ctx, _call| {
        Ok(format!(
            "{:?}",
            ctx.ask::<Answer<String>>("who", "Who?")
                .if_supported()
                .await
        ))
    }));
    lenient.client = ClientCapabilities::default();
    assert_eq!(text(lenient.round(None, &[]).await), "Unsupported");
}

#[tokio::test]
async fn faults_of_the_handler_are_named() {
    let twice = Desk::new(tool!(|ctx, _call| {
        let a: Option<String> = ctx.ask("who", "Who?").await;
        let b: Option<String> = ctx.ask("who", "Who?").await;
        Ok(a.or(b).unwrap_or_default())
    }));
    let (_, state) = twice.first().await;
    let said = text(twice.round(Some(&state), &[("who", ADA)]).await);
    assert!(said.contains("the key `who` is asked twice"), "{said}");
    let bad = Desk::new(tool!(|ctx, _call| Ok(ctx
        .ask::<String>("no key", "Who?")
        .await)));
    let said = text(bad.round(None, &[]).await);
    assert!(said.contains("no key"), "{said}");
    let long = Desk::new(tool!(|ctx, _call| Ok(ctx
        .ask::<String>("who", "x".repeat(5000))
        .await)));
    let said = text(long.round(None, &[]).await);
    assert!(said.contains("`who`"), "{said}");
}

#[tokio::test]
async fn a_panic_says_nothing_of_itself() {
    let desk = Desk::new(tool!(|ctx, _call| {
        let who: String = ctx.ask("who", "Who?").await;
        assert!(who.is_empty(), "canary {who}");
        Ok(who)
    }));
    let (_, state) = desk.first().await;
    assert_internal(&desk.round(Some(&state), &[("who", ADA)]).await);
}

fn assert_internal(ended: &Ended) {
    let Ended::Failed(error) = ended else {
        panic!("no error");
    };
    assert_eq!(
        (error.code, error.message.as_str()),
        (-32603, "internal error")
    );
}

/// A handler need not be an `async fn`: what it does before it has a future can panic, too.
#[tokio::test]
async fn a_panic_before_there_is_anything_to_poll_is_one_like_any_other() {
    let tool = ToolDef::new("plain").handler(|_ctx, call: Call| {
        assert_eq!(call.round(), 7, "canary");
        async { Ok(crate::ToolResult::new()) }
    });
    assert_internal(&Desk::new(tool).round(None, &[]).await);
}

#[tokio::test]
async fn memos_and_flow_values_are_the_same_in_every_round() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let desk = Desk::new(tool!(|ctx, _call| {
        let quote = match ctx.memo_get::<usize>("quote") {
            Some(quote) => quote,
            None => {
                let quote = RUNS.fetch_add(1, Ordering::SeqCst);
                ctx.memo_put("quote", &quote);
                quote
            }
        };
        let stable = format!("{quote} {} {:?} {}", ctx.uuid("a"), ctx.now(), ctx.key("k"));
        let before: String = ctx.ask("who", stable.clone()).await;
        Ok(format!("{before} {stable}"))
    }));
    let (_, state) = desk.first().await;
    let answered = text(desk.round(Some(&state), &[("who", ADA)]).await);
    assert!(answered.starts_with("Ada 0 "), "{answered}");
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn scopes_keep_the_keys_of_helpers_apart() {
    async fn seat(ctx: &Ctx) -> String {
        ctx.ask("seat", "Which seat?").await
    }
    let desk = Desk::new(tool!(|ctx, _call| {
        let there = ctx.scope("there");
        let back = ctx.scope("back");
        let (a, b) = tokio::join!(seat(&there), seat(&back));
        Ok(a + &b)
    }));
    assert_eq!(desk.first().await.0, ["there.seat", "back.seat"]);
}

#[tokio::test]
async fn an_answer_may_not_be_longer_than_the_state_can_carry() {
    let desk = Desk::new(tool!(|ctx, _call| {
        let long: String = ctx.ask("long", "Long?").await;
        let longer: String = ctx.ask("longer", "Longer?").await;
        Ok(long + &longer)
    }));
    let (_, state) = desk.first().await;
    let content = format!(
        r#"{{"action":"accept","content":{{"value":"{}"}}}}"#,
        "x".repeat(15_000)
    );
    let said = text(desk.round(Some(&state), &[("long", &content)]).await);
    assert!(said.contains("16384") && said.contains("`long`"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_stops_a_handler_before_its_commit_and_not_after_it() {
    static EFFECTS: AtomicUsize = AtomicUsize::new(0);
    let slow = Desk::new(tool!(|_ctx, _call| {
        tokio::time::sleep(Duration::from_secs(90)).await;
        Ok("late")
    }));
    assert!(text(slow.round(None, &[]).await).contains("took too long"));
    let committing = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _call: Call| async move {
            let _c = commit(ctx).await;
            tokio::time::sleep(Duration::from_secs(90)).await;
            EFFECTS.fetch_add(1, Ordering::SeqCst);
            "done".into_tool_result()
        });
    let said = text(Desk::new(committing).round(None, &[]).await);
    assert!(said.contains("outcome of this call is not known"), "{said}");
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(EFFECTS.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_stops_the_handler_only_before_the_commit() {
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    static EFFECTS: AtomicUsize = AtomicUsize::new(0);
    let make = |commits: bool| {
        ToolDef::new("t")
            .commits()
            .handler(move |ctx: Ctx, _call: Call| async move {
                let gate = if commits {
                    Some(commit(ctx).await)
                } else {
                    None
                };
                STARTED.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(500)).await;
                EFFECTS.fetch_add(1, Ordering::SeqCst);
                drop(gate);
                "done".into_tool_result()
            })
    };
    for (commits, effects) in [(false, 0), (true, 1)] {
        let desk = Desk::new(make(commits));
        let leave = tokio::time::timeout(Duration::from_millis(100), desk.round(None, &[]));
        assert!(leave.await.is_err());
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(
            EFFECTS.swap(0, Ordering::SeqCst),
            effects,
            "commits: {commits}"
        );
    }
    assert_eq!(STARTED.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_ask_after_the_commit_is_a_fault() {
    let desk = Desk::new(
        ToolDef::new("t")
            .commits()
            .handler(|ctx: Ctx, _call: Call| async move {
                // A second right to ask, as only a bug of ours could leave one.
                let (run, call) = ctx.into_parts();
                let make = || Ctx::new(Arc::clone(&run), call.clone(), FORMS);
                let (asks, commits) = (make(), make());
                let _c = commit(commits).await;
                asks.ask::<String>("late", "Late?").await.into_tool_result()
            }),
    );
    let Ended::Failed(error) = desk.round(None, &[]).await else {
        panic!()
    };
    assert_eq!(error.code, -32603);
}

#[tokio::test]
async fn an_unsolicited_answer_is_told_apart() {
    let desk = Desk::new(tool!(|ctx, _call| {
        Ok(ctx.ask::<String>("who", "Who?").accept_unsolicited().await)
    }));
    assert_eq!(text(desk.round(None, &[("who", ADA)]).await), "Ada");
    assert!(
        desk.seen
            .lock()
            .unwrap()
            .contains(&format!("who {:?}", Outcome::Unsolicited))
    );
}

/// Arms that run side by side; each waits and asks, waits and asks.
type Plan = Vec<Vec<u64>>;

fn planned(plan: Plan) -> Tool {
    ToolDef::new("t").handler(move |ctx: Ctx, _call: Call| {
        let plan = plan.clone();
        async move {
            let arms = plan.iter().enumerate().map(|(arm, waits)| {
                let ctx = &ctx;
                async move {
                    let mut sum = 0_u64;
                    for (step, wait) in waits.iter().enumerate() {
                        match wait {
                            0 => {}
                            1 => tokio::task::yield_now().await,
                            ms => tokio::time::sleep(Duration::from_millis(*ms)).await,
                        }
                        sum += ctx.ask::<u64>(format!("q{arm}.{step}"), "How many?").await;
                    }
                    sum
                }
            });
            let sums = futures_util::future::join_all(arms).await;
            sums.iter().sum::<u64>().into_tool_result()
        }
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// With any delays and valid answers an answered question is never asked again, the flow takes
    /// at most one round more than it has questions, and the value is the same.
    #[test]
    fn delays_change_neither_the_questions_nor_the_value(
        plan in proptest::collection::vec(proptest::collection::vec(0_u64..40, 0..3), 1..4)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let asks: usize = plan.iter().map(Vec::len).sum();
        let desk = Desk::new(planned(plan));
        let (rounds, keys, value) = runtime.block_on(async {
            let (mut rounds, mut seen, mut state) = (1, Vec::new(), None::<String>);
            let mut answers: Vec<(String, &str)> = Vec::new();
            loop {
                let refs: Vec<(&str, &str)> = answers.iter().map(|(key, text)| (key.as_str(), *text)).collect();
                match desk.round(state.as_deref(), &refs).await {
                    Ended::Asked { questions, state: next } => {
                        answers = questions
                            .iter()
                            .map(|q| (q.key.to_string(), r#"{"action":"accept","content":{"value":1}}"#))
                            .collect();
                        seen.extend(questions.into_iter().map(|q| q.key.to_string()));
                        state = Some(next);
                        rounds += 1;
                    }
                    ended => break (rounds, seen, text(ended)),
                }
            }
        });
        proptest::prop_assert_eq!(value, asks.to_string());
        proptest::prop_assert!(rounds <= asks + 1, "{} rounds for {} asks", rounds, asks);
        let mut once = keys.clone();
        once.sort();
        once.dedup();
        proptest::prop_assert_eq!(once.len(), keys.len());
    }
}
