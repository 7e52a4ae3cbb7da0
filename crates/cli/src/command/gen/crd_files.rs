//! Makes the files of CRDs, and says what is wrong with them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use kindsmith_crd::definition::Judge;
use kindsmith_generate::controller_gen::{self, About, Options, Release};
use kindsmith_go::Read;
use kindsmith_schema::{Kind, Owner, Part};
use kindsmith_source::{Diagnostic, Tool};
use kindsmith_tags::finding::KIND_VERSIONS;

use super::controller_gen_words::{Destination, Settings};
use super::files::Artifact;
use super::flow::{Made, refuse_defaults, stops};
use super::sizes::{self, Table};
use crate::crd_findings::place::span;
use crate::crd_size;
use crate::error::Error;
use crate::finding;
use crate::input;
use crate::terminal::Terminal;

/// What a run does with CRDs besides writing them.
#[derive(Debug, Clone)]
pub(super) struct Also {
    pub(super) tags: controller_gen::Tags,
    pub(super) switches: Vec<(String, bool)>,
    pub(super) go_json: bool,
    pub(super) strict: bool,
    pub(super) keep_going: bool,
    pub(super) sizes: bool,
    pub(super) stamp: bool,
    pub(super) profile: input::Profile,
    /// The release of controller-gen to follow; by default the newest.
    pub(super) compat: Option<controller_gen::Release>,
}

/// The options of the generator.
pub(super) fn options(settings: &Settings, also: &Also) -> Result<Options, Error> {
    if let Some(version) = settings.crd_versions.iter().find(|version| *version != "v1") {
        return Err(Error::usage(format!(
            "apiVersion \"apiextensions.k8s.io/{version}\" is not supported"
        )));
    }
    Ok(Options {
        ignore_unexported_fields: settings.ignore_unexported_fields,
        allow_dangerous_types: settings.allow_dangerous_types,
        max_description: settings.max_description,
        embedded_object_meta: settings.embedded_object_meta,
        preserve_unknown_fields: settings.preserve_unknown_fields,
        header: settings.header.text()?,
        tags: also.tags,
        switches: also.switches.clone(),
        go_json: also.go_json,
        profile: also.profile.into(),
        release: also.compat.unwrap_or_default(),
        version: if settings.omit_tool_version {
            String::new()
        } else {
            also.compat.unwrap_or_default().version()
        },
    })
}

/// Says which older release made the CRDs that are about to change, if it was one, and how to follow it.
fn say_who_made_them(artifacts: &[Artifact], also: &Also, terminal: &Terminal) {
    if also.compat.is_some() {
        return;
    }
    let found = artifacts.iter().filter_map(|artifact| {
        let line = version_line_of(&artifact.path)?;
        Some((artifact, Release::of_version(line.rsplit(' ').next()?)?))
    });
    let found: Vec<(&Artifact, Release)> = found.collect();
    let is_older = |release: &Release| *release < Release::default();
    // Files are compared only where the answer matters: they can be large.
    if !found.iter().any(|(_, release)| is_older(release)) {
        return;
    }
    let is_changed =
        |artifact: &Artifact| std::fs::read_to_string(&artifact.path).is_ok_and(|old| old != artifact.text);
    let changed = found.into_iter().filter(|(artifact, _)| is_changed(artifact));
    let newest = changed.map(|(_, release)| release).max();
    if let Some(release) = newest.filter(is_older) {
        let name = release.name();
        terminal.say(&format!(
            "CRDs that change were made by controller-gen {name}; `--compat {name}` follows that release"
        ));
    }
}

/// Generates the CRDs of packages that were read.
pub(super) fn make(
    read: Read,
    options: &Options,
    to: &Destination,
    also: &Also,
    terminal: &Terminal,
) -> Made {
    let generated = controller_gen::definitions(&read.schema, options);
    let mut findings: Vec<Diagnostic> = read
        .diagnostics
        .iter()
        .filter(|finding| stops(finding, &TOOLS))
        .cloned()
        .collect();
    refuse_defaults(&read, also.profile, &mut findings);
    tell(&read, &generated, &mut findings);
    if generated.definitions.is_empty() && findings.is_empty() {
        terminal.say(
            "there is nothing to define: a kind is a struct with metav1.TypeMeta and metav1.ObjectMeta in a package with \
             `+groupName`",
        );
    }
    if !generated.definitions.is_empty() && options.max_description != Some(0) {
        say_whose_descriptions(&read, terminal);
    }
    let (mut artifacts, mut text) = (Vec::new(), String::new());
    let mut tables: Vec<Table> = Vec::new();
    let mut judge = Judge::default();
    findings.extend(without_group(&read, &generated.definitions, also));
    for definition in generated.definitions {
        if !definition.model.spec.group.is_empty() {
            findings.extend(judged(&mut judge, &read, &definition, also.strict));
        }
        if also.sizes {
            tables.push(Table::of(&definition));
        }
        match to.manifest() {
            Some(directory) => artifacts.push(Artifact::new(
                directory.join(&definition.file_name),
                definition.text,
                also.stamp,
            )),
            None if *to == Destination::Stdout => text.push_str(&definition.text),
            None => {}
        }
    }
    say_who_made_them(&artifacts, also, terminal);
    let mut data = Vec::new();
    if also.sizes {
        data.push(("sizes", tables.iter().map(Table::json).collect()));
    }
    if matches!(to, Destination::Stdout) {
        data.push(("output", text.clone().into()));
    }
    let tables: String = tables.iter().map(ToString::to_string).collect();
    Made {
        findings,
        keeps_going: also.keep_going,
        tools: &TOOLS,
        left: leftovers(to, &artifacts),
        text: tables + &text,
        data,
        ..Made::new(read, artifacts)
    }
}

/// What the generator has found wrong, and what CRDs cannot enforce.
fn tell(read: &Read, generated: &controller_gen::Generated, findings: &mut Vec<Diagnostic>) {
    for problem in &generated.problems {
        // Markers on versions are checked against each other too, if the package surely holds custom resources.
        if findings
            .iter()
            .any(|finding| finding.message == problem.message && finding.finding == &KIND_VERSIONS)
        {
            continue;
        }
        let upstream = format!("controller-gen: {}", problem.message);
        let found = Diagnostic::error(&finding::CRD, span(read, problem.place), &*problem.message);
        findings.push(found.upstream(upstream));
    }
    for note in &generated.unenforced {
        let found = Diagnostic::warning(&finding::UNENFORCED, span(read, note.place), &*note.message);
        findings.push(if note.about == About::Option {
            found.help("`--option NAME=true` or `NAME=false` decides what an option governs")
        } else {
            found
        });
    }
}

impl Artifact {
    /// A CRD. Unless it is to be stamped, a file that is there keeps the version of controller-gen that it names, so
    /// that a first run changes nothing.
    fn new(path: PathBuf, text: String, stamp: bool) -> Self {
        let old = if stamp { None } else { version_line_of(&path) };
        let text = match (old, version_line(&text)) {
            (Some(old), Some(new)) if old != new => text.replacen(new, &old, 1),
            _ => text,
        };
        Self { path, text }
    }
}

/// How the line with controller-gen's version begins.
const VERSION_LINE: &str = "    controller-gen.kubebuilder.io/version: ";

/// The line with controller-gen's version.
fn version_line(text: &str) -> Option<&str> {
    text.lines()
        .take_while(|line| !line.starts_with("spec:"))
        .find(|line| line.starts_with(VERSION_LINE))
}

/// The same of a file, of which only the metadata is read.
fn version_line_of(path: &Path) -> Option<String> {
    let file = BufReader::new(File::open(path).ok()?);
    file.lines()
        .map_while(Result::ok)
        .take_while(|line| !line.starts_with("spec:"))
        .find(|line| line.starts_with(VERSION_LINE))
}

/// Notes that descriptions of library types are ours, because the libraries were not found.
fn say_whose_descriptions(read: &Read, terminal: &Terminal) {
    let mut missing: Vec<&str> = read.built_in().into_iter().map(library).collect();
    missing.sort_unstable();
    missing.dedup();
    let download = missing.iter().any(|name| *name != STANDARD_LIBRARY);
    let install = missing.contains(&STANDARD_LIBRARY);
    let step = match (download, install) {
        (false, false) => return,
        (true, false) => "run `go mod download` or `go mod vendor`",
        (false, true) => "install Go or set GOROOT",
        (true, true) => "run `go mod download` or `go mod vendor`, and install Go or set GOROOT",
    };
    terminal.say(&format!(
        "note: the source of {} was not found, so descriptions of library types are Kindsmith's own; for the published ones \
         {step}",
        missing.join(" and "),
    ));
}

const STANDARD_LIBRARY: &str = "Go's standard library";

/// The module of a Kubernetes package; all others are Go's.
fn library(path: &str) -> &str {
    path.split_once("/pkg/")
        .map_or(STANDARD_LIBRARY, |(module, _)| module)
}

/// CRDs of the same groups from an earlier run, whose kinds were removed or renamed.
fn leftovers(to: &Destination, artifacts: &[Artifact]) -> Vec<PathBuf> {
    let Some(directory) = to.manifest() else {
        return Vec::new();
    };
    let group = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        Some(name.rsplit_once('_')?.0.to_owned())
    };
    let groups: HashSet<String> = artifacts.iter().filter_map(|file| group(&file.path)).collect();
    let is_left = |path: &PathBuf| {
        let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
        let is_made = || artifacts.iter().any(|file| file.path == *path);
        let is_generated = || {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            text.contains("controller-gen.kubebuilder.io/version:")
        };
        is_yaml && group(path).is_some_and(|group| groups.contains(&group)) && !is_made() && is_generated()
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut left: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_left).collect();
    left.sort();
    left
}

/// Packages whose kinds have no group, each once. controller-gen writes CRDs that no server takes, and so do its command
/// lines here.
fn without_group(read: &Read, definitions: &[controller_gen::Definition], also: &Also) -> Vec<Diagnostic> {
    let mut packages = HashSet::new();
    let is_written = |kind: &&Kind| {
        definitions
            .iter()
            .any(|made| made.model.spec.group.is_empty() && made.model.spec.names.kind == kind.kind)
    };
    let kinds = read.schema.ungrouped_kinds().iter().filter(is_written);
    let first = kinds.filter(|kind| packages.insert(read.schema.ty(kind.ty).name.package.clone()));
    first
        .map(|kind| {
            let place = span(read, Owner::Type(kind.ty).part(Part::Name));
            let message = "the package of this kind has no API group";
            let found = if also.tags == controller_gen::Tags::Ignore && !also.strict {
                Diagnostic::warning(&finding::DEFINITION, place, message)
            } else {
                Diagnostic::error(&finding::DEFINITION, place, message)
            };
            let path = &read.schema.ty(kind.ty).name.package;
            let package = read.packages.iter().find(|package| package.path == *path);
            let name = package.map_or("", |package| package.name.as_str());
            found.help(format!(
                "write `// +groupName=GROUP` above `package {name}`, such as `// +groupName=apps.example.com`"
            ))
        })
        .collect()
}

/// The API server's errors for a CRD, and what its size means.
fn judged(judge: &mut Judge, read: &Read, of: &controller_gen::Definition, strict: bool) -> Vec<Diagnostic> {
    let names = &of.model.spec.names;
    let (grouped, ungrouped) = (read.schema.kinds(), read.schema.ungrouped_kinds());
    let kind = grouped
        .iter()
        .chain(ungrouped)
        .find(|kind| kind.kind == names.kind && kind.group == of.model.spec.group);
    let Some(kind) = kind else {
        return Vec::new();
    };
    let place = span(read, Owner::Type(kind.ty).part(Part::Name));
    let mut stored = of.model.clone();
    stored.default_fields();
    let errors = judge.errors(&mut stored.to_internal());
    let found = |finding, message: String| {
        if strict {
            Diagnostic::error(finding, place, message)
        } else {
            Diagnostic::warning(finding, place, message)
        }
    };
    let rejections = errors.iter().map(|error| {
        found(
            &finding::DEFINITION,
            format!("the API server will reject this CRD: {error}"),
        )
    });
    let size =
        crd_size::complaint(of.bytes).map(|message| found(&finding::CRD_SIZE, message).help(sizes::SMALLER));
    rejections.chain(size).collect()
}

/// The tools whose errors stop the generation of CRDs. `+k8s:` tags become schemas, so validation-gen's count, too.
const TOOLS: [Tool; 4] = [
    Tool::Kindsmith,
    Tool::ControllerGen,
    Tool::ValidationGen,
    Tool::KubeApiserver,
];
