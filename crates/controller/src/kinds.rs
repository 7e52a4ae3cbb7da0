//! The supported kinds: one description each, in the folder `kinds`.

use std::sync::{Arc, LazyLock};

use crate::description::{Described, Mistake};
use crate::kind::{Kind, KindError};

/// A kind and the address of its service.
pub struct Known {
    /// The kind's name.
    pub name: &'static str,
    /// The kind.
    pub kind: fn() -> Result<Kind, KindError>,
    /// The prefix of paths, as in the description.
    pub prefix: &'static str,
    /// The host of the service, as in the description.
    pub host: &'static str,
}

impl Known {
    /// What the description says.
    ///
    /// # Errors
    /// If it is wrong.
    pub fn described(&self) -> Result<Arc<Described>, KindError> {
        let index = ALL.iter().position(|known| known.name == self.name);
        described(index.unwrap_or(ALL.len()))
    }
}

/// A description, and the CRD if it is in a file of its own.
type Texts = (&'static str, Option<&'static str>);

/// All kinds.
pub const ALL: &[Known] = &[
    Known {
        name: "SQLInstance",
        kind: || kind(0),
        prefix: "/sql/v1beta4",
        host: "sqladmin.googleapis.com",
    },
    Known {
        name: "PubSubTopic",
        kind: || kind(1),
        prefix: "/v1",
        host: "pubsub.googleapis.com",
    },
    Known {
        name: "PubSubSubscription",
        kind: || kind(2),
        prefix: "/v1",
        host: "pubsub.googleapis.com",
    },
    Known {
        name: "ArtifactRegistryRepository",
        kind: || kind(3),
        prefix: "/v1",
        host: "artifactregistry.googleapis.com",
    },
    Known {
        name: "SecretManagerSecret",
        kind: || kind(4),
        prefix: "/v1",
        host: "secretmanager.googleapis.com",
    },
    Known {
        name: "RedisInstance",
        kind: || kind(5),
        prefix: "/v1",
        host: "redis.googleapis.com",
    },
    Known {
        name: "DNSManagedZone",
        kind: || kind(6),
        prefix: "/dns/v1",
        host: "dns.googleapis.com",
    },
    Known {
        name: "SQLDatabase",
        kind: || kind(7),
        prefix: "/sql/v1beta4",
        host: "sqladmin.googleapis.com",
    },
    Known {
        name: "MonitoringNotificationChannel",
        kind: || kind(8),
        prefix: "/v3",
        host: "monitoring.googleapis.com",
    },
    Known {
        name: "BigQueryDataset",
        kind: || kind(9),
        prefix: "/bigquery/v2",
        host: "bigquery.googleapis.com",
    },
];

/// In the same order.
const TEXTS: &[Texts] = &[
    (
        include_str!("../kinds/sql_instance.yaml"),
        Some(include_str!(
            "../api/crd/sql.cnrm.cloud.google.com_sqlinstances.yaml"
        )),
    ),
    (
        include_str!("../kinds/pubsub_topic.yaml"),
        Some(include_str!(
            "../api/crd/pubsub.cnrm.cloud.google.com_pubsubtopics.yaml"
        )),
    ),
    (include_str!("../kinds/pubsub_subscription.yaml"), None),
    (include_str!("../kinds/artifact_registry_repository.yaml"), None),
    (include_str!("../kinds/secret_manager_secret.yaml"), None),
    (include_str!("../kinds/redis_instance.yaml"), None),
    (include_str!("../kinds/dns_managed_zone.yaml"), None),
    (include_str!("../kinds/sql_database.yaml"), None),
    (
        include_str!("../kinds/monitoring_notification_channel.yaml"),
        None,
    ),
    (include_str!("../kinds/bigquery_dataset.yaml"), None),
];

/// What a description says, or what is wrong with it.
type Read = Result<Arc<Described>, Vec<Mistake>>;

/// Every description is read once.
fn described(index: usize) -> Result<Arc<Described>, KindError> {
    static READ: LazyLock<Vec<Read>> = LazyLock::new(|| {
        let read = TEXTS
            .iter()
            .map(|(text, definition)| Described::read(text, *definition));
        read.map(|described| described.map(Arc::new)).collect()
    });
    match READ.get(index) {
        Some(Ok(described)) => Ok(Arc::clone(described)),
        Some(Err(mistakes)) => {
            let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            Err(KindError::new(texts.join("; ")))
        }
        None => Err(KindError::new("there is no such kind")),
    }
}

fn kind(index: usize) -> Result<Kind, KindError> {
    described(index).map(|described| Kind::clone(&described.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_matches_the_descriptions() {
        for known in ALL {
            let described = known.described().map_err(|error| error.to_string());
            let described = described.expect(known.name);
            assert_eq!(described.kind.kind, known.name);
            assert_eq!((&*described.prefix, &*described.host), (known.prefix, known.host));
        }
    }
}
