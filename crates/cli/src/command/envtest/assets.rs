//! `kindsmith envtest assets`: a directory for KUBEBUILDER_ASSETS.

use std::path::{Path, PathBuf};

use kindsmith_object::Release;

use super::{ETCD, KUBE_APISERVER};
use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Make the directory for KUBEBUILDER_ASSETS and print its path
///
/// Puts `kube-apiserver` and `etcd` there as links to this program, and `kubectl` if one is on the PATH.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  export KUBEBUILDER_ASSETS=$(kindsmith envtest assets)
  KUBEBUILDER_ASSETS=$(kindsmith envtest assets ./bin/envtest) go test ./...
  KUBEBUILDER_ASSETS=$(kindsmith envtest assets --kubernetes-version 1.36) go test ./...")]
pub(super) struct Args {
    /// The directory [default: kindsmith/envtest in the user's cache directory]
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// The release of Kubernetes to answer as: 1.34 to 1.38. The directory is one below, named as setup-envtest names it
    #[arg(long, value_name = "RELEASE")]
    kubernetes_version: Option<Release>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let directory = match self.directory {
            Some(directory) => directory,
            None => default_directory()?,
        };
        let directory = match self.kubernetes_version {
            Some(release) => directory.join(named_after(release)),
            None => directory,
        };
        let own = std::env::current_exe()
            .map_err(|error| Error::environment(format!("cannot find this program: {error}")))?;
        make(&directory, &own)?;
        let path = std::path::absolute(&directory).unwrap_or(directory);
        terminal.print(&format!("{}\n", path.display()))?;
        Ok(Outcome::Clean)
    }
}

/// The name of a release's directory, from which the server in it reads the release: `1.36.0-linux-amd64`.
fn named_after(release: Release) -> String {
    let machine = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{release}.0-{}-{machine}", std::env::consts::OS)
}

fn default_directory() -> Result<PathBuf, Error> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty());
    let cache = cache.map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME")?;
        Some(Path::new(&home).join(".cache"))
    });
    match cache {
        Some(cache) => Ok(cache.join("kindsmith/envtest")),
        None => Err(
            Error::usage("no cache directory: neither XDG_CACHE_HOME nor HOME is set")
                .hint("name a directory: kindsmith envtest assets DIR"),
        ),
    }
}

/// Fills the directory with links.
fn make(directory: &Path, own: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(directory)
        .map_err(|error| Error::environment(format!("cannot make {}: {error}", directory.display())))?;
    for name in [KUBE_APISERVER, ETCD] {
        link(own, &directory.join(name))?;
    }
    let kubectl = directory.join("kubectl");
    match kubectl_on_path(directory) {
        Some(found) => link(&found, &kubectl),
        None => Ok(()),
    }
}

/// Links to a program. Only links are replaced: another file is the user's.
fn link(program: &Path, at: &Path) -> Result<(), Error> {
    let there = std::fs::symlink_metadata(at);
    if there.as_ref().is_ok_and(|there| !there.is_symlink()) {
        return Err(
            Error::input(format!("{} exists and is not a link", at.display())).hint("name another directory")
        );
    }
    if there.is_ok() {
        std::fs::remove_file(at)
            .map_err(|error| Error::environment(format!("cannot replace {}: {error}", at.display())))?;
    }
    crate::platform::link(program, at)
        .map_err(|error| Error::environment(format!("cannot link {}: {error}", at.display())))
}

/// The first kubectl on the PATH outside of the directory.
fn kubectl_on_path(directory: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let own = directory.canonicalize().ok();
    std::env::split_paths(&path)
        .filter(|folder| folder.canonicalize().ok() != own)
        .map(|folder| folder.join("kubectl"))
        .find(|program| program.is_file())
        .and_then(|program| std::path::absolute(program).ok())
}
