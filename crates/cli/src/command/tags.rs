//! `kindsmith tags`: lists all tags, or explains one.

mod markdown;

use std::fmt::Write;

use clap::ValueEnum;
use kindsmith_schema::Level;
use kindsmith_tags::catalogue::{catalogue, find, nearest};
use kindsmith_tags::tag::{Arg, Family, Payload, Tag};
use serde_json::{Value, json};

use crate::Outcome;
use crate::error::Error;
use crate::output::pretty;
use crate::terminal::Terminal;

/// List the tags Kindsmith knows, or explain one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith tags                  every tag with what it does
  kindsmith tags k8s:maxLength    the page of one tag
  kindsmith tags | grep -i list   the tags for lists
  kindsmith tags -o json          the catalogue for scripts and editors")]
pub struct Args {
    /// The tag to explain, with or without `+`
    #[arg(value_name = "TAG")]
    name: Option<String>,
    /// How to print
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
    /// The reference, with a page for each tag
    Markdown,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let one = self
            .name
            .map(|name| tag(name.trim_start_matches('+')))
            .transpose()?;
        let text = match (self.format, one) {
            (Format::Text, Some(tag)) => page(tag),
            (Format::Text, None) => list(),
            (Format::Json, Some(tag)) => pretty(&json(tag)),
            (Format::Json, None) => pretty(&json!({"tags": catalogue().map(json).collect::<Value>()})),
            (Format::Markdown, Some(tag)) => markdown::page(tag),
            (Format::Markdown, None) => markdown::reference(),
        };
        terminal.print(&text)?;
        Ok(Outcome::Clean)
    }
}

fn tag(name: &str) -> Result<&'static Tag, Error> {
    find(name).ok_or_else(|| {
        let hint = match nearest(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`kindsmith tags` lists all tags".to_owned(),
        };
        Error::input(format!("no tag `{name}`")).hint(hint)
    })
}

fn list() -> String {
    let width = catalogue().map(|tag| tag.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for tag in catalogue() {
        let _ = writeln!(text, "{:width$}  {}", tag.name, tag.summary());
    }
    text
}

/// The facts about a tag, then its page.
pub(super) fn page(tag: &Tag) -> String {
    let mut text = format!("+{}{}\n\n", tag.name, form(tag));
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name:11}{value}");
        }
    };
    let scopes: Vec<_> = tag.scopes.iter().map(|scope| scope.words()).collect();
    fact("Also", &tag.aliases.join(", "));
    fact("On", &scopes.join(", "));
    fact("Of", tag.types);
    fact("Read by", reader(tag.family));
    fact("Stability", stability(tag.stability));
    for argument in tag.args {
        let need = if argument.required { "" } else { " (optional)" };
        let name = if argument.name.is_empty() {
            "value"
        } else {
            argument.name
        };
        fact(
            "Argument",
            &format!("{name}: {}{need}, {}", argument.kind.word(), argument.docs),
        );
    }
    let _ = write!(text, "\n{}\n", tag.docs.trim_end());
    text
}

/// How a tag is written.
pub(super) fn syntax(tag: &Tag) -> String {
    format!("+{}{}", tag.name, form(tag))
}

/// Tags as one JSON document.
pub(super) fn json_list(tags: &[&Tag]) -> String {
    pretty(&json!({"tags": tags.iter().map(|tag| json(tag)).collect::<Value>()}))
}

/// The syntax of the tag's arguments and value.
fn form(tag: &Tag) -> String {
    let arguments = if tag.args.is_empty() && !tag.open_args {
        ""
    } else {
        "(...)"
    };
    match tag.payload {
        Payload::None => arguments.to_owned(),
        Payload::Optional(kind) => format!("{arguments}[=<{}>]", kind.word()),
        Payload::Required(kind) => format!("{arguments}=<{}>", kind.word()),
    }
}

fn json(tag: &Tag) -> Value {
    let argument = |arg: &Arg| json!({"name": arg.name, "kind": arg.kind.word(), "required": arg.required, "docs": arg.docs});
    json!({
        "name": tag.name,
        "aliases": tag.aliases,
        "form": format!("+{}{}", tag.name, form(tag)),
        "readBy": reader(tag.family),
        "stability": stability(tag.stability),
        "kepOnly": tag.kep_only,
        "scopes": tag.scopes.iter().map(|scope| scope.words()).collect::<Vec<_>>(),
        "types": tag.types,
        "arguments": tag.args.iter().map(argument).collect::<Value>(),
        "openArguments": tag.open_args,
        "payload": tag.payload.kind().map(|kind| {
            json!({"kind": kind.word(), "required": matches!(tag.payload, Payload::Required(_))})
        }),
        "summary": tag.summary(),
        "docs": tag.docs,
    })
}

fn reader(family: Family) -> &'static str {
    match family {
        Family::Native => "validation-gen",
        Family::Kep => "nobody yet: KEP-5073 describes it",
        Family::Control => "generators, as a switch",
        Family::OpenApi => "openapi-gen and defaulter-gen",
        Family::Kubebuilder => "controller-gen",
        Family::Other => "other generators",
    }
}

fn stability(level: Level) -> &'static str {
    match level {
        Level::Alpha => "alpha",
        Level::Beta => "beta",
        Level::Stable => "stable",
    }
}
