//! An API written in Rust: its kinds in all their versions, and what is made of them.

use kindsmith_checks::Profile;
use kindsmith_generate::controller_gen::Generated;
use kindsmith_go::MARKER_MISUSE;
use kindsmith_json::path::PathBuf;
use kindsmith_rust::{GoType, Library, Package, Read, go_text, read};
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
            kindsmith_rust::Body::Struct(fields) => fields.iter().any(|field| is_in(&field.ty)),
            kindsmith_rust::Body::Wrapper(of) => is_in(of),
            kindsmith_rust::Body::Enum(_) => false,
        })
}
