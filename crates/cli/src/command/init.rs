//! `kindsmith init`: a small project that passes all checks, to change into one's own.

use std::path::{Path, PathBuf};

use kindsmith_formats::format::grammar::is_subdomain;
use kindsmith_generate::controller_gen::pluralize;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Start an API: Go types, Rust types or a CRD, with tests, CI and a Makefile
///
/// Writes a small project that passes lint and its own tests: a kind with a default, bounds and a field that never
/// changes, tests of these rules, an example object, settings, a Makefile, a workflow for GitHub and pre-commit hooks.
/// Files that are there are never changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith init                                            Go types in this directory
  kindsmith init garden --kind Bed --group garden.example.org
  kindsmith init garden --rust                              Rust types
  kindsmith init garden --crd                               a CRD alone
  make -C garden check                                      lint, tests, examples")]
pub struct Args {
    /// Directory to write to
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// The kind
    #[arg(long, value_name = "KIND", default_value = "Gate")]
    kind: String,
    /// The API group
    #[arg(long, value_name = "GROUP", default_value = GROUP)]
    group: String,
    /// Write a CRD instead of Go types
    #[arg(long)]
    crd: bool,
    /// Write Rust types instead of Go types
    #[arg(long, conflicts_with = "crd")]
    rust: bool,
}

const GROUP: &str = "park.example.org";

/// What an API is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Go,
    Rust,
    Crd,
}

/// A file to write: its path, and its template.
type Template = (&'static str, &'static str);

const GO: &[Template] = &[
    ("go.mod", include_str!("init/go/go.mod.txt")),
    ("api/v1/doc.go", include_str!("init/go/doc.go.txt")),
    ("api/v1/types.go", include_str!("init/go/types.go.txt")),
    ("Makefile", include_str!("init/go/Makefile.txt")),
    (
        ".pre-commit-config.yaml",
        include_str!("init/go/pre-commit.yaml.txt"),
    ),
    (
        ".github/workflows/api.yaml",
        include_str!("init/go/workflow.yaml.txt"),
    ),
];

const CRD: &[Template] = &[
    ("crds/SINGULAR.yaml", include_str!("init/crd/crd.yaml.txt")),
    ("Makefile", include_str!("init/crd/Makefile.txt")),
    PRE_COMMIT_OF_CRDS,
    WORKFLOW_OF_CRDS,
];

const RUST: &[Template] = &[
    ("Cargo.toml", include_str!("init/rust/Cargo.toml.txt")),
    (".gitignore", include_str!("init/rust/gitignore.txt")),
    ("src/lib.rs", include_str!("init/rust/lib.rs.txt")),
    ("src/main.rs", include_str!("init/rust/main.rs.txt")),
    ("tests/api.rs", include_str!("init/rust/api.rs.txt")),
    ("crds/SINGULAR.yaml", include_str!("init/rust/crd.yaml.txt")),
    ("Makefile", include_str!("init/rust/Makefile.txt")),
    PRE_COMMIT_OF_CRDS,
    WORKFLOW_OF_CRDS,
];

const PRE_COMMIT_OF_CRDS: Template = (
    ".pre-commit-config.yaml",
    include_str!("init/crd/pre-commit.yaml.txt"),
);

const WORKFLOW_OF_CRDS: Template = (
    ".github/workflows/api.yaml",
    include_str!("init/crd/workflow.yaml.txt"),
);

const ALL: &[Template] = &[
    ("kindsmith.toml", include_str!("init/kindsmith.toml.txt")),
    ("tests/SINGULAR.yaml", include_str!("init/tests.yaml.txt")),
    ("examples/SINGULAR.yaml", include_str!("init/example.yaml.txt")),
];

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        self.check()?;
        let own = match self.form() {
            Form::Go => GO,
            Form::Rust => RUST,
            Form::Crd => CRD,
        };
        let mut files: Vec<(PathBuf, String)> = own.iter().chain(ALL).map(|file| self.filled(file)).collect();
        // A module around the directory, or a package of it, is the user's own.
        files.retain(|(path, _)| !(path.ends_with("go.mod") && is_in_module(&self.directory)));
        let there: Vec<String> = files
            .iter()
            .filter(|(path, _)| path.exists())
            .map(|(path, _)| path.display().to_string())
            .collect();
        if !there.is_empty() {
            return Err(Error::input(format!("{} exists", there.join(", ")))
                .hint("nothing was written; name another directory"));
        }
        for (path, text) in &files {
            write(path, text)?;
            terminal.print(&format!("{}\n", path.display()))?;
        }
        terminal.say(&format!(
            "next: change the {}, then `make check` in {}",
            if self.form() == Form::Crd { "CRD" } else { "types" },
            self.directory.display()
        ));
        Ok(Outcome::Clean)
    }

    fn form(&self) -> Form {
        match (self.rust, self.crd) {
            (true, _) => Form::Rust,
            (_, true) => Form::Crd,
            _ => Form::Go,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let is_kind = self.kind.starts_with(|first: char| first.is_ascii_uppercase())
            && self.kind.chars().all(|letter| letter.is_ascii_alphanumeric());
        if !is_kind {
            return Err(Error::usage(format!("`{}` is not the name of a kind", self.kind))
                .hint("a kind begins with a capital letter: Gate, FlowerBed"));
        }
        if !self.group.contains('.') || !is_subdomain(&self.group) {
            return Err(Error::usage(format!("`{}` is not an API group", self.group))
                .hint("a group is a domain name of yours: park.example.org"));
        }
        Ok(())
    }

    fn filled(&self, (path, text): &Template) -> (PathBuf, String) {
        let singular = self.kind.to_lowercase();
        let source = match self.form() {
            Form::Go => "types: [../api/v1]".to_owned(),
            Form::Rust | Form::Crd => format!("crd: ../crds/{singular}.yaml"),
        };
        let fill = |text: &str| {
            text.replace("SOURCE", &source)
                .replace("SINGULAR", &singular)
                .replace("PLURAL", &pluralize(&self.kind).to_lowercase())
                .replace("GROUP", &self.group)
                // Rust types are compiled with this group by a test of `kindsmith`.
                .replace(GROUP, &self.group)
                .replace("KIND", &self.kind)
                .replace("TOOL", "KINDSMITH")
        };
        (self.directory.join(fill(path)), fill(text))
    }
}

fn is_in_module(directory: &Path) -> bool {
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    directory
        .ancestors()
        .any(|directory| directory.join("go.mod").exists())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let parent = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| Error::environment(format!("cannot write {}: {error}", path.display())))
}
