//! Generations: counted when an object changes, and spec and status are written apart.

use crate::{DecodedObject, Preparation};

/// Separates spec and status, and increments the generation when a watched member changes.
pub(crate) fn prepare_generation<'a>(
    preparation: &Preparation<'_, 'a>,
    decoded: &mut DecodedObject<'a>,
    watched: &[&'static str],
) {
    let Some(old) = preparation.old else {
        decoded.object.remove(preparation.arena, "status");
        decoded.meta.generation = 1;
        return;
    };
    if preparation.subresource == "status" {
        return decoded.restore(preparation.arena, "spec", old);
    }
    decoded.restore(preparation.arena, "status", old);
    if watched.iter().any(|key| !preparation.is_same(decoded, old, key)) {
        decoded.meta.generation = old.meta.generation.saturating_add(1);
    }
}
