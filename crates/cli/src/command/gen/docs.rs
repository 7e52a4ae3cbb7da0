//! `kindsmith gen docs`: reference documentation.

use std::path::PathBuf;
use std::sync::Arc;

use kindsmith_checks::{kep_defaults, kep_immutability};
use kindsmith_emit::docs::{self, Page, Resource};
use kindsmith_go::Read;
use kindsmith_go::finding::{GO_PACKAGE, GO_SYNTAX};
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_openapi::crd::{Definition, Spec, Version};
use kindsmith_source::{Diagnostic, Severity, Tool};

use super::files::Artifact;
use super::flow::{Flow, Made, refuse_defaults};
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;
use crate::watch::Sources;
use kindsmith::crds::Crds;

/// Generate reference documentation
///
/// Writes a page per group and version with a table for every kind and type: each field with its type, default,
/// bounds, rules in words, what updates may change, and since which version it exists. Several pages get an index.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen docs ./api/... --out docs/api
  kindsmith gen docs ./api/... --out site --format html
  kindsmith gen docs --crds config/crd --out docs/api      from CRDs
  kindsmith gen docs ./api/... --out docs/api --single --format asciidoc
                                                           one page
  kindsmith gen docs ./api/... --out docs/api --link-kubernetes --ignore-type '*List'
                                                           PodSpec and the like on kubernetes.io, no lists
  kindsmith gen docs ./api/... --out docs/api --check      fail with a diff if a page is out of date
  kindsmith gen docs ./api/... --out site --format html --watch
                                                           write again on every save")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    packages: Vec<String>,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// Which rules apply where KEP-5073 and Kubernetes differ
    #[arg(long, value_name = "PROFILE", default_value = "upstream")]
    profile: input::Profile,
    /// Directory to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Format of the pages
    #[arg(long = "format", value_name = "FORM", default_value = "markdown")]
    form: Form,
    /// Write one page instead of one for each group and version
    #[arg(long)]
    single: bool,
    /// Link the types of Kubernetes to the reference of this release on kubernetes.io instead of copying them
    #[arg(long, value_name = "VERSION", num_args = 0..=1, require_equals = true, default_missing_value = LINKED)]
    link_kubernetes: Option<String>,
    /// Leave out types with this name; `*` stands for any text; may be given more than once
    #[arg(long = "ignore-type", value_name = "NAME")]
    ignored_types: Vec<String>,
    /// Leave out a field, as `Type.field`; `*` stands for any text; may be given more than once
    #[arg(long = "ignore-field", value_name = "NAME")]
    ignored_fields: Vec<String>,
    /// File with the text around each page, with `{{title}}` and `{{content}}` to fill in
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    #[command(flatten)]
    flow: Flow,
}

/// The release whose reference is linked.
const LINKED: &str = "1.34";

/// The format of the pages.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Form {
    /// Markdown, with GitHub's tables
    Markdown,
    /// Self-contained HTML documents
    Html,
    /// AsciiDoc
    Asciidoc,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let sources = if self.crds.is_empty() {
            Sources::packages(&self.packages, &[])
        } else {
            Sources::definitions(self.crds.paths())
        };
        let input = Input::new(self.packages.clone(), self.modules.clone(), self.profile);
        self.flow.run(terminal, &sources, &|| self.make(&input, terminal))
    }

    fn make(&self, input: &Input, terminal: &Terminal) -> Result<Made, Error> {
        let (read, pages) = if self.crds.is_empty() {
            let read = input.read(terminal)?;
            let pages = match self.profile {
                input::Profile::Upstream => docs::of_types(&read.schema),
                input::Profile::Kep => docs::of_types(&kep_immutability(&kep_defaults(&read.schema))),
            };
            (read, pages)
        } else {
            (nothing(), of_definitions(&self.crds.read(terminal)?))
        };
        if pages.is_empty() {
            terminal.warn("there is nothing to document: no kind, and no exported struct");
        }
        let form = match self.form {
            Form::Markdown => docs::Format::Markdown,
            Form::Html => docs::Format::Html,
            Form::Asciidoc => docs::Format::AsciiDoc,
        };
        let pages = self.arrangement().apply(pages);
        let template = self.template()?;
        let artifacts = docs::write(&pages, form).into_iter().map(|file| Artifact {
            text: match &template {
                Some(template) => filled(template, &pages, &file),
                None => file.text,
            },
            path: self.out.join(file.name),
        });
        let findings = read.diagnostics.iter().filter(|finding| is_unreadable(finding));
        let mut findings: Vec<Diagnostic> = findings.cloned().collect();
        refuse_defaults(&read, self.profile, &mut findings);
        Ok(Made {
            findings,
            tools: &TOOLS,
            ..Made::new(read, artifacts.collect())
        })
    }

    fn arrangement(&self) -> docs::Arrangement {
        docs::Arrangement {
            ignored_types: self.ignored_types.clone(),
            ignored_fields: self.ignored_fields.clone(),
            linked: self.link_kubernetes.clone(),
            single: self.single,
        }
    }

    fn template(&self) -> Result<Option<String>, Error> {
        let Some(path) = &self.template else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
        if !text.contains(CONTENT) {
            return Err(Error::input(format!("{} has no {CONTENT}", path.display()))
                .hint("a template is the text around a page: `{{title}}` and `{{content}}` are filled in"));
        }
        Ok(Some(text))
    }
}

const CONTENT: &str = "{{content}}";

/// A template with a page in it.
fn filled(template: &str, pages: &[Page], file: &docs::File) -> String {
    let stem = file.name.rsplit_once('.').map_or("", |(stem, _)| stem);
    let page = pages.iter().find(|page| page.name == stem);
    let title = page.map_or("API reference", |page| &page.title);
    template
        .replace("{{title}}", title)
        .replace(CONTENT, file.text.trim_end())
}

/// The tools whose warnings are shown: those that change what a page says.
const TOOLS: [Tool; 2] = [Tool::Kindsmith, Tool::ValidationGen];

/// Whether a page would be incomplete. Wrong tags are for `lint` and the other generators.
fn is_unreadable(found: &Diagnostic) -> bool {
    found.severity == Severity::Error && [&GO_SYNTAX, &GO_PACKAGE].contains(&found.finding)
}

/// The result of reading no package.
fn nothing() -> Read {
    let files = MemoryFiles::default();
    let loader = Loader::new(&files, Options::default());
    kindsmith_go::read(loader, Vec::new(), kindsmith_go::Profile::Upstream)
}

fn of_definitions(crds: &Crds) -> Vec<Page> {
    let definitions: Vec<Arc<Definition>> = crds.definitions().collect();
    let resources = definitions.iter().flat_map(|definition| {
        let spec = &definition.spec;
        spec.schemas().map(|(version, schema)| Resource {
            group: &spec.group,
            version: &version.name,
            kind: &spec.names.kind,
            facts: facts(spec, version),
            schema,
        })
    });
    docs::of_resources(&resources.collect::<Vec<_>>())
}

/// Facts about a version as a whole.
fn facts(spec: &Spec, version: &Version) -> Vec<(String, String)> {
    let code = |text: &str| format!("`{text}`");
    let short: Vec<String> = spec.names.short_names.iter().map(|name| code(name)).collect();
    let mut facts = vec![
        ("scope", spec.scope.to_lowercase()),
        ("resource", code(&spec.names.plural)),
    ];
    if !short.is_empty() {
        facts.push(("short names", short.join(", ")));
    }
    if version.deprecated {
        let warning = version.deprecation_warning.as_deref();
        facts.push(("deprecated", warning.unwrap_or("use another version").to_owned()));
    }
    if !version.served {
        facts.push(("served", "no".to_owned()));
    }
    facts
        .into_iter()
        .map(|(label, text)| (label.to_owned(), text))
        .collect()
}
