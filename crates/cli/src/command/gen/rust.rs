//! `kindsmith gen rust`: Rust types.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kindsmith::rust::kubernetes_schemas;
use kindsmith_emit::rust::{self, APPROVAL, Column, Flavor, Kind, Known};
use kindsmith_generate::controller_gen::{self, Options};
use kindsmith_go::Read;
use kindsmith_go::package::{Loader, MemoryFiles, Options as LoaderOptions};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::{Definition, Spec, Version};
use kindsmith_schema::JsonSchema;
use kindsmith_source::Tool;

use super::files::Artifact;
use super::flow::{Flow, Made, stops};
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;
use crate::watch::Sources;

/// Generate Rust types
///
/// Writes a file per group and version with a struct for every kind and type: serde's attributes, documentation, defaults
/// and rules as attributes of `kindsmith::Resource` and `kindsmith::Schema`, enums for enums and unions. Kinds are
/// `kube::CustomResource`s, types of Kubernetes those of k8s-openapi; names are those that kopium gives. What has no form in Rust is
/// a `serde_json::Value`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen rust --crds config/crd --out src/api          from CRDs
  kindsmith gen rust ./api/... --out src/api                  from Go types
  kindsmith gen rust --crds crd.yaml --out src/api --plain    without kube and k8s-openapi
  kindsmith gen rust --crds config/crd --out src/api --check  fail with a diff if a file is out of date")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    packages: Vec<String>,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// Directory to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Use serde and Kindsmith alone: no kube, no types of k8s-openapi
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    flow: Flow,
}

/// The tools whose findings stop this generator.
const TOOLS: [Tool; 2] = [Tool::Kindsmith, Tool::ControllerGen];

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let sources = if self.crds.is_empty() {
            Sources::packages(&self.packages, &[])
        } else {
            Sources::definitions(self.crds.paths())
        };
        let input = Input::new(
            self.packages.clone(),
            self.modules.clone(),
            input::Profile::Upstream,
        );
        self.flow.run(terminal, &sources, &|| self.make(&input, terminal))
    }

    fn make(&self, input: &Input, terminal: &Terminal) -> Result<Made, Error> {
        let (read, definitions) = if self.crds.is_empty() {
            let read = input.read(terminal)?;
            let options = Options {
                tags: controller_gen::Tags::Used,
                allow_dangerous_types: true,
                ..Options::default()
            };
            let generated = controller_gen::definitions(&read.schema, &options);
            let models = generated
                .definitions
                .into_iter()
                .map(|definition| Arc::new(definition.model));
            (read, models.collect())
        } else {
            let crds = self.crds.read(terminal)?;
            (nothing(), crds.definitions().collect::<Vec<Arc<Definition>>>())
        };
        if definitions.is_empty() {
            terminal.warn("there is nothing to generate: no CRD, and no kind");
        }
        let flavor = if self.plain { Flavor::Plain } else { Flavor::Kube };
        let artifacts = files(&definitions, flavor)
            .into_iter()
            .map(|(name, text)| Artifact {
                path: self.out.join(name),
                text,
            });
        let findings = read.diagnostics.iter().filter(|finding| stops(finding, &TOOLS));
        let findings = findings.cloned().collect();
        Ok(Made {
            findings,
            tools: &TOOLS,
            ..Made::new(read, artifacts.collect())
        })
    }
}

/// The files of CRDs, by name: one for each group and version.
fn files(definitions: &[Arc<Definition>], flavor: Flavor) -> BTreeMap<String, String> {
    let mut kinds: BTreeMap<String, Vec<Kind<'_>>> = BTreeMap::new();
    for definition in definitions {
        let spec = &definition.spec;
        let arena = Arena::new();
        let metadata = definition.metadata.value(&arena);
        let approval = metadata
            .lookup(&["annotations", APPROVAL])
            .and_then(Value::as_str);
        for (version, schema) in spec.schemas() {
            let name = rust::file_name(&spec.group, &version.name);
            kinds.entry(name).or_default().push(Kind {
                approval: approval.map(str::to_owned),
                ..kind(spec, version, schema)
            });
        }
    }
    // Reading Kubernetes' types takes a moment.
    let known = match flavor {
        Flavor::Kube => Known::new(kubernetes_schemas()),
        Flavor::Plain => Known::default(),
    };
    kinds
        .into_iter()
        .map(|(name, kinds)| (name, rust::write(&kinds, flavor, &known)))
        .collect()
}

fn kind<'s>(spec: &'s Spec, version: &'s Version, schema: &'s JsonSchema) -> Kind<'s> {
    let scale = version
        .subresources
        .as_ref()
        .and_then(|subresources| subresources.scale.as_ref());
    Kind {
        group: &spec.group,
        version: &version.name,
        kind: &spec.names.kind,
        plural: &spec.names.plural,
        singular: &spec.names.singular,
        short_names: spec.names.short_names.iter().map(|name| &**name).collect(),
        categories: spec.names.categories.iter().map(|name| &**name).collect(),
        approval: None,
        is_cluster: &*spec.scope == "Cluster",
        is_stored: version.storage && spec.versions.len() > 1,
        is_unserved: !version.served,
        deprecation: version
            .deprecated
            .then(|| version.deprecation_warning.as_deref().unwrap_or_default()),
        columns: version
            .additional_printer_columns
            .iter()
            .map(|column| Column {
                name: &column.name,
                ty: &column.ty,
                path: &column.json_path,
                description: &column.description,
                format: &column.format,
                priority: column.priority.into(),
            })
            .collect(),
        selectable_fields: version
            .selectable_fields
            .iter()
            .map(|field| &*field.json_path)
            .collect(),
        scale: scale.map(|scale| {
            let selector = scale.label_selector_path.as_deref();
            (&*scale.spec_replicas_path, &*scale.status_replicas_path, selector)
        }),
        schema,
    }
}

/// The result of reading no package.
fn nothing() -> Read {
    let files = MemoryFiles::default();
    let loader = Loader::new(&files, LoaderOptions::default());
    kindsmith_go::read(loader, Vec::new(), kindsmith_go::Profile::Upstream)
}
