//! Parts of objects that several kinds have: addresses, selectors, conditions, sources of volumes. One file each.

pub(crate) mod address;
pub mod amounts;
pub(crate) mod condition;
pub(crate) mod endpoint;
pub(crate) mod file_path;
pub(crate) mod node_label;
pub(crate) mod node_selector;
pub(crate) mod resource_name;
pub(crate) mod selector;
pub(crate) mod signer;
pub(crate) mod template_metadata;
pub(crate) mod toleration;
pub(crate) mod volume_claim;
pub(crate) mod volume_source;
