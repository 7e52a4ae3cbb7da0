//! `kindsmith envtest`: replaces the binaries that envtest starts.

mod assets;
mod etcd;
mod flags;
mod kube_apiserver;

use std::ffi::OsString;
use std::path::Path;

use clap::Subcommand;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Stand in for kube-apiserver and etcd where tests start them
///
/// controller-runtime's envtest starts `etcd` and `kube-apiserver` from the directory KUBEBUILDER_ASSETS. This command
/// makes such a directory; in it, both are this program. It also acts as one of them when it is called by that name.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  export KUBEBUILDER_ASSETS=$(kindsmith envtest assets)
  KUBEBUILDER_ASSETS=$(kindsmith envtest assets ./bin) go test ./...
  kindsmith envtest kube-apiserver --emulated-version 1.35
  kindsmith envtest kube-apiserver --help")]
pub struct Args {
    #[command(subcommand)]
    program: Program,
}

#[derive(Debug, Subcommand)]
enum Program {
    Assets(assets::Args),
    /// Start an API server with kube-apiserver's command line; `--help` lists it
    #[command(name = KUBE_APISERVER, disable_help_flag = true, disable_version_flag = true)]
    KubeApiserver(Words),
    /// Answer health checks in place of etcd; nothing is stored
    #[command(name = ETCD, disable_help_flag = true, disable_version_flag = true)]
    Etcd(Words),
}

const KUBE_APISERVER: &str = "kube-apiserver";
const ETCD: &str = "etcd";

/// A command line that is read by other rules than ours.
#[derive(Debug, clap::Args)]
struct Words {
    #[arg(value_name = "FLAG", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        match self.program {
            Program::Assets(args) => args.run(terminal),
            Program::KubeApiserver(words) => kube_apiserver::run(&words.words, terminal),
            Program::Etcd(words) => etcd::run(&words.words, terminal),
        }
    }
}

/// The command line of a program that is called `kube-apiserver` or `etcd`.
pub(crate) fn under_other_name(mut args: Vec<OsString>) -> Vec<OsString> {
    let name = args.first().and_then(|arg| Path::new(arg).file_name()?.to_str());
    let Some(name) = [KUBE_APISERVER, ETCD].into_iter().find(|own| name == Some(own)) else {
        return args;
    };
    let release = args.first().map(Path::new).and_then(kube_apiserver::flag_of);
    let release = release.filter(|_| name == KUBE_APISERVER);
    // Words after `--` are not read as options of ours.
    let words = ["kindsmith", "envtest", name, "--"].map(OsString::from);
    args.splice(..1, words.into_iter().chain(release.map(OsString::from)));
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_are_commands() {
        for (given, expected) in [
            (&["kindsmith", "lint"][..], &["kindsmith", "lint"][..]),
            (
                &["/assets/etcd", "--data-dir=x"],
                &["kindsmith", "envtest", "etcd", "--", "--data-dir=x"],
            ),
            (
                &["/k8s/1.36.2-linux-amd64/kube-apiserver", "-v=3"],
                &[
                    "kindsmith",
                    "envtest",
                    "kube-apiserver",
                    "--",
                    "--emulated-version=1.36",
                    "-v=3",
                ],
            ),
            (
                &["kube-apiserver"],
                &["kindsmith", "envtest", "kube-apiserver", "--"],
            ),
        ] {
            let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
            assert_eq!(under_other_name(words(given)), words(expected));
        }
    }
}
