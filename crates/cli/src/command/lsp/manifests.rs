//! Findings in manifests for the language server: those of `kindsmith check`.

use std::path::Path;

use kindsmith::{Kinds, Write};
use kindsmith_go::Read;
use kindsmith_json::Arena;
use kindsmith_lsp::Checked;
use kindsmith_source::SourceMap;

use crate::made_objects;
use crate::manifest::{self, CrdLines, Findings};

/// Checks a manifest as if `kindsmith check` read it.
pub(super) fn check(path: &str, text: &str, kinds: &Kinds) -> Checked {
    let arena = Arena::new();
    let mut sources = SourceMap::default();
    if made_objects::is_source(Path::new(path)) {
        return Checked::default();
    }
    let mut findings = Findings::default();
    let manifests = manifest::read_text(path, text, &arena, &mut sources, &mut findings);
    let read = nothing();
    for manifest in &manifests {
        let (api_version, kind) = manifest.identity();
        // A document that is not an object, such as the values of a chart, is skipped.
        if api_version.is_empty() || kind.is_empty() {
            continue;
        }
        let arena = Arena::new();
        let write = Write {
            is_traced: !kinds.is_builtin(api_version, kind),
            ..Write::create(manifest.value)
        };
        match kinds.review(&arena, &write) {
            Ok(review) => findings.review(kinds, manifest, (&read, &CrdLines::default()), &review),
            Err(_) => findings.without_schema((kinds, kinds.release()), manifest, true),
        }
    }
    Checked {
        sources,
        findings: findings.all(true),
    }
}

/// No Go packages: findings point to no tags.
fn nothing() -> Read {
    let files = kindsmith_go::package::MemoryFiles::default();
    let loader = kindsmith_go::package::Loader::new(&files, kindsmith_go::package::Options::default());
    kindsmith_go::packages_only(loader, Vec::new())
}
