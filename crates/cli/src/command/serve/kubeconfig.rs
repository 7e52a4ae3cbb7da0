//! The administrator's kubeconfig.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kindsmith_gostd::base64;

use crate::error::Error;
use crate::launch::credentials::{Secrets, put_private};
use crate::launch::temporary::Temporary;
use crate::terminal::Terminal;
use kindsmith::local_api::ADMINISTRATOR;

/// The kubeconfig of a server.
pub(super) struct Kubeconfig {
    pub(super) path: PathBuf,
    /// Where it is if the store's disk is full; removed with the server.
    _spare: Option<Temporary>,
}

impl Kubeconfig {
    /// Writes it where `asked` says, or else to `usual`. A server also starts on a full disk, so that what is there can be
    /// read and deleted: then it is written to a temporary directory.
    pub(super) fn write(
        (asked, usual): (Option<&Path>, PathBuf),
        (url, secrets, token): (&str, &Secrets, &str),
        terminal: &Terminal,
    ) -> Result<Self, Error> {
        let fail = |path: &Path, error: io::Error| {
            Error::environment(format!("cannot write {}: {error}", path.display()))
        };
        let path = asked.map_or(usual, Path::to_path_buf);
        match write(&path, url, secrets, token) {
            Ok(()) => Ok(Kubeconfig { path, _spare: None }),
            Err(error) if error.kind() == ErrorKind::StorageFull && asked.is_none() => {
                let spare = Temporary::create()?;
                let other = spare.path().join("kubeconfig");
                write(&other, url, secrets, token).map_err(|error| fail(&other, error))?;
                terminal.warn(&format!(
                    "warning: cannot write {}: {error}; the kubeconfig is {}",
                    path.display(),
                    other.display()
                ));
                Ok(Kubeconfig {
                    path: other,
                    _spare: Some(spare),
                })
            }
            Err(error) => Err(fail(&path, error)),
        }
    }
}

/// Writes the kubeconfig, readable by its owner only.
fn write(path: &Path, url: &str, secrets: &Secrets, token: &str) -> io::Result<()> {
    if let Some(directory) = path
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty())
    {
        std::fs::create_dir_all(directory)?;
    }
    put_private(path, &text(url, secrets, token))
}

fn text(url: &str, secrets: &Secrets, token: &str) -> String {
    let encoded = |pem: &str| base64::encode(pem.as_bytes());
    let authority = if url.starts_with("https:") {
        format!(
            "\n    certificate-authority-data: {}",
            encoded(secrets.authority())
        )
    } else {
        String::new()
    };
    format!(
        "apiVersion: v1\n\
         kind: Config\n\
         clusters:\n\
         - name: kindsmith\n  \
           cluster:\n    \
             server: {url}{authority}\n\
         users:\n\
         - name: {ADMINISTRATOR}\n  \
           user:\n    \
             token: {}\n    \
             client-certificate-data: {}\n    \
             client-key-data: {}\n\
         contexts:\n\
         - name: kindsmith\n  \
           context:\n    \
             cluster: kindsmith\n    \
             user: {ADMINISTRATOR}\n\
         current-context: kindsmith\n",
        serde_json::Value::from(token),
        encoded(&secrets.administrator.certificate),
        encoded(&secrets.administrator.key),
    )
}
