//! Reads manifests and schemas, and reviews every object.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith::is_definition;
use kindsmith::local_api;
use kindsmith_go::Read;
use kindsmith_json::Arena;
use kindsmith_object::{GroupVersion, Release};
use kindsmith_server::Gates;
use kindsmith_source::render::{Report, Summary};
use kindsmith_source::{FileId, SourceMap};

use super::old::Old;
use super::policies::Policies;
use super::review::Run;
use super::select::{self, Changed};
use super::stored::Stored;
use super::{Args, broken_rules, parallel};
use crate::error::Error;
use crate::manifest::{self, CrdLines, Findings, Loaded, Manifest};
use crate::schemas::find_files;
use crate::terminal::Terminal;

/// Everything that was found.
pub(super) struct Examined {
    pub(super) read: Arc<Read>,
    pub(super) findings: Findings,
    /// Traces and objects, if requested.
    pub(super) text: String,
    pub(super) checked: Checked,
    /// The objects as they are stored, if an upgrade is asked about.
    pub(super) stored: Vec<Stored>,
    /// The files that were to be checked.
    pub(super) wanted: HashSet<FileId>,
}

/// What was checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checked {
    objects: usize,
    files: usize,
    /// Files of directories without objects.
    others: usize,
    /// Values with placeholders, and names that kustomizations set.
    filled_in: usize,
}

impl Checked {
    /// The last line: `3 objects in 2 files, 1 error`.
    pub(super) fn line(self, summary: &Summary) -> String {
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
        if self.filled_in > 0 {
            line.push_str(&format!(
                "; {} left to other tools",
                count(self.filled_in, "value")
            ));
        }
        line
    }
}

fn counted(
    jobs: &[(usize, &Manifest<'_>)],
    objects: &[FileId],
    findings: &Findings,
    wanted: &HashSet<FileId>,
) -> Checked {
    let with_findings = findings.files().filter(|file| wanted.contains(file));
    let files: HashSet<FileId> = objects.iter().copied().chain(with_findings).collect();
    let read: HashSet<FileId> = jobs.iter().map(|(_, manifest)| manifest.file).collect();
    Checked {
        objects: objects.len(),
        files: files.len(),
        others: findings.others() + read.difference(&files).count(),
        filled_in: findings.filled_in(),
    }
}

impl Args {
    /// Reads and reviews everything.
    pub(super) fn examine(&self, release: Release, terminal: &Terminal) -> Result<Examined, Error> {
        let mut read = self.types.read(terminal)?;
        let mut findings = Findings::new(self.lenient);
        let changed = self.changed_since.as_deref().map(Changed::since).transpose()?;
        let (loaded, mut wanted) = self.load(changed.as_ref(), &mut read.sources, &mut findings)?;
        let mut arenas: Vec<Arena> = loaded.iter().map(|_| Arena::new()).collect();
        let manifests = parallel::parsed(&loaded, &mut arenas, self.lenient, &mut findings);
        let arena = Arena::new();
        // What is wrong with old objects and policies counts whichever files changed.
        let mut others = Findings::new(self.lenient);
        let old = match &self.old {
            Some(path) => self.old(path, &arena, &mut read.sources, &mut others)?,
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
        let policies = self.policies(release, &arena, &mut read.sources, &mut others, terminal)?;
        if let Some(policies) = &policies {
            prepare(policies, (&manifests, old.all()), &mut others)?;
        }
        if let Some(changed) = &changed {
            self.widen(changed, &loaded, &manifests, &mut wanted);
            findings.retain_in(&wanted);
        }
        findings.append(others);
        let mut read = Arc::new(read);
        let run = Run {
            args: self,
            kinds: self.types.kinds(&read, crds, terminal)?.with_release(release),
            release: super::release::Release::new(release),
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
        let mut objects = Vec::new();
        let mut stored = Vec::new();
        for part in reviewed? {
            findings.append(part.findings);
            text.push_str(&part.text);
            objects.extend(part.objects);
            stored.extend(part.stored);
        }
        drop(run);
        if let Some(read) = Arc::get_mut(&mut read).filter(|_| findings.has_broken_rules()) {
            broken_rules::locate(self, (&manifests, &arena), read, &mut findings)?;
        }
        if jobs.is_empty() && changed.is_none() && !self.lenient && findings.errors() == 0 {
            return Err(nothing_checked(terminal, &read, &findings));
        }
        Ok(Examined {
            read,
            checked: counted(&jobs, &objects, &findings, &wanted),
            findings,
            text,
            stored,
            wanted,
        })
    }

    /// Reads the files, and says which of them are to be checked: those that changed, if only they are.
    fn load(
        &self,
        changed: Option<&Changed>,
        sources: &mut SourceMap,
        findings: &mut Findings,
    ) -> Result<(Vec<Loaded>, HashSet<FileId>), Error> {
        let here = [PathBuf::from(".")];
        let is_here = self.more_files.is_empty() && self.files.is_empty();
        let paths = self.more_files.iter().chain(&self.files);
        let paths = paths.chain(here.iter().filter(|_| is_here));
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
        release: Release,
        arena: &'a Arena,
        sources: &mut SourceMap,
        findings: &mut Findings,
        terminal: &Terminal,
    ) -> Result<Option<Policies<'a>>, Error> {
        let Some(directory) = &self.policies else {
            return Ok(None);
        };
        let (mut options, crds) = self.types.options(&Gates::of(release), &self.options, terminal)?;
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
