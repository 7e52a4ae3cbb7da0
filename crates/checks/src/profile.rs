//! Whether KEPs or Kubernetes' code decide where they differ.

/// Whether KEPs or Kubernetes' code decide where they differ.
///
/// | | [`Upstream`](Self::Upstream) | [`Kep`](Self::Kep) |
/// |---|---|---|
/// | elements of a changed atomic list | all are validated again | only those not found by value in the old list |
/// | `immutable` on a list or map | any change is refused as a whole | may be set once; then items may not come, go or change |
/// | `immutable` on other values | any change is refused | may be set once |
/// | defaults of value structs and scalars | by Go's zero values | absent structs are `{}`, absent scalars without `omitempty` are zero |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Kubernetes' code.
    #[default]
    Upstream,
    /// The text and tables of KEP-5073 and KEP-1929.
    Kep,
}
