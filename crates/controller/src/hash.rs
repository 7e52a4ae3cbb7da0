//! Short hashes, long enough to be unique.

use sha2::{Digest, Sha256};

/// The start of the hash of parts, one after the other.
pub(crate) fn hash(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    kindsmith_gostd::hex::encode(&hash.finalize()[..16])
}
