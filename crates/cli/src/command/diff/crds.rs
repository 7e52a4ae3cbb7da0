//! The CRDs in documents, parsed; each kind once.

use std::collections::HashMap;

use kindsmith::Kinds;
use kindsmith_json::Arena;
use kindsmith_object::Release;
use kindsmith_openapi::bundle::{self, Entry, Head};
use kindsmith_openapi::crd::{self, ApiVersion, Definition, Source};

use super::side::Document;
use crate::error::Error;
use crate::terminal::Terminal;

/// The CRDs of all documents.
pub(super) fn definitions(documents: &[Document]) -> Result<Vec<Definition>, Error> {
    let mut known: HashMap<(String, String), &str> = HashMap::new();
    let mut definitions: Vec<Definition> = Vec::new();
    for document in documents {
        for entry in bundle::scan(&document.text) {
            let Head::Definition(head) = &entry.head else {
                continue;
            };
            if head.group.is_empty() || head.kind.is_empty() {
                continue;
            }
            if head.api == ApiVersion::V1beta1 {
                return Err(Error::input(format!(
                    "{}: {} is of apiextensions.k8s.io/v1beta1",
                    document.name, head.name
                ))
                .hint("only v1 can be compared"));
            }
            let definition =
                read(&entry).map_err(|error| Error::input(format!("{}: {error}", document.name)))?;
            let identity = (head.group.to_string(), head.kind.to_string());
            match known.get(&identity) {
                None => {
                    known.insert(identity, &document.name);
                    definitions.push(definition);
                }
                Some(_) if definitions.iter().any(|one| one.spec == definition.spec) => {}
                Some(first) => {
                    return Err(Error::input(format!(
                        "{}.{} is in {first} and, different, in {}",
                        head.kind, head.group, document.name
                    ))
                    .hint("name the directory or file with the CRDs to compare"));
                }
            }
        }
    }
    Ok(definitions)
}

/// Says which documents have CRDs that the API server refuses: a comparison with them means little.
pub(super) fn warn_of_refused(documents: &[Document], release: Release, terminal: &Terminal) {
    for document in documents {
        let mut kinds = Kinds::default().with_release(release);
        if let Err(error) = kinds.add_crds("", &document.text)
            && let Some(first) = error.problems.first()
        {
            terminal.warn(&format!(
                "warning: the API server of Kubernetes {release} refuses {}: {first}",
                document.name
            ));
        }
    }
}

fn read(entry: &Entry<'_>) -> Result<Definition, String> {
    let arena = Arena::new();
    let value = entry.value(&arena)?;
    let read = crd::read(value, Source::Unknown).map_err(|error| error.to_string())?;
    let mut definition = read.definition;
    definition.default_fields();
    Ok(definition)
}
