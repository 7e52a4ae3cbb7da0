//! Whether KEPs or Kubernetes' code decide where they differ.

/// Whether the KEPs or Kubernetes' code decide where they differ.
///
/// | | [`Upstream`](Self::Upstream) | [`Kep`](Self::Kep) |
/// |---|---|---|
/// | tags | what validation-gen accepts | also what the KEPs describe |
/// | elements of a changed atomic list | all are validated again | only those whose value is not in the old list |
/// | `immutable` on a list or map | any change is one error on the field | may be set once; then items may not be added, removed or changed |
/// | `immutable` on other values | any change is rejected | may be set once |
/// | defaults of value structs and scalars | by Go's zero values | absent structs are `{}`, absent scalars without `omitempty` are zero |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Kubernetes' code.
    #[default]
    Upstream,
    /// The text and tables of KEP-5073 and KEP-1929.
    Kep,
}
