//! The run without a terminal: somebody who always answers the same.

use std::error::Error;

use serde_json::{Value, json};

use super::person::{Person, Reply};
use super::question::Question;

/// Fills in what it knows by the fields' names, and closes a form that it cannot fill in.
pub(crate) struct Script;

impl Person for Script {
    fn answer(&mut self, server: &str, question: &Question) -> Result<Reply, Box<dyn Error>> {
        question.print(server);
        let known = question.fields.iter().filter_map(|field| {
            let value = known(&field.name)?;
            Some((field.name.clone(), value))
        });
        let content = Value::Object(known.collect());
        let reply = match question.complaint(&content) {
            None => Reply::Accept(content),
            Some(why) => {
                println!("  the script has no answer: {why}");
                Reply::Cancel
            }
        };
        println!("  answer: {}", shown(&reply));
        Ok(reply)
    }
}

fn known(field: &str) -> Option<Value> {
    match field {
        "name" => Some(json!("Ada Lovelace")),
        "email" => Some(json!("ada@example.org")),
        "seat" => Some(json!("Window")),
        "ok" => Some(json!(true)),
        _ => None,
    }
}

fn shown(reply: &Reply) -> String {
    match reply {
        Reply::Accept(content) => format!("accept {content}"),
        Reply::Decline => "decline".to_owned(),
        Reply::Cancel => "cancel".to_owned(),
    }
}
