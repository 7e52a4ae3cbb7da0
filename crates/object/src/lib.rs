//! What all Kubernetes objects share: metadata as the API server decodes, rewrites and validates it, and
//! field errors.
//!
//! Must not know any kind, schema form, request, store or clock.

pub mod feature_gate;
mod field_error;
pub mod go_value;
mod group_version;
pub mod label_selector;
pub mod meta;
mod release;
pub mod store_key;
mod trace;
mod webhook_address;
pub mod well_known;

pub use feature_gate::Gate;
pub use field_error::{About, BadValue, Detail, ErrorKind, FieldError, Keyword, UnionVerdict};
pub use group_version::{
    GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, NotGroupVersion,
};
pub use label_selector::LabelSelector;
pub use release::{Behavior, PerRelease, Release, UnknownRelease};
pub use store_key::StorePrefix;
pub use trace::{Event, NoTrace, Trace};
pub use webhook_address::{WebhookAddress, WebhookService};
