//! How large a CRD may be.

/// Size limits, smallest first: bytes, the limit's name, and what happens beyond it.
pub(crate) const LIMITS: [(usize, &str, &str); 3] = [
    (
        256 * 1024,
        "256 KiB",
        "`kubectl apply` keeps a copy in an annotation, which has no room for it; use `kubectl apply --server-side`",
    ),
    (
        1024 * 1024,
        "1 MiB",
        "it does not fit into a ConfigMap or Secret, where packagers such as Helm and OLM keep it",
    ),
    (3 * 512 * 1024, "1.5 MiB", "etcd refuses requests of this size"),
];

/// What is wrong with a size, if anything.
pub(crate) fn complaint(bytes: usize) -> Option<String> {
    let (_, limit, then) = LIMITS.iter().rev().find(|(limit, ..)| bytes > *limit)?;
    Some(format!("the CRD has {bytes} bytes, more than {limit}: {then}"))
}
