//! What a user, and an attacker, sees of the rules of a round.

use proptest::prelude::*;

use super::*;
use crate::capability::Capabilities;
use crate::form::{Form, Offer, confirm_form, form_of_offers};
use crate::question::{Link, What, needs_of};

const NOW: u64 = 1_780_000_000_000;
const ROOT: Root = Root([7; 16]);
const PLAIN: AskOptions = AskOptions {
    missing: Capabilities::NONE,
    if_supported: false,
    accept_unsolicited: false,
    alone: false,
};

const FORM: Capabilities = Capabilities {
    form: true,
    ..Capabilities::NONE
};

fn key(name: &str) -> AskKey {
    AskKey::new(name.to_owned()).expect("a test's key")
}

fn named(name: &str, message: &str) -> Question {
    let form = u8::form().expect("a scalar form");
    Question::new(key(name), message, What::Form(form)).expect("a short message")
}

fn confirm(name: &str, message: &str) -> Question {
    Question::new(key(name), message, What::Form(confirm_form())).expect("a short message")
}

fn first() -> Round {
    Round::first(ROOT, NOW, Limits::default())
}

/// The next round: the open questions are minted and these answers come back.
fn next(round: &mut Round, answers: &[(&str, &str)]) -> Round {
    let minted = round.mint(NOW).expect("rounds are left");
    let state = FlowState::decode(&minted.state.encode()).expect("a minted state reads back");
    let mut next = Round::resume(state, Limits::default());
    next.take_answers(answers.iter().copied(), false);
    next
}

fn accept(content: &str) -> String {
    format!(r#"{{"action":"accept","content":{content}}}"#)
}

fn accepted(content: &str) -> Found {
    Found::Accepted(content.into())
}

/// A flow with `who` answered 1 in round one and `ok` answered yes in round two.
fn two_answers(who: &Question, ok: &Question) -> Round {
    let mut one = first();
    assert_eq!(one.ask(who.clone(), PLAIN), Found::Open);
    let mut two = next(&mut one, &[("who", &accept(r#"{"value":1}"#))]);
    assert_eq!(two.ask(who.clone(), PLAIN), accepted(r#"{"value":1}"#));
    assert_eq!(two.ask(ok.clone(), PLAIN), Found::Open);
    two.remember(key("quote"), "10".into());
    next(&mut two, &[("ok", &accept(r#"{"ok":true}"#))])
}

#[test]
fn an_answer_to_an_asked_question_is_yielded_and_carried() {
    let mut three = two_answers(&named("who", "Who?"), &confirm("ok", "Go on?"));
    assert_eq!(three.number(), 3);
    assert_eq!(
        three.ask(named("who", "Who?"), PLAIN),
        accepted(r#"{"value":1}"#)
    );
    assert_eq!(
        three.ask(confirm("ok", "Go on?"), PLAIN),
        accepted(r#"{"ok":true}"#)
    );
    assert!(!three.has_open());
}

#[test]
fn an_answer_counts_only_if_it_was_asked_for() {
    let mut one = first();
    one.take_answers([("who", accept(r#"{"value":1}"#).as_str())], false);
    assert_eq!(one.ask(named("who", "Who?"), PLAIN), Found::Open);
    // Also in a later round whose state asked something else.
    let mut two = next(&mut one, &[("ok", &accept(r#"{"ok":true}"#))]);
    assert_eq!(two.ask(confirm("ok", "Go on?"), PLAIN), Found::Open);
}

#[test]
fn a_sealed_answer_stays_when_another_is_sent() {
    let who = named("who", "Who?");
    let ok = confirm("ok", "Go on?");
    let mut one = first();
    one.ask(who.clone(), PLAIN);
    let mut two = next(&mut one, &[("who", &accept(r#"{"value":1}"#))]);
    two.ask(who.clone(), PLAIN);
    two.ask(ok.clone(), PLAIN);
    let mut three = next(&mut two, &[("who", &accept(r#"{"value":2}"#))]);
    assert_eq!(three.ask(who.clone(), PLAIN), accepted(r#"{"value":1}"#));
}

#[test]
fn an_unsolicited_answer_counts_where_the_author_takes_it() {
    let takes = AskOptions {
        accept_unsolicited: true,
        ..PLAIN
    };
    let ask = |text: &str| {
        let mut round = first();
        round.take_answers([("who", text)], false);
        round.ask(named("who", "Who?"), takes)
    };
    assert_eq!(ask(&accept(r#"{"value":1}"#)), accepted(r#"{"value":1}"#));
    assert_eq!(ask(r#"{"action":"decline"}"#), Found::Declined);
    assert_eq!(ask(&accept(r#"{"value":999}"#)), Found::Open);
    assert_eq!(ask("12345"), Found::Open);
}

#[test]
fn another_question_drops_the_answer_and_what_hangs_on_it() {
    let ok = confirm("ok", "Go on?");
    let mut three = two_answers(&named("who", "Who?"), &ok);
    assert_eq!(three.memo(&key("quote")), Some("10"));
    assert_eq!(three.ask(named("who", "Who exactly?"), PLAIN), Found::Open);
    assert_eq!(three.ask(ok.clone(), PLAIN), Found::Open);
    assert_eq!(three.memo(&key("quote")), None);
    let minted = three.mint(NOW).expect("rounds are left");
    assert!(minted.questions[0].request.contains("Something changed"));
    assert!(minted.state.entries.is_empty() && minted.state.memos.is_empty());
}

#[test]
fn a_changed_pin_is_another_question() {
    let who = named("who", "Who?");
    let ok = |price: &str| confirm("ok", "Proceed?").pinned(price.into());
    let mut three = two_answers(&who, &ok("10"));
    assert_eq!(three.ask(who.clone(), PLAIN), accepted(r#"{"value":1}"#));
    assert_eq!(three.ask(ok("12"), PLAIN), Found::Open);
    // The earlier answer stands: it was asked for before.
    assert_eq!(
        three
            .mint(NOW)
            .expect("rounds are left")
            .state
            .entries
            .len(),
        1
    );
}

#[test]
fn a_question_that_always_changes_ends_the_call_by_its_name() {
    let mut round = first();
    let mut prompts = 0;
    for version in ["v1", "v2", "v1", "v2", "v1"] {
        match round.ask(named("who", version), PLAIN) {
            Found::Open => prompts += 1,
            Found::Ended(end) => {
                assert_eq!(end, End::KeepsChanging(key("who")));
                assert_eq!(prompts, 3);
                return;
            }
            other => panic!("{other:?}"),
        }
        round = next(&mut round, &[("who", &accept(r#"{"value":1}"#))]);
    }
    panic!("it never ended");
}

#[test]
fn an_invalid_answer_is_asked_again_three_times_with_the_rule() {
    let who = named("who", "Who?");
    let mut round = first();
    round.ask(who.clone(), PLAIN);
    for _ in 0..3 {
        round = next(&mut round, &[("who", &accept(r#"{"value":999}"#))]);
        assert_eq!(round.ask(who.clone(), PLAIN), Found::Open);
    }
    let minted = round.mint(NOW).expect("rounds are left");
    assert!(
        minted.questions[0]
            .request
            .contains("Please answer again: ")
    );
    assert!(!minted.questions[0].request.contains("999"));
    let mut last = Round::resume(minted.state, Limits::default());
    last.take_answers([("who", accept(r#"{"value":"x"}"#).as_str())], false);
    assert_eq!(
        last.ask(who.clone(), PLAIN),
        Found::Ended(End::TooManyTries(key("who")))
    );
}

#[test]
fn an_answer_that_is_too_long_is_asked_for_again_and_says_so() {
    let who = named("who", "Who?");
    let mut round = first();
    round.ask(who.clone(), PLAIN);
    let long = accept(&format!(r#"{{"value":"{}"}}"#, "x".repeat(20_000)));
    for _ in 0..3 {
        round = next(&mut round, &[("who", &long)]);
        assert_eq!(round.ask(who.clone(), PLAIN), Found::Open);
    }
    let minted = round.mint(NOW).expect("rounds are left");
    let asked = &minted.questions[0].request;
    assert!(
        asked.contains("Please answer again: the answer is longer than 16384 bytes."),
        "{asked}"
    );
    assert!(!asked.contains("xxx"));
    // It is an answer that breaks a rule as any other does.
    let mut last = Round::resume(minted.state, Limits::default());
    last.take_answers([("who", long.as_str())], false);
    assert_eq!(
        last.ask(who, PLAIN),
        Found::Ended(End::TooManyTries(key("who")))
    );
}

#[test]
fn what_is_no_answer_costs_no_try() {
    let who = named("who", "Who?");
    let mut round = first();
    round.ask(who.clone(), PLAIN);
    for junk in [
        "null",
        "12345",
        r#""yes""#,
        "[]",
        "{}",
        r#"{"action":"perhaps"}"#,
    ] {
        round = next(&mut round, &[("who", junk)]);
        assert_eq!(round.ask(who.clone(), PLAIN), Found::Open, "{junk}");
    }
    assert_eq!(
        round.mint(NOW).expect("rounds are left").state.asked[0].tries,
        0
    );
}

#[test]
fn a_refused_answer_is_dropped_and_counted_like_an_invalid_one() {
    let who = named("who", "Who?");
    let mut round = first();
    round.ask(who.clone(), PLAIN);
    for _ in 0..3 {
        round = next(&mut round, &[("who", &accept(r#"{"value":1}"#))]);
        assert_eq!(round.ask(who.clone(), PLAIN), accepted(r#"{"value":1}"#));
        assert_eq!(
            round.refuse(&key("who"), "nobody is called that"),
            Found::Open
        );
    }
    round = next(&mut round, &[("who", &accept(r#"{"value":1}"#))]);
    round.ask(who.clone(), PLAIN);
    assert_eq!(
        round.refuse(&key("who"), "no"),
        Found::Ended(End::TooManyTries(key("who")))
    );
}

#[test]
fn answers_after_the_window_are_not_accepted_and_the_question_stands() {
    let who = named("who", "Who?");
    let mut one = first();
    one.ask(who.clone(), PLAIN);
    let state = one.mint(NOW).expect("rounds are left").state;
    let mut late = Round::resume(state, Limits::default());
    late.take_answers([("who", accept(r#"{"value":1}"#).as_str())], true);
    assert_eq!(late.ask(who.clone(), PLAIN), Found::Open);
    let outcomes: Vec<_> = late
        .take_events()
        .into_iter()
        .map(|event| event.outcome)
        .collect();
    assert_eq!(outcomes, [Outcome::Late]);
}

#[test]
fn one_key_is_asked_once_in_a_run() {
    let mut round = first();
    round.ask(named("who", "Who?"), PLAIN);
    let again = round.ask(named("who", "Who?"), PLAIN);
    assert_eq!(again, Found::Ended(End::DuplicateKey(key("who"))));
}

#[test]
fn nothing_is_asked_after_the_commit() {
    let mut round = first();
    round.commit();
    let asked = round.ask(named("who", "Who?"), PLAIN);
    assert_eq!(asked, Found::Ended(End::AskedAfterCommit(key("who"))));
}

#[test]
fn a_client_that_cannot_be_asked_is_not_asked() {
    let mute = AskOptions {
        missing: FORM,
        ..PLAIN
    };
    let who = named("who", "Who?");
    let unsupported = Found::Ended(End::Unsupported(key("who"), FORM));
    assert_eq!(first().ask(who.clone(), mute), unsupported);
    let lenient = AskOptions {
        if_supported: true,
        ..mute
    };
    assert_eq!(first().ask(who.clone(), lenient), Found::Unsupported);
    // An answer that is sealed already goes before the capability: a no stays a no.
    let mut one = first();
    one.ask(who.clone(), PLAIN);
    let mut two = next(&mut one, &[("who", r#"{"action":"decline"}"#)]);
    assert_eq!(two.ask(who.clone(), lenient), Found::Declined);
}

#[test]
fn unread_answers_are_carried_on() {
    let (a, b) = (named("a", "A?"), named("b", "B?"));
    let mut one = first();
    one.ask(a.clone(), PLAIN);
    one.ask(b.clone(), PLAIN);
    let answers = [
        ("a", accept(r#"{"value":1}"#)),
        ("b", accept(r#"{"value":2}"#)),
    ];
    let answers = answers.each_ref().map(|(key, text)| (*key, text.as_str()));
    let mut two = next(&mut one, &answers);
    // The handler reaches neither of them before it asks something else.
    assert_eq!(two.ask(named("c", "C?"), PLAIN), Found::Open);
    let mut three = next(&mut two, &[]);
    assert_eq!(three.ask(a.clone(), PLAIN), accepted(r#"{"value":1}"#));
    assert_eq!(three.ask(b.clone(), PLAIN), accepted(r#"{"value":2}"#));
}

#[test]
fn questions_go_out_in_order_and_one_that_wants_to_be_alone_by_itself() {
    let alone = AskOptions {
        alone: true,
        ..PLAIN
    };
    let sent = |options: &[AskOptions]| -> Vec<String> {
        let mut round = first();
        for (index, options) in options.iter().enumerate() {
            round.ask(named(&format!("q{index}"), "?"), *options);
        }
        let minted = round.mint(NOW).expect("rounds are left");
        minted
            .questions
            .iter()
            .map(|question| question.key.to_string())
            .collect()
    };
    assert_eq!(sent(&[PLAIN, PLAIN]), ["q0", "q1"]);
    assert_eq!(sent(&[PLAIN, alone, PLAIN]), ["q0", "q2"]);
    assert_eq!(sent(&[alone, PLAIN]), ["q0"]);
    assert_eq!(sent(&[PLAIN; 20]).len(), 16);
}

#[test]
fn the_last_round_can_only_finish() {
    let mut round = first();
    for number in 1..10 {
        assert_eq!(round.number(), number);
        let name = format!("q{number}");
        assert_eq!(round.ask(named(&name, "?"), PLAIN), Found::Open);
        round = next(&mut round, &[(name.as_str(), &accept(r#"{"value":1}"#))]);
    }
    assert_eq!(round.number(), 10);
    round.ask(named("q10", "?"), PLAIN);
    let end = round.mint(NOW).expect_err("no round is left");
    assert_eq!(
        end,
        End::TooManyRounds {
            key: key("q10"),
            limit: 10
        }
    );
}

#[test]
fn a_memo_is_kept_with_the_run_that_made_it() {
    let mut one = first();
    one.remember(key("quote"), "10".into());
    one.ask(named("who", "Who?"), PLAIN);
    let mut two = next(&mut one, &[("who", r#"{"action":"decline"}"#)]);
    assert_eq!(two.memo(&key("quote")), Some("10"));
    two.ask(named("what", "What?"), PLAIN);
    assert_eq!(
        two.mint(NOW).expect("rounds are left").state.memos[0].run,
        1
    );
}

#[test]
fn debug_shows_no_answer() {
    let round = two_answers(&named("who", "Who?"), &confirm("ok", "Go on?"));
    let shown = format!("{round:?}");
    assert!(
        !shown.contains("value") && !shown.contains("true"),
        "{shown}"
    );
}

proptest! {
    /// Whatever a handler asks in whatever order, an answered question is not asked again, and
    /// each round but the last answers at least one question.
    #[test]
    fn answered_questions_are_never_asked_again(orders in prop::collection::vec(
        prop::collection::vec(0_usize..5, 1..5), 1..30,
    )) {
        let limits = Limits { rounds: u8::MAX, ..Limits::default() };
        let mut round = Round::first(ROOT, NOW, limits.clone());
        let mut answered = Vec::new();
        for order in orders {
            let mut seen = Vec::new();
            for number in order {
                let name = format!("q{number}");
                if seen.contains(&name) {
                    continue;
                }
                let found = round.ask(named(&name, "?"), PLAIN);
                prop_assert_eq!(found == Found::Open, !answered.contains(&name));
                seen.push(name);
            }
            if !round.has_open() {
                round = Round::first(ROOT, NOW, limits.clone());
                answered.clear();
                continue;
            }
            let minted = round.mint(NOW).expect("rounds are left");
            round = Round::resume(minted.state, limits.clone());
            for question in minted.questions {
                let text = accept(r#"{"value":1}"#);
                round.take_answers([(question.key.as_str(), text.as_str())], false);
                answered.push(question.key.to_string());
            }
        }
    }
}

fn page(name: &str) -> Question {
    let link = Link {
        url: "https://pay.example/?t=1".into(),
        meaning: "https://pay.example/?t={ticket}".into(),
    };
    Question::new(key(name), "Open?", What::Url(link)).expect("a short message")
}

fn pick(offers: &[(&str, &str)]) -> Question {
    let offers = offers.iter().map(|pair| Offer::from(*pair));
    let form = form_of_offers(offers, false).expect("a form");
    Question::new(key("pick"), "Which?", What::Options(form)).expect("a short message")
}

#[test]
fn what_a_link_means_is_what_its_answer_is_bound_to() {
    let mut one = first();
    assert_eq!(one.ask(page("page"), PLAIN), Found::Open);
    let mut two = next(&mut one, &[("page", r#"{"action":"accept"}"#)]);
    let fresh = Link {
        url: "https://pay.example/?t=2".into(),
        meaning: "https://pay.example/?t={ticket}".into(),
    };
    let fresh = Question::new(key("page"), "Open?", What::Url(fresh)).expect("a short message");
    assert_eq!(two.ask(fresh.clone(), PLAIN), accepted("null"));
}

#[test]
fn a_link_that_is_not_done_is_asked_again_without_a_try() {
    let mut round = first();
    round.ask(page("page"), PLAIN);
    for _ in 0..6 {
        round = next(&mut round, &[("page", r#"{"action":"accept"}"#)]);
        assert_eq!(round.ask(page("page"), PLAIN), accepted("null"));
        assert_eq!(round.not_done(&key("page")), Found::Open);
    }
    let minted = round.mint(NOW).expect("rounds are left");
    assert_eq!(minted.state.asked[0].tries, 0);
    assert!(minted.questions[0].request.contains("not finished yet"));
}

#[test]
fn going_back_drops_the_answer_and_what_came_after() {
    let (who, ok) = (named("who", "Who?"), confirm("ok", "Go on?"));
    let mut three = two_answers(&who, &ok);
    three.ask(who.clone(), PLAIN);
    three.ask(ok.clone(), PLAIN);
    assert_eq!(three.back_to(&key("who"), "Again, please."), Found::Open);
    assert_eq!(three.memo(&key("quote")), None);
    let minted = three.mint(NOW).expect("rounds are left");
    assert!(minted.state.entries.is_empty());
    let [question] = &minted.questions[..] else {
        panic!("one question")
    };
    assert!(
        question
            .request
            .contains(r#""message":"Again, please.\nWho?""#)
    );
    assert!(question.request.contains(r#""default":1"#));
    let mut lost = first();
    let no_way = Found::Ended(End::NoWayBack(key("who")));
    assert_eq!(lost.back_to(&key("who"), "Again."), no_way);
    lost.ask(who.clone(), PLAIN);
    assert_eq!(lost.back_to(&key("who"), "Again."), no_way);
    let mut done = two_answers(&who, &ok);
    done.ask(who.clone(), PLAIN);
    done.commit();
    let late = Found::Ended(End::AskedAfterCommit(key("who")));
    assert_eq!(done.back_to(&key("who"), "Again."), late);
}

#[test]
fn nobody_goes_back_to_a_client_that_cannot_be_asked_any_more() {
    let ok = confirm("ok", "Go on?");
    let mut one = first();
    one.ask(ok.clone(), PLAIN);
    let mut two = next(&mut one, &[("ok", &accept(r#"{"ok":true}"#))]);
    let missing = needs_of(Kind::Form);
    let lenient = AskOptions {
        missing,
        if_supported: true,
        ..PLAIN
    };
    assert!(matches!(two.ask(ok.clone(), lenient), Found::Accepted(_)));
    let end = Found::Ended(End::Unsupported(key("ok"), missing));
    assert_eq!(two.back_to(&key("ok"), "Again."), end);
}

#[test]
fn a_state_that_is_too_long_names_the_question_whose_choices_fill_it() {
    let many: Vec<(String, String)> = (0..100).map(|n| (n.to_string(), "x".into())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (&**a, &**b)).collect();
    let mut one = first();
    one.ask(pick(&many), PLAIN);
    let minted = one.mint(NOW).expect("rounds are left");
    let end = one.too_large(&minted, 20_000);
    assert_eq!(end.key(), Some(&key("pick")));
    assert!(
        end.to_string().ends_with("; its largest entry is `pick`"),
        "{end}"
    );
    // A state that only makes the client come again holds nothing.
    let mut empty = first();
    let minted = empty.mint(NOW).expect("rounds are left");
    let end = empty.too_large(&minted, 20_000).to_string();
    assert!(
        end.starts_with("the request state would be 20000 characters long"),
        "{end}"
    );
}

#[test]
fn only_the_picked_choice_is_remembered() {
    let many: Vec<(String, String)> = (0..100).map(|n| (n.to_string(), "x".into())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (&**a, &**b)).collect();
    let mut one = first();
    one.ask(pick(&many), PLAIN);
    let mut two = next(&mut one, &[("pick", &accept(r#"{"value":"7"}"#))]);
    assert_eq!(two.ask(pick(&many), PLAIN), accepted(r#"{"value":"7"}"#));
    two.ask(confirm("ok", "Go on?"), PLAIN);
    let minted = two.mint(NOW).expect("rounds are left");
    let size: usize = minted.state.memos.iter().map(|memo| memo.value.len()).sum();
    assert!(size < 20, "{size}");
}

#[test]
fn an_unasked_choice_is_remembered_with_its_title() {
    let takes = AskOptions {
        accept_unsolicited: true,
        ..PLAIN
    };
    let mut one = first();
    one.take_answers([("pick", accept(r#"{"value":"a"}"#).as_str())], false);
    assert_eq!(
        one.ask(pick(&[("a", "A")]), takes),
        accepted(r#"{"value":"a"}"#)
    );
    one.ask(confirm("ok", "Go on?"), PLAIN);
    let mut two = next(&mut one, &[]);
    assert_eq!(
        two.ask(pick(&[("a", "A"), ("b", "B")]), takes),
        accepted(r#"{"value":"a"}"#)
    );
    let mut two = next(&mut one_more(), &[]);
    assert_eq!(two.ask(pick(&[("a", "dearer")]), PLAIN), Found::Open);
}

/// A round in which `pick` was answered unasked.
fn one_more() -> Round {
    let takes = AskOptions {
        accept_unsolicited: true,
        ..PLAIN
    };
    let mut one = first();
    one.take_answers([("pick", accept(r#"{"value":"a"}"#).as_str())], false);
    one.ask(pick(&[("a", "A")]), takes);
    one.ask(confirm("ok", "Go on?"), PLAIN);
    one
}
