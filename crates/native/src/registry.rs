//! The kinds that are served: the server's own, and those of other packages.

use std::sync::Arc;

use crate::Kind;

/// The server's own kinds, sorted by group and resource. Their types are read on the first call.
#[must_use]
pub fn own_kinds() -> &'static [Arc<Kind>] {
    &[]
}
