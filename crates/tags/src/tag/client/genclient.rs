//! `+genclient`: generates a typed client.

use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    aliases: &[
        "genclient:nonNamespaced",
        "genclient:noStatus",
        "genclient:noVerbs",
        "genclient:onlyVerbs",
        "genclient:skipVerbs",
        "genclient:readonly",
        "genclient:method",
    ],
    docs: include_str!("genclient.md"),
    ..Tag::kept("genclient", &[Scope::Type])
};
