//! The resources of a server, found by their URIs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::completion::Completers;
use crate::server::Registered;

use super::UriTemplate;

/// All resources of a server.
#[derive(Default)]
pub(crate) struct Catalog {
    at: HashMap<&'static str, Arc<Registered>>,
    /// In the order in which they were registered: the first that matches counts.
    templates: Vec<TemplateEntry>,
}

struct TemplateEntry {
    text: &'static str,
    template: UriTemplate,
    handler: Arc<Registered>,
    completers: Completers,
}

impl Catalog {
    /// Adds a resource; says whether its URI was free.
    pub(crate) fn add(&mut self, uri: &'static str, handler: Arc<Registered>) -> bool {
        self.at.insert(uri, handler).is_none()
    }

    /// Adds a template; says whether it is the first of its text.
    pub(crate) fn add_template(
        &mut self,
        text: &'static str,
        template: UriTemplate,
        handler: Arc<Registered>,
        completers: Completers,
    ) -> bool {
        let free = self.templates.iter().all(|entry| entry.text != text);
        self.templates.push(TemplateEntry {
            text,
            template,
            handler,
            completers,
        });
        free
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at.is_empty() && self.templates.is_empty()
    }

    /// The resource at a URI, with the variables as a JSON object if a template found it.
    pub(crate) fn find(&self, uri: &str) -> Option<(&Arc<Registered>, Option<String>)> {
        if let Some(handler) = self.at.get(uri) {
            return Some((handler, None));
        }
        self.templates.iter().find_map(|entry| {
            let variables = entry.template.matches(uri)?;
            let json = serde_json::to_string(&variables);
            Some((&entry.handler, json.ok()))
        })
    }

    /// The template of this text.
    pub(crate) fn template(&self, text: &str) -> Option<FoundTemplate<'_>> {
        let entry = self.templates.iter().find(|entry| entry.text == text)?;
        Some(FoundTemplate {
            handler: &entry.handler,
            completers: &entry.completers,
            names: entry.template.names().collect(),
        })
    }
}

/// A template, for completing its variables.
pub(crate) struct FoundTemplate<'a> {
    pub(crate) handler: &'a Arc<Registered>,
    pub(crate) completers: &'a Completers,
    pub(crate) names: Vec<&'a str>,
}
