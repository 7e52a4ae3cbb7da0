//! Warnings for files of one volume that overwrite each other.

use kindsmith_gostd::quote::quote;

use super::{Subject, Warnings};
use crate::field::Field;

/// A file in a volume, and the source that writes it.
#[derive(Clone, PartialEq, Eq)]
struct File {
    path: String,
    source: String,
}

impl File {
    fn new(path: &str, source: &str) -> File {
        File {
            path: path.trim_end_matches('/').to_owned(),
            source: source.to_owned(),
        }
    }

    fn text(&self) -> String {
        let path = quote(&self.path);
        if self.source.is_empty() {
            path
        } else {
            format!("{path} ({})", self.source)
        }
    }

    /// Whether the paths are equal or one is below the other.
    fn overlaps(&self, other: &File) -> bool {
        let (mine, theirs) = (format!("{}/", self.path), format!("{}/", other.path));
        let is_named = !self.path.is_empty() && !other.path.is_empty();
        is_named && (mine.starts_with(&theirs) || theirs.starts_with(&mine))
    }
}

pub(super) fn warn(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for volume in subject.spec.child("volumes").items() {
        let name = quote(volume.child("name").text());
        for (key, kind, owner) in [
            ("configMap", "ConfigMap ", "name"),
            ("secret", "Secret ", "secretName"),
            ("downwardAPI", "DownwardAPI", ""),
        ] {
            let source = volume.child(key);
            let shown = match owner {
                "" => kind.to_owned(),
                owner => format!("{kind}{}", quote(source.child(owner).text())),
            };
            warn_files(&name, &shown, listed(&source, ""), warnings);
        }
        warn_projected(&name, &volume.child("projected"), warnings);
    }
}

fn warn_files(volume: &str, shown: &str, files: Vec<File>, warnings: &mut Warnings) {
    let mut before: Vec<File> = Vec::new();
    for file in files {
        for other in before.iter().filter(|other| other.overlaps(&file)) {
            warnings.push(format!(
                "volume {volume} ({shown}): overlapping paths: {} with {}",
                file.text(),
                other.text()
            ));
        }
        before.push(file);
    }
}

fn listed(source: &Field<'_, '_>, owner: &str) -> Vec<File> {
    let items = source.child("items");
    let files = items
        .items()
        .map(|item| File::new(item.child("path").text(), owner));
    files.collect()
}

fn warn_projected(volume: &str, projected: &Field<'_, '_>, warnings: &mut Warnings) {
    const CERTIFICATE: [(&str, &str); 3] = [
        ("certificateChainPath", "PodCertificate chain"),
        ("keyPath", "PodCertificate key"),
        ("credentialBundlePath", "PodCertificate credential bundle"),
    ];
    let mut files = Vec::new();
    for source in projected.child("sources").items() {
        if source.is_blank() {
            warnings.push(format!("volume {volume} (Projected) has no sources provided"));
            continue;
        }
        let (map, secret, downward) = (
            source.child("configMap"),
            source.child("secret"),
            source.child("downwardAPI"),
        );
        let (token, bundle) = (
            source.child("serviceAccountToken"),
            source.child("clusterTrustBundle"),
        );
        if map.child("items").is_set() {
            files.extend(listed(
                &map,
                &format!("ConfigMap {}", quote(map.child("name").text())),
            ));
        } else if secret.child("items").is_set() {
            let owner = format!("Secret {}", quote(secret.child("name").text()));
            files.extend(listed(&secret, &owner));
        } else if downward.child("items").is_set() {
            files.extend(listed(&downward, "DownwardAPI"));
        } else if token.is_set() {
            files.push(File::new(token.child("path").text(), "ServiceAccountToken"));
        } else if bundle.is_set() {
            let name = bundle.child("name");
            let name = if name.is_set() {
                name.text()
            } else {
                bundle.child("signerName").text()
            };
            let owner = format!("ClusterTrustBundle {}", quote(name));
            files.push(File::new(bundle.child("path").text(), &owner));
        } else {
            let certificate = source.child("podCertificate");
            for (key, owner) in CERTIFICATE {
                let path = certificate.child(key);
                if !path.is_blank() {
                    files.push(File::new(path.text(), owner));
                }
            }
        }
    }
    warn_files(volume, "Projected", files, warnings);
}
