//! `kindsmith migrate markers`: kubebuilder's markers and `+k8s:` tags, one replaced by the other.

use std::collections::{BTreeMap, HashMap};

use clap::ValueEnum;
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::Read;
use kindsmith_migrate::difference::{Difference, Keyword, compare};
use kindsmith_migrate::markers::{self, Candidate, Settled, applied, candidates, settle};
use kindsmith_openapi::crd::Definition;
use serde_json::json;

use super::files::{self, Overlay};
use super::is_unreadable;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::output::{TextOrJson, pretty};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Replace kubebuilder's markers by +k8s: tags, or the other way round
///
/// CRDs are generated with every replacement, and only those after which they are equal are made. The others are shown with
/// what they would change; `--allow` makes them all the same.
///
/// The exit status is 1 if something could not be replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate markers ./api/...                   show what can be replaced
  kindsmith migrate markers ./api/... --write           replace it
  kindsmith migrate markers ./api/... --allow maxLength --write
                                                        even if limits of length change in CRDs
  kindsmith migrate markers ./api/... --to kubebuilder  the other way round")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", required = true, value_parser = go_path::parser())]
    paths: Vec<String>,
    /// Which markers to write
    #[arg(long, value_name = "WHICH", default_value = "k8s")]
    to: To,
    /// Which generator makes the CRDs: `kindsmith gen crd` enforces all tags of a package that uses them, and gives fields
    /// without tags the defaults of Go
    #[arg(long, value_name = "GENERATOR", default_value = "controller-gen")]
    generator: Generator,
    /// Accept differences in this keyword of CRDs; may be given more than once, `all` accepts every one
    #[arg(long, value_name = "KEYWORD")]
    allow: Vec<String>,
    /// Write the files
    #[arg(long)]
    write: bool,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// How to print the report
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

/// Which markers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// `+k8s:` tags
    K8s,
    /// `+kubebuilder:` markers
    Kubebuilder,
}

impl From<To> for markers::To {
    fn from(to: To) -> Self {
        match to {
            To::K8s => Self::K8s,
            To::Kubebuilder => Self::Kubebuilder,
        }
    }
}

/// Which generator makes the CRDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Generator {
    /// As controller-gen v0.23, which reads some of the tags
    ControllerGen,
    /// As `kindsmith gen crd`
    Kindsmith,
}

impl From<Generator> for Tags {
    fn from(generator: Generator) -> Self {
        match generator {
            Generator::ControllerGen => Self::Ignore,
            Generator::Kindsmith => Self::Used,
        }
    }
}

/// A file of the packages.
struct Source {
    name: String,
    text: String,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let input =
            Input::new(self.paths.clone(), self.modules.clone(), input::Profile::Upstream).for_definitions();
        let read = input.read(terminal)?;
        if is_unreadable(&read, terminal) {
            return Ok(Outcome::Findings);
        }
        let tags = self.generator.into();
        let before = definitions(&read, tags);
        if before.is_empty() {
            return Err(Error::input("the packages have no kinds").hint(
                "CRDs are generated to compare: name all packages of an API, with `+groupName` and `+kubebuilder:object:root=true`",
            ));
        }
        let sources = sources(&read);
        let found: Vec<Candidate> = sources
            .iter()
            .enumerate()
            .flat_map(|(file, source)| candidates(file, &source.text, self.to.into()))
            .collect();
        let progress = Progress::count(terminal, "trying", "sets of replacements");
        let settled = settle(found.len(), |tried| {
            progress.step();
            let texts = texts(&sources, &found, tried);
            let after = definitions(&input.read_in(&Overlay(&texts)), tags);
            let all = before.iter().flat_map(|definition| compare(definition, &after));
            all.filter(|difference| !self.is_allowed(difference)).collect()
        });
        drop(progress);
        let mut written = None;
        if self.write {
            let texts = texts(&sources, &found, &settled.kept);
            let changed: Vec<_> = texts
                .into_iter()
                .map(|(name, text)| (go_path::to_path(&name).into_owned(), text))
                .collect();
            written = Some(files::write(&changed, true)?);
        }
        match self.format {
            TextOrJson::Json => terminal.print(&pretty(&document(&sources, &found, &settled)))?,
            TextOrJson::Text => {
                terminal.print(&text(&sources, &found, &settled))?;
                let end = written.map_or_else(
                    || "; write them with `--write`".to_owned(),
                    |count| format!("; {count} files written"),
                );
                terminal.say(&format!(
                    "{} replacements leave the CRDs equal, {} do not{end}",
                    settled.kept.len(),
                    settled.refused.len()
                ));
            }
        }
        Ok(if settled.refused.is_empty() {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }

    fn is_allowed(&self, difference: &Difference) -> bool {
        let is_named = |keyword: &String| keyword == "all" || *keyword == difference.keyword;
        difference.about() == Keyword::Words || self.allow.iter().any(is_named)
    }
}

/// The CRDs of packages.
fn definitions(read: &Read, tags: Tags) -> Vec<Definition> {
    let options = Options {
        tags,
        allow_dangerous_types: true,
        ..Options::default()
    };
    let made = controller_gen::definitions(&read.schema, &options);
    made.definitions.into_iter().map(|made| made.model).collect()
}

/// The files of the packages that were named, without generated ones.
fn sources(read: &Read) -> Vec<Source> {
    let directories: Vec<&str> = read.packages.iter().map(|package| &*package.directory).collect();
    let is_ours = |name: &str| {
        let directory = name.rsplit_once('/').map_or(".", |(directory, _)| directory);
        directories.contains(&directory) && !name.contains("zz_generated")
    };
    let files = read.sources.files().filter(|(_, file)| is_ours(file.name()));
    files
        .map(|(_, file)| Source {
            name: file.name().to_owned(),
            text: file.text().to_string(),
        })
        .collect()
}

/// The files that differ after replacements.
fn texts(sources: &[Source], found: &[Candidate], chosen: &[usize]) -> HashMap<String, String> {
    let mut by_file: BTreeMap<usize, Vec<&Candidate>> = BTreeMap::new();
    for one in chosen.iter().filter_map(|index| found.get(*index)) {
        by_file.entry(one.file).or_default().push(one);
    }
    let changed = by_file.into_iter().map(|(file, chosen)| {
        let source = &sources[file];
        (source.name.clone(), applied(&source.text, chosen))
    });
    changed.collect()
}

fn place(sources: &[Source], candidate: &Candidate) -> String {
    let name = go_path::to_path(&sources[candidate.file].name);
    format!("{}:{}", name.display(), candidate.line + 1)
}

fn text(sources: &[Source], found: &[Candidate], settled: &Settled) -> String {
    let mut out = String::new();
    for one in settled.kept.iter().map(|index| &found[*index]) {
        out.push_str(&format!("{}: {} → {}\n", place(sources, one), one.from, one.to));
    }
    for (index, differences) in &settled.refused {
        let one = &found[*index];
        out.push_str(&format!(
            "{}: {} stays: with {}\n",
            place(sources, one),
            one.from,
            one.to
        ));
        for difference in differences.iter().take(3) {
            out.push_str(&format!("    {difference}\n"));
        }
    }
    out
}

fn document(sources: &[Source], found: &[Candidate], settled: &Settled) -> serde_json::Value {
    let shown = |index: usize, differences: &[Difference]| {
        let one = &found[index];
        json!({
            "file": sources[one.file].name,
            "line": one.line + 1,
            "from": one.from,
            "to": one.to,
            "differences": differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    json!({
        "replaced": settled.kept.iter().map(|index| shown(*index, &[])).collect::<Vec<_>>(),
        "kept": settled.refused.iter().map(|(index, why)| shown(*index, why)).collect::<Vec<_>>(),
    })
}
