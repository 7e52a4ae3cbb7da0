//! `kindsmith gen go`: defaulting and validation code. The command lines of the tools it takes the place of
//! ([`super::defaulter_gen`], [`super::validation_gen`]) are other ways to say the same [`Request`].

mod allowlist;
mod lint_rule;
mod log_flags;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kindsmith_emit::go::{self, File, Options, Problem};
use kindsmith_go::Read;
use kindsmith_scalar::time::{Layout, Time};
use kindsmith_schema::{Owner, Part};
use kindsmith_source::{Diagnostic, Severity};

use super::files::Artifact;
use super::flow::{Flow, Made};
use crate::Outcome;
use crate::error::Error;
use crate::input::{Following, Input, Named};
use crate::terminal::Terminal;
pub(super) use lint_rule::LintRule;
pub(super) use log_flags::LogFlags;

/// Generate defaulting and validation code in Go
///
/// Writes what defaulter-gen and validation-gen write, into the packages that ask for it with `+k8s:defaulter-gen` and
/// `+k8s:validation-gen`: functions of the same names and signatures that do the same, registered with a scheme. The code
/// compiles against the published k8s.io/apimachinery. Their options have their names here too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen go ./api/...                              all packages that ask for code
  kindsmith gen go ./api/... --check                      fail with a diff if files are out of date
  kindsmith gen go ./api/v1 --header-file hack/boilerplate.go.txt --year 2026
  kindsmith gen go ./api/... --test-output-root test/declarative
                                                          also what tests of each kind must have seen
  kindsmith gen defaulter-gen --output-file zz_generated.defaults.go ./api/v1
                                                          as the tools are called")]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Write only this code
    #[arg(long, value_name = "CODE")]
    only: Option<Code>,
    /// Name of the file in each package, with `--only`
    #[arg(long = "output-file", value_name = "NAME", requires = "only")]
    output_file: Option<String>,
    /// File with a comment to put above each file
    #[arg(long = "header-file", visible_alias = "go-header-file", value_name = "FILE")]
    header_file: Option<PathBuf>,
    /// What `YEAR` in the header becomes; the current one if not given
    #[arg(long, value_name = "YEAR")]
    year: Option<String>,
    /// Build tag that leaves the files out
    #[arg(long = "build-tag", value_name = "TAG", default_value = go::BUILD_TAG)]
    build_tag: String,
    /// Also call the `SetDefaults_` functions of these packages
    #[arg(long = "extra-peer-dirs", value_name = "IMPORT_PATH", value_delimiter = ',')]
    peers: Vec<String>,
    /// Take types of this package as they are, like validation-gen's flag of the same name
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH", value_delimiter = ',')]
    read_only: Vec<String>,
    /// Hold the tags in `doc.go` against these rules
    #[arg(long = "lint-rules", value_name = "RULE", value_delimiter = ',')]
    lint_rules: Vec<LintRule>,
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
    /// YAML file of what those tables leave out
    #[arg(long = "test-allowlist", value_name = "FILE", requires = "test_root")]
    test_allowlist: Option<PathBuf>,
    #[command(flatten)]
    flow: Flow,
}

/// Which code is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Code {
    /// Defaulting functions
    Defaults,
    /// Validation functions and their tests
    Validations,
}

/// Tags by which a package takes its types from another.
const TYPES_FROM: &[&str] = &["k8s:defaulter-gen-input", "k8s:validation-gen-input"];

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut request = Request {
            header_file: self.header_file,
            year: self.year,
            peers: self.peers,
            read_only: self.read_only,
            lint_rules: self.lint_rules,
            test_root: self.test_root,
            test_prefix: self.test_prefix,
            test_allowlist: self.test_allowlist,
            ..Request::new(self.input, self.only)
        };
        request.build_tag = self.build_tag;
        if let Some(name) = self.output_file {
            request.name(name);
        }
        request.run(self.flow, terminal)
    }
}

/// What is to be generated, however it was asked for.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) input: Input,
    pub(super) only: Option<Code>,
    /// Names of the files.
    pub(super) defaults: String,
    pub(super) validations: String,
    pub(super) header_file: Option<PathBuf>,
    pub(super) year: Option<String>,
    pub(super) build_tag: String,
    pub(super) peers: Vec<String>,
    pub(super) read_only: Vec<String>,
    pub(super) lint_rules: Vec<LintRule>,
    pub(super) test_root: Option<PathBuf>,
    pub(super) test_prefix: String,
    pub(super) test_allowlist: Option<PathBuf>,
}

impl Request {
    /// Everything as it is without options.
    pub(super) fn new(input: Input, only: Option<Code>) -> Self {
        let options = Options::default();
        Self {
            input,
            only,
            defaults: options.defaults,
            validations: options.validations,
            header_file: None,
            year: None,
            build_tag: options.build_tag,
            peers: Vec::new(),
            read_only: Vec::new(),
            lint_rules: Vec::new(),
            test_root: None,
            test_prefix: String::new(),
            test_allowlist: None,
        }
    }

    /// Names the files of the one kind of code.
    pub(super) fn name(&mut self, name: String) {
        match self.only {
            Some(Code::Validations) => self.validations = name,
            Some(Code::Defaults) | None => self.defaults = name,
        }
    }

    pub(super) fn run(mut self, flow: Flow, terminal: &Terminal) -> Result<Outcome, Error> {
        for path in self.peers.iter_mut().chain(&mut self.read_only) {
            // A path into a vendor directory means the package.
            if let Some((_, package)) = path.split_once("/vendor/") {
                *path = package.to_owned();
            }
        }
        let header = match &self.header_file {
            Some(path) => std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?,
            None => String::new(),
        };
        let options = Options {
            header: header.replace("YEAR", &self.year.clone().unwrap_or_else(current_year)),
            build_tag: self.build_tag.clone(),
            defaults: self.defaults.clone(),
            validations: self.validations.clone(),
            profile: self.input.profile().into(),
            excluded: match &self.test_allowlist {
                Some(path) => allowlist::read(path)?,
                None => Vec::new(),
            },
            ..Options::default()
        };
        flow.run(terminal, &|| self.make(&options, terminal))
    }

    fn make(&self, options: &Options, terminal: &Terminal) -> Result<Made, Error> {
        let following = Following {
            tags: TYPES_FROM,
            peers: &self.peers,
            build_tag: Some(&self.build_tag)
                .filter(|tag| !tag.is_empty())
                .map(String::as_str),
        };
        let (read, named) = self.input.read_following(terminal, &following)?;
        let mut findings = self.findings(&read, &named);
        let options = Options {
            packages: Some(named.asked),
            peers: named.peers,
            ..options.clone()
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
    fn findings(&self, read: &Read, named: &Named) -> Vec<Diagnostic> {
        let input = kindsmith_lint::Input {
            schema: &read.schema,
            origins: &read.origins,
            read_only: &self.read_only,
        };
        let mut findings = kindsmith_lint::check(input);
        let files_of = |wanted: &dyn Fn(&str) -> bool| -> HashSet<_> {
            let packages = read.packages.iter().filter(|package| wanted(&package.path));
            packages
                .flat_map(|package| package.files.iter().map(|file| file.id))
                .collect()
        };
        let is_asked = |path: &str| named.asked.iter().any(|asked| **asked == *path);
        let others = files_of(&|path| !is_asked(path));
        findings.retain(|finding| !others.contains(&finding.span.file));
        // Of peers only the functions matter.
        let peers = files_of(&|path| !is_asked(path) && named.peers.iter().any(|peer| **peer == *path));
        let diagnostics = read.diagnostics.iter();
        findings.extend(
            diagnostics
                .filter(|finding| !peers.contains(&finding.span.file))
                .cloned(),
        );
        findings.retain(|finding| concerns(finding, self.only));
        findings.extend(lint_rule::check(read, &named.asked, &self.lint_rules));
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
fn concerns(finding: &Diagnostic, only: Option<Code>) -> bool {
    const OTHERS: [&str; 4] = [
        "controller-gen:",
        "OpenAPI code generation error",
        "openapi-gen:",
        "client-gen:",
    ];
    let text = finding.upstream.as_deref().unwrap_or(&finding.message);
    let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| text.starts_with(beginning));
    // Two defaults, or one that is no JSON, are refused by all who read them.
    let of_defaults = matches!(finding.code, "default-duplicate" | "default-syntax")
        || starts(&["defaulter-gen:", "+k8s:defaulter-gen"]);
    let of_validations = !of_defaults && !starts(&OTHERS) && !finding.code.starts_with("openapi-");
    // What nobody upstream has words for is wrong in Go.
    let of_all = finding.upstream.is_none() && of_validations;
    let counts = match only {
        None => of_defaults || of_validations,
        Some(Code::Defaults) => of_defaults || of_all,
        Some(Code::Validations) => of_validations,
    };
    finding.severity == Severity::Error && counts
}

/// The year that upstream's tools put into headers.
fn current_year() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs().cast_signed());
    let time = Time::from_unix(seconds, 0).map(|time| time.format(Layout::Rfc3339));
    time.and_then(|text| text.split('-').next().map(str::to_owned))
        .unwrap_or_default()
}
