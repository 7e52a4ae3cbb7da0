//! What is known about one Go package: its types, findings, and where everything is declared.

pub(crate) mod complete;
pub(crate) mod definition;
mod discriminator;
mod expression;
mod fitting;
pub(crate) mod hover;
pub(crate) mod lens;
pub(crate) mod rename;
mod resolve;
mod tag;
mod values;

use kindsmith_generate::controller_gen::{self, Tags};
use kindsmith_go::package::{Files, Loader, Options};
use kindsmith_go::{Profile, Read};
use kindsmith_lint::Config;
use kindsmith_schema::{FieldId, JsonSchema, Owner, Part, TypeId};
use kindsmith_source::{Diagnostic, FileId, Span};

use crate::settings::CheckCrds;
use crate::text::Text;

/// A package that was read.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) read: Read,
    findings: Vec<Diagnostic>,
    /// Names of types and fields in the files of the package, by place.
    names: Vec<(Span, Owner)>,
}

impl Package {
    /// Reads the package in a directory and runs all rules.
    pub(crate) fn load(
        directory: &str,
        files: &dyn Files,
        options: Options,
        config: &Config,
        check_crds: &CheckCrds,
    ) -> Self {
        let mut loader = Loader::new(files, options);
        let packages = loader.load(directory);
        let mut read = kindsmith_go::read(loader, packages, Profile::Upstream);
        let mut diagnostics = std::mem::take(&mut read.diagnostics);
        diagnostics.extend(check_crds(&read, config));
        let input = kindsmith_lint::Input::new(&read.schema, &read.origins)
            .with_source(&read.sources, &read.declarations)
            .with_config(config);
        let mut findings = kindsmith_lint::lint(input, diagnostics);
        findings.sort_by(|one, other| (one.span, one.code()).cmp(&(other.span, other.code())));
        findings.dedup();
        let names = names(&read);
        Self {
            read,
            findings,
            names,
        }
    }

    /// The findings in a file.
    pub(crate) fn findings_in(&self, path: &str) -> Vec<&Diagnostic> {
        let file = self.file(path);
        let findings = self.findings.iter();
        findings.filter(|found| Some(found.span.file) == file).collect()
    }

    /// A file of the package.
    pub(crate) fn file(&self, path: &str) -> Option<FileId> {
        let mut files = self.read.sources.files();
        files.find_map(|(id, file)| (file.name() == path).then_some(id))
    }

    /// The declaration that a comment belongs to: the one on the line after it.
    pub(crate) fn owner_of_comment(&self, file: FileId, text: &Text, line: usize) -> Option<Owner> {
        let mut next = line + 1;
        while text.line(next).trim_start().starts_with("//") {
            next += 1;
        }
        self.owner_on_line(file, text, next)
    }

    /// The first declaration of a line.
    pub(crate) fn owner_on_line(&self, file: FileId, text: &Text, line: usize) -> Option<Owner> {
        let (start, end) = (text.line_start(line) as u32, text.line_start(line + 1) as u32);
        let index = self
            .names
            .partition_point(|(span, _)| (span.file, span.start) < (file, start));
        let (span, owner) = self.names.get(index)?;
        (span.file == file && span.start < end).then_some(*owner)
    }

    /// The declaration whose name is at an offset.
    pub(crate) fn owner_at(&self, file: FileId, offset: usize) -> Option<Owner> {
        let offset = offset as u32;
        let is_here = |span: &Span| span.file == file && span.start <= offset && offset <= span.end;
        let mut names = self.names.iter();
        names.find_map(|(span, owner)| is_here(span).then_some(*owner))
    }

    /// Where a declaration's name is.
    pub(crate) fn name_span(&self, owner: Owner) -> Option<Span> {
        span(&self.read, owner)
    }

    /// The schema that a struct becomes in a CRD.
    pub(crate) fn published(&self, ty: TypeId) -> JsonSchema {
        let options = controller_gen::Options {
            tags: Tags::Used,
            allow_dangerous_types: true,
            go_json: true,
            ..controller_gen::Options::default()
        };
        controller_gen::schema_of(&self.read.schema, ty, &options).0
    }

    /// The schema that a field becomes in a CRD, with its JSON name.
    pub(crate) fn published_field(&self, field: FieldId) -> Option<(String, JsonSchema)> {
        let name = self.read.schema.field(field).json_name()?.to_owned();
        let schema = self.published(field.owner).property(&name)?.clone();
        Some((name, schema))
    }
}

fn names(read: &Read) -> Vec<(Span, Owner)> {
    let mut names = Vec::new();
    for (id, _) in read.schema.types() {
        let owner = Owner::Type(id);
        let Some(place) = span(read, owner) else {
            continue;
        };
        names.push((place, owner));
        let fields = read.schema.fields(id).map(|(id, _)| Owner::Field(id));
        names.extend(fields.filter_map(|owner| Some((span(read, owner)?, owner))));
    }
    names.sort_by_key(|(span, _)| *span);
    names
}

/// The name of a declaration; that of the type for an embedded field.
fn span(read: &Read, owner: Owner) -> Option<Span> {
    let parts = [Part::Name, Part::Type];
    parts
        .into_iter()
        .find_map(|part| read.origins.span(&owner.part(part)))
}
