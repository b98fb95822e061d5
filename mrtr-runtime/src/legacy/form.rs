//! A question as an older revision words it: forms and links here, the model's in `sample.rs`.
//!
//! Source: MCP 2025-06-18, client/elicitation, "Requested Schema"; MCP 2025-11-25, client/elicitation,
//! "URL Mode Elicitation Requests".

use serde_json::{Map, Value, json};

use super::revision::Revision;
use super::sample;

/// Words an `InputRequest` for this revision; `id` names a URL elicitation.
///
/// # Errors
/// When the revision has no way to show it, with the reason.
pub(super) fn worded(mut request: Value, revision: Revision, id: &str) -> Result<Value, String> {
    let method = request["method"].as_str().unwrap_or_default().to_owned();
    let Some(params) = request.get_mut("params").and_then(Value::as_object_mut) else {
        return Ok(request);
    };
    if method == "sampling/createMessage" {
        sample::worded(params, revision).map_err(|what| lacks(revision, what))?;
    }
    if method != "elicitation/create" {
        return Ok(request);
    }
    if params.get("mode").is_some_and(|mode| mode == "url") {
        if revision < Revision::V2025_11_25 {
            return Err(lacks(revision, "URLs"));
        }
        params.insert("elicitationId".into(), id.into());
        return Ok(request);
    }
    match revision {
        Revision::V2025_11_25 => {}
        Revision::V2025_06_18 => {
            params.remove("mode");
            if let Some(schema) = params.get_mut("requestedSchema") {
                older_form(schema)?;
            }
        }
        _ => return Err(lacks(revision, "questions to the user")),
    }
    Ok(request)
}

fn lacks(revision: Revision, what: &str) -> String {
    format!("its revision, {}, has no {what}", revision.name())
}

fn older_form(schema: &mut Value) -> Result<(), String> {
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    for (name, field) in properties {
        let Some(field) = field.as_object_mut() else {
            continue;
        };
        if field.get("type").is_some_and(|kind| kind == "array") {
            let lacks = lacks(Revision::V2025_06_18, "multiple choices");
            return Err(format!("{lacks}, which the field `{name}` needs"));
        }
        older_field(field);
    }
    Ok(())
}

/// Only booleans have a default, and titles of choices stand in a list of their own.
fn older_field(field: &mut Map<String, Value>) {
    if field.get("type").is_none_or(|kind| kind != "boolean") {
        field.remove("default");
    }
    if let Some(Value::Array(choices)) = field.remove("oneOf") {
        let member = |name: &str| -> Vec<Value> {
            (choices.iter())
                .map(|choice| choice.get(name).cloned().unwrap_or_default())
                .collect()
        };
        field.insert("enum".into(), json!(member("const")));
        field.insert("enumNames".into(), json!(member("title")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(properties: Value) -> Value {
        json!({"method": "elicitation/create", "params": {
            "mode": "form", "message": "Details?",
            "requestedSchema": {"type": "object", "properties": properties, "required": ["sev"]}
        }})
    }

    #[test]
    fn a_form_of_today_goes_to_2025_11_25_as_it_is() {
        let today =
            form(json!({"sev": {"type": "array", "items": {"enum": ["a"]}, "default": ["a"]}}));
        assert_eq!(worded(today.clone(), Revision::V2025_11_25, "x"), Ok(today));
    }

    #[test]
    fn titled_choices_become_enum_names_and_only_booleans_keep_a_default() {
        let today = form(json!({
            "sev": {"type": "string", "default": "s1", "oneOf": [
                {"const": "s1", "title": "Outage"}, {"const": "s2", "title": "Degraded"}]},
            "n": {"type": "integer", "minimum": 1, "default": 3},
            "mail": {"type": "string", "format": "email"},
            "ok": {"type": "boolean", "default": false},
        }));
        let older = json!({"method": "elicitation/create", "params": {"message": "Details?",
            "requestedSchema": {"type": "object", "required": ["sev"], "properties": {
                "sev": {"type": "string", "enum": ["s1", "s2"], "enumNames": ["Outage", "Degraded"]},
                "n": {"type": "integer", "minimum": 1},
                "mail": {"type": "string", "format": "email"},
                "ok": {"type": "boolean", "default": false},
        }}}});
        assert_eq!(worded(today, Revision::V2025_06_18, "x"), Ok(older));
    }

    #[test]
    fn what_a_revision_cannot_show_names_revision_and_field() {
        let many = form(json!({"tags": {"type": "array", "items": {"enum": ["a"]}}}));
        assert_eq!(
            worded(many.clone(), Revision::V2025_06_18, "x").unwrap_err(),
            "its revision, 2025-06-18, has no multiple choices, which the field `tags` needs"
        );
        assert_eq!(
            worded(many, Revision::V2025_03_26, "x").unwrap_err(),
            "its revision, 2025-03-26, has no questions to the user"
        );
    }

    #[test]
    fn a_url_has_an_id_where_the_revision_has_urls() {
        let url = json!({"method": "elicitation/create", "params": {
            "mode": "url", "message": "Connect.", "url": "https://a.example"}});
        let worded_url = worded(url.clone(), Revision::V2025_11_25, "el-1").unwrap();
        assert_eq!(worded_url["params"]["elicitationId"], "el-1");
        assert!(
            worded(url, Revision::V2025_06_18, "el-1")
                .unwrap_err()
                .contains("no URLs")
        );
    }
}
