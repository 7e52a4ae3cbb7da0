//! Kinds with Go types: built-in ones, and those of Go packages.

use std::sync::Arc;

use kindsmith_checks::Profile;
use kindsmith_go::Read;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_json::Arena;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_object::Release;
use kindsmith_source::{Severity, Span};

use crate::crds::Crds;
use crate::go_types::{self, GoTypes};
use crate::kinds::definition_problems;
use crate::review::ArenaReview;
use crate::write::Write;
use crate::{Kinds, LoadError, Problem, builtin_kind};

impl Kinds {
    /// The kinds of CRDs and Go packages that were already read. The CRDs given are used before those that Go types become.
    #[must_use]
    pub fn new(mut crds: Crds, go_types: Option<GoTypes>) -> Self {
        let generated = go_types.iter().flat_map(|go_types| &go_types.crds().definitions);
        generated.for_each(|definition| crds.add_definition(definition.model.clone()));
        Self {
            crds,
            go_types,
            release: Release::default(),
        }
    }

    /// The types of one Go package, given as its files: names such as `types.go`, and their texts.
    ///
    /// # Errors
    ///
    /// Errors in the sources: syntax errors, and tags that the generators reject. Kinds with `+kubebuilder:` rules or
    /// defaults are those of their CRD, so the API server's errors for it count too.
    pub fn from_go<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Result<Self, LoadError> {
        Self::from_go_in(Profile::Upstream, files)
    }

    /// [`from_go`](Self::from_go) with the tags that a profile knows: the KEPs have some that Kubernetes never built.
    ///
    /// # Errors
    ///
    /// As [`from_go`](Self::from_go).
    pub fn from_go_in<'f>(
        profile: Profile,
        files: impl IntoIterator<Item = (&'f str, &'f str)>,
    ) -> Result<Self, LoadError> {
        let mut memory = MemoryFiles::default();
        for (name, text) in files {
            memory.add(format!("api/{name}"), text);
        }
        let mut loader = Loader::new(&memory, Options::default());
        let packages = loader.load("api");
        let read = kindsmith_go::read(loader, packages, profile);
        let problems = problems(&read);
        if !problems.is_empty() {
            return Err(LoadError { problems });
        }
        let go_types = GoTypes::new(Arc::new(read), profile);
        let problems = crd_problems(&go_types);
        if !problems.is_empty() {
            return Err(LoadError { problems });
        }
        Ok(Self::new(Crds::default(), Some(go_types)))
    }

    /// The Go types.
    #[must_use]
    pub fn go_types(&self) -> Option<&GoTypes> {
        self.go_types.as_ref()
    }

    /// Whether objects of a kind are reviewed as those of a built-in kind, in whichever release it came.
    #[must_use]
    pub fn is_builtin(&self, api_version: &str, kind: &str) -> bool {
        let is_go_type = |go_types: &GoTypes| go_types.find(None, kind).is_ok();
        builtin_kind::find(Release::NEWEST, api_version, kind).is_some()
            && self.crds.of_object(api_version, kind).is_none()
            && !self.go_types.as_ref().is_some_and(is_go_type)
    }

    /// Reviews an object of a Go package or a built-in kind.
    pub(crate) fn review_typed<'a>(
        &'a self,
        api_version: &str,
        kind: &str,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Option<ArenaReview<'a>> {
        let go_type = self.go_types.as_ref().and_then(|go_types| {
            let ty = go_types.find(None, kind).ok()?;
            Some(go_types.plan(ty, write.profile))
        });
        if let Some(plan) = go_type {
            let review = go_types::review(plan, arena, write);
            return Some(review.map(|object| plan.encoded(arena, object)));
        }
        let builtin = builtin_kind::find(self.release, api_version, kind)?;
        Some(builtin_kind::review(builtin, arena, write))
    }

    /// Versions and names of the built-in kinds.
    pub(crate) fn builtin(&self) -> Vec<(String, String)> {
        let named = |(version, kind): (String, &str)| (version, kind.to_owned());
        builtin_kind::all(self.release).map(named).collect()
    }

    /// The fields at a place of an object of a Go package or a built-in kind.
    pub(crate) fn typed_fields(&self, api_version: &str, kind: &str, path: &[Step]) -> Vec<String> {
        let of_plan =
            |plan: &kindsmith_engine::Plan| plan.fields_at(path).into_iter().map(str::to_owned).collect();
        let go_type = self.go_types().and_then(|go_types| {
            let ty = go_types.find(None, kind).ok()?;
            Some(go_types.plan(ty, Profile::Upstream))
        });
        if let Some(plan) = go_type {
            return of_plan(plan);
        }
        builtin_kind::find(self.release(), api_version, kind)
            .map_or_else(Vec::new, |kind| of_plan(kind.plan()))
    }
}

fn problems(read: &Read) -> Vec<Problem> {
    let findings = read.diagnostics.iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| Problem {
            origin: place(read, finding.span),
            path: PathBuf::default(),
            message: finding.message.clone(),
        })
        .collect()
}

/// What cannot be published of kinds that are written for controller-gen, and the server's errors for their CRDs.
fn crd_problems(go_types: &GoTypes) -> Vec<Problem> {
    let (read, generated) = (go_types.read(), go_types.crds());
    let unpublished = generated.problems.iter().map(|problem| Problem {
        origin: read
            .origins
            .span(&problem.place)
            .map_or_else(String::new, |span| place(read, span)),
        path: PathBuf::default(),
        message: problem.message.clone(),
    });
    let definitions = generated.definitions.iter();
    let refused =
        definitions.flat_map(|definition| definition_problems(Release::default(), "", &definition.text));
    unpublished.chain(refused).collect()
}

/// `types.go:3:4`.
fn place(read: &Read, span: Span) -> String {
    let position = read.sources.position(span);
    let file = read.sources.file(span.file).name();
    format!(
        "{}:{}:{}",
        file.trim_start_matches("api/"),
        position.line,
        position.column
    )
}
