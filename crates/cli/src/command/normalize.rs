//! `kindsmith normalize`: objects as they would be stored, for diffs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith::{Kinds, Steps, Write, is_definition};
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value, yaml};

use crate::Outcome;
use crate::error::Error;
use crate::output::ObjectFormat;
use crate::release::ReleaseArgs;
use crate::schemas::{CrdsArgs, TypesArgs, find_files};
use crate::terminal::Terminal;

/// Print objects as they would be stored
///
/// Unknown fields are dropped, defaults filled in and keys sorted, so that equivalent manifests become the same text.
/// Comments are lost. Objects that the server would reject are printed unchanged, with its errors on standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith normalize -f deployment.yaml
  kindsmith normalize -f thing.yaml --crds ./crds
  kindsmith normalize ./manifests --crds ./crds
  kindsmith normalize -f thing.yaml --types ./api/v1 -o json
  diff <(kindsmith normalize -f old.yaml --crds ./crds) <(kindsmith normalize -f new.yaml --crds ./crds)")]
pub struct Args {
    /// Files with YAML or JSON manifests, or directories of such files; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "files")]
    more_files: Vec<PathBuf>,
    /// Same as FILE, for kubectl users
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    /// How to print them
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "yaml")]
    format: ObjectFormat,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let read = Arc::new(self.types.read(terminal)?);
        let arena = Arena::new();
        let mut objects = Vec::new();
        let mut has_comments = false;
        for file in self.found()? {
            let text = read_text(&file)?;
            has_comments |= text.lines().any(|line| line.trim_start().starts_with('#'));
            let text: &str = arena.alloc_str(&text);
            for document in yaml::documents(text) {
                let value = yaml::parse(&arena, document.text.as_bytes())
                    .map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
                if !value.is_null() {
                    objects.push(value);
                }
            }
        }
        let mut crds = self.crds.read(terminal)?;
        objects.iter().for_each(|object| crds.learn(*object));
        let kinds = self.types.kinds(&read, crds, terminal)?;
        let kinds = kinds.with_release(self.release.release()?);
        let mut outcome = Outcome::Clean;
        for object in objects {
            let passes = Arena::new();
            let (stored, complaints) = self.stored(object, &passes, &kinds);
            for complaint in &complaints {
                terminal.say(&format!("error: {complaint}"));
                outcome = Outcome::Findings;
            }
            terminal.print(&self.format.document(stored, Order::Sorted))?;
        }
        if has_comments {
            terminal.say("note: comments are not kept");
        }
        Ok(outcome)
    }

    /// The files to read.
    fn found(&self) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for path in self.more_files.iter().chain(&self.files) {
            if path.as_os_str() == "-" {
                files.push(path.clone());
                continue;
            }
            let found = find_files(path)?;
            if found.is_empty() {
                return Err(Error::input(format!("no manifests in {}", path.display()))
                    .hint("manifests end in .yaml, .yml or .json"));
            }
            files.extend(found);
        }
        Ok(files)
    }

    /// The object as stored, and the server's errors.
    fn stored<'a>(&self, object: Value<'a>, arena: &'a Arena, kinds: &'a Kinds) -> (Value<'a>, Vec<String>) {
        if is_definition(object) {
            return (object, Vec::new());
        }
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let write = Write {
            profile: self.types.profile.into(),
            // Errors of a Go type's rules are reported by `check`.
            steps: match kinds.go_types() {
                Some(types) if types.find(None, text("kind")).is_ok() => Steps::PRUNE.with(Steps::DEFAULT),
                _ => Steps::ALL,
            },
            ..Write::create(object)
        };
        match kinds.review(arena, &write) {
            Ok(review) => {
                let complaints = review.errors.into_iter().map(|error| error.message);
                (review.object.unwrap_or(object), complaints.collect())
            }
            Err(error) => (
                object,
                vec![format!(
                    "{error}; name its CRD with `--crds` or its Go package with `--types`"
                )],
            ),
        }
    }
}

fn read_text(file: &Path) -> Result<String, Error> {
    crate::files::read_text(file).map_err(|error| Error::reading(file, &error))
}
