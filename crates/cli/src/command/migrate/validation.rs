//! `kindsmith migrate validation`: tags for hand-written validation.

use kindsmith_go::Read;
use kindsmith_migrate::validation::{self, PathStep, Reading, Rule, Tag};
use kindsmith_schema::{Owner, Part};
use serde_json::{Value, json};

use crate::Outcome;
use crate::error::Error;
use crate::input::{self, Input};
use crate::native;
use crate::output::{TextOrJson, pretty};
use crate::terminal::Terminal;

/// Propose +k8s: tags for hand-written validation
///
/// Reads functions that take an object and a field path and return field.ErrorList, and helpers of the same package, and
/// finds errors that a tag reports under the same condition: required and forbidden fields, bounds, lengths, formats, enums,
/// immutable fields, unique items, unions, dependent fields, feature gates, each value and each key. Nothing is guessed: error
/// type, field, value and words, or the origin, must agree. The rest is listed with its line and the reason.
///
/// Proposals are not proven: try them with `kindsmith test` and in Kubernetes with the tests of both validations.
///
/// The exit status is 1 if there are proposals.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate validation --types ./api/v1 --validation ./validation
  kindsmith migrate validation --types ./api/v1 --validation ./validation --since 1.38 --level alpha
  kindsmith migrate validation --types ./api/v1 --validation ./validation --by-hand
                                                        also what stays in Go, and why
  kindsmith migrate validation --types ./api/... --validation ./validation -o json")]
pub(super) struct Args {
    /// Directories of the packages with the types; may be given more than once
    #[arg(long, value_name = "DIR", required = true, value_parser = native::parser())]
    types: Vec<String>,
    /// Directories of the packages with the functions; may be given more than once
    #[arg(long, value_name = "DIR", required = true, value_parser = native::parser())]
    validation: Vec<String>,
    /// Level of stability to write before tags
    #[arg(long, value_name = "LEVEL", requires = "since")]
    level: Option<Level>,
    /// Release since which the tags have their level, such as 1.38
    #[arg(long, value_name = "RELEASE", requires = "level")]
    since: Option<String>,
    /// Also print what stays in Go, and why
    #[arg(long)]
    by_hand: bool,
    /// Also print tags that the types already have
    #[arg(long)]
    all: bool,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// How to print the report
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

/// Levels of stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Level {
    /// Compared with the hand-written rule, not enforced
    Alpha,
    /// Enforced, can be turned off
    Beta,
}

/// A package of functions, as it was read.
struct Found {
    reading: Reading,
    files: Vec<String>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let types =
            Input::new(self.types.clone(), self.modules.clone(), input::Profile::Upstream).read(terminal)?;
        let functions = Input::new(
            self.validation.clone(),
            self.modules.clone(),
            input::Profile::Upstream,
        );
        let mut found = Vec::new();
        functions.read_after(terminal, false, |loader, packages| {
            for package in packages {
                let files = package
                    .file_names
                    .iter()
                    .map(|name| format!("{}/{name}", package.directory));
                found.push(Found {
                    files: files.collect(),
                    reading: validation::read(loader, package, &types.schema),
                });
            }
        })?;
        let proposed = found
            .iter()
            .flat_map(|found| &found.reading.rules)
            .filter_map(|rule| rule.tags.as_ref().ok())
            .flatten()
            .filter(|tag| !tag.present)
            .count();
        match self.format {
            TextOrJson::Json => terminal.print(&pretty(&self.document(&types, &found)))?,
            TextOrJson::Text => {
                terminal.print(&self.text(&types, &found))?;
                terminal.say(&summary(&found, proposed));
            }
        }
        Ok(if proposed == 0 {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }

    /// A tag with its level.
    fn leveled(&self, tag: &str) -> String {
        match (self.level, &self.since) {
            (Some(level), Some(since)) => {
                let level = if level == Level::Alpha { "alpha" } else { "beta" };
                format!("+k8s:{level}(since: \"{since}\")={tag}")
            }
            _ => tag.to_owned(),
        }
    }

    fn text(&self, types: &Read, found: &[Found]) -> String {
        let mut out = String::new();
        for found in found {
            for rule in &found.reading.rules {
                let at = format!("{}:{}", found.files[rule.emit.file], rule.emit.line);
                match &rule.tags {
                    Ok(tags) => {
                        let shown: Vec<&Tag> = tags.iter().filter(|tag| self.all || !tag.present).collect();
                        if shown.is_empty() {
                            continue;
                        }
                        out.push_str(&format!("{at}: {:?} at {}\n", rule.emit.error, field(rule)));
                        for tag in shown {
                            let (name, place) = owner(types, tag);
                            let state = if tag.present { " (there already)" } else { "" };
                            out.push_str(&format!(
                                "    {place}: {name}: {}{state}\n",
                                self.leveled(&tag.text)
                            ));
                        }
                    }
                    Err(why) if self.by_hand => {
                        out.push_str(&format!(
                            "{at}: {:?} at {} stays: {why}\n",
                            rule.emit.error,
                            field(rule)
                        ));
                    }
                    Err(_) => {}
                }
            }
            for unread in found.reading.unread.iter().filter(|_| self.by_hand) {
                out.push_str(&format!(
                    "{}:{}: not read: {}\n",
                    found.files[unread.file], unread.line, unread.why
                ));
            }
        }
        out
    }

    fn document(&self, types: &Read, found: &[Found]) -> Value {
        let mut rules = Vec::new();
        let mut unread = Vec::new();
        for found in found {
            for rule in &found.reading.rules {
                let tags = rule.tags.as_ref().map_or(&[][..], |tags| tags);
                let tags: Vec<Value> = tags
                    .iter()
                    .map(|tag| {
                        let (name, place) = owner(types, tag);
                        json!({"tag": self.leveled(&tag.text), "on": name, "at": place, "present": tag.present})
                    })
                    .collect();
                rules.push(json!({
                    "file": found.files[rule.emit.file],
                    "line": rule.emit.line,
                    "function": rule.emit.function,
                    "error": format!("{:?}", rule.emit.error),
                    "field": field(rule),
                    "origin": rule.emit.origin,
                    "covered": rule.emit.covered,
                    "tags": tags,
                    "why": rule.tags.as_ref().err(),
                }));
            }
            for one in &found.reading.unread {
                unread.push(json!({
                    "file": found.files[one.file],
                    "line": one.line,
                    "function": one.function,
                    "why": one.why,
                }));
            }
        }
        json!({"rules": rules, "unread": unread})
    }
}

/// The field that an error names, below that of its function.
fn field(rule: &Rule) -> String {
    let mut out = String::new();
    for step in &rule.emit.path {
        match step {
            PathStep::Child(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            PathStep::Index => out.push_str("[*]"),
            PathStep::Key => out.push_str("[key]"),
        }
    }
    if out.is_empty() {
        "the object itself".to_owned()
    } else {
        out
    }
}

/// The name of the type or field that gets a tag, and its place.
fn owner(types: &Read, tag: &Tag) -> (String, String) {
    let schema = &types.schema;
    let name = match tag.owner {
        Owner::Field(id) => format!("{}.{}", schema.ty(id.owner).name.name, schema.field(id).name),
        Owner::Type(id) => schema.ty(id).name.name.to_string(),
        _ => String::new(),
    };
    let span = types.origins.span(&tag.owner.part(Part::Name));
    let place = span.map_or_else(String::new, |span| {
        let file = types.sources.file(span.file);
        format!(
            "{}:{}",
            file.name(),
            file.text()[..span.start as usize].matches('\n').count() + 1
        )
    });
    (name, place)
}

fn summary(found: &[Found], proposed: usize) -> String {
    let all = || found.iter().flat_map(|found| &found.reading.rules);
    let read = all().count();
    let said = all().filter(|rule| rule.tags.is_ok()).count();
    let unread: usize = found.iter().map(|found| found.reading.unread.len()).sum();
    format!(
        "{read} errors read, {said} of them can be said with tags, {proposed} tags proposed; {} stay in Go, {unread} calls not read \
         (see `--by-hand`)",
        read - said
    )
}
