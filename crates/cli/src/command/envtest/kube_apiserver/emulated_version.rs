//! `--emulated-version`, or `--kubernetes-version` as for other commands: the release of Kubernetes that is the reference.

use std::path::Path;

use kindsmith_object::Release;

use crate::command::envtest::flags::Given;
use crate::error::Error;

const FLAG: &str = "emulated-version";
/// The name of the option of other commands, which counts first.
const OPTION: &str = "kubernetes-version";

/// The release of the flag, or that of the project, or the newest that is out.
pub(super) fn read(given: &Given) -> Result<Release, Error> {
    let named = |flag| given.list(flag).last().map(|text| parse(flag, text));
    let release = named(OPTION).or_else(|| named(FLAG)).transpose()?;
    crate::release::given_or_default(release)
}

/// The release of the flag in words that are not read as flags.
pub(super) fn in_words(words: &[String]) -> Result<Release, Error> {
    let named = |flag| {
        let prefix = format!("--{flag}=");
        let mut given = words.iter().filter_map(|word| word.strip_prefix(&prefix));
        given.next_back().map(|text| parse(flag, text))
    };
    let release = named(OPTION).or_else(|| named(FLAG)).transpose()?;
    crate::release::given_or_default(release)
}

/// Reads `1.36` or `kube=1.36`.
fn parse(flag: &str, text: &str) -> Result<Release, Error> {
    let version = text.strip_prefix("kube=").unwrap_or(text);
    version
        .parse()
        .map_err(|error| Error::usage(format!("--{flag} {text}: {error}")))
}

/// The flag for a program in a directory that setup-envtest names after a release: `1.36.2-linux-amd64`.
pub(in crate::command::envtest) fn flag_of(program: &Path) -> Option<String> {
    let directory = program.parent()?.file_name()?.to_str()?;
    let version = directory.split('-').next()?;
    let release: Release = version.parse().ok()?;
    Some(format!("--{FLAG}={release}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_setup_envtest_name_the_release() {
        for (program, expected) in [
            (
                "/k8s/1.36.2-linux-amd64/kube-apiserver",
                Some("--emulated-version=1.36"),
            ),
            ("/k8s/1.20.2-linux-amd64/kube-apiserver", None),
            ("/usr/local/kubebuilder/bin/kube-apiserver", None),
            ("kube-apiserver", None),
        ] {
            assert_eq!(flag_of(Path::new(program)).as_deref(), expected, "{program}");
        }
    }
}
