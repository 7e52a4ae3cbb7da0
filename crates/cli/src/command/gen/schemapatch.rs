//! `kindsmith gen schemapatch`: new schemas in existing CRDs.

use std::path::PathBuf;

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{Destination, Generator, Patch, Requested};
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input;
use crate::terminal::Terminal;

/// Put the schemas of Go types into existing CRDs
///
/// Keeps everything else of a CRD: the order of its keys, comments, versions and columns. The result is byte for byte that of
/// controller-gen.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen schemapatch ./api/... --manifests config/crd --out config/crd
  kindsmith gen schemapatch ./api/... --manifests config/crd --out config/crd --check
  kindsmith gen schemapatch:manifests=config/crd paths=./... output:dir=config/crd
                                                          controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    /// The directory of the CRDs
    #[arg(long, value_name = "DIR")]
    manifests: PathBuf,
    /// Directory to write to; `-` for standard output. The directory of the CRDs by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Truncate descriptions to this many bytes; 0 removes them
    #[arg(
        long = "maxDescLen",
        alias = "max-desc-len",
        value_name = "N",
        allow_negative_numbers = true
    )]
    max_description: Option<i64>,
    /// Publish the fields of embedded metadata
    #[arg(long = "generateEmbeddedObjectMeta", alias = "generate-embedded-object-meta")]
    embedded_object_meta: bool,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    #[command(flatten)]
    beside: Beside,
    #[command(flatten)]
    flow: Flow,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let out = self.out.unwrap_or_else(|| self.manifests.clone());
        let word = format!("schemapatch:manifests={}", self.manifests.display());
        let patch = Patch {
            manifests: self.manifests,
            max_description: self.max_description,
            embedded_object_meta: self.embedded_object_meta,
        };
        Own {
            word,
            paths: self.paths,
            requested: Requested {
                generator: Generator::SchemaPatch(patch),
                to: Destination::named(out),
            },
            modules: self.modules,
            flow: self.flow,
            beside: self.beside,
        }
        .run(terminal)
    }
}
