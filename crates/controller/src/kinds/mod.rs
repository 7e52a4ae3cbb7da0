//! The supported kinds: tables, one file each.

mod pubsub_topic;
mod sql_instance;

use crate::kind::{Kind, KindError};

/// A kind and the address of its service.
pub struct Known {
    /// The kind's name.
    pub name: &'static str,
    /// Builds the kind.
    pub kind: fn() -> Result<Kind, KindError>,
    /// The prefix of paths.
    pub prefix: &'static str,
    /// The host of the service.
    pub host: &'static str,
}

/// All kinds.
pub const ALL: &[Known] = &[
    Known {
        name: "SQLInstance",
        kind: sql_instance::kind,
        prefix: "/sql/v1beta4",
        host: "sqladmin.googleapis.com",
    },
    Known {
        name: "PubSubTopic",
        kind: pubsub_topic::kind,
        prefix: "/v1",
        host: "pubsub.googleapis.com",
    },
];
