//! Sizes that Kubernetes limits and that several crates must agree on. What only one rule limits stands with that rule.

/// The longest subdomain in bytes, and so the longest name of most objects.
pub const SUBDOMAIN: usize = 253;
/// The longest label, label value and name part of a label key in bytes.
pub const LABEL: usize = 63;
/// The largest request body in bytes (`MaxRequestBodyBytes` of kube-apiserver). CEL derives the size of unbounded data from it,
/// and patches may copy as much.
pub const REQUEST_BYTES: usize = 3 * 1024 * 1024;
/// The most bytes that keys and values of an object's annotations have together.
pub const ANNOTATIONS_BYTES: usize = 256 * 1024;
