//! Registering handlers, and checking each of them when the server is built.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::json::{Json, MAX_DEPTH};
use serde_json::value::RawValue;

use crate::changes::Changes;
use crate::handler::{AnyHandler, Handler, Handlers};
use crate::meta_key;
use crate::prompt::IntoPrompt;
use crate::protocol::Mirror;
use crate::resource::{Address, Catalog, IntoResource, Resource, UriTemplate, uri_problem};
use crate::tool::{IntoTool, Tool};

use super::bounds::Bounds;
use super::inner::{PromptEntry, Registered};
use super::{Problem, Server, mirrors};

impl Server {
    /// Adds a tool: a function made by `#[tool]`, by its name, without calling it.
    pub fn tool(mut self, tool: impl IntoTool) -> Self {
        self.tools.push(tool.into_tool());
        self
    }

    /// Adds several tools, in their order.
    pub fn tools<T: IntoTool>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools
            .extend(tools.into_iter().map(IntoTool::into_tool));
        self
    }

    /// Adds a prompt: a function made by `#[prompt]`, by its name, without calling it.
    pub fn prompt(mut self, prompt: impl IntoPrompt) -> Self {
        self.prompts.push(prompt.into_prompt());
        self
    }

    /// Adds several prompts, in their order.
    pub fn prompts<P: IntoPrompt>(mut self, prompts: impl IntoIterator<Item = P>) -> Self {
        self.prompts
            .extend(prompts.into_iter().map(IntoPrompt::into_prompt));
        self
    }

    /// Adds a resource, or a template of resources: a function made by `#[resource(..)]`, by its
    /// name, without calling it. Where several templates match a URI, the first one added counts.
    pub fn resource(mut self, resource: impl IntoResource) -> Self {
        self.resources.push(resource.into_resource());
        self
    }

    /// Adds several resources, in their order.
    pub fn resources<R: IntoResource>(mut self, resources: impl IntoIterator<Item = R>) -> Self {
        self.resources
            .extend(resources.into_iter().map(IntoResource::into_resource));
        self
    }

    /// Adds the handlers of a value whose impl has `#[handlers]`.
    pub fn handlers(mut self, handlers: impl Handlers) -> Self {
        for handler in Arc::new(handlers).handlers() {
            match handler {
                AnyHandler::Tool(tool) => self.tools.push(tool),
                AnyHandler::Prompt(prompt) => self.prompts.push(prompt),
                AnyHandler::Resource(resource) => self.resources.push(resource),
            }
        }
        self
    }

    /// The handle that tells listening clients of changes. The server says that it can tell them
    /// only if somebody has taken it before the server is built.
    #[must_use]
    pub fn changes(&self) -> Changes {
        Changes::of(&self.changes)
    }

    pub(super) fn register_tools(
        &self,
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<&'static str, Arc<Registered>> {
        let mut registered = BTreeMap::new();
        for tool in &self.tools {
            let name = tool.listing.name;
            if let Some(problem) = tool.handler.arguments.problem() {
                problems.push(Problem::Arguments {
                    tool: name.into(),
                    problem: problem.into(),
                });
            }
            let mirrors = mirrors_of(tool).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            let meta = tool.listing.meta.as_deref();
            let entry = self.register(&tool.handler, meta, mirrors, problems);
            if registered.insert(name, entry).is_some() {
                problems.push(Problem::SameName(name.into()));
            }
        }
        registered
    }

    pub(super) fn register_prompts(
        &self,
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<&'static str, PromptEntry> {
        let mut registered = BTreeMap::new();
        for prompt in &self.prompts {
            let name = prompt.listing.name;
            let meta = prompt.listing.meta.as_deref();
            let entry = PromptEntry {
                handler: self.register(&prompt.handler, meta, Vec::new(), problems),
                arguments: prompt.listing.arguments.clone(),
                completers: prompt.completers.clone(),
            };
            if registered.insert(name, entry).is_some() {
                problems.push(Problem::SamePrompt(name.into()));
            }
        }
        registered
    }

    pub(super) fn register_resources(&self, problems: &mut Vec<Problem>) -> Catalog {
        let mut catalog = Catalog::default();
        for resource in &self.resources {
            let meta = resource.listing.meta.as_deref();
            let handler = self.register(&resource.handler, meta, Vec::new(), problems);
            match add(&mut catalog, resource, handler) {
                Ok(true) => {}
                Ok(false) => problems.push(Problem::SameAddress(resource.address().into())),
                Err(problem) => problems.push(Problem::Address {
                    resource: resource.name().into(),
                    address: resource.address().into(),
                    problem,
                }),
            }
        }
        catalog
    }

    /// Checks a handler and puts it together with its limits.
    fn register(
        &self,
        handler: &Handler,
        meta: Option<&RawValue>,
        mirrors: Vec<Mirror>,
        problems: &mut Vec<Problem>,
    ) -> Arc<Registered> {
        let (kind, name) = (handler.kind.noun(), handler.name);
        let states = handler.needs.states.iter();
        for (_, state) in states.filter(|(id, _)| !self.states.has(*id)) {
            problems.push(Problem::NoState {
                kind,
                name: name.into(),
                state,
            });
        }
        if let Err(error) = handler.check() {
            let name = name.into();
            problems.push(Problem::Form { kind, name, error });
        }
        if let Some(problem) = meta.and_then(|meta| meta_key::problem(meta.get())) {
            let name = name.into();
            problems.push(Problem::Meta {
                kind,
                name,
                problem,
            });
        }
        self.bounds.check_handler(handler, problems);
        Arc::new(self.bounds.register(handler, mirrors))
    }
}

/// Adds a resource; says whether its address was free.
fn add(
    catalog: &mut Catalog,
    resource: &Resource,
    handler: Arc<Registered>,
) -> Result<bool, String> {
    match resource.address {
        Address::Uri(uri) => match uri_problem(uri) {
            None => Ok(catalog.add(uri, handler)),
            Some(problem) => Err(problem.to_owned()),
        },
        Address::Template(text) => {
            let template = UriTemplate::new(text)?;
            Ok(catalog.add_template(text, template, handler, resource.completers.clone()))
        }
    }
}

impl Bounds {
    fn check_handler(&self, handler: &Handler, problems: &mut Vec<Problem>) {
        let times = [
            ("flow_ttl", handler.flow_ttl),
            ("round_ttl", handler.round_ttl),
            ("time_limit", handler.time_limit),
        ];
        for (setting, time) in times {
            if time == Some(0) {
                problems.push(Problem::Limit {
                    setting,
                    value: "0".into(),
                    least: "1 ms",
                });
            }
        }
    }

    /// The handler's own limits where it has some, the server's otherwise.
    pub(super) fn register(&self, handler: &Handler, mirrors: Vec<Mirror>) -> Registered {
        let mut limits = self.limits();
        limits.flow = handler.flow_ttl.unwrap_or(limits.flow);
        limits.round = handler.round_ttl.unwrap_or(limits.round);
        Registered {
            name: handler.name.into(),
            handler: Arc::new(handler.clone()),
            mirrors,
            limits,
            time_limit: handler
                .time_limit
                .map_or(self.time_limit, Duration::from_millis),
        }
    }
}

fn mirrors_of(tool: &Tool) -> Result<Vec<Mirror>, Problem> {
    let schema = Json::parse(tool.listing.input_schema.get(), MAX_DEPTH);
    let schema = schema.map_err(|_| Problem::Setting {
        setting: "args",
        value: tool.name().into(),
        remedy: "the schema of its arguments nests too deep to be published",
    })?;
    let declared = &tool.listing.headers;
    let mirrors =
        mirrors::mirrors(schema.root()).and_then(|mirrors| mirrors::all_found(mirrors, declared));
    mirrors.map_err(|problem| Problem::Mirror {
        tool: tool.name().into(),
        problem,
    })
}
