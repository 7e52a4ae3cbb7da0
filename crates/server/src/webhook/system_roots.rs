//! Certificate authorities that the system trusts, for webhooks whose configuration names none. Where they are is what
//! Go's crypto/x509 looks for on Unix, `SSL_CERT_FILE` and `SSL_CERT_DIR` included.

use std::ffi::OsStr;
use std::path::PathBuf;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Files with all certificates; the first that is there counts.
const FILES: [&str; 6] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Directories with a file for each certificate, which are read if there is no file with all of them.
const DIRECTORIES: [&str; 2] = ["/etc/ssl/certs", "/etc/pki/tls/certs"];

/// The certificates that the system trusts; those that cannot be read are left out.
pub(super) fn load() -> Vec<CertificateDer<'static>> {
    let (file, directories) = (
        std::env::var_os("SSL_CERT_FILE"),
        std::env::var_os("SSL_CERT_DIR"),
    );
    read(file.as_deref(), directories.as_deref())
}

fn read(file: Option<&OsStr>, directories: Option<&OsStr>) -> Vec<CertificateDer<'static>> {
    let files: Vec<PathBuf> = match file {
        Some(file) => vec![file.into()],
        None => FILES.iter().map(PathBuf::from).collect(),
    };
    let found = files.iter().find_map(|file| std::fs::read(file).ok());
    let mut certificates = found.map(|pem| parse(&pem)).unwrap_or_default();
    let directories: Vec<PathBuf> = match directories {
        Some(directories) => std::env::split_paths(directories).collect(),
        None if certificates.is_empty() => DIRECTORIES.iter().map(PathBuf::from).collect(),
        None => Vec::new(),
    };
    for directory in directories {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        for entry in entries {
            certificates.extend(
                std::fs::read(entry.path())
                    .map(|pem| parse(&pem))
                    .unwrap_or_default(),
            );
        }
    }
    certificates
}

fn parse(pem: &[u8]) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_slice_iter(pem).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Authority;

    #[test]
    fn files_and_directories_are_read() {
        let directory = std::env::temp_dir().join(format!("kindsmith-roots-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        let certificate = Authority::generate()
            .expect("an authority")
            .credential()
            .certificate
            .clone();
        let file = directory.join("one.pem");
        std::fs::write(&file, format!("words\n{certificate}{certificate}")).expect("a file");
        let nowhere = OsStr::new("/nowhere");
        let count = |file: &OsStr, directories: &OsStr| read(Some(file), Some(directories)).len();
        assert_eq!(count(file.as_os_str(), nowhere), 2);
        assert_eq!(count(nowhere, directory.as_os_str()), 2);
        assert_eq!(count(nowhere, nowhere), 0);
        std::fs::remove_dir_all(directory).expect("it is ours");
    }
}
