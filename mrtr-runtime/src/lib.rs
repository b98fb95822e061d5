//! The runtime of [mrtr](https://docs.rs/mrtr): handlers, the server, the MCP protocol and its
//! transports. Users depend on `mrtr`, which re-exports what they need.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod ask;
mod call;
mod caught;
mod changes;
mod client;
mod commit;
mod completion;
mod content;
mod ctx;
mod error;
#[cfg(test)]
mod fixture;
pub mod flow;
mod from_call;
mod handler;
#[cfg(feature = "legacy")]
mod legacy;
mod memo;
mod meta_key;
mod notify;
pub mod observe;
mod prompt;
mod protocol;
mod resource;
mod result;
mod rng;
mod run;
mod schema;
mod server;
mod shared;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
mod transport;
mod wire;
mod world;

#[cfg(feature = "legacy")]
#[doc(hidden)]
pub use legacy::mount as __mount;

pub use ask::{Ask, AskAll, Done, IntoForm, Message, Template, Validate};
pub use call::Call;
pub use changes::Changes;
pub use commit::Commit;
pub use completion::{Completing, Completions, IntoCompletions};
pub use content::{ContentAnnotations, ContentBlock, ResourceLink, Role, ToolResult};
pub use ctx::{Ctx, Scope};
pub use error::ToolError;
#[cfg(feature = "http")]
pub use from_call::{Extension, Parts};
pub use from_call::{FromCall, Needs, State};
pub use handler::{AnyHandler, FromText, Handlers};
pub use meta_key::MetaError;
pub use mrtr_core::answers::{
    AnswersFields, AnswersForm, AnswersOptions, AnswersRoots, AnswersSample, AnswersUrl,
};
pub use mrtr_core::consent::Consented;
pub use mrtr_core::form::{
    Field, Form, FormAnswer, FormError, FormField, FormSchema, Format, MultiSelect, Offer, Select,
};
pub use mrtr_core::ident::{FlowId, NoFlowId};
pub use mrtr_core::keyring::{Key, KeyRing, KeyRingError};
pub use mrtr_core::principal::{Principal, PrincipalError};
pub use mrtr_core::reply::{Answer, Confirm};
pub use mrtr_core::roots::{Root, Roots};
pub use mrtr_core::sampling::{
    IncludeContext, Sample, SampleBlock, SampleMessage, SampleRole, SampleTool, Sampled,
    StopReason, ToolChoice, ToolUse,
};
pub use mrtr_core::ticket::{Ticket, TicketError};
pub use notify::LogLevel;
pub use prompt::{IntoPrompt, IntoPromptResult, Prompt, PromptMessage, PromptResult};
pub use protocol::{Events, Reply, Request, Response};
pub use resource::{CacheScope, IntoResource, IntoResourceResult, Resource, ResourceContents};
pub use result::{IntoToolResult, Json};
pub use rng::FlowRng;
pub use server::{
    BuildError, Config, ConfigError, Endpoint, Icon, IconTheme, MirrorProblem, Problem, ServeError,
    Server,
};
pub use tool::{Args, IntoTool, Tool};
#[cfg(feature = "http")]
pub use transport::http::{AuthError, Authenticate};
