//! The option `--description`: kinds of the user's own, beside the built-in ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_controller::description::{Described, Mistake, definition_file};
use kindsmith_controller::kinds;

use crate::error::Error;

/// Where descriptions of kinds are.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct DescriptionArgs {
    /// A file that describes a kind of your own (see `kindsmith controller check`); may be given more than once
    #[arg(long = "description", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl DescriptionArgs {
    /// Whether no file was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The kinds of the files.
    pub(crate) fn read(&self) -> Result<Vec<Arc<Described>>, Error> {
        self.files.iter().map(|file| read(file).map(Arc::new)).collect()
    }

    /// The kinds with these names. Without names, those of the files; without files too, all that are built in.
    pub(crate) fn chosen(&self, names: &[String]) -> Result<Vec<Arc<Described>>, Error> {
        let own = self.read()?;
        if names.is_empty() && !own.is_empty() {
            return Ok(own);
        }
        let mut all = own;
        for known in kinds::ALL {
            all.push(known.described().map_err(|error| Error::bug(error.to_string()))?);
        }
        if names.is_empty() {
            return Ok(all);
        }
        let find = |name: &String| {
            let mut known = all.iter();
            let found = known.find(|described| described.kind.kind.eq_ignore_ascii_case(name));
            found.cloned().ok_or_else(|| unknown(name, &all))
        };
        names.iter().map(find).collect()
    }
}

fn unknown(name: &str, all: &[Arc<Described>]) -> Error {
    let names: Vec<&str> = all.iter().map(|described| &*described.kind.kind).collect();
    Error::usage(format!(
        "no controller for `{name}`; available: {}",
        names.join(", ")
    ))
    .hint("describe it in a file and give it with --description")
}

fn read(file: &Path) -> Result<Described, Error> {
    let (text, definition) = texts(file)?;
    Described::read(&text, definition).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(|mistake| line(file, mistake)).collect();
        Error::input(lines.join("\n")).hint(format!(
            "`kindsmith controller check {}` shows every mistake in its place",
            file.display()
        ))
    })
}

fn line(file: &Path, mistake: &Mistake) -> String {
    let cure = mistake.cure.as_ref().map(|cure| format!(" ({cure})"));
    format!(
        "{}:{}: {}{}",
        file.display(),
        mistake.line,
        mistake.message,
        cure.unwrap_or_default()
    )
}

/// The text of a description, and of its CRD if that is in a file of its own.
pub(crate) fn texts(file: &Path) -> Result<(String, Option<&'static str>), Error> {
    let read = |file: &Path| crate::files::read_text(file).map_err(|error| Error::reading(file, &error));
    let text = read(file)?;
    let definition = match definition_file(&text) {
        Some(name) => {
            let below = file.parent().unwrap_or(Path::new("")).join(name);
            // Tables of a kind live as long as the process.
            Some(&*read(&below)?.leak())
        }
        None => None,
    };
    Ok((text, definition))
}
