//! The demo without a terminal: the README's first command.

use std::process::{Command, Stdio};

#[test]
fn without_a_terminal_a_script_answers_and_the_flight_is_booked() {
    let output = Command::new(env!("CARGO_BIN_EXE_travel-desk"))
        .stdin(Stdio::null())
        .output()
        .expect("the demo starts");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complaints}");
    for part in [
        "whoami",
        "Who is travelling?",
        "Name as in the passport: text, 1 to 80 characters",
        "one of By the window / On the aisle",
        "answer: accept",
        "Book LH123 for Ada Lovelace at 180 EUR?",
        "finished after 3 rounds",
        "Booked LH123",
    ] {
        assert!(printed.contains(part), "no {part:?} in\n{printed}");
    }
}

#[test]
fn arguments_that_mean_nothing_are_refused_with_the_usage() {
    for arguments in [&["dance"][..], &["serve", "--ftp"], &["serve", "--http"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_travel-desk"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the demo starts");
        assert!(!output.status.success());
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("usage:"),
            "{arguments:?}"
        );
    }
}
