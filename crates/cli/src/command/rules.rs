//! `kindsmith rules`: lists all findings, or explains one.

use std::fmt::Write;

use clap::ValueEnum;
use kindsmith_lint::Rule;
use kindsmith_source::{Finding, Tool};
use serde_json::{Value, json};

use crate::Outcome;
use crate::error::Error;
use crate::output::pretty;
use crate::registry::{findings, of};
use crate::rule_page::{body, finding, page, settings, tools};
use crate::terminal::Terminal;

/// List everything Kindsmith can report, or explain one code
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith rules                    every code, by tool
  kindsmith rules default-syntax     the page of one code
  kindsmith rules | grep -i default  the codes about defaults
  kindsmith rules -o json            the list for scripts and editors")]
pub struct Args {
    /// The code to explain, as findings show it
    #[arg(value_name = "CODE")]
    code: Option<String>,
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
    /// The reference, with a page for each code
    Markdown,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let one = self.code.as_deref().map(finding).transpose()?;
        let text = match (self.format, one) {
            (Format::Text, Some(finding)) => page(finding),
            (Format::Text, None) => list(),
            (Format::Json, Some(finding)) => pretty(&json(finding)),
            (Format::Json, None) => {
                pretty(&json!({ "rules": findings().into_iter().map(json).collect::<Value>() }))
            }
            (Format::Markdown, Some(finding)) => markdown(finding),
            (Format::Markdown, None) => reference(),
        };
        terminal.print(&text)?;
        Ok(Outcome::Clean)
    }
}

fn list() -> String {
    let width = findings().iter().map(|finding| finding.code().len()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for tool in Tool::ALL {
        let _ = writeln!(text, "{}", tool.name());
        for finding in of(tool) {
            let _ = writeln!(text, "  {:width$}  {}", finding.code(), finding.summary());
        }
        text.push('\n');
    }
    text.pop();
    text
}

fn json(finding: &Finding) -> Value {
    json!({
        "code": finding.code(),
        "tool": finding.tool().name(),
        "tools": finding.tools().map(Tool::name).collect::<Vec<_>>(),
        "summary": finding.summary(),
        "docs": finding.page(),
        "helpUri": finding.uri(),
        "alias": Rule::find(finding.code()).and_then(|rule| rule.facts.alias),
    })
}

/// All pages as one Markdown document.
fn reference() -> String {
    let mut text = String::from(
        "# Rules\n\nEverything Kindsmith can report, by the tool whose answer it repeats. This file is printed by \
         `kindsmith rules -o markdown`; each page lives beside the code that reports it.\n",
    );
    for tool in Tool::ALL {
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n| Code | What it does |\n|---|---|\n",
            tool.name(),
            role(tool)
        );
        for finding in of(tool) {
            let (code, summary) = (finding.code(), finding.summary().replace('|', "\\|"));
            let _ = writeln!(text, "| [`{code}`](#{code}) | {summary} |");
        }
        for finding in of(tool) {
            let _ = write!(text, "\n{}", markdown(finding));
        }
    }
    text
}

/// The page of one finding, as a part of the reference.
fn markdown(finding: &Finding) -> String {
    let body = body(finding).replace("\n## ", "\n\n#### ");
    let body = body
        .strip_prefix("## ")
        .map_or(body.clone(), |rest| format!("#### {rest}"));
    format!(
        "### {}\n\nReported for {}.\n\n{}\n{}",
        finding.code(),
        tools(finding),
        body.replace("\n\n\n", "\n\n"),
        settings(finding, "#### ")
    )
}

/// The job of a tool, for readers who do not use it.
fn role(tool: Tool) -> &'static str {
    match tool {
        Tool::Kindsmith => "What no other tool reports.",
        Tool::ValidationGen => "Rejected by the generator of validation code from `+k8s:` tags.",
        Tool::DefaulterGen => {
            "Rejected by the generator of defaulting code, or by the Go compiler in the code it writes."
        }
        Tool::ControllerGen => "Rejected by kubebuilder's generator of CRDs.",
        Tool::OpenApiGen => "Rejected by the generator of OpenAPI definitions.",
        Tool::ClientGen => "Rejected by the generator of clients.",
        Tool::KubeApiserver => "What the API server answers to an object or a CRD.",
        Tool::KubeApiLinter => {
            "Conventions for APIs. Each rule means the same as kube-api-linter's under the name given, so that a project can \
             switch."
        }
    }
}
