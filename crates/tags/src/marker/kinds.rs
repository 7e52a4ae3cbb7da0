//! Resources: structs with both parts of metadata (controller-tools `FindKubeKinds`, `NeedCRDFor`). Those in
//! packages without a group are found too, without group and version.

use std::collections::BTreeMap;

use kindsmith_schema::{
    Builder, Kind, Owner, Package, Shape, Str, Type, TypeId, TypeName, TypeRef, WellKnown,
};
use kindsmith_source::Span;

use super::lines::Lines;
use super::{FoundKind, Gathered, Reader, report};
use crate::finding;
use crate::grammar::marker::parse;

/// The kinds of all input packages.
pub(super) fn kinds<'a>(
    builder: &Builder,
    packages: &[Package],
    lines_of: &dyn Fn(Owner) -> Option<&'a Lines<'a>>,
    gathered: &mut Gathered,
) -> Vec<FoundKind> {
    let mut kinds = Vec::new();
    let resources: Vec<TypeId> = builder
        .ids()
        .filter(|id| is_resource(builder, builder.ty(*id)))
        .collect();
    for id in &resources {
        kinds.extend(kind(builder, packages, *id, lines_of, gathered));
    }
    // A type with a resource's name in another package of its group is a version of it, whatever its members
    // are.
    let versions: Vec<TypeId> = other_versions(builder, packages, &resources, &kinds);
    for id in versions {
        kinds.extend(kind(builder, packages, id, lines_of, gathered));
    }
    kinds
}

/// Versions of known kinds in imported packages. Their errors are reported only if those packages are the
/// input.
pub(super) fn distant<'a>(
    builder: &Builder,
    packages: &[Package],
    lines_of: &dyn Fn(Owner) -> Option<&'a Lines<'a>>,
    kinds: &[FoundKind],
) -> Vec<Kind> {
    let mut found = Vec::new();
    let mut keys: Vec<(&str, &str)> = kinds
        .iter()
        .map(|known| (&*known.kind.group, &*known.kind.kind))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    for package in packages
        .iter()
        .filter(|package| !package.input && !package.options.skip)
    {
        let Some(group) = &package.group else {
            continue;
        };
        let version = package.version.as_ref().unwrap_or(&package.name);
        for (_, name) in keys.iter().filter(|(of, _)| *of == &**group) {
            let Some(id) = builder.find(&TypeName::new(package.path.clone(), *name)) else {
                continue;
            };
            if builder.ty(id).shape == Shape::Hole {
                continue;
            }
            let mut kind = Kind::new(id, group.clone(), version.clone(), *name);
            if let Some(lines) = lines_of(Owner::Type(id)) {
                apply(lines, &mut kind, &mut Gathered::default());
            }
            found.push(kind);
        }
    }
    found
}

/// Types that share group and name with a resource but are not resources themselves (controller-tools
/// `NeedCRDFor`).
fn other_versions(
    builder: &Builder,
    packages: &[Package],
    resources: &[TypeId],
    kinds: &[FoundKind],
) -> Vec<TypeId> {
    let mut found = Vec::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for known in kinds {
        let key = (&*known.kind.group, &*known.kind.kind);
        if done.contains(&key) {
            continue;
        }
        done.push(key);
        for package in packages {
            if package.group.as_deref().unwrap_or_default() != key.0 {
                continue;
            }
            let name = TypeName::new(package.path.clone(), key.1);
            found.extend(builder.find(&name).filter(|id| !resources.contains(id)));
        }
    }
    found
}

/// The kind of a type, if its package is an input.
fn kind<'a>(
    builder: &Builder,
    packages: &[Package],
    id: TypeId,
    lines_of: &dyn Fn(Owner) -> Option<&'a Lines<'a>>,
    gathered: &mut Gathered,
) -> Option<FoundKind> {
    let ty = builder.ty(id);
    let index = packages
        .iter()
        .position(|package| package.path == ty.name.package)?;
    let package = &packages[index];
    if !package.input || package.options.skip || ty.shape == Shape::Hole {
        return None;
    }
    let (group, version) = match &package.group {
        Some(group) => (
            group.clone(),
            package.version.as_ref().unwrap_or(&package.name).clone(),
        ),
        None => (Str::default(), Str::default()),
    };
    let mut kind = Kind::new(id, group, version, ty.name.name.clone());
    let own = lines_of(Owner::Type(id));
    if let Some(lines) = own {
        apply(lines, &mut kind, gathered);
    }
    Some(FoundKind {
        kind,
        package: u32::try_from(index).unwrap_or(u32::MAX),
        span: own.and_then(|lines| lines.any),
    })
}

/// Whether a struct embeds both parts of metadata, by value.
fn is_resource(builder: &Builder, ty: &Type) -> bool {
    let embeds = |part: WellKnown| {
        ty.fields().iter().any(|field| match &field.ty {
            TypeRef::Named(id) => field.embedded && builder.ty(*id).well_known == Some(part),
            _ => false,
        })
    };
    embeds(WellKnown::TypeMeta) && embeds(WellKnown::ObjectMeta)
}

fn apply(lines: &Lines<'_>, kind: &mut Kind, gathered: &mut Gathered) {
    for marker in &lines.markers {
        let Some(crd) = &marker.crd else {
            continue;
        };
        let Some(descriptor) = crd.tag.as_marker() else {
            continue;
        };
        let Some(effect) = descriptor.kind else {
            continue;
        };
        // Errors in the arguments are reported with all markers of the type.
        let Ok(values) = parse(descriptor.arguments, crd.parts) else {
            continue;
        };
        if let Err(message) = effect(kind, &values) {
            gathered.diagnostics.push(report::crd(
                &finding::MARKER_MISUSE,
                marker.value_span(),
                message,
                true,
            ));
        }
        if crd.tag.name == "kubebuilder:resource"
            && let Some(scope) = values.text("scope")
            && !matches!(scope, "" | "Cluster" | "Namespaced")
        {
            let message = format!("scope is `Cluster` or `Namespaced`, not `{scope}`");
            gathered.diagnostics.push(
                report::graded(&finding::CRD_SCOPE, marker.value_span(), message, false)
                    .help("controller-gen writes it as it is, and the API server refuses the definition"),
            );
        }
    }
}

/// Exactly one version of a kind must be stored, and at least one served.
pub(super) fn check(reader: &Reader<'_>, kinds: &[FoundKind], gathered: &mut Gathered) {
    let mut by_kind: BTreeMap<(&str, &str), Vec<&FoundKind>> = BTreeMap::new();
    for found in kinds {
        by_kind
            .entry((&found.kind.kind, &found.kind.group))
            .or_default()
            .push(found);
    }
    for ((kind, group), versions) in by_kind {
        let is_crd = |found: &&FoundKind| {
            let package = reader.packages.get(found.package as usize);
            package.is_some_and(|package| reader.tools.may_be_crd_package(&package.path))
        };
        if !versions.iter().all(is_crd) {
            continue;
        }
        let kept: Vec<&FoundKind> = versions
            .iter()
            .copied()
            .filter(|found| !found.kind.skipped)
            .collect();
        let Some(span) = versions.iter().find_map(|found| span(reader, found)) else {
            continue;
        };
        if kept.is_empty() {
            gathered.diagnostics.push(
                report::graded(
                    &finding::KIND_VERSIONS,
                    span,
                    format!("all versions of {kind}.{group} are left out"),
                    false,
                )
                .help("controller-gen writes an empty definition"),
            );
            continue;
        }
        if kept.len() > 1 && !kept.iter().any(|found| found.kind.storage) {
            let message = format!("CRD for {kind}.{group} has no storage version");
            gathered.diagnostics.push(
                report::crd(&finding::KIND_VERSIONS, span, message, true)
                    .help("write `+kubebuilder:storageversion` on one of the versions"),
            );
        }
        if !kept.iter().any(|found| found.kind.served) {
            let names: Vec<&str> = kept.iter().map(|found| &*found.kind.version).collect();
            let message = format!(
                "CRD for {kind}.{group} with version(s) [{}] does not serve any version",
                names.join(" ")
            );
            gathered
                .diagnostics
                .push(report::crd(&finding::KIND_VERSIONS, span, message, true));
        }
    }
}

/// A place for messages: a comment of the kind, otherwise of its package.
fn span(reader: &Reader<'_>, found: &FoundKind) -> Option<Span> {
    let package = || {
        let lines = reader.lines_of(Owner::Package(found.package))?;
        let group = lines
            .markers
            .iter()
            .find(|marker| marker.text.starts_with("groupName"));
        group.map(|marker| marker.span).or(lines.any)
    };
    found.span.or_else(package)
}
