//! Knows the names of secrets, which MCP forbids to ask for in a form.

use syn::Type;

use crate::handler::types::{is_number, last_segment, type_argument};

/// Names that are a secret's wherever they stand, as whole words.
const ANYWHERE: [&[&str]; 21] = [
    &["password"],
    &["passwd"],
    &["pwd"],
    &["passphrase"],
    &["passcode"],
    &["secret"],
    &["apikey"],
    &["api", "key"],
    &["access", "key"],
    &["private", "key"],
    &["access", "token"],
    &["auth", "token"],
    &["card", "number"],
    &["credit", "card"],
    &["cvv"],
    &["cvc"],
    &["pin", "code"],
    &["security", "code"],
    &["ssn"],
    &["social", "security"],
    &["seed", "phrase"],
];

/// The longest title that is a name and not a sentence, in words.
const TITLE_WORDS: usize = 4;

/// The secret that a name stands for, such as `api key`.
///
/// `token` counts only as the last word: `token_name` and `token_count` are no secrets.
pub(crate) fn in_name(name: &str) -> Option<String> {
    let words = words(name);
    let anywhere = ANYWHERE
        .iter()
        .find(|secret| words.windows(secret.len()).any(|window| window == **secret));
    match anywhere {
        Some(secret) => Some(secret.join(" ")),
        None => (words.last().map(String::as_str) == Some("token")).then(|| "token".to_owned()),
    }
}

/// The secret that a title stands for; a sentence may well mention one.
pub(crate) fn in_title(title: &str) -> Option<String> {
    let words = title.split_whitespace().count();
    (words <= TITLE_WORDS).then(|| in_name(title)).flatten()
}

/// Whether a field of this type can hold a secret: a yes or no and a list of choices cannot, and
/// a number is no token, though it may be a card's.
pub(crate) fn can_hold(ty: &Type, secret: &str) -> bool {
    let Some(segment) = last_segment(ty) else {
        return true;
    };
    let name = segment.ident.to_string();
    match &*name {
        "bool" | "Vec" => false,
        "Option" => type_argument(ty).is_none_or(|inner| can_hold(inner, secret)),
        _ if is_number(ty) => !secret.ends_with("token"),
        _ => true,
    }
}

/// The words of a name in lower case, whatever its style: `apiKey`, `api_key`, `API-Key`, `API key`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        // A capital begins a word after a small letter, so that `apiKey` has two and `API` one.
        let begins = !before.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if letter.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                for small in letter.to_lowercase() {
                    word.push(small);
                }
            }
        }
        before = letter;
    }
    for word in &mut words {
        let end = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        word.truncate(end);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "user_password",
            "passwordConfirm",
            "PASSWORD",
            "password2",
            "api_key",
            "apiKey",
            "API-Key",
            "apikey",
            "access_token",
            "token",
            "authToken",
            "card_number",
            "cvv",
            "cvc",
            "ssn",
            "pin_code",
            "private_key",
            "client-secret",
            "passphrase",
            "Your password",
            "credit_card",
        ] {
            assert!(in_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn other_names() {
        for name in [
            "name",
            "passport",
            "passenger",
            "token_count",
            "tokenizer",
            "secretary",
            "keyboard",
            "key",
            "card",
            "pin",
            "number",
            "compass",
            "account",
            "email",
            "",
        ] {
            assert_eq!(in_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_sentence_is_no_name() {
        assert_eq!(in_title("API key").as_deref(), Some("api key"));
        assert_eq!(
            in_title("Display name, never enter your password here"),
            None
        );
    }

    #[test]
    fn only_some_types_hold_secrets() {
        let holds = |ty: &str, secret| can_hold(&syn::parse_str(ty).expect("a type"), secret);
        assert!(holds("String", "password"));
        assert!(holds("Option<std::string::String>", "token"));
        assert!(holds("u32", "card number"));
        assert!(!holds("u32", "token"));
        assert!(!holds("bool", "password"));
        assert!(!holds("Option<bool>", "password"));
        assert!(!holds("Vec<Scope>", "token"));
        assert!(holds("Nick", "password"));
    }
}
