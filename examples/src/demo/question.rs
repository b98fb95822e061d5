//! A question as a client shows it: words and fields, in the server's order.

use std::error::Error;

use rmcp::model::{ElicitRequestParams, InputRequest};
use serde_json::{Value, to_value};

use super::field::Field;
use super::text::visible;

/// A form question.
#[derive(Debug)]
pub(crate) struct Question {
    /// The name under which the answer goes back.
    pub(crate) key: String,
    /// What is asked.
    pub(crate) message: String,
    /// What is to be filled in.
    pub(crate) fields: Vec<Field>,
}

impl Question {
    /// Reads a question of the server's.
    ///
    /// # Errors
    /// When it is of a kind that this client did not say it can answer.
    pub(crate) fn read(key: &str, request: &InputRequest) -> Result<Self, Box<dyn Error>> {
        let InputRequest::Elicitation(elicitation) = request else {
            return Err("the server asks for something that this client did not offer".into());
        };
        let ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema: form,
            ..
        } = &elicitation.params
        else {
            return Err("the server asks to open a page, which this client did not offer".into());
        };
        let required = form.required.as_deref().unwrap_or_default();
        let names = form.property_order.iter().flatten();
        let fields = names.filter_map(|name| form.properties.get_key_value(name));
        let fields = fields
            .map(|(name, schema)| Ok(Field::new(name, required.contains(name), to_value(schema)?)))
            .collect::<Result<_, serde_json::Error>>()?;
        Ok(Self {
            key: key.to_owned(),
            message: visible(message),
            fields,
        })
    }

    /// What is wrong with a filled-in form, if anything: the name of the field and why.
    pub(crate) fn complaint(&self, content: &Value) -> Option<String> {
        self.fields
            .iter()
            .find_map(|field| match content.get(&field.name) {
                Some(value) => {
                    let why = field.complaint(value)?;
                    Some(format!("{}: {why}", field.title()))
                }
                None if field.required => Some(format!("{} is needed", field.title())),
                None => None,
            })
    }

    /// Prints who asks, what, and each field with its bounds.
    pub(crate) fn print(&self, server: &str) {
        println!("\n{server} asks (`{}`):", self.key);
        for line in self.message.lines() {
            println!("  {line}");
        }
        for field in &self.fields {
            println!("    - {}", field.describe());
        }
    }
}
