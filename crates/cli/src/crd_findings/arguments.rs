//! The arguments with which a project calls controller-gen, found in its Makefile, scripts and `//go:generate` lines. They
//! decide how large its CRDs are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kindsmith_generate::controller_gen::Options;
use kindsmith_go::Read;

use crate::go_path;

/// How many directories above a package may be the root of its module.
const LEVELS: usize = 8;

/// Options as the project sets them; what it does not say is as given.
pub(super) fn options(read: &Read, given: Options) -> Options {
    let texts = texts(read);
    let most = texts.iter().flat_map(|text| numbers(text, "maxDescLen="));
    let has = |word: &str| texts.iter().any(|text| text.contains(word));
    Options {
        // A project with several calls has its smallest CRDs where it needs them small.
        max_description: most.filter(|most| *most >= 0).min().or(given.max_description),
        embedded_object_meta: has("generateEmbeddedObjectMeta=true") || given.embedded_object_meta,
        ..given
    }
}

/// Texts that may call a generator.
fn texts(read: &Read) -> Vec<String> {
    let own = read
        .packages
        .iter()
        .map(|package| go_path::to_path(&package.directory));
    let roots: BTreeSet<PathBuf> = own.filter_map(|directory| root(&directory)).collect();
    let files = roots.iter().flat_map(|root| scripts(root));
    let mut texts: Vec<String> = files
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .filter(|text| text.contains("crd:"))
        .collect();
    for (_, file) in read.sources.files() {
        let lines = file.text().lines();
        texts.extend(
            lines
                .filter(|line| line.starts_with("//go:generate "))
                .map(str::to_owned),
        );
    }
    texts
}

/// The directory of the module of a package.
fn root(directory: &Path) -> Option<PathBuf> {
    let directory = std::path::absolute(directory).ok()?;
    let mut above = directory.ancestors().take(LEVELS);
    above.find(|at| at.join("go.mod").is_file()).map(Path::to_owned)
}

/// Files that may call a generator.
fn scripts(root: &Path) -> Vec<PathBuf> {
    let is_script = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        name.ends_with("makefile")
            || name.ends_with(".mk")
            || name.ends_with(".sh")
            || name.starts_with("taskfile")
    };
    let directories = [root.to_owned(), root.join("hack"), root.join("scripts")];
    let entries = directories
        .iter()
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_script)
        .collect()
}

/// The numbers after a word.
fn numbers(text: &str, word: &str) -> Vec<i64> {
    let parts = text.split(word).skip(1);
    let number = |part: &str| {
        let end = part.find(|letter: char| !letter.is_ascii_digit() && letter != '-');
        part[..end.unwrap_or(part.len())].parse().ok()
    };
    parts.filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_follow_their_word() {
        let text = "$(CONTROLLER_GEN) crd:maxDescLen=0,allowDangerousTypes=true rbac:roleName=x\nx crd:maxDescLen=200\n";
        assert_eq!(numbers(text, "maxDescLen="), [0, 200]);
        assert_eq!(numbers("crd:maxDescLen=$(N)", "maxDescLen="), [0_i64; 0]);
    }
}
