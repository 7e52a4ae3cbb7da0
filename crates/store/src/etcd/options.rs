//! How to reach etcd and what to keep of it. Must not know how it is spoken to.

use std::time::Duration;

use crate::Limits;

/// Settings of an [`Etcd`](crate::Etcd).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EtcdOptions {
    /// Only keys that begin with this are kept and may be written; empty for all of them.
    pub prefix: Vec<u8>,
    /// How long a read may wait until it is sure to see every write.
    pub read_timeout: Duration,
    /// How long a write may wait for its answer.
    pub write_timeout: Duration,
    /// How long opening may wait for a cluster that answers.
    pub open_timeout: Duration,
    /// How often the servers of a cluster together give up old states; none leaves it to others.
    pub compaction: Option<Duration>,
    /// So many revisions of the past are kept at most, and read when a store is opened.
    pub history: u64,
    /// What is refused, and when a watcher is too slow.
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
            compaction: Some(Duration::from_secs(300)),
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
    /// Who may have signed etcd's certificate.
    pub ca: Option<Vec<u8>>,
    /// Our own certificate and its key, where etcd asks for one.
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

/// Takes `http://a:2379,b:2379` apart; a part without a scheme has the one before it, the first `http`.
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
