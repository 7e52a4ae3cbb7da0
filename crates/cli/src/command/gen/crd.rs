//! `kindsmith gen crd`: CRDs.

use std::path::PathBuf;

use kindsmith_generate::controller_gen::{self, Release};

use super::controller_gen::{self as command_line, Run};
use super::controller_gen_words::{self, Destination, Generator, Header, Request, Requested, Settings};
use super::crd_files::Also;
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input;
use crate::terminal::Terminal;

/// Generate CRDs
///
/// Writes one file per kind, byte for byte as controller-gen does if the sources of libraries are found. Options have
/// controller-gen's names, and its command lines work too. Problems are reported at their place in the source; with
/// errors, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen crd ./api/... --out config/crd
  kindsmith gen crd ./api/v1 --out config/crd --maxDescLen=0
  kindsmith gen crd ./api/... --out config/crd --check    fail with a diff if files are out of date
  kindsmith gen crd ./api/... --out config/crd --watch    generate again on every save
  kindsmith gen crd ./api/... --option Beta=true          enforce rules under `ifEnabled(Beta)`
  kindsmith gen crd ./api/... --out config/crd --sizes    show what makes a CRD large
  kindsmith gen crd ./api/... --out -                     print them
  kindsmith gen crd paths=./... output:crd:dir=config/crd controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    /// Directory to write to; `-` for standard output
    #[arg(long, value_name = "DIR", default_value = "config/crd")]
    out: PathBuf,
    /// Truncate descriptions to this many bytes; 0 removes them
    #[arg(
        long = "maxDescLen",
        alias = "max-desc-len",
        value_name = "N",
        allow_negative_numbers = true
    )]
    max_description: Option<i64>,
    /// Allow floats (rejected by default)
    #[arg(long = "allowDangerousTypes", alias = "allow-dangerous-types", value_name = "BOOL",
          num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_possible_values = true, hide_default_value = true)]
    allow_dangerous_types: bool,
    /// Publish the fields of embedded metadata
    #[arg(long = "generateEmbeddedObjectMeta", alias = "generate-embedded-object-meta", value_name = "BOOL",
          num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_possible_values = true, hide_default_value = true)]
    embedded_object_meta: bool,
    /// Skip unexported fields
    #[arg(long = "ignoreUnexportedFields", alias = "ignore-unexported-fields", value_name = "BOOL",
          num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_possible_values = true, hide_default_value = true)]
    ignore_unexported_fields: bool,
    #[command(flatten)]
    header: Header,
    /// Versions of the CRD API; only v1 exists
    #[arg(
        long = "crdVersions",
        alias = "crd-versions",
        value_name = "VERSION",
        value_delimiter = ','
    )]
    crd_versions: Vec<String>,
    /// Write `spec.preserveUnknownFields` with this value
    #[arg(long = "deprecatedV1beta1CompatibilityPreserveUnknownFields", value_name = "BOOL",
          num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    preserve_unknown_fields: Option<bool>,
    /// Leave out the annotation with controller-gen's version
    #[arg(long = "omitToolVersion", alias = "omit-tool-version", value_name = "BOOL",
          num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_possible_values = true, hide_default_value = true)]
    omit_tool_version: bool,
    /// Write the version annotation anew; by default an existing file keeps the one it has
    #[arg(long)]
    stamp: bool,
    /// Follow a release of controller-gen, v0.16 to v0.23 (the default)
    #[arg(long, value_name = "RELEASE", value_parser = controller_gen_words::release)]
    compat: Option<Release>,
    /// Which `+k8s:` tags become schema keywords and rules, beyond those that controller-gen reads
    #[arg(long, value_name = "WHOSE", default_value = "used")]
    tags: Tags,
    /// Generate CRDs for a declarative validation option that is on or off; may be given more than once
    #[arg(long = "option", value_name = "NAME=BOOL", value_parser = switch)]
    switches: Vec<(String, bool)>,
    /// Publish what Go encodes and controller-gen rejects: fields without a JSON tag, `any`
    #[arg(long)]
    go_json: bool,
    /// Do not write CRDs that the API server would reject
    #[arg(long)]
    strict: bool,
    /// Write CRDs in spite of errors in the sources, without the markers that are wrong; the exit status is 1 all the same
    #[arg(long, conflicts_with = "strict")]
    keep_going: bool,
    /// Print how large CRDs and their fields are
    #[arg(long)]
    sizes: bool,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// Which rules apply where KEP-5073 and Kubernetes differ
    #[arg(long, value_name = "PROFILE", default_value = "upstream")]
    profile: input::Profile,
    #[command(flatten)]
    flow: Flow,
}

/// Reads `NAME=true` or `NAME=false`.
fn switch(text: &str) -> Result<(String, bool), String> {
    let read = |(name, on): (&str, &str)| Some((name.to_owned(), on.parse().ok()?));
    let known = text.split_once('=').filter(|(name, _)| !name.is_empty());
    known
        .and_then(read)
        .ok_or_else(|| "expected NAME=true or NAME=false".to_owned())
}

/// Which tags are carried into CRDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Tags {
    /// Those of packages that use tags which controller-gen does not read; of all packages with `--profile kep`
    Used,
    /// Those of all packages; defaults follow KEP-1929
    All,
    /// None: CRDs are those of controller-gen
    None,
}

impl From<Tags> for controller_gen::Tags {
    fn from(tags: Tags) -> Self {
        match tags {
            Tags::Used => Self::Used,
            Tags::All => Self::All,
            Tags::None => Self::Ignore,
        }
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let also = Also {
            tags: self.tags.into(),
            switches: self.switches,
            go_json: self.go_json,
            strict: self.strict,
            keep_going: self.keep_going,
            sizes: self.sizes,
            stamp: self.stamp,
            profile: self.profile,
            compat: self.compat,
        };
        if self.paths.iter().any(|path| controller_gen_words::is_word(path)) {
            let mut words = vec!["crd".to_owned()];
            words.extend(self.paths);
            let also = Also {
                tags: controller_gen::Tags::Ignore,
                ..also
            };
            return command_line::Run {
                modules: self.modules,
                flow: self.flow,
                also,
                ..Run::new(controller_gen_words::read(&words)?)
            }
            .run(terminal);
        }
        let settings = Settings {
            ignore_unexported_fields: self.ignore_unexported_fields,
            allow_dangerous_types: self.allow_dangerous_types,
            max_description: self.max_description,
            crd_versions: self.crd_versions,
            embedded_object_meta: self.embedded_object_meta,
            header: self.header,
            preserve_unknown_fields: self.preserve_unknown_fields,
            omit_tool_version: self.omit_tool_version,
        };
        let to = Destination::named(self.out);
        let request = Request {
            paths: self.paths,
            generators: vec![Requested {
                generator: Generator::Crd(Box::new(settings)),
                to,
            }],
            ..Request::default()
        };
        Run {
            modules: self.modules,
            flow: self.flow,
            also,
            ..Run::new(request)
        }
        .run(terminal)
    }
}
