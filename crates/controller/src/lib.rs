//! Direct controllers: resources of a service are kept as Kubernetes objects say, and as they are where the objects say
//! nothing.
//!
//! What to do with one object is [`Controller::pass`]: it reads the object and the live resource, asks
//! [`kindsmith_merge::effective`] for the difference, and sends the smallest request. A kind is data ([`Kind`]): a CRD, a
//! table of fields, attributes, and the shape of its REST API. The cluster and the service are behind traits
//! ([`Cluster`], [`Http`]), so that a pass can be run against anything. State between passes is in the object's status
//! and nowhere else; no pass waits for a long-running operation.

pub mod fake;
#[cfg(feature = "cluster")]
pub mod google;
pub mod kinds;
pub mod lease;

mod adapter;
mod cluster;
mod condition;
mod field_map;
mod http;
mod kind;
#[cfg(feature = "cluster")]
mod kube;
mod limit;
mod metrics;
mod pace;
mod pass;
mod plan;
mod queue;
mod resolve;
mod run;
mod status;

pub use adapter::{Adapter, Answer, RestAdapter, ServiceError};
pub use cluster::{Cluster, ClusterError, ObjectRef};
pub use condition::{Condition, Reason};
pub use field_map::{Convert, Field};
pub use http::{Http, HttpError, PlainHttp, Request, Response};
pub use kind::{Create, Kind, KindError, Reference, Rest, Update};
#[cfg(feature = "cluster")]
pub use kube::{KubeCluster, watch};
pub use limit::Limited;
pub use metrics::{Metrics, serve_metrics};
pub use pace::{Backoff, Pace};
pub use pass::{Controller, Next, Options};
pub use plan::{Memory, Payload, Plan, plan};
pub use queue::{Key, Queue};
pub use run::run;

/// JSON as it is held between passes.
pub type Json = serde_json::Value;
