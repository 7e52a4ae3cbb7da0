//! `kindsmith gen openapi-gen`: the command line of openapi-gen (kube-openapi, cmd/openapi-gen/args).

use std::path::{Path, PathBuf};

use kindsmith_generate::openapi_gen;
use kindsmith_go::Read;

use super::files::Artifact;
use super::flow::Made;
use super::gengo::Gengo;
use super::openapi;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input::{Input, Profile};
use crate::terminal::Terminal;
use crate::watch::Sources;

/// Generate the Go file of OpenAPI definitions with openapi-gen's command line
///
/// Takes the options of openapi-gen, so that a Makefile changes one word, and writes the same files byte for byte:
/// the Go code with the definitions, the report on API conventions, and on request methods with the published names of
/// types. Definitions as JSON are written by `kindsmith gen openapi`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen openapi-gen --output-dir pkg/openapi --output-pkg example.org/shop/pkg/openapi \\
      --output-file zz_generated.openapi.go --go-header-file hack/boilerplate.go.txt --report-filename violations.txt \\
      k8s.io/apimachinery/pkg/apis/meta/v1 ./api/...")]
pub(super) struct Args {
    /// Directory of the generated file
    #[arg(long = "output-dir", value_name = "DIR")]
    output_dir: PathBuf,
    /// Import path of the package that the generated file belongs to
    #[arg(long = "output-pkg", value_name = "IMPORT_PATH")]
    output_package: String,
    /// Name of the generated file
    #[arg(
        long = "output-file",
        value_name = "NAME",
        default_value = "generated.openapi.go"
    )]
    output_file: String,
    /// Name of a file for each package with `+k8s:openapi-model-package`: methods that return the names of its types
    #[arg(long = "output-model-name-file", value_name = "NAME")]
    model_names: Option<String>,
    /// Packages that get no file with names
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH", value_delimiter = ',')]
    read_only: Vec<String>,
    /// File for the fields that break API conventions; `-` is standard output
    #[arg(
        short = 'r',
        long = "report-filename",
        value_name = "FILE",
        default_value = "-"
    )]
    report: PathBuf,
    #[command(flatten)]
    gengo: Gengo,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.gengo.packages.is_empty() {
            return Err(Error::usage("no packages given"));
        }
        let headers: Vec<&Path> = self.gengo.header_file.as_deref().into_iter().collect();
        let sources = Sources::packages(&self.gengo.packages, &headers);
        let input = Input::new(self.gengo.packages.clone(), Vec::new(), Profile::Upstream);
        let flow = self.gengo.flow;
        flow.run(terminal, &sources, &|| self.make(&input, terminal))
    }

    fn make(&self, input: &Input, terminal: &Terminal) -> Result<Made, Error> {
        let header = self.gengo.header()?;
        let read = input.read(terminal)?;
        let file = openapi_gen::file(&read.schema, &self.output_package, &header);
        let findings = openapi::findings(&read, &file.problems);
        let mut artifacts = vec![Artifact {
            path: self.output_dir.join(&self.output_file),
            text: file.text,
        }];
        artifacts.extend(self.model_name_files(&read, &header));
        let report = openapi_gen::violations(&read.schema);
        let text = if self.report.as_os_str() == "-" {
            report
        } else {
            artifacts.push(Artifact {
                path: self.report.clone(),
                text: report,
            });
            String::new()
        };
        Ok(Made {
            findings,
            tools: &openapi::TOOLS,
            text,
            ..Made::new(read, artifacts)
        })
    }

    fn model_name_files(&self, read: &Read, header: &str) -> Vec<Artifact> {
        let Some(name) = &self.model_names else {
            return Vec::new();
        };
        let files = openapi_gen::model_names(&read.schema, &self.read_only, header).into_iter();
        let files = files.filter_map(|file| {
            let package = read
                .packages
                .iter()
                .find(|package| *package.path == *file.package)?;
            Some(Artifact {
                path: go_path::to_path(&package.directory).join(name),
                text: file.text,
            })
        });
        files.collect()
    }
}
