//! `--objects`: real objects, run through both versions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use kindsmith::Kinds;
use kindsmith::crds::Crds;
use kindsmith_compat::Change;
use kindsmith_compat::objects::{Verdict, compare as compare_object};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_openapi::bundle::{self, Head};

use super::side::Document;
use crate::error::Error;
use crate::files;
use crate::schemas::find_files;
use crate::terminal::Terminal;

/// How many kinds an error names.
const NAMED: usize = 5;

/// How many objects had which end.
#[derive(Debug, Default)]
struct Counts {
    compared: usize,
    unknown: usize,
    refused_before: usize,
    not_converted: usize,
}

impl Counts {
    fn all(&self) -> usize {
        self.compared + self.unknown + self.refused_before + self.not_converted
    }

    /// What is said at the end.
    fn sentence(&self) -> String {
        let mut text = format!(
            "{} objects compared, {} of other kinds, {} that the old API refuses already",
            self.compared, self.unknown, self.refused_before
        );
        if self.not_converted > 0 {
            text += &format!(
                ", {} of versions that are gone and that a webhook would convert",
                self.not_converted
            );
        }
        text
    }
}

/// The changes that objects see.
pub(super) fn compare(
    old: &[Document],
    new: &[Document],
    paths: &[PathBuf],
    release: Release,
    terminal: &Terminal,
) -> Result<Vec<Change>, Error> {
    let (old, new) = (kinds(old, release), kinds(new, release));
    let mut counts = Counts::default();
    let mut changes = Vec::new();
    let mut others = BTreeSet::new();
    for path in paths {
        for file in find_files(path)? {
            let name = file.display().to_string();
            let text = files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
            for entry in bundle::scan(&text) {
                if let Head::Unreadable { error } = &entry.head {
                    return Err(Error::input(format!("cannot read {name}: {error}")));
                }
                if !matches!(entry.head, Head::Other { .. }) {
                    continue;
                }
                let arena = Arena::new();
                let object = entry
                    .value(&arena)
                    .map_err(|error| Error::input(format!("cannot read {name}: {error}")))?;
                match compare_object(&old, &new, object, &name) {
                    Verdict::Unknown => {
                        counts.unknown += 1;
                        let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
                        others.insert(kind.to_owned());
                    }
                    Verdict::RefusedBefore => counts.refused_before += 1,
                    Verdict::NotConverted => counts.not_converted += 1,
                    Verdict::Compared(found) => {
                        counts.compared += 1;
                        changes.extend(found);
                    }
                }
            }
        }
    }
    if counts.unknown > 0 && counts.unknown == counts.all() {
        let others: Vec<String> = others.into_iter().take(NAMED).collect();
        let error = format!(
            "no object is of a kind with a CRD in OLD; there are {}",
            others.join(", ")
        );
        return Err(Error::input(error).hint(
            "`diff` compares CRDs, so only custom resources can change; `kubectl get RESOURCE -A -o yaml` prints them",
        ));
    }
    if counts.all() == 0 {
        return Err(Error::input("there are no objects in what `--objects` names")
            .hint("it takes manifests and lists, such as from `kubectl get RESOURCE -A -o yaml`"));
    }
    terminal.say(&counts.sentence());
    Ok(changes)
}

fn kinds(documents: &[Document], release: Release) -> Kinds {
    let mut crds = Crds::default();
    for document in documents {
        crds.add(&document.name, &document.text);
    }
    Kinds::new(crds, None).with_release(release)
}
