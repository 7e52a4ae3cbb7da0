//! Admission webhooks and policies: which ones match a request, what is sent to them, and how responses are handled.
//! Conversion webhooks: the reviews sent to them, and the checks of their responses.
//!
//! [`Webhooks`] and [`Policies`](policy::Policies) hold the configurations; [`mutate`], [`policy::validate`] and
//! [`validate`] run them on a request. Cluster state comes from a [`Host`], and a [`Caller`] makes the calls. Knows no
//! store, socket, thread or clock.

mod answer;
mod attributes;
mod caller;
mod configuration;
mod constraints;
mod conversion;
mod dispatch;
mod envelope;
mod http_error;
mod match_condition;
mod mutate;
mod observe;
pub mod policy;
mod review;
mod rule;
mod validate;
mod webhooks;

pub use kindsmith_cel::access;

pub use attributes::{Attributes, Equivalent, Gvk, Gvr};
pub use caller::{Answer, Call, CallError, Called, Caller};
pub use configuration::{ClientConfig, FailurePolicy, MatchPolicy, Service, Webhook};
pub use conversion::{ConversionFailure, ConversionWebhook};
pub use dispatch::Host;
pub use mutate::mutate;
pub use observe::{Observed, Observer, PolicyCheck, Step};
pub use validate::validate;
pub use webhooks::{MUTATING, VALIDATING, Webhooks};
