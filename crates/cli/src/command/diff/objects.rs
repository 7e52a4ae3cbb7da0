//! `--objects`: real objects, run through both versions.

use std::path::PathBuf;

use kindsmith::Kinds;
use kindsmith::crds::Crds;
use kindsmith_compat::Change;
use kindsmith_compat::objects::{Verdict, compare as compare_object};
use kindsmith_json::Arena;
use kindsmith_openapi::bundle::{self, Head};

use super::side::Document;
use crate::error::Error;
use crate::files;
use crate::schemas::find_files;
use crate::terminal::Terminal;

/// How many objects had which end.
#[derive(Debug, Default)]
struct Counts {
    compared: usize,
    unknown: usize,
    refused_before: usize,
}

/// The changes that objects see.
pub(super) fn compare(
    old: &[Document],
    new: &[Document],
    paths: &[PathBuf],
    terminal: &Terminal,
) -> Result<Vec<Change>, Error> {
    let (old, new) = (kinds(old), kinds(new));
    let mut counts = Counts::default();
    let mut changes = Vec::new();
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
                    Verdict::Unknown => counts.unknown += 1,
                    Verdict::RefusedBefore => counts.refused_before += 1,
                    Verdict::Compared(found) => {
                        counts.compared += 1;
                        changes.extend(found);
                    }
                }
            }
        }
    }
    if counts.compared + counts.refused_before == 0 {
        return Err(Error::input("no object is of a kind that both sides know")
            .hint("`--objects` takes manifests and lists, such as from `kubectl get -A -o yaml`"));
    }
    terminal.say(&format!(
        "{} objects compared, {} of other kinds, {} that the old API refuses already",
        counts.compared, counts.unknown, counts.refused_before
    ));
    Ok(changes)
}

fn kinds(documents: &[Document]) -> Kinds {
    let mut crds = Crds::default();
    for document in documents {
        crds.add(&document.name, &document.text);
    }
    Kinds::new(crds, None)
}
