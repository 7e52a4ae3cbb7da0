//! `kindsmith check`: what the API server would say of manifests, for people.

mod explain;
mod findings;
mod manifest;

use std::path::PathBuf;

use clap::ValueEnum;
use kindsmith_engine::{Change, Defaulting, Operation, OptionSet, Plan};
use kindsmith_go::Read;
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value, to_string_pretty};
use kindsmith_object::Event;
use kindsmith_source::Diagnostic;
use kindsmith_source::render::Report;

use crate::Outcome;
use crate::crds::{CrdsArgs, find_files};
use crate::customs::{self, Asked, Customs, Judged};
use crate::error::Error;
use crate::plans::{Plans, TypesArgs};
use crate::terminal::Terminal;
use explain::Story;
use findings::Findings;
use manifest::Manifest;

/// Check manifests against CRDs or the types of Go API packages
///
/// Fills in defaults and validates every document as the Kubernetes API server would, and shows each error at its
/// place in the manifest, with the tag that asks for it. With `--old` only what changed is validated. Manifests find
/// their schema by apiVersion and kind. CRDs among them are checked as the server checks CRDs, and are known to the
/// other documents.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith check -f thing.yaml --types ./api/v1
  kindsmith check thing.yaml --crds ./crds
  kindsmith check crd.yaml                                   what the server says to the CRD itself
  kindsmith check -f new.yaml --old old.yaml --types ./api/v1
  kindsmith check -f thing.yaml --types ./api/v1 -o yaml     print the object with its defaults
  kindsmith check -f thing.yaml --types ./api/v1 --explain   print what was done and why")]
pub struct Args {
    /// Files with YAML or JSON manifests, or directories of such files
    #[arg(value_name = "FILE", required_unless_present = "files")]
    more_files: Vec<PathBuf>,
    /// The same, as other tools want it
    #[arg(short = 'f', long = "file", value_name = "FILE", num_args = 1..)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    /// What the objects were before, document by document
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,
    /// The type of the documents; their `kind` by default
    #[arg(long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// The subresource that is written, such as `status`
    #[arg(long, value_name = "PATH")]
    subresource: Option<String>,
    /// Turn a validation option on or off
    #[arg(long = "option", value_name = "NAME=BOOL", value_parser = option)]
    options: Vec<(String, bool)>,
    /// Print what every pass did and why
    #[arg(long)]
    explain: bool,
    /// Print the resulting objects; findings then go to standard error
    #[arg(short = 'o', long = "output", value_name = "FORMAT")]
    output: Option<Format>,
}

/// The shape objects are printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// YAML documents
    Yaml,
    /// One JSON document per object
    Json,
}

fn option(text: &str) -> Result<(String, bool), String> {
    let wrong = || "write it as `Name=true` or `Name=false`".to_owned();
    let (name, on) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.to_owned(), on.parse().map_err(|_| wrong())?))
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut read = self.types.read(terminal)?;
        let arena = Arena::new();
        let mut findings = Findings::default();
        let mut manifests = Vec::new();
        let mut files = Vec::new();
        for path in self.more_files.iter().chain(&self.files) {
            find_files(path, &mut files)?;
        }
        for file in &files {
            manifests.extend(manifest::read(file, &arena, &mut read.sources, &mut findings)?);
        }
        let old = match &self.old {
            Some(file) => manifest::read(file, &arena, &mut read.sources, &mut findings)?,
            None => Vec::new(),
        };
        let mut crds = self.crds.read(terminal)?;
        for manifest in &manifests {
            crds.learn(manifest.value);
        }
        let mut customs = Customs::new(crds);
        let mut plans = Plans::new(&read.schema);
        let mut text = String::new();
        for (index, manifest) in manifests.iter().enumerate() {
            let old = old.get(index).map(|old| old.value);
            if !self.check_custom(manifest, old, &read, &mut customs, &mut findings, &mut text) {
                self.check(manifest, old, &read, &mut plans, &mut findings, &mut text)?;
            }
        }
        self.report(terminal, &read, &findings, &text)
    }

    /// Checks a CRD or an object of one; `false` if it is neither.
    fn check_custom(
        &self,
        manifest: &Manifest<'_>,
        old: Option<Value<'_>>,
        read: &Read,
        customs: &mut Customs,
        findings: &mut Findings,
        text: &mut String,
    ) -> bool {
        let arena = Arena::new();
        let (api_version, kind) = manifest.identity();
        if self.ty.is_none() && customs::is_definition(manifest.value) {
            let judged = customs::judge_definition(manifest.value, old);
            self.tell(manifest, &judged, kind, read, findings, text);
            return true;
        }
        let known = customs.resource(api_version, kind).filter(|_| self.ty.is_none());
        let Some((resource, version)) = known else {
            let nobody_knows = self.types.is_empty();
            if nobody_knows {
                findings.no_schema(manifest, api_version, kind);
            }
            return nobody_knows;
        };
        let asked = Asked {
            object: manifest.value,
            old,
            subresource: self.subresource.as_deref().unwrap_or_default().trim_matches('/'),
        };
        let judged = customs::judge(resource, &version, &arena, &asked);
        self.tell(manifest, &judged, kind, read, findings, text);
        true
    }

    fn tell(
        &self,
        manifest: &Manifest<'_>,
        judged: &Judged<'_>,
        name: &str,
        read: &Read,
        findings: &mut Findings,
        text: &mut String,
    ) {
        findings.judged(manifest, judged);
        let mut story = Story::new(read, self.explain);
        story.tell(judged);
        text.push_str(&story.render(name));
        if let Some(object) = judged.object {
            self.print(object, text);
        }
    }

    fn print(&self, object: Value<'_>, text: &mut String) {
        match self.output {
            Some(Format::Yaml) => {
                *text += &format!("---\n{}", kindsmith_json::write::to_yaml(object, Order::Kept));
            }
            Some(Format::Json) => *text += &format!("{}\n", to_string_pretty(object)),
            None => {}
        }
    }

    fn check(
        &self,
        manifest: &Manifest<'_>,
        old: Option<Value<'_>>,
        read: &Read,
        plans: &mut Plans<'_>,
        findings: &mut Findings,
        text: &mut String,
    ) -> Result<(), Error> {
        let name = self.ty.as_deref().or_else(|| manifest.kind());
        let name =
            name.ok_or_else(|| Error::input("a document has no `kind`").hint("name its type with `--type`"))?;
        let id = plans.find(None, name).map_err(Error::input)?;
        let plan = plans.plan(id, self.types.profile.into());
        findings.unknown_fields(manifest, plan);
        if let Err(error) = plan.decode(manifest.value) {
            findings.undecodable(manifest, &error);
            return Ok(());
        }
        let arena = Arena::new();
        let mut story = Story::new(read, self.explain);
        let object = self.passes(plan, &arena, manifest, old, read, findings, &mut story);
        text.push_str(&story.render(name));
        if self.output.is_some() {
            self.print(plan.encoded(&arena, object), text);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the passes share them all")]
    fn passes<'a>(
        &self,
        plan: &'a Plan,
        arena: &'a Arena,
        manifest: &Manifest<'a>,
        old: Option<Value<'a>>,
        read: &Read,
        findings: &mut Findings,
        story: &mut Story<'_>,
    ) -> Value<'a> {
        let object = plan.prune_traced(arena, manifest.value, &mut |event: Event<'_>| story.note(&event));
        let how = Defaulting::default();
        let object = plan.default_traced(arena, object, &how, &mut |event: Event<'_>| {
            findings.defaulted(manifest, read, &event);
            story.note(&event);
        });
        let options: OptionSet = self.options.iter().cloned().collect();
        let subresources: Vec<&str> = self
            .subresource
            .iter()
            .flat_map(|path| path.trim_matches('/').split('/'))
            .filter(|part| !part.is_empty())
            .collect();
        let change = Change {
            operation: match old {
                Some(_) => Operation::Update,
                None => Operation::Create,
            },
            new: object,
            old,
            options: Some(&options),
            subresources: &subresources,
            custom: None,
        };
        let errors = plan.validate_traced(&change, &mut |event: Event<'_>| story.note(&event));
        for error in &errors {
            findings.invalid(manifest, read, error);
        }
        object
    }

    fn report(
        &self,
        terminal: &Terminal,
        read: &Read,
        findings: &Findings,
        text: &str,
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
        terminal.say(&summary.to_string());
        match summary.errors {
            0 => Ok(Outcome::Clean),
            _ => Ok(Outcome::Findings),
        }
    }
}
