//! `kindsmith diff`: what changed between two versions of an API, and whom it breaks.

mod crds;
mod html;
mod missing;
mod module_version;
mod objects;
mod places;
mod render;
mod revision;
mod side;

use std::path::PathBuf;

use clap::ValueEnum;
use kindsmith_compat::{Change, Class};
use kindsmith_json::Arena;

use crate::Outcome;
use crate::error::Error;
use crate::input;
use crate::registry;
use crate::release::ReleaseArgs;
use crate::terminal::Terminal;
use places::Places;
use side::Sides;

/// Compare two versions of an API and say whom each change breaks
///
/// Reads CRDs, or makes them of Go types, and compares them kind by kind, version by version and field by field. Every
/// change has a class: it breaks clients, breaks stored objects on update, only ratchets (a stored value is kept while
/// it does not change), changes meaning (defaults, pruning, merging), or is compatible.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each side is
  a file or directory of CRDs, or a directory of Go types (`DIR/...` includes all below DIR),
  REV:PATH        the same at a git revision; `./PATH` starts at the working directory
  MODULE@VERSION  the same in Go's module cache; a directory of the module may follow its path

Examples:
  kindsmith diff main:config/crd config/crd
  kindsmith diff v1.2.0:api/... ./api/...                Go types at a tag
  kindsmith diff old/crds new/crds --objects dump.yaml   try real objects: `kubectl get -A -o yaml`
  kindsmith diff sigs.k8s.io/gateway-api/apis/v1@v1.2.1 sigs.k8s.io/gateway-api/apis/v1@v1.4.1
  kindsmith diff main:config/crd config/crd -o markdown  for a pull request comment
  kindsmith diff main:config/crd config/crd -o html > api-changes.html
  kindsmith diff main:config/crd config/crd --fail-on breaks-stored")]
pub struct Args {
    /// The API before
    #[arg(value_name = "OLD")]
    old: String,
    /// The API after
    #[arg(value_name = "NEW")]
    new: String,
    /// Files or directories with objects to run through both versions; lists are opened
    #[arg(long, value_name = "PATH", num_args = 1..)]
    objects: Vec<PathBuf>,
    #[command(flatten)]
    release: ReleaseArgs,
    /// Exit with 1 if a change is of this class or a worse one
    #[arg(long, value_name = "CLASS", default_value = "meaning")]
    fail_on: FailOn,
    /// Leave out changes with this code; may be given more than once
    #[arg(long, value_name = "CODE")]
    ignore: Vec<String>,
    /// List compatible changes too
    #[arg(long)]
    all: bool,
    /// Read a module's Go packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// How to print changes
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For scripts: one JSON document
    Json,
    /// For GitHub Actions: annotations
    Github,
    /// For a pull request comment
    Markdown,
    /// For people who open it from CI: one HTML file
    Html,
}

/// The mildest class that fails, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Requests that worked are refused, or clients read something else
    BreaksClients,
    /// An update can be refused for a stored value that it does not touch
    BreaksStored,
    /// New values can be refused; stored ones are kept while they do not change
    Ratchets,
    /// The same request has another result
    Meaning,
    /// Every change
    Compatible,
    /// No change
    Never,
}

impl FailOn {
    fn includes(self, class: Class) -> bool {
        let mildest = match self {
            Self::BreaksClients => Class::BreaksClients,
            Self::BreaksStored => Class::BreaksStored,
            Self::Ratchets => Class::Ratchets,
            Self::Meaning => Class::Meaning,
            Self::Compatible => Class::Compatible,
            Self::Never => return false,
        };
        class <= mildest
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        for code in &self.ignore {
            known(code)?;
        }
        let release = self.release.release()?;
        let sides = Sides {
            modules: &self.modules,
            terminal,
        };
        let (old, new) = (sides.read(&self.old)?, sides.read(&self.new)?);
        crds::warn_of_refused(&new, release, terminal);
        let mut changes = kindsmith_compat::compare(&crds::definitions(&old)?, &crds::definitions(&new)?);
        if !self.objects.is_empty() {
            changes.extend(objects::compare(&old, &new, &self.objects, release, terminal)?);
        }
        changes.retain(|change| !self.ignore.iter().any(|code| code == change.finding.code()));
        let shown: Vec<&Change> = changes.iter().filter(|change| self.shows(change)).collect();
        terminal.print(&match self.format {
            Format::Text => render::text(&shown),
            Format::Json => render::json(&changes, &Places::new(&new, &Arena::new())),
            Format::Github => render::github(&shown, &Places::new(&new, &Arena::new())),
            Format::Markdown => render::markdown(&shown, &changes),
            Format::Html => html::render(&shown, &changes, &Places::new(&new, &Arena::new())),
        })?;
        terminal.say(&render::summary(&changes, changes.len() - shown.len()));
        if changes.iter().any(|change| self.fail_on.includes(change.class)) {
            Ok(Outcome::Findings)
        } else {
            Ok(Outcome::Clean)
        }
    }

    fn shows(&self, change: &Change) -> bool {
        self.all || change.class != Class::Compatible || self.fail_on == FailOn::Compatible
    }
}

/// Refuses a code that no change has.
fn known(code: &str) -> Result<(), Error> {
    let codes = || kindsmith_compat::findings().map(kindsmith_source::Finding::code);
    if codes().any(|known| known == code) {
        return Ok(());
    }
    let error = Error::usage(format!("no change has the code `{code}`"));
    Err(match registry::nearest(code) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("`kindsmith rules` lists all codes"),
    })
}
