//! `kindsmith gen go`: defaulting and validation code.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_emit::go::{self, File, Options, Problem};
use kindsmith_go::Read;
use kindsmith_schema::{Owner, Part};
use kindsmith_source::{Diagnostic, Severity};

use super::files::Artifact;
use super::flow::{Flow, Made};
use crate::Outcome;
use crate::error::Error;
use crate::input::Input;
use crate::terminal::Terminal;

/// Generate defaulting and validation code in Go
///
/// Writes what defaulter-gen and validation-gen write, into the packages that ask for it with `+k8s:defaulter-gen` and
/// `+k8s:validation-gen`: functions of the same names and signatures that do the same, registered with a scheme. The code
/// compiles against the published k8s.io/apimachinery.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen go ./api/...                              all packages that ask for code
  kindsmith gen go ./api/... --check                      fail with a diff if files are out of date
  kindsmith gen go ./api/v1 --header-file hack/boilerplate.go.txt --year 2026
  kindsmith gen go ./api/... --test-output-root test/declarative
                                                          also what tests of each kind must have seen")]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Write only this code
    #[arg(long, value_name = "CODE")]
    only: Option<Code>,
    /// File with a comment to put above each file
    #[arg(long = "header-file", visible_alias = "go-header-file", value_name = "FILE")]
    header_file: Option<PathBuf>,
    /// What `YEAR` in the header becomes
    #[arg(long, value_name = "YEAR", default_value = "", hide_default_value = true)]
    year: String,
    /// Take types of this package as they are, like validation-gen's flag of the same name
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH")]
    read_only: Vec<String>,
    /// Directory below which every kind gets a test package with the table of what its rules can report
    #[arg(long = "test-output-root", value_name = "DIR")]
    test_root: Option<PathBuf>,
    /// What names of those test files begin with
    #[arg(
        long = "test-output-file-prefix",
        value_name = "PREFIX",
        default_value = "zz_generated.validations.",
        requires = "test_root"
    )]
    test_prefix: String,
    #[command(flatten)]
    flow: Flow,
}

/// Which code is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Code {
    /// Defaulting functions
    Defaults,
    /// Validation functions and their tests
    Validations,
}

/// Tags by which a package takes its types from another.
const TYPES_FROM: &[&str] = &["k8s:defaulter-gen-input", "k8s:validation-gen-input"];

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let header = match &self.header_file {
            Some(path) => std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?,
            None => String::new(),
        };
        let header = header.replace("YEAR", &self.year);
        self.flow.run(terminal, &|| self.make(&header, terminal))
    }

    fn make(&self, header: &str, terminal: &Terminal) -> Result<Made, Error> {
        let (read, asked) = self.input.read_following(terminal, TYPES_FROM)?;
        let mut findings = self.findings(&read, &asked);
        let options = Options {
            header: header.to_owned(),
            profile: self.input.profile().into(),
            packages: Some(asked),
            ..Options::default()
        };
        let mut files = Vec::new();
        if self.only != Some(Code::Validations) {
            let generated = go::defaults(&read.schema, &options);
            files.extend(generated.files);
            findings.extend(generated.problems.iter().map(|problem| at(&read, problem)));
        }
        let mut artifacts = Vec::new();
        if self.only != Some(Code::Defaults) {
            let generated = go::validations(&read.schema, &options);
            files.extend(generated.files);
            findings.extend(generated.problems.iter().map(|problem| at(&read, problem)));
            files.extend(go::fixtures(&read.schema, &options).files);
            if let Some(root) = &self.test_root {
                let tests = go::kind_tests(&read.schema, &options, &self.test_prefix);
                artifacts.extend(tests.into_iter().map(|test| Artifact {
                    path: root.join(test.path),
                    text: test.text,
                }));
            }
        }
        artifacts.extend(files.into_iter().filter_map(|file| artifact(&read, file)));
        Ok(Made {
            read,
            artifacts,
            findings,
            text: String::new(),
        })
    }

    /// What the generators of Go code refuse. Packages whose types are only used have passed when they were published.
    fn findings(&self, read: &Read, asked: &[Arc<str>]) -> Vec<Diagnostic> {
        let input = kindsmith_lint::Input {
            schema: &read.schema,
            origins: &read.origins,
            read_only: &self.read_only,
        };
        let mut findings = kindsmith_lint::check(input);
        let others: HashSet<_> = read
            .packages
            .iter()
            .filter(|package| !asked.contains(&package.path))
            .flat_map(|package| package.files.iter().map(|file| file.id))
            .collect();
        findings.retain(|finding| !others.contains(&finding.span.file));
        findings.extend(read.diagnostics.iter().cloned());
        findings.retain(concerns);
        findings
    }
}

/// A file in the directory of its package.
fn artifact(read: &Read, file: File) -> Option<Artifact> {
    let package = read
        .packages
        .iter()
        .find(|package| package.path == file.package)?;
    Some(Artifact {
        path: Path::new(&package.directory).join(file.name),
        text: file.text,
    })
}

/// A problem at the type it is about.
fn at(read: &Read, problem: &Problem) -> Diagnostic {
    let id = read.schema.find(&problem.ty);
    let span = id.and_then(|id| read.origins.span(&Owner::Type(id).part(Part::Name)));
    let span = span.or_else(|| {
        read.sources
            .files()
            .next()
            .map(|(file, _)| kindsmith_source::Span::new(file, 0, 0))
    });
    let span = span.expect("a schema with types was read from files");
    Diagnostic::error("go-code", span, format!("{}: {}", problem.ty, problem.message))
}

/// Whether a finding stops the generation of code: what only other generators refuse does not.
fn concerns(finding: &Diagnostic) -> bool {
    const OTHERS: [&str; 4] = [
        "controller-gen:",
        "OpenAPI code generation error",
        "openapi-gen:",
        "client-gen:",
    ];
    let upstream = finding.upstream.as_deref().unwrap_or_default();
    let is_openapi = finding.code.starts_with("openapi-");
    // Two defaults, or one that is no JSON, are refused by all who read them.
    let is_default = matches!(finding.code, "default-duplicate" | "default-syntax");
    let is_other = OTHERS.iter().any(|tool| upstream.starts_with(tool)) || is_openapi;
    finding.severity == Severity::Error && (is_default || !is_other)
}
