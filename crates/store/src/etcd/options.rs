//! Connection settings for etcd and limits of the copy. Must not know the protocol.

use std::time::Duration;

use crate::Limits;

/// Settings of an [`Etcd`](crate::Etcd).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EtcdOptions {
    /// Only keys with this prefix are kept and may be written; empty means all of them.
    pub prefix: Vec<u8>,
    /// How long a read may wait to be sure that it sees every write.
    pub read_timeout: Duration,
    /// How long a write may wait for its response.
    pub write_timeout: Duration,
    /// How long opening may wait for the cluster to respond.
    pub open_timeout: Duration,
    /// How often the servers of a cluster compact together; `None` leaves it to others.
    pub compaction: Option<Duration>,
    /// The maximum number of old revisions kept, and read when a store is opened.
    pub history: u64,
    /// Limits for entries and slow watchers.
    pub limits: Limits,
    /// Certificates for `https` endpoints.
    pub tls: EtcdTls,
}

impl Default for EtcdOptions {
    fn default() -> Self {
        Self {
            prefix: b"/registry/".to_vec(),
            read_timeout: Duration::from_secs(3),
            write_timeout: Duration::from_secs(10),
            open_timeout: Duration::from_secs(10),
            compaction: Some(Duration::from_mins(5)),
            history: 5_000,
            limits: Limits::default(),
            tls: EtcdTls::default(),
        }
    }
}

/// Certificates in PEM form.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct EtcdTls {
    /// The CA of etcd's certificate.
    pub ca: Option<Vec<u8>>,
    /// Our own certificate and its key, if etcd requires one.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl std::fmt::Debug for EtcdTls {
    /// Keys must not end up in logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (ca, identity) = (self.ca.is_some(), self.identity.is_some());
        let mut shown = f.debug_struct("EtcdTls");
        shown.field("ca", &ca).field("identity", &identity).finish()
    }
}

/// Splits `http://a:2379,b:2379`; a part without a scheme inherits the previous one, the first defaults to
/// `http`.
pub(super) fn endpoints(list: &str) -> Vec<String> {
    let mut scheme = "http";
    let mut found = Vec::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let host = match part.split_once("://") {
            Some(("https", host)) => {
                scheme = "https";
                host
            }
            Some((_, host)) => {
                scheme = "http";
                host
            }
            None => part,
        };
        found.push(format!("{scheme}://{}", host.trim_end_matches('/')));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_endpoints() {
        let cases: [(&str, &[&str]); 5] = [
            ("http://a:2379,b:2379", &["http://a:2379", "http://b:2379"]),
            ("https://a:1/, b:2", &["https://a:1", "https://b:2"]),
            ("etcd://a:1,https://b:2", &["http://a:1", "https://b:2"]),
            ("a:1", &["http://a:1"]),
            (",", &[]),
        ];
        for (list, expected) in cases {
            assert_eq!(endpoints(list), expected, "{list}");
        }
    }
}
