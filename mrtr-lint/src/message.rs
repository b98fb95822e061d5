//! The texts: fact, remedy, consequence, and where to read more.

use proc_macro2::Span;

use crate::code::Code;
use crate::facts::{Ask, AskSite, Effect, EffectKind, Raced, Stdout, Unstable, UnstableSort};

/// The parts of a message, in the order in which they are printed.
pub(crate) struct Parts {
    fact: String,
    help: Vec<String>,
    note: Vec<String>,
}

impl Parts {
    fn new(fact: impl Into<String>) -> Parts {
        Parts {
            fact: fact.into(),
            help: Vec::new(),
            note: Vec::new(),
        }
    }

    fn help(mut self, text: impl Into<String>) -> Parts {
        self.help.push(text.into());
        self
    }

    fn note(mut self, text: impl Into<String>) -> Parts {
        self.note.push(text.into());
        self
    }

    /// A text that has its lines already.
    pub(crate) fn from_text(text: &str) -> Parts {
        let mut lines = text.lines();
        let mut parts = Parts::new(lines.next().unwrap_or_default());
        for line in lines {
            parts
                .help
                .push(line.trim_start_matches("help: ").to_owned());
        }
        parts
    }

    /// The whole text, with the link to the page of `code`.
    pub(crate) fn render(self, code: Code) -> String {
        let mut text = self.fact;
        for help in &self.help {
            text += &format!("\nhelp: {help}");
        }
        for note in &self.note {
            text += &format!("\nnote: {note}");
        }
        text + &format!("\nnote: see {}", code.link())
    }
}

/// `who` (line 12)
fn named(ask: &Ask) -> String {
    let line = at(ask.span);
    match (&ask.name, ask.site) {
        (Some(name), AskSite::Helper) => format!("`{name}`{line}, which is given the `Ctx`,"),
        (Some(name), _) => format!("`{name}`{line}"),
        (None, AskSite::Helper) => format!("a call that is given the `Ctx`{line}"),
        (None, _) => format!("the ask on line {}", ask.span.start().line),
    }
}

fn at(span: Span) -> String {
    format!(" (line {})", span.start().line)
}

/// `and who (line 12) is asked after it`
fn asked_after(ask: &Ask) -> String {
    match ask.site {
        AskSite::Helper => format!("{} may ask after it", named(ask)),
        _ => format!("{} is asked after it", named(ask)),
    }
}

fn does(effect: &Effect) -> String {
    format!("`{}` {}", effect.what, effect.does)
}

const AGAIN: &str = "the handler runs again from the top for every round: \
    this would happen once per round, before the user agreed";

/// An effect that has an ask ahead.
pub(crate) fn above(effect: &Effect, ask: &Ask, next_iteration: bool, has_commit: bool) -> Parts {
    let asked = if next_iteration {
        format!("{} is asked again in the next iteration", named(ask))
    } else {
        asked_after(ask)
    };
    if effect.on_drop {
        return drop_across(effect, ask);
    }
    let title = match effect.kind {
        EffectKind::Helper => "a helper has an effect above an ask",
        EffectKind::State => "shared state changes above an ask",
        EffectKind::Channel => "a message leaves above an ask",
        EffectKind::Task => "a task starts above an ask",
        _ if next_iteration => "effect before the next iteration's ask",
        _ => "effect above an ask",
    };
    let parts = Parts::new(format!("{title}: {}, and {asked}", does(effect)));
    let parts = effect
        .chain
        .iter()
        .fold(parts, |parts, link| parts.note(link.clone()));
    let (parts, silence) = remedy(parts, effect, next_iteration, has_commit);
    parts.note(AGAIN).help(silence)
}

fn remedy(
    parts: Parts,
    effect: &Effect,
    next_iteration: bool,
    has_commit: bool,
) -> (Parts, String) {
    let move_it = match (next_iteration, has_commit) {
        (true, true) => {
            "collect the answers in the loop, and do this for all of them below it, in `#[commit]`"
        }
        (true, false) => "collect the answers in the loop, and do this below it",
        (false, true) => "move it below the last ask, into `#[commit]`",
        (false, false) => "move it below the last ask, or into the tool's `#[commit]`",
    };
    let code = effect.code(next_iteration);
    let harmless = match effect.kind {
        EffectKind::Helper if !effect.is_marked() => {
            "if it only reads, mark the helper `#[read_only]`".to_owned()
        }
        _ => format!(
            "if it may happen in every round, `#[mrtr::allow({}, reason = \"..\")]`",
            code.name()
        ),
    };
    (parts.help(move_it), harmless)
}

fn drop_across(effect: &Effect, ask: &Ask) -> Parts {
    let fact = format!(
        "effect on drop across an ask: dropping `{}` {}, and {}",
        effect.what,
        effect.does,
        asked_after(ask)
    );
    Parts::new(fact)
        .help("make the guard below the last ask, or disarm it above")
        .note("a round that waits for an answer drops the handler, and with it every guard that is alive")
}

/// A known effect that the level `commit_only` does not let stand here.
pub(crate) fn outside_commit(effect: &Effect) -> Parts {
    Parts::new(format!("effect outside `#[commit]`: {}", does(effect)))
        .help("put it into `#[commit]`")
        .note("the level `commit_only` wants every known effect there, asks or not")
}

/// An effect below the last ask of a tool without a commit.
pub(crate) fn without_commit(effect: &Effect, ask: &Ask) -> Parts {
    Parts::new(format!(
        "effect without a commit: {} and stands below {} in a tool without `#[commit]`",
        does(effect),
        named(ask)
    ))
    .help("write `#[commit]` above the statement")
    .help(format!(
        "if it may happen again, `#[mrtr::allow({}, reason = \"..\")]`",
        Code::EffectWithoutCommit.name()
    ))
    .note("a last round that is sent again, as after a lost reply, does it again: a commit does it once")
}

pub(crate) fn in_ask(effect: &Effect, ask: &Ask) -> Parts {
    Parts::new(format!(
        "effect inside an ask: {}, to build the question {}",
        does(effect),
        named(ask)
    ))
    .help("move it below the last ask, into `#[commit]`, or read the value without the effect")
    .note("a question is built anew in every round until it is answered")
}

pub(crate) fn in_memo(effect: &Effect) -> Parts {
    Parts::new(format!("effect in a memo: {}", does(effect)))
        .help("move it into `#[commit]`")
        .help("if it may happen again, say so: `#[memo(repeatable = \"why\")]`")
        .note("a memo remembers, it does not guard: a round that is repeated runs it again")
}

pub(crate) fn read_only(effect: &Effect) -> Parts {
    Parts::new(format!("effect in a read-only tool: {}", does(effect)))
        .help("take `read_only` off the tool, or the effect out of it")
        .note("clients run a tool that says it only reads without asking their user")
}

pub(crate) fn commit_in_read_only() -> Parts {
    Parts::new("a read-only tool has a `#[commit]`, the place for effects")
        .help("take `read_only` off the tool")
        .note("clients run a tool that says it only reads without asking their user")
}

fn sort(unstable: &Unstable) -> &'static str {
    match unstable.sort {
        UnstableSort::Clock => "reads the clock",
        UnstableSort::Random => "draws a random value",
        UnstableSort::Unique => "makes a new identifier",
    }
}

fn stable(unstable: &Unstable) -> &'static str {
    match unstable.sort {
        UnstableSort::Clock => "use `ctx.now()`, which is the same in every round of a call",
        UnstableSort::Random => "use `ctx.rng()`, which is the same in every round of a call",
        UnstableSort::Unique => {
            "use `ctx.uuid(\"name\")`, which is the same in every round of a call"
        }
    }
}

pub(crate) fn unstable_across(unstable: &Unstable, ask: &Ask) -> Parts {
    let fact = format!(
        "unstable value across an ask: `{}` {} above {} and is used below it",
        unstable.what,
        sort(unstable),
        named(ask)
    );
    Parts::new(fact)
        .help(stable(unstable))
        .help("or keep the first one: `#[memo] let value: Type = ..;`")
        .note("each round makes another one: what the user saw and what is used are not the same")
}

pub(crate) fn unstable_ask(unstable: &Unstable, ask: &Ask, built: bool) -> Parts {
    let part = if built {
        "is part of the question"
    } else {
        "decides whether there is the question"
    };
    Parts::new(format!(
        "unstable ask: `{}` {}, and it {part} {}",
        unstable.what,
        sort(unstable),
        named(ask)
    ))
    .help(stable(unstable))
    .help("or keep the first one: `#[memo] let value: Type = ..;`")
    .note("the question of the next round is another one, so its answer never counts")
}

pub(crate) fn unordered(ask: &Ask) -> Parts {
    Parts::new(format!(
        "unordered asks: {} follows the order of a hash map or set",
        named(ask)
    ))
    .help("use a `BTreeMap` or a `Vec`, or sort the items first")
    .note("each round goes through them in another order, so the questions come in another order")
}

pub(crate) fn per_iteration(ask: &Ask) -> Parts {
    Parts::new(format!(
        "one ask per iteration: {} costs a round for each item",
        named(ask)
    ))
    .help("ask for all of them at once: `ctx.ask_all(items.iter().map(|item| (key, message)))`")
    .note("clients stop after 8 to 10 rounds")
}

pub(crate) fn raced(raced: &Raced, ask: &Ask) -> Parts {
    let fact = raced
        .how
        .replace("BY", &format!("`{}`", raced.by))
        .replace("ASK", &named(ask));
    Parts::new(format!("raced ask: {fact}"))
    .help("await the ask by itself, above or below")
        .note("an unanswered ask waits for the client's next request, so nothing in this run can win or time it out")
}

pub(crate) fn duplicate_key(key: &str, first: &Ask, second: &Ask) -> Parts {
    let same = first.span.start() == second.span.start();
    let fact = if same {
        format!("duplicate key: `{key}` is asked again under the same key in the next iteration")
    } else {
        format!(
            "duplicate key: `{key}` is already the key of the ask{}",
            at(first.span)
        )
    };
    let help = match (second.site, same) {
        (AskSite::Call, true) => {
            "put what differs into the key: `ctx.ask(format!(\"item-{i}\"), ..)`"
        }
        (AskSite::Call, false) => "give it a key of its own, or ask through `ctx.scope(\"name\")`",
        (_, true) => "put what differs into the key: `#[ask(key = format!(\"item-{i}\"), ..)]`",
        (_, false) => "give it a key of its own: `#[ask(key = \"another\", ..)]`",
    };
    Parts::new(fact)
        .help(help)
        .note("answers are kept by key, so one answer would serve both questions")
}

pub(crate) fn ask_after_commit(ask: &Ask) -> Parts {
    let verb = if ask.site == AskSite::Helper {
        "may ask"
    } else {
        "is asked"
    };
    Parts::new(format!(
        "ask after a commit: {} {verb} when the effects are done",
        named(ask)
    ))
    .help("ask before `#[commit]`, or end the call and let the user call another tool")
    .note("a commit ends the right to ask: a question after it would run the effects again")
}

/// `first` is another commit on the path; without one the loop around the commit leads to it again.
pub(crate) fn second_commit(first: Option<Span>) -> Parts {
    let (fact, help) = match first {
        Some(first) => (
            format!("second commit: the call has committed already{}", at(first)),
            "put all effects into one commit: `#[commit(c)] { .. }`",
        ),
        None => (
            "second commit: the next iteration of the loop commits again".to_owned(),
            "put the loop inside the commit: `#[commit(c)] for .. { .. }`",
        ),
    };
    Parts::new(fact)
        .help(help)
        .note("a call commits once on a path: the commit claims its flow, and ends it")
}

pub(crate) fn commit_without_ask(no_ask: bool) -> Parts {
    let fact = if no_ask {
        "commit without an ask: no question stands before it"
    } else {
        "commit without an ask: a path leads here that meets no required question"
    };
    Parts::new(fact)
        .help("ask on every path to it, for example for a `Confirm`")
        .note("without a question there is no flow, so a repeated request runs the effects again")
}

pub(crate) fn unread_confirm(ask: &Ask) -> Parts {
    let name = ask.name.as_deref().unwrap_or("ok");
    Parts::new(format!(
        "unread confirm: a path leads from {} to the commit without a look at the answer",
        named(ask)
    ))
    .help(format!(
        "leave on a no: `if !{name}.yes() {{ return Err(ToolError::user(\"..\")); }}`"
    ))
    .note("a no is a value like a yes, and the handler goes on with it: here it would commit")
}

pub(crate) fn unshown(name: &str, fetched_by: &str, ask: &Ask) -> Parts {
    let fact = format!(
        "unshown value: the commit uses `{name}`, which comes from `{fetched_by}` and which {} does not show",
        named(ask)
    );
    Parts::new(fact)
        .help(format!(
            "show it in the message, or bind it with `pin = &{name}`"
        ))
        .note("it is fetched anew in the last round, so the user may have agreed to another value")
}

pub(crate) fn stdout(stdout: &Stdout) -> Parts {
    Parts::new(format!(
        "stdout in a handler: `{}` writes to stdout",
        stdout.what
    ))
    .help("use `tracing`, or `eprintln!`")
    .note("over stdio stdout is the protocol: anything else on it breaks the connection")
}

pub(crate) fn unused_allow(code: Code) -> Parts {
    Parts::new(format!(
        "unused allow: there is no `{}` here to allow",
        code.name()
    ))
    .help("remove it")
}
