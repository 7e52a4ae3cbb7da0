//! Admission: the plugins, webhooks and policies that change and judge a request. Of webhooks and policies: which ones match a request, what is sent to them, and how responses are handled.
//! Conversion webhooks: the reviews sent to them, and the checks of their responses.
//!
//! [`chain`] has the order of all plugins and runs it on a request; each [`plugin`] is a file and asks a
//! [`Server`](plugin::Server). [`Webhooks`] and [`Policies`](policy::Policies) hold the configurations of the plugins that
//! users write; their cluster state comes from a [`Host`], and a [`Caller`] makes the calls. Knows no store, socket, thread
//! or clock.

mod alone;
mod answer;
mod attributes;
mod caller;
pub mod chain;
mod configuration;
mod constraints;
mod conversion_webhook;
mod dispatch;
mod envelope;
mod host;
mod http_error;
mod invocation;
mod match_condition;
mod mutate;
mod observe;
mod place;
pub mod plugin;
pub mod policy;
mod request_rule;
mod review;
mod round;
mod setting;
mod validate;
mod webhooks;

pub use kindsmith_cel::access;

pub use alone::Alone;
pub use attributes::{Attributes, Equivalent, Gvk, Gvr};
pub use caller::{Answer, Call, CallError, Called, Caller};
pub use chain::{Plugin, Plugins};
pub use configuration::Webhook;
pub use conversion_webhook::{ConversionFailure, ConversionWebhook};
pub use host::Host;
pub use mutate::{MutatingHooks, Sent};
pub use observe::{Observed, Observer, PolicyCheck, Step};
pub use setting::{ClientConfig, FailurePolicy, MatchPolicy, Service};
pub use validate::ValidatingHooks;
pub use webhooks::{PREFIXES as WEBHOOK_PREFIXES, Webhooks};
