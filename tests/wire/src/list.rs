//! What a server publishes of itself and of its handlers.

use std::collections::HashSet;

use serde_json::Value;

use crate::members::Members;
use crate::{Faults, Revision};

use Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

/// What every result may have beside its own members.
const CACHED: &[(Revision, &str)] = &[
    (V2026_07_28, "resultType"),
    (V2026_07_28, "ttlMs"),
    (V2026_07_28, "cacheScope"),
];

/// A list that a server publishes: its items, what identifies one, and what one may say.
pub(crate) struct List {
    result: Members,
    items: &'static str,
    kind: &'static str,
    id: &'static str,
    item: Members,
}

/// The list that a method answers with.
pub(crate) fn list_of(method: &str) -> Option<&'static List> {
    Some(match method {
        "tools/list" => &TOOLS,
        "prompts/list" => &PROMPTS,
        "resources/list" => &RESOURCES,
        "resources/templates/list" => &TEMPLATES,
        _ => return None,
    })
}

static TOOLS: List = List {
    result: Members {
        first: &["tools", "nextCursor", "_meta"],
        later: CACHED,
    },
    items: "tools",
    kind: "tool",
    id: "name",
    item: Members {
        first: &["name", "description", "inputSchema"],
        later: &[
            (V2025_03_26, "annotations"),
            (V2025_06_18, "title"),
            (V2025_06_18, "outputSchema"),
            (V2025_06_18, "_meta"),
            (V2025_11_25, "icons"),
        ],
    },
};

static PROMPTS: List = List {
    result: Members {
        first: &["prompts", "nextCursor", "_meta"],
        later: CACHED,
    },
    items: "prompts",
    kind: "prompt",
    id: "name",
    item: Members {
        first: &["name", "description", "arguments"],
        later: TITLED,
    },
};

static RESOURCES: List = List {
    result: Members {
        first: &["resources", "nextCursor", "_meta"],
        later: CACHED,
    },
    items: "resources",
    kind: "resource",
    id: "uri",
    item: Members {
        first: &[
            "uri",
            "name",
            "description",
            "mimeType",
            "size",
            "annotations",
        ],
        later: TITLED,
    },
};

static TEMPLATES: List = List {
    result: Members {
        first: &["resourceTemplates", "nextCursor", "_meta"],
        later: CACHED,
    },
    items: "resourceTemplates",
    kind: "template",
    id: "uriTemplate",
    item: Members {
        first: &[
            "uriTemplate",
            "name",
            "description",
            "mimeType",
            "annotations",
        ],
        later: TITLED,
    },
};

const TITLED: &[(Revision, &str)] = &[
    (V2025_06_18, "title"),
    (V2025_06_18, "_meta"),
    (V2025_11_25, "icons"),
];

const ARGUMENT: Members = Members {
    first: &["name", "description", "required"],
    later: &[(V2025_06_18, "title")],
};

pub(crate) fn discover_faults(result: &Value, faults: &mut Faults) {
    let versions = result["supportedVersions"].as_array();
    if !versions.is_some_and(|versions| versions.iter().any(|version| version == "2026-07-28")) {
        faults.push("`supportedVersions` lacks 2026-07-28".to_owned());
    }
    if !result["capabilities"].is_object() {
        faults.push("`capabilities` is not an object".to_owned());
    }
    cache_faults(V2026_07_28, result, faults);
}

/// Judges one page of a list.
pub(crate) fn list_faults(list: &List, revision: Revision, result: &Value, faults: &mut Faults) {
    list.result.judge(revision, result, faults);
    cache_faults(revision, result, faults);
    if result
        .get("nextCursor")
        .is_some_and(|cursor| !cursor.is_string())
    {
        faults.push("`nextCursor` is not a string".to_owned());
    }
    let Some(items) = result[list.items].as_array() else {
        faults.push(format!("`{}` is not an array", list.items));
        return;
    };
    let mut ids = HashSet::new();
    for item in items {
        let (kind, id) = (list.kind, item[list.id].as_str().unwrap_or_default());
        if !ids.insert(id) {
            faults.push(format!("two {kind}s of the {} `{id}`", list.id));
        }
        let mut found = Faults::new();
        list.item.judge(revision, item, &mut found);
        item_faults(list, revision, item, &mut found);
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("{kind} `{id}`: {fault}")),
        );
    }
}

/// Since 2026-07-28 what may be kept says how long and for whom.
pub(crate) fn cache_faults(revision: Revision, result: &Value, faults: &mut Faults) {
    if !revision.is_modern() {
        return;
    }
    if !result["ttlMs"].is_u64() {
        faults.push("`ttlMs` is not a whole number of milliseconds".to_owned());
    }
    if !matches!(result["cacheScope"].as_str(), Some("public" | "private")) {
        faults.push("`cacheScope` is neither `public` nor `private`".to_owned());
    }
}

fn item_faults(list: &List, revision: Revision, item: &Value, faults: &mut Faults) {
    let name = item["name"].as_str().unwrap_or_default();
    match list.kind {
        "tool" => tool_faults(revision, item, faults),
        _ if name.is_empty() => faults.push("no `name`".to_owned()),
        _ => {}
    }
    for argument in item["arguments"].as_array().into_iter().flatten() {
        ARGUMENT.judge(revision, argument, faults);
        if argument["name"].as_str().is_none_or(str::is_empty) {
            faults.push("an argument without `name`".to_owned());
        }
    }
}

fn tool_faults(revision: Revision, tool: &Value, faults: &mut Faults) {
    let name = tool["name"].as_str().unwrap_or_default();
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if !(1..=128).contains(&name.len()) || !name.bytes().all(plain) {
        faults.push("a name that is not of `[A-Za-z0-9._-]{1,128}`".to_owned());
    }
    if tool["inputSchema"]["type"] != "object" {
        faults.push("an `inputSchema` that is no object's".to_owned());
    }
    let object = |schema: &Value| schema["type"] == "object";
    if !revision.is_modern() && !tool.get("outputSchema").is_none_or(object) {
        faults.push("an `outputSchema` that is no object's".to_owned());
    }
    for member in ["inputSchema", "outputSchema"] {
        if let Some(schema) = tool.get(member)
            && let Err(error) = jsonschema::draft202012::meta::validate(schema)
        {
            faults.push(format!("`{member}` is no JSON Schema 2020-12: {error}"));
        }
    }
    for (hint, value) in tool["annotations"].as_object().into_iter().flatten() {
        if hint.ends_with("Hint") && !value.is_boolean() {
            faults.push(format!("`{hint}` is not a boolean"));
        }
    }
}
