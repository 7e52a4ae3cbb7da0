//! The arguments of every command that reads Go types, and finding what they name.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_go::package::{Loader, Options, Package};

use crate::error::Error;
use crate::files::Disk;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// What to read.
#[derive(Debug, clap::Args)]
pub struct Input {
    /// Folders with Go types; `DIR/...` takes all folders below too
    #[arg(value_name = "DIR", default_value = ".")]
    folders: Vec<String>,
    /// Read the packages of a module from a folder; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = module)]
    modules: Vec<(String, String)>,
}

impl Input {
    /// Reads the packages the arguments name.
    ///
    /// # Errors
    ///
    /// If a folder is not there or holds no Go files. What is wrong inside files is in the loader's diagnostics.
    pub fn load(self, terminal: &Terminal) -> Result<(Loader<'static>, Vec<Arc<Package>>), Error> {
        let options = Options {
            module_cache: module_cache(),
            modules: self.modules,
            ..Options::default()
        };
        let mut loader = Loader::new(&Disk, options);
        let progress = Progress::start(terminal, "reading", self.folders.len());
        let mut packages: Vec<Arc<Package>> = Vec::new();
        for folder in &self.folders {
            packages.extend(load(&mut loader, folder)?);
            progress.step();
        }
        packages.sort_by(|one, other| one.directory.cmp(&other.directory));
        packages.dedup_by(|one, other| one.directory == other.directory);
        Ok((loader, packages))
    }
}

fn load(loader: &mut Loader<'_>, folder: &str) -> Result<Vec<Arc<Package>>, Error> {
    let top = folder.strip_suffix("/...").unwrap_or(folder);
    let path = if top == "..." {
        Path::new(".")
    } else {
        Path::new(top)
    };
    let about = std::fs::metadata(path).map_err(|error| Error::reading(path, &error))?;
    if !about.is_dir() {
        return Err(
            Error::input(format!("{folder} is not a folder")).hint("name the folder its package lies in")
        );
    }
    // A file that cannot be read is a finding, so there may be findings without a package.
    let before = loader.diagnostics().len();
    let packages = loader.load(folder);
    if packages.is_empty() && loader.diagnostics().len() == before {
        let error = Error::input(format!("there are no Go files in {folder}"));
        if folder.ends_with("...") {
            return Err(error);
        }
        return Err(error.hint(format!(
            "`{}/...` looks in the folders below too",
            top.trim_end_matches('/')
        )));
    }
    Ok(packages)
}

fn module(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, folder)) if !path.is_empty() && !folder.is_empty() => {
            Ok((path.to_owned(), folder.to_owned()))
        }
        _ => Err("write it as `example.com/module=folder`".to_owned()),
    }
}

/// Where `go mod download` puts modules: `$GOMODCACHE`, else `$GOPATH/pkg/mod`, else `~/go/pkg/mod`
/// (the `go env` defaults).
fn module_cache() -> Option<String> {
    let variable = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let first_path = || env::split_paths(&variable("GOPATH")?).next();
    let gopath = || first_path().or_else(|| Some(env::home_dir()?.join("go")));
    let cache = variable("GOMODCACHE").or_else(|| Some(gopath()?.join("pkg/mod")))?;
    cache
        .is_dir()
        .then(|| cache.to_str().map(str::to_owned))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &str, expected: &str) {
        let input = Input {
            folders: vec![folder.to_owned()],
            modules: Vec::new(),
        };
        let error = input.load(&Terminal::new(true)).err().expect("nothing to read");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn says_what_is_wrong_with_a_folder() {
        check(
            "nowhere/...",
            "cannot read nowhere: No such file or directory (os error 2)",
        );
        check(
            "Cargo.toml",
            "Cargo.toml is not a folder\n  = help: name the folder its package lies in",
        );
        check(
            "src/",
            "there are no Go files in src/\n  = help: `src/...` looks in the folders below too",
        );
        check("./src/...", "there are no Go files in ./src/...");
    }

    #[test]
    fn modules_are_named_with_their_folders() {
        assert_eq!(module("a.b/c=d=e"), Ok(("a.b/c".to_owned(), "d=e".to_owned())));
        assert!(module("a.b/c").is_err());
        assert!(module("=d").is_err());
    }
}
