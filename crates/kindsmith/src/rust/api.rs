//! An API written in Rust: its kinds in all their versions, and what is made of them.

use std::collections::BTreeSet;

use kindsmith_checks::Profile;
use kindsmith_generate::controller_gen::Generated;
use kindsmith_go::MARKER_MISUSE;
use kindsmith_json::path::PathBuf;
use kindsmith_rust::{Body, GoType, Library, Package, Read, go_text, read};
use kindsmith_source::{Diagnostic, Severity};

use super::{Kind, Resource};
use crate::Release;
use crate::crds::Crds;
use crate::kinds::definition_problems;
use crate::{Kinds, LoadError, Problem, controller_gen_kinds};

/// An API written in Rust: kinds, in one or several versions.
#[derive(Debug, Clone, Default)]
pub struct Api {
    packages: Vec<Package>,
}

/// The CRD of a kind, in YAML.
///
/// # Errors
///
/// What is wrong with the types, and the API server's errors for the CRD.
pub fn crd<T: Resource>() -> Result<String, LoadError> {
    let mut crds = Api::default().kind::<T>().crds()?;
    match crds.pop() {
        Some(crd) => Ok(crd),
        None => Err(LoadError::of(&format!("no CRD for {}", T::KIND))),
    }
}

impl Api {
    /// Adds a kind in one version.
    #[must_use]
    pub fn kind<T: Resource>(self) -> Self {
        self.add(&Kind::of::<T>())
    }

    pub(super) fn add(mut self, kind: &Kind) -> Self {
        let mut package = Package::new(kind.group, kind.version);
        if !kind.package.is_empty() {
            kind.package.clone_into(&mut package.path);
        }
        let known = self.packages.iter().position(|known| known.path == package.path);
        let index = known.unwrap_or_else(|| {
            self.packages.push(package);
            self.packages.len() - 1
        });
        (kind.declare)(&mut self.packages[index].types);
        self
    }

    pub(super) fn of(package: Package) -> Self {
        Self {
            packages: vec![package],
        }
    }

    /// Whether there are no kinds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// Groups and versions of the kinds.
    #[must_use]
    pub fn versions(&self) -> Vec<(String, String)> {
        let version = |package: &Package| (package.group.clone(), package.version.clone());
        self.packages.iter().map(version).collect()
    }

    /// The types in Go: import path and text of each version. Tags and comments are those that the schema is read from.
    #[must_use]
    pub fn go(&self) -> Vec<(String, String)> {
        let text = |package: &Package| (package.path.clone(), go_text::write(package).text);
        self.packages.iter().map(text).collect()
    }

    /// The schema, with findings and their places.
    #[must_use]
    pub fn read(&self) -> Read {
        let library = if self.packages.iter().any(uses_kubernetes) {
            Library {
                files: kindsmith_builtin::types::own_files(),
                modules: &[("k8s.io/api", "api")],
            }
        } else {
            Library::default()
        };
        read(&self.packages, library, Profile::Upstream)
    }

    /// The CRDs, in YAML, one for each kind with all its versions.
    ///
    /// # Errors
    ///
    /// What is wrong with the types, and the API server's errors for the CRDs.
    pub fn crds(&self) -> Result<Vec<String>, LoadError> {
        let generated = self.generate()?;
        Ok(generated
            .definitions
            .into_iter()
            .map(|definition| definition.text)
            .collect())
    }

    /// The kinds, to review objects.
    ///
    /// # Errors
    ///
    /// What is wrong with the types, and the API server's errors for the CRDs.
    pub fn kinds(&self) -> Result<Kinds, LoadError> {
        // By way of the text, so that errors come in the order of the CRD that a cluster has.
        let mut crds = Crds::default();
        for crd in self.crds()? {
            crds.add("", &crd);
        }
        Ok(Kinds::new(crds, None))
    }

    fn generate(&self) -> Result<Generated, LoadError> {
        let read = self.read();
        // A marker that does not fit would be left out, whoever else may read it.
        let is_lost =
            |finding: &&Diagnostic| finding.finding == &MARKER_MISUSE && read.place(finding.span).is_some();
        let errors = read.go.diagnostics.iter();
        let errors = errors.filter(|finding| finding.severity == Severity::Error || is_lost(finding));
        let of_types = errors.map(|finding| (Some(finding.span), finding.message.clone()));
        let mut found: Vec<_> = of_types.collect();
        let generated = controller_gen_kinds::all_definitions(&read.go.schema, Profile::Upstream);
        let unpublished = generated.problems.iter();
        found.extend(
            unpublished.map(|problem| (read.go.origins.span(&problem.place), problem.message.clone())),
        );
        let mut problems: Vec<Problem> = found
            .into_iter()
            .map(|(span, message)| Problem {
                origin: span
                    .and_then(|span| read.place(span))
                    .map_or_else(String::new, |place| place.name),
                path: PathBuf::default(),
                message,
            })
            .collect();
        if problems.is_empty() {
            let texts = generated.definitions.iter().map(|definition| &definition.text);
            problems.extend(texts.flat_map(|text| definition_problems(Release::default(), "", text)));
            if !problems.is_empty() {
                problems.splice(0..0, self.packages.iter().filter_map(recursion));
            }
        }
        if problems.is_empty() {
            Ok(generated)
        } else {
            Err(LoadError { problems })
        }
    }
}

impl Kinds {
    /// The kind of a Rust type; [`Api`] takes several.
    ///
    /// # Errors
    ///
    /// What is wrong with the type, and the API server's errors for its CRD.
    pub fn of<T: Resource>() -> Result<Self, LoadError> {
        Api::default().kind::<T>().kinds()
    }
}

/// A type that contains itself, which is why its CRD is rejected.
fn recursion(package: &Package) -> Option<Problem> {
    fn names<'t>(ty: &'t GoType, found: &mut Vec<&'t str>) {
        match ty {
            GoType::Named(name) => found.push(name),
            GoType::Pointer(inner) | GoType::List(inner) => names(inner, found),
            GoType::Map(key, value) => {
                names(key, found);
                names(value, found);
            }
            GoType::Scalar(_) | GoType::Imported { .. } => {}
        }
    }
    let parts = |name: &str| {
        let mut found = Vec::new();
        match package.types.get(name).map(|declaration| &declaration.body) {
            Some(Body::Struct(fields)) => fields.iter().for_each(|field| names(&field.ty, &mut found)),
            Some(Body::Wrapper(of)) => names(of, &mut found),
            Some(Body::Enum(_)) | None => {}
        }
        found
    };
    let contains_itself = |name: &str| {
        let (mut open, mut seen) = (parts(name), BTreeSet::new());
        while let Some(part) = open.pop() {
            if part == name {
                return true;
            }
            if seen.insert(part) {
                open.extend(parts(part));
            }
        }
        false
    };
    let (name, _) = package.types.iter().find(|(name, _)| contains_itself(name))?;
    Some(Problem {
        origin: name.to_owned(),
        path: PathBuf::default(),
        message: "the type contains itself, and a CRD ends; write `serde_json::Value` at some depth"
            .to_owned(),
    })
}

/// Whether types of Kubernetes' own API are used, whose sources take a moment to read.
fn uses_kubernetes(package: &Package) -> bool {
    fn is_in(ty: &GoType) -> bool {
        match ty {
            GoType::Imported { package, .. } => package.starts_with("k8s.io/api/"),
            GoType::Pointer(inner) | GoType::List(inner) => is_in(inner),
            GoType::Map(key, value) => is_in(key) || is_in(value),
            GoType::Scalar(_) | GoType::Named(_) => false,
        }
    }
    package
        .types
        .iter()
        .any(|(_, declaration)| match &declaration.body {
            Body::Struct(fields) => fields.iter().any(|field| is_in(&field.ty)),
            Body::Wrapper(of) => is_in(of),
            Body::Enum(_) => false,
        })
}
