//! An answer that a form accepts, for the line that a failing test proposes.

use super::tree::Tree;

/// An answer with every required field.
pub(super) fn of_form(form: &Tree) -> Tree {
    let required = form.get("required").map(Tree::items).unwrap_or_default();
    let fields = form
        .get("properties")
        .map(Tree::members)
        .unwrap_or_default();
    let wanted = fields
        .iter()
        .filter(|(name, _)| required.iter().any(|one| one.as_str() == Some(name)));
    Tree::Object(
        wanted
            .map(|(name, field)| (name.clone(), of_field(field)))
            .collect(),
    )
}

fn of_field(field: &Tree) -> Tree {
    if let Some(choice) = first_choice(field) {
        return choice.clone();
    }
    match field.text("type") {
        "boolean" => Tree::Bool(true),
        "integer" | "number" => of_number(field),
        "array" => of_choices(field),
        _ => Tree::Text(of_text(field)),
    }
}

/// The first value of a single choice, plain or titled.
fn first_choice(field: &Tree) -> Option<&Tree> {
    let plain = field.get("enum").map(Tree::items);
    let titled = field.get("oneOf").or_else(|| field.get("anyOf"));
    match plain {
        Some(values) => values.first(),
        None => titled?.items().first()?.get("const"),
    }
}

fn of_choices(field: &Tree) -> Tree {
    let least = field.get("minItems").and_then(Tree::number).unwrap_or(1);
    let items = field.get("items");
    let plain = items.and_then(|items| items.get("enum")).map(Tree::items);
    let titled = items.and_then(|items| items.get("anyOf").or_else(|| items.get("oneOf")));
    let values: Vec<Tree> = match plain {
        Some(values) => values.to_vec(),
        None => titled
            .map(Tree::items)
            .unwrap_or_default()
            .iter()
            .filter_map(|choice| choice.get("const").cloned())
            .collect(),
    };
    Tree::Array(values.into_iter().take(least).collect())
}

/// One, if the bounds allow it: integer types publish limits that nobody would write in a test.
fn of_number(field: &Tree) -> Tree {
    let bound = |name| {
        field
            .get(name)
            .filter(|bound| bound.number::<f64>().is_some())
    };
    let value = |bound: &Tree| bound.number::<f64>().unwrap_or_default();
    match (bound("minimum"), bound("maximum")) {
        (Some(least), _) if value(least) > 1.0 => least.clone(),
        (_, Some(most)) if value(most) < 1.0 => most.clone(),
        _ => Tree::Number("1".into()),
    }
}

fn of_text(field: &Tree) -> String {
    match field.text("format") {
        "email" => return "ada@example.com".into(),
        "uri" => return "https://example.com".into(),
        "date" => return "2026-07-28".into(),
        "date-time" => return "2026-07-28T12:00:00Z".into(),
        _ => {}
    }
    let least = field.get("minLength").and_then(Tree::number).unwrap_or(0);
    let most = field
        .get("maxLength")
        .and_then(Tree::number)
        .unwrap_or(usize::MAX);
    "Ada".chars().cycle().take(least.max(3).min(most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_field_gets_a_value_that_fits() {
        let form = Tree::read(
            r#"{"type":"object","properties":{
                "name":{"type":"string","minLength":5},
                "mail":{"type":"string","format":"email"},
                "nick":{"type":"string","maxLength":2},
                "page":{"type":"string","format":"uri"},
                "day":{"type":"string","format":"date"},
                "when":{"type":"string","format":"date-time"},
                "age":{"type":"integer","minimum":18},
                "big":{"type":"integer","minimum":-9223372036854775808},
                "sure":{"type":"boolean"},
                "seat":{"type":"string","enum":["A","B"]},
                "cabin":{"type":"string","oneOf":[{"const":"x","title":"X"}]},
                "likes":{"type":"array","minItems":2,"items":{"type":"string","enum":["p","q","r"]}},
                "tags":{"type":"array","items":{"anyOf":[{"const":"t","title":"T"}]}},
                "free":{"type":"string"}},
              "required":["name","mail","nick","page","day","when","age","big","sure","seat","cabin","likes","tags"]}"#,
        );
        assert_eq!(
            of_form(&form).to_string(),
            concat!(
                r#"{"name":"AdaAd","mail":"ada@example.com","nick":"Ad","page":"https://example.com","#,
                r#""day":"2026-07-28","when":"2026-07-28T12:00:00Z","age":18,"big":1,"sure":true,"#,
                r#""seat":"A","cabin":"x","likes":["p","q"],"tags":["t"]}"#
            )
        );
    }
}
