//! Admission webhooks and policies: which ones a request concerns, what they are asked, and what becomes of their answers.
//! Conversion webhooks: the reviews that they get, and what counts as an answer.
//!
//! [`Webhooks`] and [`Policies`](policy::Policies) hold the configurations; [`mutate`], [`policy::validate`] and
//! [`validate`] take a request through them. What a cluster knows is
//! asked of a [`Host`], and calls are made by a [`Caller`]. Knows no store, socket, thread or clock.

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
