//! From files to schema in one call.

use std::collections::HashSet;
use std::sync::Arc;

use kindsmith_schema::{Builder, Part, Place, Schema};
use kindsmith_source::{Diagnostic, FileId, Origins, Severity, SourceMap, Tool};
use kindsmith_tags::{Declaration, Profile};

use crate::lower;
use crate::package::{self, Loader, Package};

/// The result of reading: always a schema, and the errors in its sources.
#[derive(Debug)]
pub struct Read {
    /// The types.
    pub schema: Schema,
    /// Where its parts are declared.
    pub origins: Origins<Place>,
    /// Places of the types and fields of the input packages, in source order.
    pub declarations: Vec<Declaration>,
    /// Errors in the input packages.
    pub diagnostics: Vec<Diagnostic>,
    /// All files read.
    pub sources: SourceMap,
    /// The input packages.
    pub packages: Vec<Arc<Package>>,
}

impl Read {
    /// Import paths of libraries whose sources were not found, so that ours were read: same types, other comments.
    #[must_use]
    pub fn built_in(&self) -> Vec<&str> {
        let names = self.sources.files().map(|(_, file)| file.name());
        let mut found: Vec<&str> = names.filter_map(package::built_in_path).collect();
        found.sort_unstable();
        found
    }
}

/// Reads the given packages of a loader, and whatever they lead to.
///
/// Reading never fails: source that is not understood gives a diagnostic, and a hole in the schema.
#[must_use]
pub fn read(loader: Loader<'_>, packages: Vec<Arc<Package>>, profile: Profile) -> Read {
    let options = kindsmith_tags::Options {
        profile,
        ..kindsmith_tags::Options::default()
    };
    read_with(loader, packages, &options)
}

/// Like `read`, with all options for reading tags.
#[must_use]
pub fn read_with(
    mut loader: Loader<'_>,
    packages: Vec<Arc<Package>>,
    options: &kindsmith_tags::Options,
) -> Read {
    let lowered = lower::lower(&packages, &mut loader, options.definitions);
    let mut builder = lowered.builder;
    let sites = lower::sites(&lowered.commented);
    let constants = lower::Declared::new(lowered.packages, lowered.constants, &mut loader);
    let outcome = kindsmith_tags::read_with(&mut builder, &sites, options, &constants);
    let (schema, renumbering) = builder.finish();
    let origins = lowered.origins.into_iter().chain(outcome.origins);
    let origins = origins
        .map(|(place, span)| (renumbering.place(place), span))
        .collect();
    let declarations = lowered.declarations.into_iter().map(|declaration| Declaration {
        owner: renumbering.place(declaration.owner.part(Part::Name)).owner,
        ..declaration
    });
    let declarations = declarations.collect();
    let asked_for = asked_for(&loader);
    let (sources, mut diagnostics) = loader.finish();
    diagnostics.extend(lowered.diagnostics);
    diagnostics.extend(outcome.diagnostics);
    diagnostics.extend(lower::unpublished(&packages, &schema));
    // In other packages, only findings that prevent CRDs from being generated count.
    let is_refusal = |finding: &Diagnostic| {
        options.definitions
            && finding.severity == Severity::Error
            && finding.finding.tool() == Tool::ControllerGen
    };
    diagnostics.retain(|finding| asked_for.contains(&finding.span.file) || is_refusal(finding));
    diagnostics.sort_by(|a, b| (a.span, a.code(), &a.message).cmp(&(b.span, b.code(), &b.message)));
    Read {
        schema,
        origins,
        declarations,
        diagnostics,
        sources,
        packages,
    }
}

/// The result without types, for generators that read packages as written.
#[must_use]
pub fn packages_only(loader: Loader<'_>, packages: Vec<Arc<Package>>) -> Read {
    let asked_for = asked_for(&loader);
    let (sources, mut diagnostics) = loader.finish();
    diagnostics.retain(|finding| asked_for.contains(&finding.span.file));
    diagnostics.sort_by(|a, b| (a.span, a.code(), &a.message).cmp(&(b.span, b.code(), &b.message)));
    Read {
        schema: Builder::default().finish().0,
        origins: Origins::default(),
        declarations: Vec::new(),
        diagnostics,
        sources,
        packages,
    }
}

/// The files of the directories that the caller named. A directory whose files cannot be read gives findings but no
/// package.
fn asked_for(loader: &Loader<'_>) -> HashSet<FileId> {
    let files = loader.sources().files();
    files
        .filter(|(_, file)| loader.is_asked(directory(file.name())))
        .map(|(id, _)| id)
        .collect()
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}
