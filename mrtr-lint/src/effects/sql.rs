//! The class of a SQL text: does it only read?

use crate::value::Access;

const WRITES: &[&str] = &[
    "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "CREATE", "ALTER", "DROP", "TRUNCATE",
    "CALL", "COPY", "NOTIFY", "GRANT", "REVOKE", "UPSERT", "VACUUM", "REINDEX", "LOCK", "DO",
    "EXEC", "EXECUTE", "RENAME", "ATTACH", "DETACH", "REFRESH", "LOAD", "IMPORT", "OPTIMIZE",
    "COMMIT",
];

const READS: &[&str] = &[
    "SELECT",
    "SHOW",
    "EXPLAIN",
    "DESCRIBE",
    "DESC",
    "VALUES",
    "TABLE",
    "PRAGMA",
    "BEGIN",
    "START",
    "ROLLBACK",
    "SAVEPOINT",
    "SET",
    "USE",
    "FETCH",
    "DECLARE",
    "LISTEN",
    "UNLISTEN",
    "ANALYZE",
];

/// Functions that change something inside a `SELECT`.
const WRITING_FUNCTIONS: &[&str] = &[
    "NEXTVAL",
    "SETVAL",
    "PG_NOTIFY",
    "PG_ADVISORY_LOCK",
    "PG_ADVISORY_UNLOCK",
    "LO_CREATE",
    "LO_UNLINK",
    "PG_TERMINATE_BACKEND",
    "PG_CANCEL_BACKEND",
    "SET_CONFIG",
];

/// Whether a SQL text writes; `Unknown` when its first word says nothing.
///
/// Several statements in one text write when one of them does.
pub(crate) fn access(text: &str) -> Access {
    let words = words(text);
    let mut found = Access::Unknown;
    for statement in words.split(|word| word == ";") {
        match statement_access(statement) {
            Access::Write => return Access::Write,
            Access::Read => found = Access::Read,
            Access::Unknown => {}
        }
    }
    found
}

fn statement_access(words: &[String]) -> Access {
    let Some(first) = words.iter().map(String::as_str).find(|word| *word != "(") else {
        return Access::Unknown;
    };
    match first {
        "WITH" | "EXPLAIN" => with_access(words),
        "SELECT" => select_access(words),
        _ if WRITES.contains(&first) => Access::Write,
        _ if READS.contains(&first) => Access::Read,
        _ => Access::Unknown,
    }
}

/// A common table expression may itself insert, update or delete.
///
/// `FOR UPDATE`, and `ON UPDATE` of a constraint, are no updates. `EXPLAIN ANALYZE` runs its
/// statement.
fn with_access(words: &[String]) -> Access {
    if words[0] == "EXPLAIN" && !words.iter().any(|word| word == "ANALYZE") {
        return Access::Read;
    }
    let writes = words.windows(2).any(|pair| {
        matches!(
            (pair[0].as_str(), pair[1].as_str()),
            ("INSERT", "INTO") | ("DELETE", "FROM") | ("MERGE", "INTO")
        ) || (pair[1] == "UPDATE" && matches!(pair[0].as_str(), "(" | ")" | "ANALYZE"))
    });
    if writes {
        Access::Write
    } else {
        select_access(words)
    }
}

/// A `SELECT` writes by a function it calls, or by `INTO` a new table.
fn select_access(words: &[String]) -> Access {
    let calls = words
        .windows(2)
        .any(|pair| pair[1] == "(" && WRITING_FUNCTIONS.contains(&pair[0].as_str()));
    let into = words.iter().position(|word| word == "INTO");
    let from = words.iter().position(|word| word == "FROM");
    let creates = into.is_some_and(|into| from.is_none_or(|from| into < from));
    if calls || creates {
        Access::Write
    } else if from.is_none() && matches!(words, [_, name, open, ..] if open == "(" && name != "(") {
        // `SELECT finish($1)` does what the function does; whoever executes it wants no rows.
        Access::Unknown
    } else {
        Access::Read
    }
}

/// Upper-case words, parentheses and semicolons; quoted text and comments are left out.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '\'' | '"' | '`' => after(&rest[1..], &c.to_string()),
            '-' if rest.starts_with("--") => after(rest, "\n"),
            '/' if rest.starts_with("/*") => after(rest, "*/"),
            '(' | ')' | ';' => {
                words.push(c.to_string());
                &rest[1..]
            }
            c if c.is_alphanumeric() || c == '_' => {
                let end = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                words.push(rest[..end].to_uppercase());
                &rest[end..]
            }
            c => &rest[c.len_utf8()..],
        };
    }
    words
}

fn after<'a>(text: &'a str, end: &str) -> &'a str {
    text.find(end).map_or("", |at| &text[at + end.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_classed_by_what_they_run() {
        for text in [
            "INSERT INTO t VALUES (1)",
            "  update t set n = n + 1 returning n",
            "WITH x AS (INSERT INTO t DEFAULT VALUES RETURNING id) SELECT id FROM x",
            "WITH x AS (UPDATE t SET a = 1 RETURNING a) SELECT a FROM x",
            "WITH x AS (SELECT 1) UPDATE t SET a = 1",
            "SELECT nextval('seq')",
            "SELECT a INTO b FROM c",
            "-- tidy up\nDELETE FROM t",
            "SELECT 1; DROP TABLE t",
            "EXPLAIN ANALYZE DELETE FROM t",
        ] {
            assert_eq!(access(text), Access::Write, "{text}");
        }
        for text in [
            "SELECT id FROM items WHERE id = $1",
            "SELECT id FROM items FOR UPDATE",
            "SELECT 'DELETE FROM x' AS s, updated FROM t",
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "(SELECT 1) UNION (SELECT 2)",
            "/* DELETE */ SELECT 1",
            "EXPLAIN DELETE FROM t",
            "select updated, deleted from t -- delete from t",
        ] {
            assert_eq!(access(text), Access::Read, "{text}");
        }
        assert_eq!(access("SELECT finish($1)"), Access::Unknown);
        assert_eq!(access("hello"), Access::Unknown);
        assert_eq!(access(""), Access::Unknown);
    }
}
