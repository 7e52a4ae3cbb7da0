//! `kindsmith gen rbac`: roles.

use std::path::PathBuf;

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{Destination, Generator, Header, Requested, Role};
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::terminal::Terminal;

/// Generate roles from `+kubebuilder:rbac` markers
///
/// Writes one file with a ClusterRole and the Roles that markers name, byte for byte as controller-gen does.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen rbac ./... --roleName=manager-role
  kindsmith gen rbac ./... --roleName=manager-role --out -
                                                          print them
  kindsmith gen rbac ./... --roleName=manager-role --check
                                                          fail with a diff if the file is out of date
  kindsmith gen rbac:roleName=manager-role paths=./...    controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    /// The name of roles whose markers name none
    #[arg(
        long = "roleName",
        alias = "role-name",
        value_name = "NAME",
        default_value = "manager-role"
    )]
    role_name: String,
    /// The name of the file
    #[arg(
        long = "fileName",
        alias = "file-name",
        value_name = "NAME",
        default_value = "role.yaml"
    )]
    file_name: String,
    /// Directory to write to; `-` for standard output
    #[arg(long, value_name = "DIR", default_value = "config/rbac")]
    out: PathBuf,
    #[command(flatten)]
    header: Header,
    #[command(flatten)]
    beside: Beside,
    #[command(flatten)]
    flow: Flow,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let word = format!("rbac:roleName={}", self.role_name);
        let role = Role {
            name: self.role_name,
            file_name: Some(self.file_name),
            header: self.header,
        };
        let requested = Requested {
            generator: Generator::Rbac(role),
            to: Destination::named(self.out),
        };
        Own {
            word,
            paths: self.paths,
            requested,
            modules: Vec::new(),
            flow: self.flow,
            beside: self.beside,
        }
        .run(terminal)
    }
}
