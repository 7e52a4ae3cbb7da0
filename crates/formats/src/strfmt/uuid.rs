//! `uuid`, `uuid3`, `uuid4` and `uuid5`

use super::{Format, string};
use crate::uuid;

pub(super) const ANY: Format = string(
    "uuid",
    "A UUID in any case; each dash is optional.",
    "123e4567-e89b-12d3-a456-426614174000",
    |value| uuid::digits(value).is_some(),
);

pub(super) const VERSION_3: Format = string(
    "uuid3",
    "A UUID of version 3.",
    "123e4567-e89b-32d3-a456-426614174000",
    // Upstream does not check the variant of this version.
    |value| uuid::digits(value).is_some_and(|digits| digits[12] == b'3'),
);

pub(super) const VERSION_4: Format = string(
    "uuid4",
    "A UUID of version 4 in the RFC 4122 variant.",
    "123e4567-e89b-42d3-a456-426614174000",
    |value| is_version(value, b'4'),
);

pub(super) const VERSION_5: Format = string(
    "uuid5",
    "A UUID of version 5 in the RFC 4122 variant.",
    "123e4567-e89b-52d3-a456-426614174000",
    |value| is_version(value, b'5'),
);

fn is_version(value: &str, version: u8) -> bool {
    uuid::digits(value)
        .is_some_and(|digits| digits[12] == version && matches!(digits[16], b'8' | b'9' | b'a' | b'b'))
}
