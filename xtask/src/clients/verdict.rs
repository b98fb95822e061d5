//! Holds what happened in a case against what should have.

use mrtr_wire::Revision;
use serde_json::Value;

use super::case::{Ask, Case, End, Expected, Request};
use super::drive::{Asked, Outcome, Run};
use super::transcript::Seen;
use crate::Failure;

/// Says what is wrong with what came of a case.
///
/// # Errors
/// When anything is.
pub(crate) fn judge(
    case: &Case,
    expected: &Expected,
    revision: Revision,
    run: &Run,
    seen: &Seen,
) -> Result<(), Failure> {
    match expected {
        Expected::End => {
            asked(case, revision, &run.asked)?;
            rounds(case, revision, seen)?;
            end(case, &run.outcome)
        }
        Expected::Refusal(_) if !run.asked.is_empty() => {
            Err(format!("asked what it cannot: {}", run.asked[0]).into())
        }
        Expected::Refusal(missing) => refusal(case, missing, &run.outcome),
    }
}

/// Each batch has its questions: in order at 2026-07-28, in any order on a stream.
fn asked(case: &Case, revision: Revision, asked: &[Asked]) -> Result<(), Failure> {
    let wrong = || {
        let keys: Vec<&str> = case.asks().map(|ask| ask.key).collect();
        let asked: Vec<String> = asked.iter().map(Asked::to_string).collect();
        let asked = asked.join("\n  ");
        Failure::from(format!("expected {}, asked\n  {asked}", keys.join(", ")))
    };
    let mut left = asked;
    for batch in case.batches {
        let (now, later) = left.split_at_checked(batch.len()).ok_or_else(wrong)?;
        let mut now: Vec<&Asked> = now.iter().collect();
        for ask in *batch {
            let place = now.iter().position(|asked| is_it(ask, revision, asked));
            let place = place.filter(|place| *place == 0 || !revision.is_modern());
            now.remove(place.ok_or_else(wrong)?);
        }
        left = later;
    }
    if !left.is_empty() {
        return Err(wrong());
    }
    again(case, asked)
}

/// Whether it is this question. Only 2026-07-28 has keys.
fn is_it(ask: &Ask, revision: Revision, asked: &Asked) -> bool {
    asked.method == ask.kind.method()
        && asked.params.to_string().contains(ask.says)
        && (asked.key == ask.key || !revision.is_modern())
}

/// A question that is asked again says why, and then what it said before.
fn again(case: &Case, asked: &[Asked]) -> Result<(), Failure> {
    let asks: Vec<&Ask> = case.asks().collect();
    for (asks, asked) in asks.windows(2).zip(asked.windows(2)) {
        let message = |asked: &Asked| {
            asked.params["message"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let (first, second) = (message(&asked[0]), message(&asked[1]));
        if asks[0].key == asks[1].key && !(second.ends_with(&first) && second.len() > first.len()) {
            let (first, second) = (&asked[0], &asked[1]);
            return Err(format!("asked again without saying why\n  {first}\n  {second}").into());
        }
    }
    Ok(())
}

/// At 2026-07-28 each batch is a round; in a session the server asks within one.
fn rounds(case: &Case, revision: Revision, seen: &Seen) -> Result<(), Failure> {
    let (rounds, questions) = if revision.is_modern() {
        (case.batches.len(), 0)
    } else {
        (0, case.asks().count())
    };
    if (seen.rounds, seen.questions) != (rounds, questions) {
        return Err(format!("the messages do not show the questions: {seen:?}").into());
    }
    Ok(())
}

fn end(case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    let right = match (&case.end, outcome) {
        (End::Good(part), Outcome::Result(result)) => {
            text(&case.request, result).contains(part) && result["isError"] != true
        }
        (End::Bad(part), Outcome::Result(result)) => {
            text(&case.request, result).contains(part) && result["isError"] == true
        }
        (End::Error(code, part), Outcome::Error(error)) => {
            error.code == *code && error.message.contains(part)
        }
        _ => false,
    };
    if right {
        return Ok(());
    }
    let expected = match case.end {
        End::Good(part) | End::Bad(part) | End::Error(_, part) => part,
    };
    Err(format!("expected {expected:?}, it ended in {outcome}").into())
}

fn refusal(case: &Case, missing: &str, outcome: &Outcome) -> Result<(), Failure> {
    let right = match outcome {
        Outcome::Result(result) => {
            result["isError"] == true && text(&case.request, result).contains(missing)
        }
        Outcome::Error(error) => error.message.contains(missing),
    };
    match right {
        true => Ok(()),
        false => Err(format!("{missing:?} is not named in {outcome}").into()),
    }
}

/// The text that a result begins with.
fn text<'a>(request: &Request, result: &'a Value) -> &'a str {
    let text = match request {
        Request::Tool(..) => &result["content"][0]["text"],
        Request::Prompt(..) => &result["messages"][0]["content"]["text"],
        Request::Resource(_) => &result["contents"][0]["text"],
    };
    text.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use mrtr_wire::Revision::{V2025_11_25, V2026_07_28};
    use serde_json::json;

    use super::super::case::{Kind, Reply};
    use super::*;

    const fn form(key: &'static str, says: &'static str) -> Ask {
        Ask {
            kind: Kind::Form,
            key,
            says,
            reply: Reply::Decline,
        }
    }

    const CASE: Case = Case {
        name: "a test's",
        request: Request::Tool("t", "{}"),
        batches: &[
            &[form("a", "First?"), form("b", "Second?")],
            &[form("b", "Second?")],
        ],
        end: End::Good("done"),
        only_legacy: None,
    };

    fn question(key: &str, message: &str) -> Asked {
        Asked {
            key: key.into(),
            method: "elicitation/create".into(),
            params: json!({ "message": message }),
        }
    }

    #[test]
    fn the_order_within_a_batch_counts_where_there_are_keys() {
        let right = || {
            vec![
                question("a", "First?"),
                question("b", "Second?"),
                question("b", "Wrong. Second?"),
            ]
        };
        assert!(asked(&CASE, V2026_07_28, &right()).is_ok());
        let mut crossed = right();
        crossed.swap(0, 1);
        assert!(asked(&CASE, V2026_07_28, &crossed).is_err());
        crossed[2] = question("3", "First?");
        assert!(asked(&CASE, V2025_11_25, &crossed).is_err());
        let numbered = [
            question("7", "Second?"),
            question("8", "First?"),
            question("9", "Wrong. Second?"),
        ];
        assert!(asked(&CASE, V2026_07_28, &numbered).is_err());
        for few in 0..3 {
            assert!(asked(&CASE, V2026_07_28, &right()[..few]).is_err(), "{few}");
        }
        let mut more = right();
        more.push(question("a", "First?"));
        assert!(asked(&CASE, V2026_07_28, &more).is_err());
        let mut silent = right();
        silent[2] = question("b", "Second?");
        assert!(
            asked(&CASE, V2026_07_28, &silent).is_err(),
            "says no reason"
        );
    }

    #[test]
    fn batches_are_rounds_or_requests() {
        let seen = |rounds, questions| Seen {
            rounds,
            questions,
            ..Seen::default()
        };
        assert!(rounds(&CASE, V2026_07_28, &seen(2, 0)).is_ok());
        assert!(rounds(&CASE, V2026_07_28, &seen(3, 0)).is_err());
        assert!(rounds(&CASE, V2025_11_25, &seen(0, 3)).is_ok());
        assert!(rounds(&CASE, V2025_11_25, &seen(2, 0)).is_err());
    }

    #[test]
    fn an_end_is_right_in_text_and_in_kind() {
        let result = |text: &str, failed: bool| {
            Outcome::Result(json!({ "content": [{ "text": text }], "isError": failed }))
        };
        assert!(end(&CASE, &result("all done", false)).is_ok());
        assert!(end(&CASE, &result("all done", true)).is_err());
        assert!(end(&CASE, &result("nothing", false)).is_err());
        assert!(refusal(&CASE, "url", &result("needs url", true)).is_ok());
        assert!(refusal(&CASE, "url", &result("needs url", false)).is_err());
        assert!(refusal(&CASE, "url", &result("no", true)).is_err());
    }
}
