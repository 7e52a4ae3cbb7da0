//! Direct controllers: they keep the resources of a service as Kubernetes objects specify, and leave unspecified fields
//! alone.
//!
//! [`Controller::pass`] handles one object: it reads the object and the live resource, gets the difference from
//! [`kindsmith_merge::effective`], and sends the smallest request. A kind is data ([`Kind`]): a CRD, a table of fields,
//! attributes, and the shape of its REST API. The cluster and the service are behind traits ([`Cluster`], [`Http`]), so
//! a pass can run against anything. State between passes is only in an annotation of the object; no pass waits for a
//! long-running operation.

#![allow(
    clippy::disallowed_methods,
    reason = "controllers talk to services and keep time"
)]

pub mod fake;
pub mod google;
pub mod kinds;
pub mod lease;

mod adapter;
mod cluster;
mod condition;
mod dependents;
mod describe;
pub mod description;
mod export;
mod field_map;
mod hash;
mod http;
mod kind;
mod kube;
mod limit;
mod memory;
mod metrics;
mod migrate;
mod moved;
mod pace;
mod pass;
mod plan;
mod queue;
mod resolve;
mod run;
mod start;
mod status;
mod strangers;
mod suitable;
mod transport;

pub use adapter::{Adapter, Answer, RestAdapter, ServiceError};
pub use cluster::{Cluster, ClusterError, ObjectRef};
pub use condition::{Condition, Reason};
pub use dependents::{Dependents, referenced};
pub use describe::{DescribeError, describe};
pub use export::export;
pub use field_map::{Convert, Field};
pub use http::{Http, HttpError, PlainHttp, Request, Response};
pub use kind::{
    CopyOf, Create, Ids, Kind, KindError, OperationStyle, Operations, Parameters, Reference, Rest, Update,
};
pub use kube::{KubeCluster, watch, watch_references};
pub use limit::Limited;
pub use memory::{ANNOTATION as MEMORY, Memory};
pub use metrics::{Counted, Metrics, serve_metrics};
pub use migrate::{Inventory, Live, Migration, Verdict, migrate};
pub use pace::{Backoff, Pace};
pub use pass::{Controller, Options};
pub use plan::{KeptField, Payload, Plan, name as resource_name, plan};
pub use queue::{Key, Next, Queue};
pub use resolve::resolve_offline;
pub use run::{Log, run};
pub use start::{Parts, start};
pub use status::Pruned;
pub use suitable::{Unsuitable, unsuitable};
pub use transport::AddressError;

/// Something that has no effect, with the reason.
pub use kindsmith_merge::effective::Ignored as Note;

/// JSON between passes.
pub type Json = serde_json::Value;
