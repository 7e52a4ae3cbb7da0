//! What the API server will say about the CRDs of linted packages, at the marker that is to blame, before anything is
//! generated.

mod arguments;
mod cost;
mod default_rules;
mod rounds;

use std::collections::HashSet;

use kindsmith_crd::definition::{self, Judge};
use kindsmith_formats::nearest::nearest_of;
use kindsmith_generate::controller_gen::{self, Definition, Options};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_lint::{Config, PackageKind, PackageKinds};
use kindsmith_object::{About, GroupVersion};
use kindsmith_schema::{Facet, Family, FieldId, Kind, Owner, Part};
use kindsmith_source::{Diagnostic, Span};

use crate::crd_size;
use crate::finding;
use crate::misspelled::{did_you_mean, meant_in_rule};
use place::span;

pub(crate) use kindsmith::marker_place as place;

/// Findings about the CRDs of packages with custom resources.
pub(crate) fn findings(read: &Read, config: &Config) -> Vec<Diagnostic> {
    let schema = &read.schema;
    let package_kinds = PackageKinds::of(schema);
    let is_custom = |kind: &&Kind| {
        let found = package_kinds.kind(&schema.ty(kind.ty).name.package);
        config.packages.unwrap_or(found) == PackageKind::Custom
    };
    let mut found = ungrouped(read);
    let kinds: Vec<&Kind> = schema
        .kinds()
        .iter()
        .filter(is_custom)
        .filter(|kind| is_published(read, kind))
        .collect();
    if kinds.is_empty() {
        return found;
    }
    let generated = controller_gen::definitions(schema, &options(read));
    let mut judge = Judge::default();
    let mut formats = HashSet::new();
    for definition in &generated.definitions {
        let spec = &definition.model.spec;
        let is_of = |kind: &&&Kind| kind.kind == spec.names.kind && kind.group == spec.group;
        let versions: Vec<&Kind> = kinds.iter().filter(is_of).copied().collect();
        if let Some(first) = versions.first() {
            found.extend(judged(&mut judge, read, definition, &versions));
            formats.extend(definition::unrecognized_formats(
                &definition.model.to_internal().spec,
            ));
            found.extend(refused_defaults(read, definition, &versions));
            found.extend(size(read, definition, first));
        }
    }
    found.extend(unrecognized_formats(read, &formats));
    found
}

fn options(read: &Read) -> Options {
    let options = Options {
        allow_dangerous_types: true,
        ..Options::default()
    };
    arguments::options(read, options)
}

/// The marker of a CEL rule, by its number among the rules of a field of an object.
pub(crate) fn rule(
    read: &Read,
    (api_version, kind): (&str, &str),
    path: &PathBuf,
    index: usize,
) -> Option<Span> {
    let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
    let kinds = read.schema.kinds().iter();
    let versions: Vec<&Kind> = kinds
        .filter(|known| *known.kind == *kind && *known.group == *group)
        .collect();
    versions.first()?;
    let generated = controller_gen::definitions(&read.schema, &options(read)).definitions;
    let definition = generated.iter().find(|definition| {
        let spec = &definition.model.spec;
        *spec.names.kind == *kind && *spec.group == *group
    })?;
    let served = &definition.model.spec.versions;
    let number = served.iter().position(|served| *served.name == *version)?;
    let schema = place::path(served[number].open_api_v3_schema()?, path)?;
    let path =
        format!("spec.versions[{number}].schema.openAPIV3Schema{schema}.x-kubernetes-validations[{index}]");
    place::of(read, &definition.model, &versions, &path)
}

/// Whether a kind is published as a CRD: it is marked as a kind for kubebuilder, or it has a list type and kubebuilder's
/// markers are used in its file. Types that are only embedded in objects look like kinds otherwise.
fn is_published(read: &Read, kind: &Kind) -> bool {
    let schema = &read.schema;
    let ty = schema.ty(kind.ty);
    let mut markers = ty.options.markers.iter();
    let list = format!("{}List", ty.name.name);
    let has_list = || {
        let mut beside = schema
            .types()
            .filter(|(_, other)| other.name.package == ty.name.package);
        beside.any(|(_, other)| *other.name.name == *list)
    };
    let is_used = || {
        let place = read.origins.span(&Owner::Type(kind.ty).part(Part::Name));
        place.is_some_and(|place| read.sources.file(place.file).text().contains("+kubebuilder:"))
    };
    markers.any(|(name, _)| name.starts_with("kubebuilder:")) || (has_list() && is_used())
}

/// Kinds for kubebuilder in packages without a group: controller-gen writes CRDs that no server takes.
fn ungrouped(read: &Read) -> Vec<Diagnostic> {
    let kinds = read.schema.ungrouped_kinds().iter().filter(|kind| {
        let mut markers = read.schema.ty(kind.ty).options.markers.iter();
        markers.any(|(name, _)| name.starts_with("kubebuilder:"))
    });
    let told = kinds.map(|kind| {
        let place = span(read, Owner::Type(kind.ty).part(Part::Name));
        let message = "the package of this kind has no API group";
        let help =
            "write `// +groupName=GROUP` above the package clause, such as `// +groupName=apps.example.com`";
        Diagnostic::warning(&finding::DEFINITION, place, message).help(help)
    });
    told.collect()
}

fn judged(judge: &mut Judge, read: &Read, definition: &Definition, versions: &[&Kind]) -> Vec<Diagnostic> {
    let mut stored = definition.model.clone();
    stored.default_fields();
    let errors = rounds::errors(judge, &stored);
    // The sum over the whole schema is too high because a rule of its own is.
    let has_expensive_rule = errors.iter().any(|error| error.about == Some(About::RuleCost));
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut known = HashSet::new();
    for error in &errors {
        if has_expensive_rule && error.about == Some(About::TotalCost) {
            continue;
        }
        let path = error.path.to_string();
        // Projects change names and annotations after generation; only the schema is surely theirs.
        let Some((_, in_schema)) = path.split_once("openAPIV3Schema") else {
            continue;
        };
        if place::is_hole(read, versions, &path) {
            continue;
        }
        let blamed = place::of(read, &definition.model, versions, &path);
        let text = format!(
            "the API server will reject the CRD of `{}`: {error}",
            definition.model.spec.names.kind
        );
        let mut told = Diagnostic::warning(
            &finding::DEFINITION,
            blamed.unwrap_or_else(|| name(read, versions)),
            text,
        )
        .about(in_schema);
        if error.about.is_some_and(About::is_cost) {
            told = match cost::sufficient(judge, &stored, &path) {
                Some(help) => told.help(help),
                None => told,
            };
        }
        let schemas = stored.spec.schemas();
        let meant: Vec<String> = schemas
            .map(|(_, schema)| meant_in_rule(schema, &error.path))
            .find(|meant| !meant.is_empty())
            .unwrap_or_default();
        told.help.extend(did_you_mean(&meant));
        // Versions with the same field have the same mistake.
        if known.insert((told.span, in_schema.to_owned(), error.body().to_string())) {
            found.push(told);
        }
    }
    found
}

/// Markers with formats that the server only warns of: it checks nothing.
fn unrecognized_formats(read: &Read, formats: &HashSet<String>) -> Vec<Diagnostic> {
    let schema = &read.schema;
    let is_input = |package: &str| schema.package(package).is_some_and(|package| package.input);
    let mut found = Vec::new();
    for (id, ty) in schema.types().filter(|(_, ty)| is_input(&ty.name.package)) {
        let own = ty.rules.iter().enumerate().map(|rule| (Owner::Type(id), rule));
        let fields = (0..).zip(ty.fields()).flat_map(|(index, field)| {
            let owner = Owner::Field(FieldId { owner: id, index });
            field.rules.iter().enumerate().map(move |rule| (owner, rule))
        });
        for (owner, (index, rule)) in own.chain(fields) {
            let Facet::Format(format) = &rule.facet else {
                continue;
            };
            if rule.family == Family::Kubebuilder && formats.contains(&**format) {
                let place = span(read, owner.part(Part::Rule(index as u32)));
                found.push(unrecognized_format(place, format));
            }
        }
    }
    found
}

fn unrecognized_format(place: Span, format: &str) -> Diagnostic {
    let message = format!("the API server does not know the format {format:?}, so it checks nothing");
    let told = Diagnostic::warning(&finding::DEFINITION, place, message);
    match nearest_of(format, definition::string_formats()) {
        Some(near) => told.help(format!("did you mean `{near}`?")),
        None => {
            let all: Vec<&str> = definition::string_formats().collect();
            told.help(format!("formats of texts that are checked: {}", all.join(", ")))
        }
    }
}

/// Rules that refuse objects because of their defaults.
fn refused_defaults(read: &Read, definition: &Definition, versions: &[&Kind]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for broken in default_rules::find(&definition.model) {
        let place = place::of(read, &definition.model, versions, &broken.path);
        let message = format!(
            "objects without the fields of this rule are refused: the defaults {} do not satisfy `{}`",
            broken.defaults, broken.rule
        );
        let place = place.unwrap_or_else(|| name(read, versions));
        let told = Diagnostic::warning(&finding::DEFAULT_RULE, place, message);
        // Versions with the same type have the same mistake.
        if !found.contains(&told) {
            found.push(told);
        }
    }
    found
}

fn size(read: &Read, definition: &Definition, kind: &Kind) -> Option<Diagnostic> {
    let message = crd_size::complaint(definition.bytes)?;
    let found = Diagnostic::warning(&finding::CRD_SIZE, name(read, &[kind]), message);
    Some(found.help(
        "`kindsmith gen crd --sizes` shows the largest fields; `--maxDescLen=0` leaves out descriptions",
    ))
}

fn name(read: &Read, versions: &[&Kind]) -> Span {
    let kind = versions.first().expect("a CRD has a version that was read");
    span(read, Owner::Type(kind.ty).part(Part::Name))
}
