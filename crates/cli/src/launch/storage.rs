//! Where objects are kept, as given by `--store`.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use kindsmith_store::{Disk, Limits, Memory, Store};

use super::etcd_cluster::EtcdCluster;
use super::temporary::Temporary;
use crate::error::Error;

/// The default directory for objects.
pub(crate) const DIRECTORY: &str = "kindsmith-data";

/// Where objects are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Storage {
    Memory,
    Directory(PathBuf),
    Etcd(EtcdCluster),
}

impl FromStr for Storage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("expected `memory`, a directory, or `etcd://HOST:PORT`".to_owned());
        }
        if text == "memory" {
            return Ok(Storage::Memory);
        }
        match EtcdCluster::parse(text) {
            Some(cluster) => cluster.map(Storage::Etcd),
            None => Ok(Storage::Directory(text.into())),
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Storage::Memory => out.write_str("memory"),
            Storage::Directory(path) => write!(out, "{}", path.display()),
            Storage::Etcd(cluster) => write!(out, "{cluster}"),
        }
    }
}

/// A store that was opened.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Store>,
    /// Where certificates, keys and the kubeconfig are kept between starts.
    pub(crate) directory: Option<PathBuf>,
    /// Whether it waits for a disk or another machine.
    pub(crate) is_slow: bool,
    /// For files that do not outlive the server; removed with it.
    temporary: Option<Temporary>,
}

impl Storage {
    pub(crate) fn open(&self, limits: Limits) -> Result<Opened, Error> {
        let fail = |error: kindsmith_store::Error| {
            Error::environment(format!("cannot open the store {self}: {error}"))
        };
        match self {
            Storage::Memory => Ok(Opened {
                store: Arc::new(Memory::with(limits)),
                directory: None,
                is_slow: false,
                temporary: Some(Temporary::create()?),
            }),
            Storage::Directory(path) => Ok(Opened {
                store: Arc::new(open_directory(path, limits).map_err(fail)?),
                directory: Some(path.clone()),
                is_slow: false,
                temporary: None,
            }),
            Storage::Etcd(cluster) => Ok(Opened {
                store: Arc::new(cluster.open(limits)?),
                directory: None,
                is_slow: true,
                temporary: Some(Temporary::create()?),
            }),
        }
    }
}

/// Opens a directory. One without a store yet is kept out of git: it holds private keys, some of which are there before it.
fn open_directory(path: &Path, limits: Limits) -> Result<Disk, kindsmith_store::Error> {
    let is_new = !path.join("store.redb").exists();
    let disk = Disk::open_with(path, limits)?;
    if is_new {
        // Without the file the server works as well.
        let file = crate::platform::file_for_owner(&mut std::fs::OpenOptions::new())
            .write(true)
            .create_new(true)
            .open(path.join(".gitignore"));
        let _ = file.and_then(|mut file| file.write_all(b"*\n"));
    }
    Ok(disk)
}

impl Opened {
    /// Where the administrator's kubeconfig goes.
    pub(crate) fn kubeconfig(&self) -> PathBuf {
        let directory = self.temporary.as_ref().map(Temporary::path);
        directory
            .or(self.directory.as_deref())
            .unwrap_or(Path::new("."))
            .join("kubeconfig")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_directory_is_kept_out_of_git() {
        let temporary = Temporary::create().expect("there is room");
        let path = temporary.path().join("data");
        std::fs::create_dir(&path).expect("there is room for the key of service accounts");
        drop(open_directory(&path, Limits::default()).expect("it can be written"));
        let ignored = std::fs::read_to_string(path.join(".gitignore"));
        assert_eq!(ignored.expect("it is there"), "*\n");
    }

    #[test]
    fn stores_are_named() {
        for (text, expected) in [
            ("memory", Ok(Storage::Memory)),
            ("./memory", Ok(Storage::Directory("./memory".into()))),
            ("https", Ok(Storage::Directory("https".into()))),
            (
                "etcd://a",
                Err("expected HOST:PORT behind `etcd://`, several with commas between".to_owned()),
            ),
        ] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }
}
