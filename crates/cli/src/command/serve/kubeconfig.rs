//! The administrator's kubeconfig.

use std::path::Path;

use kindsmith_gostd::base64;

use crate::error::Error;
use crate::launch::credentials::{Secrets, write_private};
use kindsmith::local_api::ADMINISTRATOR;

/// Writes the kubeconfig, readable by its owner only.
pub(super) fn write(path: &Path, url: &str, secrets: &Secrets, token: &str) -> Result<(), Error> {
    if let Some(directory) = path
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty())
    {
        std::fs::create_dir_all(directory)
            .map_err(|error| Error::environment(format!("cannot create {}: {error}", directory.display())))?;
    }
    write_private(path, &text(url, secrets, token))
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
