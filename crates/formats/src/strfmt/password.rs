//! `password`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "password",
    "Anything; the name only tells user interfaces to hide it.",
    "secret",
    |_| true,
);
