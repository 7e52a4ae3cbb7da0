//! `kindsmith gen openapi`: OpenAPI definitions.

use std::path::PathBuf;

use kindsmith_generate::openapi_gen::{self, Defaults, Document, Names, Options, Problem, Version};
use kindsmith_go::Read;
use kindsmith_source::{Diagnostic, Tool};

use super::files::Artifact;
use super::flow::{Flow, Made, refuse_defaults, stops};
use crate::Outcome;
use crate::crd_findings::place::span;
use crate::error::Error;
use crate::finding;
use crate::input::Input;
use crate::terminal::Terminal;
use crate::watch::Sources;

/// Generate OpenAPI definitions
///
/// Generates the definitions of openapi-gen and kube-openapi's builders, for types with the tag
/// `+k8s:openapi-gen=true`. Referenced library types are included, so that every reference resolves. Problems are
/// reported at their place in the source; with errors, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen openapi ./api/... --v3                    print the document
  kindsmith gen openapi ./api/... --v2 --out swagger.json
  kindsmith gen openapi ./api/... --v3 --out openapi.json --check
                                                          fail with a diff if it is out of date
  kindsmith gen openapi ./api/... --v3 --publish-validation
                                                          `+k8s:` rules as keywords too
  kindsmith gen openapi ./api/... --v2 --publish-defaults=none
                                                          as servers publish built-in types")]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    version: Form,
    /// File to write to; standard output by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Which definitions publish defaults
    #[arg(long = "publish-defaults", value_name = "WHICH", default_value = "all")]
    defaults: Which,
    /// Publish `+k8s:` rules as schema keywords, where there is one
    #[arg(long = "publish-validation")]
    validation: bool,
    /// How to name types without a model name
    #[arg(long, value_name = "FORM", default_value = "friendly")]
    names: Naming,
    #[command(flatten)]
    flow: Flow,
}

/// The version of OpenAPI.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Form {
    /// Swagger 2.0: `definitions`
    #[arg(long)]
    v2: bool,
    /// OpenAPI 3.0: `components`
    #[arg(long)]
    v3: bool,
}

/// Which definitions publish defaults; KEP-1929's two texts disagree.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Which {
    /// All
    All,
    /// Those that the packages' kinds refer to
    Crds,
    /// None
    None,
}

/// How to name types without a model name.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Naming {
    /// `org.example.api.v1.Kind`
    Friendly,
    /// `example.org/api/v1.Kind`
    Go,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let sources = Sources::packages(self.input.paths(), &[]);
        self.flow.run(terminal, &sources, &|| self.make(terminal))
    }

    fn options(&self) -> Options {
        Options {
            version: if self.version.v2 { Version::V2 } else { Version::V3 },
            defaults: match self.defaults {
                Which::All => Defaults::All,
                Which::Crds => Defaults::CustomResources,
                Which::None => Defaults::None,
            },
            validation: self.validation,
            names: match self.names {
                Naming::Friendly => Names::Friendly,
                Naming::Go => Names::Go,
            },
        }
    }

    fn make(&self, terminal: &Terminal) -> Result<Made, Error> {
        let read = self.input.read(terminal)?;
        let document = openapi_gen::document_as(&read.schema, self.options(), self.input.profile().into());
        let mut findings = findings(&read, &document.problems);
        refuse_defaults(&read, self.input.profile(), &mut findings);
        remark(&document, terminal);
        let (mut artifacts, mut text) = (Vec::new(), String::new());
        match &self.out {
            Some(path) => artifacts.push(Artifact {
                path: path.clone(),
                text: document.text,
            }),
            None if findings.is_empty() => text = document.text,
            None => {}
        }
        let data = if text.is_empty() {
            Vec::new()
        } else {
            vec![("document", serde_json::from_str(&text).unwrap_or_default())]
        };
        Ok(Made {
            findings,
            tools: &TOOLS,
            text,
            data,
            ..Made::new(read, artifacts)
        })
    }
}

/// The tools whose warnings matter: `+k8s:` tags are published if requested.
pub(super) const TOOLS: [Tool; 3] = [Tool::Kindsmith, Tool::OpenApiGen, Tool::ValidationGen];

/// Findings that stop openapi-gen, and sources that cannot be read. Errors of other generators do not stop this one.
pub(super) fn findings(read: &Read, problems: &[Problem]) -> Vec<Diagnostic> {
    let mut found = kindsmith_lint::check(kindsmith_lint::Input::new(&read.schema, &read.origins));
    found.retain(|finding| stops(finding, &[Tool::OpenApiGen]));
    let read_errors = read.diagnostics.iter();
    let read_errors = read_errors.filter(|finding| stops(finding, &[Tool::Kindsmith, Tool::OpenApiGen]));
    found.extend(read_errors.cloned());
    for problem in problems {
        if found.iter().all(|known| known.message != problem.message) {
            found.push(Diagnostic::error(
                &finding::OPENAPI,
                span(read, problem.place),
                &*problem.message,
            ));
        }
    }
    found
}

/// Notes what the document lacks.
fn remark(document: &Document, terminal: &Terminal) {
    if document.own.is_empty() {
        terminal.warn(
            "no type asks for a definition: write `// +k8s:openapi-gen=true` in doc.go or above a type",
        );
    }
    for name in &document.missing {
        terminal.warn(&format!(
            "{name} is referred to and has no definition: its package was not found or asks for none"
        ));
    }
    for name in &document.handwritten {
        terminal.warn(&format!(
            "{name} is described by Go code, which is not run: left empty"
        ));
    }
}
