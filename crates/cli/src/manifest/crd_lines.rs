//! Where a CRD says what an object of it must be: the line of a schema keyword or of a CEL rule.

use kindsmith::cause::{self, Blamed, field_schema};
use kindsmith_json::Arena;
use kindsmith_json::path::PathBuf;
use kindsmith_object::GroupVersion;
use kindsmith_source::{SourceMap, Span};

use super::findings::{BROKEN, BrokenRule, Findings};
use super::{Manifest, read, read_text};
use crate::error::Error;
use crate::schemas::{CrdsArgs, find_files};

pub(crate) use kindsmith::cause::Cause;

/// The CRDs as written.
#[derive(Default)]
pub(crate) struct CrdLines<'a>(Vec<Manifest<'a>>);

impl<'a> CrdLines<'a> {
    /// The CRDs among the manifests and those of `--crds`.
    pub(crate) fn read(
        manifests: &[Manifest<'a>],
        crds: &CrdsArgs,
        arena: &'a Arena,
        sources: &mut SourceMap,
    ) -> Result<Self, Error> {
        let mut all: Vec<Manifest<'a>> = manifests.to_vec();
        for path in crds.paths() {
            for file in find_files(path)? {
                // Their users report what is wrong with these files.
                all.extend(read(&file, arena, sources, &mut Findings::default()));
            }
        }
        all.retain(|manifest| kindsmith::is_definition(manifest.value));
        Ok(Self(all))
    }

    /// The CRDs of a text.
    pub(crate) fn add(&mut self, name: &str, text: &str, arena: &'a Arena, sources: &mut SourceMap) {
        let read = read_text(name, text, arena, sources, &mut Findings::default());
        let crds = read.into_iter();
        self.0
            .extend(crds.filter(|manifest| kindsmith::is_definition(manifest.value)));
    }

    /// The place of the schema of a field, or of what is nearest above it; `[*]` is any item or value. Without a version
    /// it is the place of the CRD.
    pub(crate) fn field(
        &self,
        (group, kind): (&str, &str),
        version: Option<&str>,
        path: &str,
    ) -> Option<Span> {
        let definition = self.definition(group, kind)?;
        Some(definition.span(&field_schema(definition.value, version, path)))
    }

    fn definition(&self, group: &str, kind: &str) -> Option<&Manifest<'a>> {
        self.0.iter().find(|definition| {
            definition.value.text(&["spec", "group"]) == group
                && definition.value.text(&["spec", "names", "kind"]) == kind
        })
    }

    /// The place of the keyword or rule behind an error at `path` of an object, and what to say about it.
    pub(crate) fn behind(
        &self,
        (api_version, kind): (&str, &str),
        path: &PathBuf,
        cause: Cause<'_>,
    ) -> Option<(Span, &'static str)> {
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let definition = self.definition(group, kind)?;
        let (place, blamed) = cause::behind(definition.value, version, path, cause)?;
        let label = match blamed {
            Blamed::Schema => "required by this schema",
            Blamed::Rule => "required by this rule",
            Blamed::BrokenRule => BROKEN,
        };
        Some((definition.span(&place), label))
    }

    /// The place of a rule that cannot be compiled or evaluated.
    pub(crate) fn broken_rule(&self, broken: &BrokenRule) -> Option<Span> {
        let (api_version, kind) = &broken.identity;
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let definition = self.definition(group, kind)?;
        let place = cause::rule(definition.value, version, &broken.path, broken.index)?;
        Some(definition.span(&place))
    }

    /// The place of the default of a field.
    pub(crate) fn behind_default(&self, identity: (&str, &str), path: &PathBuf) -> Option<Span> {
        Some(self.behind(identity, path, Cause::Default)?.0)
    }
}
