//! Admission webhooks: which ones are called for a request, with what, and what their responses do.
//!
//! [`Webhooks`] holds the configurations; [`mutate`] and [`validate`] run a request through them. The [`Host`] provides
//! cluster state, the [`Caller`] makes the calls. Knows no store, socket, thread or clock.

mod answer;
mod attributes;
mod caller;
mod configuration;
mod dispatch;
mod http_error;
mod match_condition;
mod mutate;
mod review;
mod rule;
mod selector;
mod validate;
mod webhooks;

pub use attributes::{Attributes, Equivalent, Gvk, Gvr};
pub use caller::{Answer, Call, CallError, Called, Caller};
pub use configuration::{ClientConfig, FailurePolicy, MatchPolicy, Service, Webhook};
pub use dispatch::Host;
pub use mutate::mutate;
pub use selector::Selector;
pub use validate::validate;
pub use webhooks::{MUTATING, VALIDATING, Webhooks};
