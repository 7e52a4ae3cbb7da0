//! `kindsmith tags`: lists all tags, or explains one.

mod markdown;

use std::fmt::Write;

use clap::ValueEnum;
use kindsmith_tags::catalogue::{catalogue, find, nearest};
use kindsmith_tags::tag::Tag;
use serde_json::{Value, json};

use crate::Outcome;
use crate::error::Error;
use crate::output::pretty;
use crate::tag_page::{json, page};
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
