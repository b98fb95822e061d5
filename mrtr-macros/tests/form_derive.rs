//! What `#[derive(Form)]` publishes and reads, on types as users write them.

#![allow(dead_code, reason = "many fields are only described and read")]

use expect_test::expect;
use mrtr_core::form::{Form, reason};
use mrtr_macros::Form;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The facade as far as the derive needs it.
mod facade {
    pub(crate) mod __private {
        pub(crate) use mrtr_core::form;
    }
}

/// Who is travelling.
#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Traveller {
    /// Name as in
    /// the passport
    ///
    /// All given names,
    /// then the family name.
    ///
    /// # Notes
    /// Not shown.
    #[schemars(length(min = 1, max = 80))]
    name: String,
    #[schemars(email)]
    email: String,
    seat: Seat,
    #[schemars(url)]
    page: Option<String>,
}

/// Where to sit
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
enum Seat {
    /// By the window
    Window,
    Middle,
    /// On the aisle
    ///
    /// With more space.
    Aisle,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
#[serde(rename_all = "kebab-case")]
enum Meal {
    #[default]
    Plain,
    NoFish,
    #[serde(rename = "végan")]
    Vegan,
    #[serde(skip)]
    Staff,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade", enum_names)]
enum Size {
    /// Small one
    #[serde(rename = "s")]
    Small,
    #[serde(rename = "l")]
    Large,
}

/// Age in years
#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Age(#[schemars(range(min = 18, max = 99))] u8);

fn published<T: Form>() -> String {
    let form = T::form().expect("a form that can be sent");
    assert_in_subset(form.requested_schema());
    by_line(form.requested_schema())
}

fn by_line(schema: &str) -> String {
    schema.replace("},\"", "},\n\"")
}

/// Checks against the closed schema of the subset, which no official schema is.
fn assert_in_subset(schema: &str) {
    let subset = include_str!("../../tests/data/elicitation-form.schema.json");
    let subset = serde_json::from_str(subset).expect("the subset is JSON");
    let subset = jsonschema::draft202012::new(&subset).expect("the subset is a schema");
    let schema = serde_json::from_str(schema).expect("a form is JSON");
    if let Err(error) = subset.validate(&schema) {
        panic!("{error}\n{schema:#}");
    }
}

fn read<T: Form>(content: &str) -> Result<T, String> {
    let form = T::form().expect("a form that can be sent");
    let normal = form
        .read(Some(content))
        .map_err(|problems| reason(&problems))?;
    T::from_content(&normal).map_err(|error| error.to_string())
}

#[test]
fn a_struct_is_a_form_in_the_authors_order() {
    expect![[r#"
        {"type":"object","properties":{"name":{"type":"string","title":"Name as in the passport","description":"All given names, then the family name.","minLength":1,"maxLength":80},
        "email":{"type":"string","format":"email"},
        "seat":{"type":"string","title":"Where to sit","oneOf":[{"const":"Window","title":"By the window"},{"const":"Middle","title":"Middle"},{"const":"Aisle","title":"On the aisle"}]},
        "page":{"type":"string","format":"uri"}},
        "required":["name","email","seat"]}"#]].assert_eq(&published::<Traveller>());
    let read =
        read::<Traveller>(r#"{"seat":"Aisle","email":"a@example.com","name":"Ann","more":1}"#);
    let ann = Traveller {
        name: "Ann".into(),
        email: "a@example.com".into(),
        seat: Seat::Aisle,
        page: None,
    };
    assert_eq!(read, Ok(ann));
}

#[test]
fn an_invalid_answer_says_which_rules_it_broke() {
    let refused =
        read::<Traveller>(r#"{"name":"","email":"x","seat":"Roof","page":"example.com"}"#);
    expect!["`name` must have at least 1 character; `email` must be an e-mail address; `seat` must be one of the offered choices; `page` must be a full web address (URI) with its scheme"].assert_eq(&refused.expect_err("refused"));
}

#[test]
fn an_enum_is_a_choice() {
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"string","title":"Where to sit","oneOf":[{"const":"Window","title":"By the window"},{"const":"Middle","title":"Middle"},{"const":"Aisle","title":"On the aisle"}]}},
        "required":["value"]}"#]].assert_eq(&published::<Seat>());
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"string","enum":["plain","no-fish","végan"]}},
        "required":["value"]}"#]].assert_eq(&published::<Meal>());
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"string","enum":["s","l"],"enumNames":["Small one","l"]}},
        "required":["value"]}"#]].assert_eq(&by_line(Size::form().expect("a form").requested_schema()));
    assert_eq!(read::<Seat>(r#"{"value":"Middle"}"#), Ok(Seat::Middle));
    assert_eq!(read::<Meal>(r#"{"value":"végan"}"#), Ok(Meal::Vegan));
    assert_eq!(read::<Size>(r#"{"value":"l"}"#), Ok(Size::Large));
    let hidden = read::<Meal>(r#"{"value":"staff"}"#);
    assert_eq!(
        hidden,
        Err("`value` must be one of the offered choices".into())
    );
}

#[test]
fn several_choices_are_a_form() {
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"array","items":{"anyOf":[{"const":"Window","title":"By the window"},{"const":"Middle","title":"Middle"},{"const":"Aisle","title":"On the aisle"}]}}},
        "required":["value"]}"#]].assert_eq(&published::<Vec<Seat>>());
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"array","items":{"type":"string","enum":["plain","no-fish","végan"]}}},
        "required":["value"]}"#]].assert_eq(&published::<Vec<Meal>>());
    assert_in_subset(&published::<Vec<Size>>());
    assert_eq!(read::<Vec<Seat>>(r#"{"value":[]}"#), Ok(vec![]));
    assert_eq!(
        read::<Vec<Seat>>(r#"{"value":["Aisle","Window"]}"#),
        Ok(vec![Seat::Aisle, Seat::Window])
    );
}

#[test]
fn a_newtype_is_a_field() {
    expect![[r#"
        {"type":"object","properties":{"value":{"type":"integer","title":"Age in years","minimum":18,"maximum":99}},
        "required":["value"]}"#]].assert_eq(&published::<Age>());
    assert_eq!(read::<Age>(r#"{"value":18.0}"#), Ok(Age(18)));
    assert_eq!(
        read::<Age>(r#"{"value":3}"#),
        Err("`value` must be at least 18".into())
    );
}

#[derive(Debug, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Numbers {
    a: u8,
    b: i8,
    c: u16,
    d: i32,
    e: u32,
    f: i64,
    g: u64,
    h: usize,
    i: isize,
    j: f32,
    k: f64,
    #[schemars(range(min = -5, max = 5))]
    l: i64,
    #[schemars(range(min = 18, max = 1000))]
    m: u8,
    #[schemars(range(min = 0.5, max = 9.5))]
    n: f32,
    #[schemars(range(min = 0.5, max = 9.5))]
    o: i16,
    p: Option<Age>,
}

#[test]
fn numbers_keep_the_bounds_of_their_types() {
    expect![[r#"
        {"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},
        "b":{"type":"integer","minimum":-128,"maximum":127},
        "c":{"type":"integer","minimum":0,"maximum":65535},
        "d":{"type":"integer","minimum":-2147483648,"maximum":2147483647},
        "e":{"type":"integer","minimum":0,"maximum":4294967295},
        "f":{"type":"integer"},
        "g":{"type":"integer","minimum":0},
        "h":{"type":"integer","minimum":0},
        "i":{"type":"integer"},
        "j":{"type":"number"},
        "k":{"type":"number"},
        "l":{"type":"integer","minimum":-5,"maximum":5},
        "m":{"type":"integer","minimum":18,"maximum":255},
        "n":{"type":"number","minimum":0.5,"maximum":9.5},
        "o":{"type":"integer","minimum":1,"maximum":9},
        "p":{"type":"integer","title":"Age in years","minimum":18,"maximum":99}},
        "required":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o"]}"#]]
    .assert_eq(&published::<Numbers>());
}

#[test]
fn numbers_are_read_within_the_bounds_of_their_types() {
    let cases: [(&str, Result<String, String>); 3] = [
        ("256", read::<u8>(r#"{"value":256}"#).map(|n| n.to_string())),
        (
            "i64",
            read::<i64>(r#"{"value":9223372036854775808}"#).map(|n| n.to_string()),
        ),
        (
            "f32",
            read::<f32>(r#"{"value":1e39}"#).map(|n| n.to_string()),
        ),
    ];
    for (case, found) in cases {
        let error = found.expect_err(case);
        assert!(error.starts_with("`value` must be at most "), "{error}");
    }
    assert_eq!(
        read::<i64>(r#"{"value":9223372036854775807}"#),
        Ok(i64::MAX)
    );
    assert_eq!(
        read::<u64>(r#"{"value":18446744073709551615}"#),
        Ok(u64::MAX)
    );
    assert_eq!(read::<f32>(r#"{"value":1}"#), Ok(1.0));
    assert_eq!(read::<f64>(r#"{"value":1.5}"#), Ok(1.5));
    assert_eq!(
        read::<u8>(r#"{"value":-1}"#),
        Err("`value` must be at least 0".into())
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Defaults {
    #[serde(default)]
    text: String,
    #[serde(default = "three")]
    count: u8,
    #[serde(default)]
    flag: bool,
    #[serde(default = "aisle")]
    seat: Seat,
    #[serde(default)]
    meal: Meal,
    #[serde(default = "both")]
    seats: Vec<Seat>,
    #[serde(default)]
    page: Option<String>,
    #[serde(default = "some")]
    note: Option<String>,
    #[serde(default = "tenth")]
    ratio: f32,
    #[serde(default = "adult")]
    age: Age,
}

fn three() -> u8 {
    3
}
fn aisle() -> Seat {
    Seat::Aisle
}
fn both() -> Vec<Seat> {
    vec![Seat::Window, Seat::Aisle]
}
fn some() -> Option<String> {
    Some("none".into())
}
fn tenth() -> f32 {
    0.1
}
fn adult() -> Age {
    Age(18)
}

#[test]
fn defaults_are_published_and_filled_in() {
    expect![[r#"
        {"type":"object","properties":{"text":{"type":"string","default":""},
        "count":{"type":"integer","minimum":0,"maximum":255,"default":3},
        "flag":{"type":"boolean","default":false},
        "seat":{"type":"string","title":"Where to sit","oneOf":[{"const":"Window","title":"By the window"},{"const":"Middle","title":"Middle"},{"const":"Aisle","title":"On the aisle"}],"default":"Aisle"},
        "meal":{"type":"string","enum":["plain","no-fish","végan"],"default":"plain"},
        "seats":{"type":"array","items":{"anyOf":[{"const":"Window","title":"By the window"},{"const":"Middle","title":"Middle"},{"const":"Aisle","title":"On the aisle"}]},
        "default":["Window","Aisle"]},
        "page":{"type":"string"},
        "note":{"type":"string","default":"none"},
        "ratio":{"type":"number","default":0.1},
        "age":{"type":"integer","title":"Age in years","minimum":18,"maximum":99,"default":18}}}"#]].assert_eq(&published::<Defaults>());
    let form = Defaults::form().expect("a form");
    let normal = form.read(None).expect("nothing is required");
    expect![[r#"{"text":"","count":3,"flag":false,"seat":"Aisle","meal":"plain","seats":["Window","Aisle"],"note":"none","ratio":0.1,"age":18}"#]].assert_eq(&normal);
    let read = Defaults::from_content(&normal).expect("the defaults are accepted");
    assert_eq!(
        (read.seat, read.meal, read.ratio),
        (Seat::Aisle, Meal::Plain, 0.1)
    );
    assert_eq!(read.note, some());
}

#[derive(Debug, PartialEq, Default, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
#[serde(default, deny_unknown_fields)]
struct AllDefault {
    count: u8,
    text: String,
}

#[test]
fn a_container_default_covers_every_field() {
    expect![[r#"
        {"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":255,"default":0},
        "text":{"type":"string","default":""}}}"#]].assert_eq(&published::<AllDefault>());
    assert_eq!(
        read::<AllDefault>(r#"{"unknown":1}"#),
        Ok(AllDefault::default())
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
#[serde(rename_all = "camelCase")]
struct Names {
    zeta_one: bool,
    alpha: bool,
    age: bool,
    #[serde(rename = "__proto__")]
    proto: bool,
    constructor: bool,
    r#type: bool,
    größe: bool,
    #[serde(rename = "名 前")]
    name: bool,
    #[serde(skip)]
    hidden: Vec<u64>,
    #[serde(alias = "other")]
    aliased: bool,
}

#[test]
fn names_are_those_of_serde() {
    expect![[r#"
        {"type":"object","properties":{"zetaOne":{"type":"boolean"},
        "alpha":{"type":"boolean"},
        "age":{"type":"boolean"},
        "__proto__":{"type":"boolean"},
        "constructor":{"type":"boolean"},
        "type":{"type":"boolean"},
        "größe":{"type":"boolean"},
        "名 前":{"type":"boolean"},
        "aliased":{"type":"boolean"}},
        "required":["zetaOne","alpha","age","__proto__","constructor","type","größe","名 前","aliased"]}"#]].assert_eq(&published::<Names>());
    let all = r#"{"zetaOne":true,"alpha":true,"age":true,"__proto__":true,"constructor":true,"type":true,"größe":true,"名 前":true,"aliased":true}"#;
    assert!(read::<Names>(all).is_ok_and(|names| names.proto && names.r#type && names.größe));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Nothing {}

#[test]
fn a_form_may_have_no_fields() {
    expect![[r#"{"type":"object","properties":{}}"#]].assert_eq(&published::<Nothing>());
    assert_eq!(read::<Nothing>("null"), Ok(Nothing {}));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
#[serde(try_from = "String")]
#[schemars(with = "String")]
struct Even(String);

impl TryFrom<String> for Even {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len().is_multiple_of(2) {
            Ok(Even(text))
        } else {
            Err(format!("{text} is odd"))
        }
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Form)]
#[form(crate = "crate::facade")]
struct Own {
    even: Even,
    #[serde(deserialize_with = "upper")]
    #[schemars(with = "String", length(max = 3))]
    loud: Vec<char>,
    #[form(not_secret = "the name of a token, which the user sees in a list")]
    token: String,
}

fn upper<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Vec<char>, D::Error> {
    Ok(String::deserialize(reader)?
        .to_uppercase()
        .chars()
        .collect())
}

#[test]
fn a_type_may_refuse_what_its_form_allows() {
    expect![[r#"
        {"type":"object","properties":{"even":{"type":"string"},
        "loud":{"type":"string","maxLength":3},
        "token":{"type":"string"}},
        "required":["even","loud","token"]}"#]]
    .assert_eq(&published::<Own>());
    let refused = read::<Own>(r#"{"even":"hunter2","loud":"a","token":"t"}"#);
    assert_eq!(refused, Err("`even` is not accepted".into()));
    let own = read::<Own>(r#"{"even":"ab","loud":"ab","token":"t"}"#).expect("accepted");
    assert_eq!(own.loud, ['A', 'B']);
}

macro_rules! misfits {
    ($($name:ident { $(#[$meta:meta])* $field:ident: $ty:ty } => $error:expr;)*) => {$({
        #[derive(Deserialize, JsonSchema, Form)]
        #[form(crate = "crate::facade")]
        struct $name {
            $(#[$meta])*
            $field: $ty,
        }
        let error = $name::form().expect_err(stringify!($name)).to_string();
        assert!(error.starts_with(concat!("`", stringify!($name), "::", stringify!($field), "` does not fit in a form: ")), "{error}");
        $error.assert_eq(error.split_once(": ").expect("a reason").1);
    })*};
}

fn patterned(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "pattern": "^a"})
}

fn anything(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    true.into()
}

fn stepped(schema: &mut schemars::Schema) {
    schema.insert("multipleOf".into(), 2.into());
}

fn bound_exclusively(schema: &mut schemars::Schema) {
    schema.insert("exclusiveMinimum".into(), 2.into());
}

#[test]
fn what_only_the_schema_shows_is_refused_by_name() {
    misfits! {
        Pattern { #[schemars(schema_with = "patterned")] f: String } => expect!["keyword `pattern`; remove it and check the value with `validate = path` on the ask"];
        Anything { #[schemars(schema_with = "anything")] f: String } => expect!["its schema allows everything; give the field a type of its own"];
        Step { #[schemars(transform = stepped)] f: u8 } => expect!["keyword `multipleOf`; remove it and check the value with `validate = path` on the ask"];
        Exclusive { #[schemars(transform = bound_exclusively)] f: u8 } => expect!["keyword `exclusiveMinimum`; a form has inclusive bounds only: write `range(min = .., max = ..)`"];
        Empty { #[schemars(length(min = 3, max = 2))] f: String } => expect!["no value meets its bounds; make the maximum at least the minimum"];
        Short { #[schemars(length(min = 1))] #[serde(default)] f: String } => expect!["its default must have at least 1 character; change the default or the rule"];
        Low { #[schemars(range(min = 1))] #[serde(default)] f: u8 } => expect!["its default must be at least 1; change the default or the rule"];
        OwnFormat { #[schemars(extend("format" = "hostname"))] f: String } => expect!["keyword `format`; a form knows the formats email, uri, date and date-time"];
        Unknown { #[schemars(extend("x-order" = 1))] f: String } => expect!["keyword `x-order`; a form has no such rule: remove it, or check the value with `validate = path` on the ask"];
        Unlike { f: Unlike2 } => expect!["its type is `object`; a form is flat: its fields are texts, numbers, booleans, dates and choices"];
    }
}

/// A field type made by hand whose schema is no field.
#[derive(Deserialize, JsonSchema)]
struct Unlike2 {
    inner: String,
}

impl mrtr_core::form::FormField for Unlike2 {}

#[test]
fn the_digest_input_follows_the_choices_and_not_the_help() {
    #[derive(Deserialize, JsonSchema, Form)]
    #[form(crate = "crate::facade")]
    struct Plain {
        seat: Seat,
    }
    #[derive(Deserialize, JsonSchema, Form)]
    #[form(crate = "crate::facade")]
    struct Documented {
        /// Another title
        seat: Seat,
    }
    let input = |form: mrtr_core::form::FormSchema| form.digest_input().to_vec();
    let plain = input(Plain::form().expect("a form"));
    assert_eq!(plain, input(Documented::form().expect("a form")));
    let text = String::from_utf8_lossy(&plain).into_owned();
    assert!(text.contains("By the window"));
}

fn answer() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[a-z]{0,3}".prop_map(|text| format!("{text:?}")),
        (-300i32..300).prop_map(|number| number.to_string()),
        (-300i32..300).prop_map(|number| format!("{number}.0")),
        Just("0.5".to_owned()),
        Just("null".to_owned()),
        Just("true".to_owned()),
        prop::sample::select(vec!["Window", "Aisle", "plain", "no-fish", "a@example.com"])
            .prop_map(|text| format!("{text:?}")),
        Just(r#"["Window"]"#.to_owned()),
    ];
    let names = [
        "text", "count", "flag", "seat", "meal", "seats", "page", "note", "ratio", "age",
    ];
    let names = names.into_iter().chain([
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
    ]);
    let names: Vec<&str> = names.collect();
    prop::collection::hash_map(prop::sample::select(names), value, 0..12).prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{name:?}:{value}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

proptest! {
    #[test]
    fn what_is_accepted_can_be_read(content in answer()) {
        if let Ok(normal) = Defaults::form().expect("a form").read(Some(&content)) {
            prop_assert!(Defaults::from_content(&normal).is_ok(), "{}", normal);
        }
    }

    #[test]
    fn numbers_that_are_accepted_can_be_read(numbers in prop::collection::vec(any::<i64>(), 16), fraction in any::<bool>()) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];
        let small = numbers.iter().map(|number| if *number % 3 == 0 { *number } else { number % 20 });
        let members: Vec<String> = names
            .iter()
            .zip(small)
            .map(|(name, number)| format!("{name:?}:{number}{}", if fraction { ".0" } else { "" }))
            .collect();
        if let Ok(normal) = Numbers::form().expect("a form").read(Some(&format!("{{{}}}", members.join(",")))) {
            prop_assert!(Numbers::from_content(&normal).is_ok(), "{}", normal);
        }
    }
}

/// The expansion names everything by its full path, so that nothing in scope can change it.
mod hygiene {
    #![no_implicit_prelude]

    struct Option;
    struct Result;
    struct Ok;
    struct Some;
    struct None;
    struct String;
    mod core {}
    mod std {}

    #[derive(::serde::Deserialize, ::mrtr_macros::Form)]
    #[form(crate = "crate::facade")]
    pub(crate) enum Seat {
        Window,
        #[serde(skip)]
        Crew,
    }

    #[derive(::serde::Deserialize, ::mrtr_macros::Form)]
    #[form(crate = "crate::facade")]
    pub(crate) struct Age(u8);

    #[derive(::serde::Deserialize, ::mrtr_macros::Form)]
    #[form(crate = "crate::facade")]
    pub(crate) struct Shadowed {
        seat: Seat,
        #[serde(default)]
        flag: bool,
    }
}

/// By hand, because schemars' own derive leans on the prelude.
macro_rules! described {
    ($($ty:ident: $schema:tt)*) => {$(
        impl JsonSchema for hygiene::$ty {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($ty).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    )*};
}

described! {
    Seat: {"type": "string", "enum": ["Window"]}
    Age: {"type": "integer", "format": "uint8"}
    Shadowed: {
        "type": "object",
        "properties": {"seat": {"type": "string", "enum": ["Window"]}, "flag": {"type": "boolean"}},
        "required": ["seat"]
    }
}

#[test]
fn nothing_in_scope_changes_the_expansion() {
    assert!(hygiene::Age::form().is_ok());
    assert!(hygiene::Seat::form().is_ok());
    expect![[r#"
        {"type":"object","properties":{"seat":{"type":"string","enum":["Window"]},
        "flag":{"type":"boolean","default":false}},
        "required":["seat"]}"#]]
    .assert_eq(&published::<hygiene::Shadowed>());
}
