//! `kindsmith check`: the API server's answer to manifests, for people.

mod across;
mod broken_rules;
mod examine;
mod explain;
mod fix;
mod glob;
mod kustomize;
mod old;
mod parallel;
mod policies;
mod release;
mod review;
mod select;
mod stored;

use std::path::PathBuf;

use kindsmith_source::render::Report;
use kindsmith_source::{Diagnostic, Severity};

use crate::Outcome;
use crate::error::Error;
use crate::finding;
use crate::manifest;
use crate::output::{Format, ObjectFormat};
use crate::schemas::{CrdsArgs, OptionArgs, TypesArgs};
use crate::terminal::Terminal;
use examine::Examined;
use release::Range;

/// Check manifests: built-in kinds, kinds of CRDs, and types of Go API packages
///
/// Fills in defaults and validates every document as the Kubernetes API server would, and shows each error at its
/// place in the manifest, with the tag that requires it. With `--old` only changes are validated. The schema is found
/// by apiVersion and kind; a document without one is an error. CRDs among the manifests are checked as the server checks
/// them, and used for the other documents. Lists are opened.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith check                                            all manifests here and below
  kindsmith check deployment.yaml
  kindsmith check ./manifests --crds ./crds
  helm template ./chart | kindsmith check -
  kindsmith check -f thing.yaml --types ./api/v1
  kindsmith check thing.yaml --crds ./crds
  kindsmith check crd.yaml                                   check the CRD itself
  kindsmith check -f new.yaml --old old.yaml --types ./api/v1
  kindsmith check -f thing.yaml --types ./api/v1 --print yaml
                                                             print the object with its defaults
  kindsmith check ./manifests --changed-since origin/main -o github
                                                             annotate a pull request
  kindsmith check ./manifests -o html > report.html          one file to open from CI
  kindsmith check ./new --old ./deployed                     what updates would say
  kindsmith check ./manifests --kubernetes-version 1.35      as an older release answers
  kindsmith check ./manifests --kubernetes-version 1.34..1.37
                                                             which release rejects what
  kindsmith check ./manifests --upgrade 1.35..1.37           what an upgrade changes
  kindsmith check ./manifests --fix                          fix quotes and misspelt case
  kindsmith check -f thing.yaml --types ./api/v1 --explain   print each step and why
  kindsmith check manifests/ --policies ./policies           try admission policies")]
pub struct Args {
    /// Files with YAML or JSON manifests, directories of such files, or patterns (`'**/*.yaml'`); `-` is standard input
    /// [default: the current directory]
    #[arg(value_name = "FILE")]
    more_files: Vec<PathBuf>,
    /// Same as FILE, for kubectl users
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Files with admission policies and bindings, and the namespaces and parameters they need
    #[arg(long, value_name = "PATH", conflicts_with = "subresource")]
    policies: Option<PathBuf>,
    /// The objects before the update: a file, document by document, or a directory, by kind and name
    #[arg(long, value_name = "PATH")]
    old: Option<PathBuf>,
    /// The release of Kubernetes to answer as: 1.34 to 1.38, and 1.29 to 1.33 for kinds and fields only; a range such as
    /// `1.34..1.37` tells which releases reject what [default: `kubernetes-version` of kindsmith.toml, or 1.37]
    #[arg(long, value_name = "RELEASE", value_parser = release::parse_range)]
    kubernetes_version: Option<Range>,
    /// Tell what an upgrade changes, such as `1.35..1.37`: what stops working, what warns, which values are stored
    #[arg(long, value_name = "RELEASES", value_parser = release::parse_range, conflicts_with_all = ["kubernetes_version", "fix"])]
    upgrade: Option<Range>,
    /// The Go type of the documents; their `kind` by default
    #[arg(long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// The subresource to write, such as `status`
    #[arg(long, value_name = "PATH")]
    subresource: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Check only files that differ from where this branch left a commit, and objects of CRDs that do
    #[arg(long, value_name = "REF")]
    changed_since: Option<String>,
    /// Make the fixes that are safe in the files, then report the rest: quotes around values, or none, the case of
    /// fields and values, and versions that Kubernetes renamed
    #[arg(long, conflicts_with = "print")]
    fix: bool,
    /// Only warn about documents without a schema
    #[arg(long)]
    allow_unknown_kinds: bool,
    /// Only warn about unknown and duplicate fields, unknown kinds and files without objects
    #[arg(long)]
    lenient: bool,
    /// Fail if there are warnings, too
    #[arg(long)]
    warnings_as_errors: bool,
    /// Print notes, too: which fields are defaulted
    #[arg(long)]
    notes: bool,
    /// Print what each step did and why
    #[arg(long)]
    explain: bool,
    /// How to print findings
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    output: Format,
    /// Print the resulting objects; findings then go to standard error
    #[arg(long, value_name = "FORMAT")]
    print: Option<ObjectFormat>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut inputs = self.more_files.iter().chain(&self.files);
        if self.fix && inputs.any(|path| path.as_os_str() == manifest::STANDARD_INPUT) {
            return Err(Error::usage("--fix changes files; standard input is none"));
        }
        let mut examined = self.examine_all(terminal)?;
        if self.fix {
            fix::apply(&self, &mut examined, terminal)?;
        }
        // These formats say of each file whether it is right.
        if !matches!(self.output, Format::Junit | Format::Tap) {
            examined.findings.group();
        }
        self.report(terminal, &examined)
    }

    /// Reads and reviews everything, as each release that was asked for.
    fn examine_all(&self, terminal: &Terminal) -> Result<Examined, Error> {
        if let Some(range) = self.upgrade {
            return across::upgrade(self, &range.releases(), terminal);
        }
        match self.kubernetes_version {
            Some(range) if range.is_one() => self.examine(range.first, terminal),
            Some(range) => across::range(self, &range.releases(), terminal),
            None => self.examine(crate::release::given_or_default(None)?, terminal),
        }
    }

    fn report(
        &self,
        terminal: &Terminal,
        Examined {
            read,
            findings,
            text,
            checked,
            stored: _,
            wanted: files,
        }: &Examined,
    ) -> Result<Outcome, Error> {
        let mut shown: Vec<Diagnostic> = findings.all(self.notes && !self.explain);
        if self.warnings_as_errors {
            let warnings = shown
                .iter_mut()
                .filter(|found| found.severity == Severity::Warning);
            warnings.for_each(|found| found.severity = Severity::Error);
        }
        let report = Report::new(&read.sources, &shown).covering(files.iter().copied());
        let summary = report.summary();
        let rendered = self.output.render(terminal, &report, finding::FINDINGS);
        if self.print.is_some() {
            terminal.print(text)?;
            terminal.say(rendered.trim_end());
        } else {
            terminal.print(&rendered)?;
            match self.output {
                Format::Text => terminal.print(text)?,
                _ => terminal.say(text.trim_end()),
            }
        }
        terminal.say(&checked.line(&summary));
        match summary.errors {
            0 => Ok(Outcome::Clean),
            _ => Ok(Outcome::Findings),
        }
    }
}
