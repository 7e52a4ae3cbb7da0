//! `kindsmith check`: the API server's answer to manifests, for people.

mod bounds;
mod crd_lines;
mod cure;
mod explain;
mod findings;
mod glob;
mod kustomize;
pub(super) mod manifest;
mod old;
mod parallel;
mod policies;
mod release;
mod select;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith::local_api;
use kindsmith::{ArenaReview, Kinds, OptionSet, Write, go_types, is_definition};
use kindsmith_go::Read;
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value};
use kindsmith_object::GroupVersion;
use kindsmith_server::Gates;
use kindsmith_source::render::{Report, Summary};
use kindsmith_source::{Diagnostic, FileId, Severity, SourceMap};

use crate::Outcome;
use crate::error::Error;
use crate::finding;
use crate::output::{Format, ObjectFormat};
use crate::schemas::{CrdsArgs, OptionArgs, TypesArgs, find_files};
use crate::terminal::Terminal;
pub(super) use crd_lines::CrdLines;
pub(super) use findings::Findings;
use manifest::{Loaded, Manifest};
use old::Old;
use policies::Policies;
use release::Release;
use select::Changed;

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
  kindsmith check -f thing.yaml --types ./api/v1 --print yaml
                                                             print the object with its defaults
  kindsmith check ./manifests --changed-since origin/main -o github
                                                             annotate a pull request
  kindsmith check ./new --old ./deployed                     what updates would say
  kindsmith check ./manifests --kubernetes-version 1.33      kinds and fields of an older release
  kindsmith check -f thing.yaml --types ./api/v1 --explain   print each step and why
  kindsmith check manifests/ --policies ./policies           try admission policies")]
pub struct Args {
    /// Files with YAML or JSON manifests, directories of such files, or patterns (`'**/*.yaml'`); `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "files")]
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
    /// The release of Kubernetes whose kinds and fields count, 1.29 to 1.38; the newest by default
    #[arg(long, value_name = "VERSION", value_parser = release::parse)]
    kubernetes_version: Option<Release>,
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

/// What was checked.
#[derive(Debug, Clone, Copy)]
struct Checked {
    objects: usize,
    files: usize,
    /// Files of directories without objects.
    others: usize,
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
        if self.others > 0 {
            line.push_str(&format!("; {} without objects", count(self.others, "other file")));
        }
        line
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut read = self.types.read(terminal)?;
        let mut findings = Findings::new(self.lenient);
        let changed = self.changed_since.as_deref().map(Changed::since).transpose()?;
        let (loaded, mut wanted) = self.load(changed.as_ref(), &mut read.sources, &mut findings)?;
        let mut arenas: Vec<Arena> = loaded.iter().map(|_| Arena::new()).collect();
        let manifests = parallel::parsed(&loaded, &mut arenas, self.lenient, &mut findings);
        let arena = Arena::new();
        let old = match &self.old {
            Some(path) => self.old(path, &arena, &mut read.sources, &mut findings)?,
            None => Old::new(Vec::new(), false),
        };
        let mut crds = self.crds.read(terminal)?;
        for manifest in &manifests {
            crds.learn(manifest.value);
        }
        let lines = if self.explain {
            CrdLines::read(&manifests, &self.crds, &arena, &mut read.sources)?
        } else {
            CrdLines::default()
        };
        let policies = self.policies(&arena, &mut read.sources, &mut findings, terminal)?;
        if let Some(policies) = &policies {
            prepare(policies, (&manifests, old.all()), &mut findings)?;
        }
        if let Some(changed) = &changed {
            self.widen(changed, &loaded, &manifests, &mut wanted);
            findings.retain_in(&wanted);
        }
        let read = Arc::new(read);
        let run = Run {
            args: &self,
            kinds: self.types.kinds(&read, crds, terminal)?,
            options: self.options.set(),
            read: &read,
            lines,
            old,
        };
        let jobs: Vec<(usize, &Manifest<'_>)> = manifests
            .iter()
            .enumerate()
            .filter(|(_, manifest)| wanted.contains(&manifest.file))
            .collect();
        let reviewed = match &policies {
            Some(policies) => run.all(&jobs, Some(policies)),
            None => parallel::each(&jobs, |jobs| run.all(jobs, None)),
        };
        let mut text = String::new();
        for part in reviewed? {
            findings.append(part.findings);
            text.push_str(&part.text);
        }
        if jobs.is_empty() && changed.is_none() && !self.lenient && findings.errors() == 0 {
            return Err(nothing_checked(terminal, &read, &findings));
        }
        let with_objects = jobs.iter().map(|(_, manifest)| manifest.file);
        let with_findings = findings.files().filter(|file| wanted.contains(file));
        let files: HashSet<FileId> = with_objects.chain(with_findings).collect();
        let checked = Checked {
            objects: jobs.len(),
            files: files.len(),
            others: findings.others(),
        };
        self.report(terminal, &read, &findings, (&text, checked, &wanted))
    }

    /// Reads the files, and says which of them are to be checked: those that changed, if only they are.
    fn load(
        &self,
        changed: Option<&Changed>,
        sources: &mut SourceMap,
        findings: &mut Findings,
    ) -> Result<(Vec<Loaded>, HashSet<FileId>), Error> {
        let paths = self.more_files.iter().chain(&self.files);
        let (mut loaded, mut wanted) = (Vec::new(), HashSet::new());
        for file in &select::files(paths, sources, findings)? {
            let found = manifest::load(file, sources, findings);
            if changed.is_none_or(|changed| changed.has(&file.path)) {
                wanted.extend(found.as_ref().map(|found| found.file));
            }
            loaded.extend(found);
        }
        Ok((loaded, wanted))
    }

    /// The policies to check objects against, with the CRDs that they may be about.
    fn policies<'a>(
        &self,
        arena: &'a Arena,
        sources: &mut SourceMap,
        findings: &mut Findings,
        terminal: &Terminal,
    ) -> Result<Option<Policies<'a>>, Error> {
        let Some(directory) = &self.policies else {
            return Ok(None);
        };
        let (mut options, crds) = self.types.options(&Gates::default(), &self.options, terminal)?;
        options.admission.checks_policies = true;
        let policies = Policies::read(directory, arena, sources, findings, options)?;
        self.crds.define(policies.api(), terminal)?;
        crds.define(policies.api())?;
        Ok(Some(policies))
    }

    /// The objects before the update.
    fn old<'a>(
        &self,
        path: &Path,
        arena: &'a Arena,
        sources: &mut SourceMap,
        findings: &mut Findings,
    ) -> Result<Old<'a>, Error> {
        let mut manifests = Vec::new();
        for file in find_files(path)? {
            manifests.extend(manifest::read(&file, arena, sources, findings));
        }
        Ok(Old::new(manifests, !path.is_dir()))
    }

    /// Adds files that did not change, but whose verdict may have: everything if schemas or policies changed, and
    /// objects of CRDs that changed.
    fn widen(
        &self,
        changed: &Changed,
        loaded: &[Loaded],
        manifests: &[Manifest<'_>],
        wanted: &mut HashSet<FileId>,
    ) {
        let types = self.types.directories();
        let mut schemas = self.crds.paths().iter().chain(&types).chain(&self.policies);
        if schemas.any(|path| changed.has_below(path)) {
            wanted.extend(loaded.iter().map(|loaded| loaded.file));
            return;
        }
        let definitions = manifests
            .iter()
            .filter(|manifest| wanted.contains(&manifest.file) && is_definition(manifest.value));
        let kinds: HashSet<(&str, &str)> = definitions.filter_map(Manifest::defined).collect();
        let is_of_them = |manifest: &&Manifest<'_>| {
            let (api_version, kind) = manifest.identity();
            let GroupVersion { group, .. } = GroupVersion::parse(api_version).unwrap_or_default();
            kinds.contains(&(group, kind))
        };
        wanted.extend(manifests.iter().filter(is_of_them).map(|manifest| manifest.file));
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
            None => go_types
                .find(None, name)
                .map_err(|error| Error::input(error.to_string()))?,
        };
        let declared = schema.kinds().iter().find(|kind| kind.ty == ty);
        if let Some((version, kind)) = declared.map(go_types::identity)
            && kinds.crds().of_object(&version, kind).is_some()
        {
            return Ok(kinds.review_as(&version, kind, arena, write).ok());
        }
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
    fn shown(
        &self,
        manifest: &Manifest<'_>,
        places: (&Read, &CrdLines<'_>),
        review: ArenaReview<'_>,
    ) -> String {
        let mut text = String::new();
        if self.explain {
            let name = self.ty.as_deref().or_else(|| manifest.kind());
            let tree = explain::tree(
                name.unwrap_or_default(),
                manifest.identity(),
                places,
                review.trace,
            );
            text.push_str(&tree);
        }
        if let (Some(format), Some(object)) = (self.print, review.object) {
            text += &format.document(object, Order::Kept);
        }
        text
    }

    fn report(
        &self,
        terminal: &Terminal,
        read: &Read,
        findings: &Findings,
        (text, checked, files): (&str, Checked, &HashSet<FileId>),
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

/// What all reviews share.
struct Run<'r, 'a> {
    args: &'r Args,
    kinds: Kinds,
    options: OptionSet,
    read: &'r Read,
    lines: CrdLines<'a>,
    old: Old<'a>,
}

/// What some reviews found, and the text to print.
#[derive(Default)]
struct Part {
    findings: Findings,
    text: String,
}

impl<'a> Run<'_, 'a> {
    fn all(
        &self,
        jobs: &[(usize, &Manifest<'a>)],
        policies: Option<&Policies<'a>>,
    ) -> Result<Vec<Part>, Error> {
        let mut part = Part {
            findings: Findings::new(self.args.lenient),
            text: String::new(),
        };
        for (index, manifest) in jobs {
            self.one(*index, manifest, policies, &mut part)?;
        }
        Ok(vec![part])
    }

    fn one(
        &self,
        index: usize,
        manifest: &Manifest<'a>,
        policies: Option<&Policies<'a>>,
        part: &mut Part,
    ) -> Result<(), Error> {
        let (args, kinds) = (self.args, &self.kinds);
        let arena = Arena::new();
        let old = self.old.of(index, manifest);
        let (api_version, kind) = manifest.identity();
        let write = Write {
            // The many defaults of built-in kinds are no news.
            is_traced: args.explain || (args.notes && !kinds.is_builtin(api_version, kind)),
            ..args.write(manifest, old, &self.options)
        };
        let verdict = match &args.kubernetes_version {
            Some(release) if kinds.is_builtin(api_version, kind) => {
                let verdict = release.judge(api_version, kind, manifest.value);
                if let Some(since) = &verdict.kind_since {
                    part.findings.later_kind(manifest, &release.name(), since);
                    return Ok(());
                }
                verdict
            }
            _ => release::Verdict::default(),
        };
        let mut review = args.review(kinds, manifest, &arena, &write)?;
        if let Some(review) = &mut review {
            review
                .warnings
                .retain(|warning| !verdict.known.contains(&warning.path));
        }
        part.findings.later_fields(manifest, &verdict.unknown);
        if let Some(policies) = policies
            && !is_definition(manifest.value)
        {
            policies.judge(manifest, old.is_some(), review.is_some(), &mut part.findings);
        }
        let places = (self.read, &self.lines);
        match review {
            Some(review) => {
                part.findings.review(kinds, manifest, places, &review);
                part.text.push_str(&args.shown(manifest, places, review));
            }
            None if policies.is_some_and(|policies| policies.knows(manifest)) => {}
            None => part.findings.no_schema(
                manifest,
                kinds.suggestion(api_version, kind),
                args.allow_unknown_kinds,
            ),
        }
        Ok(())
    }
}

/// The error of a run without objects, after what was found instead.
fn nothing_checked(terminal: &Terminal, read: &Read, findings: &Findings) -> Error {
    let all = findings.all(false);
    let report = Report::new(&read.sources, &all);
    terminal.warn(report.text(terminal.style()).trim_end());
    Error::input("no object was checked")
        .hint("name files with objects, or pipe what a tool makes into `kindsmith check -`")
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
