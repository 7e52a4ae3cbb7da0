//! Which tools work on which packages and types.
//!
//! No package says so explicitly. The switches in its comment decide for openapi-gen and defaulter-gen;
//! controller-gen reads every package it is pointed at, and acts on everything reachable from its resources.

use kindsmith_schema::{Builder, FieldId, Owner, Package, TypeId, TypeRef};
use rustc_hash::FxHashSet;

use super::lines::Lines;
use super::{FoundKind, Gathered, report};
use crate::finding;
use crate::grammar::marker::parse;
use crate::read::Options;
use crate::tag::Scope;

/// The packages and types of each tool.
pub(crate) struct Tools {
    openapi_packages: FxHashSet<String>,
    openapi_types: FxHashSet<TypeId>,
    not_openapi_types: FxHashSet<TypeId>,
    defaulter_packages: FxHashSet<String>,
    /// Whether all packages are for controller-gen.
    controller_gen: bool,
    /// Packages with markers that only controller-gen reads.
    crd_packages: FxHashSet<String>,
    /// Packages with switches that only APIs compiled into a server use.
    builtin_packages: FxHashSet<String>,
    /// Packages with switches of Kubernetes' older generators.
    gengo_packages: FxHashSet<String>,
    input: FxHashSet<String>,
    /// Packages with such types, if CRDs are generated.
    needed: FxHashSet<String>,
    /// Types reachable from resources.
    resources: FxHashSet<TypeId>,
}

/// Switches that custom resources do not need.
const BUILTIN: [&str; 5] = [
    "k8s:protobuf-gen",
    "k8s:openapi-model-package",
    "k8s:prerelease-lifecycle-gen",
    "k8s:conversion-gen",
    "k8s:validation-gen",
];

/// Switches that packages for controller-gen may have, but rarely without one of its markers.
const GENGO: [&str; 2] = ["k8s:deepcopy-gen", "k8s:register-gen"];

impl Tools {
    pub(crate) fn new(
        builder: &Builder,
        packages: &[Package],
        lines: &[Lines<'_>],
        kinds: &[FoundKind],
        options: &Options,
    ) -> Self {
        let resources = reachable(builder, lines, kinds);
        let package = |id: &TypeId| builder.ty(*id).name.package.to_string();
        let needed = if options.definitions {
            resources.iter().map(package).collect()
        } else {
            FxHashSet::default()
        };
        let mut tools = Self {
            controller_gen: options.controller_gen,
            needed,
            openapi_packages: FxHashSet::default(),
            openapi_types: FxHashSet::default(),
            not_openapi_types: FxHashSet::default(),
            defaulter_packages: FxHashSet::default(),
            crd_packages: FxHashSet::default(),
            builtin_packages: FxHashSet::default(),
            gengo_packages: FxHashSet::default(),
            input: packages
                .iter()
                .filter(|package| package.input)
                .map(|package| package.path.to_string())
                .collect(),
            resources,
        };
        for lines in lines {
            tools.note(lines);
        }
        tools
    }

    fn note(&mut self, lines: &Lines<'_>) {
        for marker in &lines.markers {
            let Some(old) = marker.old else {
                if marker.text.starts_with("kubebuilder:") {
                    self.crd_packages.insert(lines.package.to_owned());
                }
                continue;
            };
            if old.name.starts_with("kubebuilder:") {
                self.crd_packages.insert(lines.package.to_owned());
            }
            match (lines.owner, old.name, old.value) {
                (Owner::Package(_), "k8s:openapi-gen", "true") => {
                    self.openapi_packages.insert(lines.package.to_owned());
                }
                (Owner::Type(id), "k8s:openapi-gen", "true") => _ = self.openapi_types.insert(id),
                (Owner::Type(id), "k8s:openapi-gen", "false") => _ = self.not_openapi_types.insert(id),
                (Owner::Package(_), "k8s:defaulter-gen", value) if value != "false" => {
                    self.defaulter_packages.insert(lines.package.to_owned());
                }
                _ => {}
            }
            if matches!(lines.owner, Owner::Package(_)) {
                if BUILTIN.contains(&old.name) {
                    self.builtin_packages.insert(lines.package.to_owned());
                }
                if GENGO.contains(&old.name) {
                    self.gengo_packages.insert(lines.package.to_owned());
                }
            }
        }
    }

    /// Whether the package is an input.
    pub(crate) fn is_input(&self, package: &str) -> bool {
        self.input.contains(package)
    }

    /// Whether openapi-gen publishes the type.
    pub(crate) fn openapi(&self, builder: &Builder, id: TypeId) -> bool {
        let package = &*builder.ty(id).name.package;
        self.openapi_types.contains(&id)
            || (self.openapi_packages.contains(package) && !self.not_openapi_types.contains(&id))
    }

    /// Whether openapi-gen publishes types of the package.
    pub(crate) fn openapi_package(&self, package: &str) -> bool {
        self.openapi_packages.contains(package)
    }

    /// Whether defaulter-gen works on the package.
    pub(crate) fn defaulter(&self, package: &str) -> bool {
        self.defaulter_packages.contains(package)
    }

    /// Whether controller-gen publishes the type: it is reachable from a resource.
    pub(crate) fn crd(&self, builder: &Builder, id: TypeId) -> bool {
        let package = &*builder.ty(id).name.package;
        self.resources.contains(&id) && self.is_read(package) && self.may_be_crd_package(package)
    }

    /// Whether controller-gen reads the package.
    pub(crate) fn is_read(&self, package: &str) -> bool {
        self.is_input(package) || self.needed.contains(package)
    }

    /// Whether the package is certainly meant for controller-gen.
    pub(crate) fn is_crd_package(&self, package: &str) -> bool {
        self.controller_gen || self.crd_packages.contains(package)
    }

    /// Whether nothing indicates that the package is for something other than custom resources.
    pub(crate) fn may_be_crd_package(&self, package: &str) -> bool {
        self.controller_gen
            || (!self.builtin_packages.contains(package)
                && (self.is_crd_package(package) || !self.gengo_packages.contains(package)))
    }
}

/// Types reachable from resources. Types behind a field that is not published, or has no schema, do not
/// count.
fn reachable(builder: &Builder, lines: &[Lines<'_>], kinds: &[FoundKind]) -> FxHashSet<TypeId> {
    let is_schemaless = |lines: &&Lines<'_>| {
        let mut markers = lines.markers.iter();
        markers.any(|marker| marker.text == "kubebuilder:validation:Schemaless")
    };
    let schemaless: FxHashSet<Owner> = lines
        .iter()
        .filter(is_schemaless)
        .map(|lines| lines.owner)
        .collect();
    let mut seen: FxHashSet<TypeId> = kinds.iter().map(|found| found.kind.ty).collect();
    let mut open: Vec<TypeId> = seen.iter().copied().collect();
    while let Some(id) = open.pop() {
        let mut visit = |of: &TypeRef| {
            of.clone().for_each_named(&mut |id| {
                if seen.insert(*id) {
                    open.push(*id);
                }
            });
        };
        let ty = builder.ty(id);
        for (index, field) in (0..).zip(ty.fields()) {
            if !field.json.skip && !schemaless.contains(&Owner::Field(FieldId { owner: id, index })) {
                visit(&field.ty);
            }
        }
        if let kindsmith_schema::Shape::Def(target) | kindsmith_schema::Shape::Alias(target) = &ty.shape {
            visit(target);
        }
    }
    seen
}

/// The packages with their markers.
pub(super) fn packages(builder: &Builder, lines: &[Lines<'_>], gathered: &mut Gathered) -> Vec<Package> {
    let mut packages = builder.packages().to_vec();
    // A package's own comments come before those above its types.
    let (own, apart): (Vec<&Lines<'_>>, _) = lines.iter().partition(|lines| lines.scope == Scope::Package);
    for lines in own.into_iter().chain(apart) {
        let Some(index) = package_of(builder, lines) else {
            continue;
        };
        let is_input = packages[index as usize].input;
        for marker in &lines.markers {
            let loose = !matches!(
                marker.block,
                crate::site::BlockKind::Closest | crate::site::BlockKind::Godoc
            );
            let is_package = lines.scope == Scope::Package;
            // A separate group above a type belongs to the package if its markers are not valid on types.
            let is_apart = lines.scope == Scope::Type && loose && marker.crd.is_none();
            if !is_package && !is_apart || !marker.in_crd {
                continue;
            }
            let Some(crd) = super::lines::crd(marker.text, Scope::Package) else {
                continue;
            };
            let Some(effect) = crd.tag.as_marker().and_then(|marker| marker.package) else {
                continue;
            };
            let arguments = crd.tag.as_marker().map(|marker| marker.arguments);
            match parse(
                arguments.unwrap_or(crate::grammar::marker::Arguments::Raw),
                crd.parts,
            ) {
                Ok(values) => {
                    effect(&mut packages[index as usize], &values);
                    gathered.edits.push(Box::new(move |builder| {
                        effect(builder.package_mut(index), &values);
                    }));
                }
                Err(errors) => {
                    for error in errors {
                        gathered.diagnostics.push(report::crd(
                            &finding::MARKER_SYNTAX,
                            marker.value_span(),
                            error.text(),
                            is_input,
                        ));
                    }
                }
            }
        }
    }
    packages
}

fn package_of(builder: &Builder, lines: &Lines<'_>) -> Option<u32> {
    match lines.owner {
        Owner::Package(index) => ((index as usize) < builder.packages().len()).then_some(index),
        _ => {
            let mut packages = builder.packages().iter();
            packages
                .position(|package| &*package.path == lines.package)
                .and_then(|index| u32::try_from(index).ok())
        }
    }
}
