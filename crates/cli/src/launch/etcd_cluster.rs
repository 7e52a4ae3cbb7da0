//! The etcd of `--store`: its members, and the files for TLS, which are named as kube-apiserver's flags name them.

use std::fmt;
use std::path::{Path, PathBuf};

use kindsmith_store::{Etcd, EtcdOptions, Limits};

use crate::error::Error;

/// The scheme before the members.
const SCHEMES: [&str; 3] = ["etcd", "http", "https"];

/// The members of an etcd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EtcdCluster {
    hosts: Vec<String>,
    is_secure: bool,
    certificates: EtcdArgs,
}

/// Files for TLS to etcd.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct EtcdArgs {
    /// The CA of etcd's certificates, for a store at `https://`
    #[arg(long, value_name = "FILE")]
    etcd_cafile: Option<PathBuf>,
    /// The certificate to show to etcd; its common name is the user if etcd's authentication is on
    #[arg(long, value_name = "FILE", requires = "etcd_keyfile")]
    etcd_certfile: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "etcd_certfile")]
    etcd_keyfile: Option<PathBuf>,
}

impl EtcdArgs {
    /// The flags with their values.
    pub(crate) fn shown(&self) -> [(&'static str, String); 3] {
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        [
            ("etcd-cafile", shown(&self.etcd_cafile).unwrap_or_default()),
            ("etcd-certfile", shown(&self.etcd_certfile).unwrap_or_default()),
            ("etcd-keyfile", shown(&self.etcd_keyfile).unwrap_or_default()),
        ]
    }
}

impl EtcdCluster {
    /// Members whose connections are not encrypted.
    pub(crate) fn plain(hosts: Vec<String>) -> Self {
        EtcdCluster {
            hosts,
            is_secure: false,
            certificates: EtcdArgs::default(),
        }
    }

    /// Reads `etcd://a:1,b:2`; `None` if it is something else. With `https://`, connections are encrypted.
    pub(crate) fn parse(text: &str) -> Option<Result<Self, String>> {
        let (scheme, hosts) = text.split_once("://")?;
        if !SCHEMES.contains(&scheme) {
            return None;
        }
        let hosts: Vec<String> = hosts
            .split(',')
            .map(|host| host.trim().trim_start_matches(scheme).trim_start_matches("://"))
            .map(|host| host.trim_end_matches('/').to_owned())
            .collect();
        if hosts.iter().all(|host| host.contains(':')) {
            return Some(Ok(EtcdCluster {
                is_secure: scheme == "https",
                ..EtcdCluster::plain(hosts)
            }));
        }
        Some(Err(format!(
            "expected HOST:PORT behind `{scheme}://`, several with commas between"
        )))
    }

    /// Uses files for TLS.
    ///
    /// # Errors
    ///
    /// If connections are not encrypted, or there is no CA to check etcd's certificates with.
    pub(crate) fn with(mut self, certificates: EtcdArgs) -> Result<Self, Error> {
        if !self.is_secure && certificates != EtcdArgs::default() {
            return Err(
                Error::usage(format!("certificates are given, but {self} is not encrypted"))
                    .hint("write https:// in place of etcd://"),
            );
        }
        if self.is_secure && certificates.etcd_cafile.is_none() {
            return Err(Error::usage(format!("no CA is given for {self}"))
                .hint("--etcd-cafile names the file with the CA of etcd's certificates"));
        }
        self.certificates = certificates;
        Ok(self)
    }

    /// Connects.
    pub(crate) fn open(&self, limits: Limits) -> Result<Etcd, Error> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| Error::reading(path, &error));
        let files = &self.certificates;
        let mut options = EtcdOptions::default();
        options.limits = limits;
        options.tls.ca = files.etcd_cafile.as_deref().map(read).transpose()?;
        if let (Some(certificate), Some(key)) = (&files.etcd_certfile, &files.etcd_keyfile) {
            options.tls.identity = Some((read(certificate)?, read(key)?));
        }
        let scheme = if self.is_secure { "https" } else { "http" };
        let members = format!("{scheme}://{}", self.hosts.join(","));
        Etcd::open_with(&members, options)
            .map_err(|error| Error::environment(format!("cannot open the store {self}: {error}")))
    }
}

impl fmt::Display for EtcdCluster {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "etcd" };
        write!(out, "{scheme}://{}", self.hosts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_by_their_addresses() {
        for (text, shown) in [
            ("etcd://a:1, b:2", Some("etcd://a:1,b:2")),
            ("http://a:1/", Some("etcd://a:1")),
            ("https://a:1,https://b:2,c:3", Some("https://a:1,b:2,c:3")),
            ("./etcd", None),
            ("s3://a:1", None),
        ] {
            let parsed = EtcdCluster::parse(text).map(|parsed| parsed.map(|cluster| cluster.to_string()));
            assert_eq!(parsed, shown.map(|shown| Ok(shown.to_owned())), "{text}");
        }
        let wrong = EtcdCluster::parse("https://a").and_then(Result::err);
        let message = "expected HOST:PORT behind `https://`, several with commas between";
        assert_eq!(wrong.as_deref(), Some(message));
    }

    #[test]
    fn encryption_and_certificates_go_together() {
        let cluster = |text| {
            EtcdCluster::parse(text)
                .and_then(Result::ok)
                .expect("it is a cluster")
        };
        let files = EtcdArgs {
            etcd_cafile: Some("ca.crt".into()),
            ..EtcdArgs::default()
        };
        assert!(cluster("etcd://a:1").with(files.clone()).is_err());
        assert!(cluster("https://a:1").with(EtcdArgs::default()).is_err());
        assert!(cluster("https://a:1").with(files).is_ok());
        assert!(cluster("etcd://a:1").with(EtcdArgs::default()).is_ok());
    }
}
