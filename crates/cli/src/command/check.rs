//! `kindsmith check`: the API server's answer to manifests, for people.

mod explain;
mod findings;
mod manifest;
mod policies;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use kindsmith::local_api;
use kindsmith::{ArenaReview, Kinds, OptionSet, Write, go_types, is_definition};
use kindsmith_go::Read;
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value, to_string_pretty};
use kindsmith_server::Gates;
use kindsmith_source::render::{Report, Summary};
use kindsmith_source::{Diagnostic, SourceMap};

use crate::Outcome;
use crate::error::Error;
use crate::schemas::{CrdsArgs, OptionArgs, TypesArgs, find_files};
use crate::terminal::Terminal;
use findings::Findings;
use manifest::Manifest;
use policies::Policies;

/// Check manifests: built-in kinds, kinds of CRDs, and types of Go API packages
///
/// Fills in defaults and validates every document as the Kubernetes API server would, and shows each error at its
/// place in the manifest, with the tag that requires it. With `--old` only changes are validated. The schema is found
/// by apiVersion and kind; a document without one is an error. CRDs among the manifests are checked as the server checks
/// them, and used for the other documents. Lists are opened.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith check deployment.yaml
  kindsmith check ./manifests --crds ./crds
  helm template ./chart | kindsmith check -
  kindsmith check -f thing.yaml --types ./api/v1
  kindsmith check thing.yaml --crds ./crds
  kindsmith check crd.yaml                                   check the CRD itself
  kindsmith check -f new.yaml --old old.yaml --types ./api/v1
  kindsmith check -f thing.yaml --types ./api/v1 -o yaml     print the object with its defaults
  kindsmith check -f thing.yaml --types ./api/v1 --explain   print each step and why
  kindsmith check manifests/ --policies ./policies           try admission policies")]
pub struct Args {
    /// Files with YAML or JSON manifests, or directories of such files; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "files")]
    more_files: Vec<PathBuf>,
    /// Same as FILE, for kubectl users
    #[arg(short = 'f', long = "file", value_name = "FILE", num_args = 1..)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Files with admission policies and bindings, and the namespaces and parameters they need
    #[arg(long, value_name = "PATH", conflicts_with = "subresource")]
    policies: Option<PathBuf>,
    /// The objects before the update, document by document
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,
    /// The Go type of the documents; their `kind` by default
    #[arg(long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// The subresource to write, such as `status`
    #[arg(long, value_name = "PATH")]
    subresource: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Only warn about documents without a schema
    #[arg(long)]
    allow_unknown_kinds: bool,
    /// Print what each step did and why
    #[arg(long)]
    explain: bool,
    /// Print the resulting objects; findings then go to standard error
    #[arg(short = 'o', long = "output", value_name = "FORMAT")]
    output: Option<Format>,
}

/// The format for objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// YAML documents
    Yaml,
    /// One JSON document per object
    Json,
}

/// What was checked.
#[derive(Debug, Clone, Copy)]
struct Checked {
    objects: usize,
    files: usize,
}

impl Checked {
    /// The last line: `3 objects in 2 files, 1 error`.
    fn line(self, summary: &Summary) -> String {
        let count = |number: usize, noun: &str| match number {
            1 => format!("1 {noun}"),
            number => format!("{number} {noun}s"),
        };
        let mut line = format!(
            "{} in {}, {}",
            count(self.objects, "object"),
            count(self.files, "file"),
            count(summary.errors, "error")
        );
        if summary.warnings > 0 {
            line.push_str(&format!(", {}", count(summary.warnings, "warning")));
        }
        line
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut read = self.types.read(terminal)?;
        let arena = Arena::new();
        let mut findings = Findings::default();
        let mut manifests = Vec::new();
        let mut files = 0;
        for path in self.more_files.iter().chain(&self.files) {
            for file in self.files_at(path, &mut read.sources, &mut findings)? {
                manifests.extend(manifest::read(&file, &arena, &mut read.sources, &mut findings)?);
                files += 1;
            }
        }
        let old = match &self.old {
            Some(file) => manifest::read(file, &arena, &mut read.sources, &mut findings)?,
            None => Vec::new(),
        };
        let mut crds = self.crds.read(terminal)?;
        for manifest in &manifests {
            crds.learn(manifest.value);
        }
        let policies = match &self.policies {
            Some(directory) => {
                let mut options = self.types.options(&Gates::default(), &self.options, terminal)?;
                options.checks_policies = true;
                let policies = Policies::read(directory, &arena, &mut read.sources, &mut findings, options)?;
                self.crds.define(policies.api(), terminal)?;
                prepare(&policies, (&manifests, &old), &mut findings)?;
                Some(policies)
            }
            None => None,
        };
        let read = Arc::new(read);
        let kinds = self.types.kinds(&read, crds);
        let options = self.options.set();
        let mut text = String::new();
        for (index, manifest) in manifests.iter().enumerate() {
            let arena = Arena::new();
            let old = old.get(index).map(|old| old.value);
            let (api_version, kind) = manifest.identity();
            let write = Write {
                // The many defaults of built-in kinds are no news.
                is_traced: self.explain || !kinds.is_builtin(api_version, kind),
                ..self.write(manifest, old, &options)
            };
            let review = self.review(&kinds, manifest, &arena, &write)?;
            if let Some(policies) = &policies
                && !is_definition(manifest.value)
            {
                policies.judge(manifest, old.is_some(), review.is_some(), &mut findings);
            }
            match review {
                Some(review) => {
                    findings.review(manifest, &read, &review);
                    text.push_str(&self.shown(manifest, &read, review));
                }
                None if policies.as_ref().is_some_and(|policies| policies.knows(manifest)) => {}
                None => findings.no_schema(
                    manifest,
                    kinds.suggestion(api_version, kind),
                    self.allow_unknown_kinds,
                ),
            }
        }
        let checked = Checked {
            objects: manifests.len(),
            files,
        };
        self.report(terminal, &read, &findings, (&text, checked))
    }

    /// The files to check at a path. Others in a directory are reported.
    fn files_at(
        &self,
        path: &Path,
        sources: &mut SourceMap,
        findings: &mut Findings,
    ) -> Result<Vec<PathBuf>, Error> {
        if path.as_os_str() == manifest::STANDARD_INPUT {
            return Ok(vec![path.to_owned()]);
        }
        let files = find_files(path)?;
        if files.is_empty() {
            return Err(Error::input(format!("no manifests in {}", path.display()))
                .hint("manifests end in .yaml, .yml or .json"));
        }
        let skipped = kindsmith::files::others(path);
        for file in skipped.map_err(|error| Error::input(format!("cannot read {error}")))? {
            findings.skipped(&file, sources);
        }
        Ok(files)
    }

    fn write<'a>(
        &'a self,
        manifest: &Manifest<'a>,
        old: Option<Value<'a>>,
        options: &'a OptionSet,
    ) -> Write<'a> {
        let subresource = self.subresource.as_deref().unwrap_or_default();
        let write = match old {
            Some(old) => Write::update(old, manifest.value),
            None => Write::create(manifest.value),
        };
        Write {
            subresource: subresource.trim_matches('/'),
            options: Some(options),
            profile: self.types.profile.into(),
            is_traced: true,
            ..write
        }
    }

    /// Runs a document through the API server's write steps; `None` if there is no schema for it.
    fn review<'a>(
        &self,
        kinds: &'a Kinds,
        manifest: &Manifest<'a>,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Result<Option<ArenaReview<'a>>, Error> {
        let Some(go_types) = kinds.go_types() else {
            return Ok(kinds.review(arena, write).ok());
        };
        let (api_version, kind) = manifest.identity();
        let is_custom = is_definition(manifest.value) || kinds.crds().of_object(api_version, kind).is_some();
        let is_known = is_custom || kinds.is_builtin(api_version, kind) || go_types.find(None, kind).is_err();
        if self.ty.is_none() && is_known && manifest.kind().is_some() {
            return Ok(kinds.review(arena, write).ok());
        }
        let name = self.ty.as_deref().or_else(|| manifest.kind());
        let name =
            name.ok_or_else(|| Error::input("a document has no `kind`").hint("name its type with `--type`"))?;
        let schema = &go_types.read().schema;
        let asked = self
            .ty
            .is_none()
            .then(|| go_types::kind_of(schema, api_version, kind));
        let kind = asked.flatten();
        let ty = match kind {
            Some(kind) => kind.ty,
            None => go_types.find(None, name).map_err(Error::input)?,
        };
        // A kind is known by group and version too; other types have neither.
        if self.ty.is_none() && kind.is_none() && schema.kinds().iter().any(|known| known.ty == ty) {
            return Ok(None);
        }
        let plan = go_types.plan(ty, write.profile);
        let mut review = go_types::review(plan, arena, write);
        if let Some(kind) = kind {
            go_types::review_metadata(kind, arena, write.object, &mut review);
        }
        Ok(Some(review.map(|object| plan.encoded(arena, object))))
    }

    /// The trace and the object, if requested.
    fn shown(&self, manifest: &Manifest<'_>, read: &Read, review: ArenaReview<'_>) -> String {
        let mut text = String::new();
        if self.explain {
            let name = self.ty.as_deref().or_else(|| manifest.kind());
            text.push_str(&explain::tree(name.unwrap_or_default(), read, review.trace));
        }
        match (self.output, review.object) {
            (Some(Format::Yaml), Some(object)) => {
                text += &format!("---\n{}", kindsmith_json::write::to_yaml(object, Order::Kept));
            }
            (Some(Format::Json), Some(object)) => text += &format!("{}\n", to_string_pretty(object)),
            _ => {}
        }
        text
    }

    fn report(
        &self,
        terminal: &Terminal,
        read: &Read,
        findings: &Findings,
        (text, checked): (&str, Checked),
    ) -> Result<Outcome, Error> {
        let shown: Vec<Diagnostic> = findings.all(!self.explain);
        let report = Report::new(&read.sources, &shown);
        let summary = report.summary();
        if self.output.is_some() {
            terminal.print(text)?;
            terminal.say(report.text(terminal.style()).trim_end());
        } else {
            terminal.print(&report.text(terminal.style()))?;
            terminal.print(text)?;
        }
        terminal.say(&checked.line(&summary));
        match summary.errors {
            0 => Ok(Outcome::Clean),
            _ => Ok(Outcome::Findings),
        }
    }
}

/// Lets the server of policies know kinds and old objects, then puts the policies in force.
fn prepare(
    policies: &Policies<'_>,
    (manifests, old): (&[Manifest<'_>], &[Manifest<'_>]),
    findings: &mut Findings,
) -> Result<(), Error> {
    for manifest in manifests.iter().filter(|manifest| is_definition(manifest.value)) {
        // A CRD that the server refuses is a finding of its own.
        let _ = local_api::define(policies.api(), &kindsmith_json::to_string(manifest.value));
    }
    for old in old {
        policies.store(old)?;
    }
    policies.enforce(findings);
    Ok(())
}
