//! Which files are checked: those named, those below directories, those of patterns, and only those that changed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use kindsmith_source::SourceMap;

use super::glob;
use super::kustomize::Kustomized;
use crate::error::Error;
use crate::made_objects::{chart_of, is_kustomization, is_plain};
use crate::manifest::{self, Findings, Selected};
use crate::schemas::find_files;

/// The files to check at the paths given, each once. Helm charts are reported; files of a directory that hold no manifests
/// are only counted.
pub(super) fn files<'p>(
    paths: impl Iterator<Item = &'p PathBuf>,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Result<Vec<Selected>, Error> {
    let mut files = Vec::new();
    let mut charts = Vec::new();
    let named = |path: PathBuf| Selected {
        path,
        is_found: false,
        is_changed: false,
    };
    for path in paths {
        if path.as_os_str() == manifest::STANDARD_INPUT {
            files.push(named(path.clone()));
        } else if glob::is_pattern(path) {
            let found = glob::matches(path)?;
            if found.is_empty() {
                return Err(Error::input(format!("no file matches {}", path.display()))
                    .hint("`**` stands for any number of directories"));
            }
            files.extend(found.into_iter().map(named));
        } else {
            at(path, &mut files, &mut charts, sources, findings)?;
        }
    }
    let mut known = HashSet::new();
    files.retain(|file| known.insert(file.path.clone()));
    Ok(files)
}

/// The files at or below a path.
fn at(
    path: &Path,
    files: &mut Vec<Selected>,
    charts: &mut Vec<PathBuf>,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Result<(), Error> {
    let found = find_files(path)?;
    let is_found = path.is_dir();
    let select = |path: PathBuf| Selected {
        path,
        is_found,
        is_changed: false,
    };
    if !is_found {
        files.extend(found.into_iter().map(select));
        return Ok(());
    }
    if found.is_empty() {
        return Err(Error::input(format!("no manifests in {}", path.display()))
            .hint("manifests end in .yaml, .yml or .json"));
    }
    let others = kindsmith::files::others(path);
    let others = others.map_err(|error| Error::input(format!("cannot read {error}")))?;
    let kustomized = Kustomized::read(found.iter().filter(|file| is_kustomization(file)));
    for file in &found {
        match chart_of(path, file) {
            Some(chart) if !is_plain(&chart, file) => {
                if !charts.contains(&chart) {
                    findings.chart(&chart, sources);
                    charts.push(chart);
                }
            }
            _ if is_hidden(file) || is_patch(file) => findings.count_other(),
            _ if !is_kustomization(file) && kustomized.is_part(file) => findings.count_other(),
            _ => files.push(Selected {
                is_changed: kustomized.is_changed(file),
                ..select(file.clone())
            }),
        }
    }
    let others = others.iter().filter(|file| chart_of(path, file).is_none());
    others.for_each(|_| findings.count_other());
    Ok(())
}

/// Whether a file is hidden: settings of tools are.
fn is_hidden(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with('.')
}

/// Whether a file is a patch by its name: `patch.yaml`, `auth_patch.yaml`, `patch-image.json`.
fn is_patch(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut words = name.split(['-', '_', '.']);
    words.clone().next_back() == Some("patch") || words.next() == Some("patch")
}

/// Files that differ from a commit, by their real paths.
pub(super) struct Changed(HashSet<PathBuf>);

impl Changed {
    /// Files that differ from where this branch left `reference`, and those that git does not know yet.
    pub(super) fn since(reference: &str) -> Result<Self, Error> {
        if reference.starts_with('-') {
            return Err(Error::usage(format!("{reference:?} is no commit")));
        }
        let top = git(&["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(top.trim_end_matches(['\n', '\r']));
        let base = git(&["merge-base", reference, "HEAD"])?;
        let base = base.trim();
        let changed = git(&["diff", "--name-only", "-z", "--diff-filter=d", base])?;
        let new = git(&[
            "ls-files",
            "-z",
            "--others",
            "--exclude-standard",
            "--full-name",
            ":/",
        ])?;
        let names = changed.split('\0').chain(new.split('\0'));
        let names = names.filter(|name| !name.is_empty());
        Ok(Self(names.map(|name| real(&top.join(name))).collect()))
    }

    /// Whether a file changed. Standard input always did.
    pub(super) fn has(&self, file: &Path) -> bool {
        file.as_os_str() == manifest::STANDARD_INPUT || self.0.contains(&real(file))
    }

    /// Whether a file at or below a path changed.
    pub(super) fn has_below(&self, path: &Path) -> bool {
        let path = real(path);
        self.0.iter().any(|file| file.starts_with(&path))
    }
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn git(arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .map_err(|error| Error::environment(format!("cannot run git: {error}")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.lines().next().unwrap_or("no reason given").to_owned();
        let error = Error::input(format!("git {}: {text}", arguments.join(" ")));
        return Err(if arguments[0] == "merge-base" {
            error.hint("in CI, fetch the history too (`fetch-depth: 0`) and name the branch as `origin/main`")
        } else {
            error
        });
    }
    String::from_utf8(output.stdout).map_err(|_| Error::input("git lists names that are not UTF-8"))
}
