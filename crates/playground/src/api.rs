//! The API of a request, read once for all requests with the same types, CRDs and profile.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use kindsmith::cause::{self, Blamed};
use kindsmith::crds::Crds;
use kindsmith::go_types::GoTypes;
use kindsmith::marker_cause::{self, MarkerCauses};
use kindsmith::{FieldError, FieldPath, Kinds, Rejection, TraceStep, Write, is_definition, marker_place};
use kindsmith_generate::controller_gen::Definition;
use kindsmith_go::Read;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_object::{GroupVersion, Release};
use kindsmith_schema::Place as SchemaPlace;
use kindsmith_source::{Diagnostic, Severity, Span};

use crate::document::{Document, Unreadable};
use crate::finding;
use crate::request::Texts;
use crate::response::{Cause, Finding, Pane, Place};

/// What requests are answered with.
#[derive(Debug)]
pub(crate) struct Api {
    texts: Texts,
    pub(crate) kinds: Kinds,
    /// What is wrong with the API itself.
    pub(crate) findings: Vec<Finding>,
    /// What is behind defaults, by kind and path: it depends on the API alone.
    defaults: RefCell<HashMap<String, Option<Cause>>>,
}

/// How many causes of defaults are kept; an object can have any number of paths.
const MOST_DEFAULTS: usize = 2_000;

impl Api {
    pub(crate) fn new(texts: &Texts) -> Self {
        let mut findings = Vec::new();
        let go_types = read_go(texts).map(|mut read| {
            findings.extend(lint(&mut read, texts));
            GoTypes::new(Arc::new(read), texts.profile.into())
        });
        if let Some(go_types) = &go_types {
            findings.extend(of_generated(go_types, texts.release()));
        }
        findings.extend(of_crds(texts));
        let mut crds = Crds::default();
        crds.add("crds", &texts.crds);
        Self {
            texts: texts.clone(),
            kinds: Kinds::new(crds, go_types).with_release(texts.release()),
            findings,
            defaults: RefCell::default(),
        }
    }

    /// Whether it is the API of these texts. Policies are tried elsewhere.
    pub(crate) fn is_of(&self, texts: &Texts) -> bool {
        self.texts.go == texts.go
            && self.texts.crds == texts.crds
            && self.texts.profile == texts.profile
            && self.texts.release() == texts.release()
    }

    pub(crate) fn read(&self) -> Option<&Read> {
        self.kinds.go_types().map(GoTypes::read)
    }

    /// The CRDs, for all causes of an answer.
    pub(crate) fn definitions<'a>(&'a self, arena: &'a Arena) -> Definitions<'a> {
        Definitions {
            arena,
            crds: &self.texts.crds,
            typed: OnceCell::new(),
            made: MarkerCauses::new(self.kinds.go_types(), arena),
        }
    }

    /// The tag, keyword or rule behind an error.
    pub(crate) fn behind_error(
        &self,
        definitions: &Definitions<'_>,
        identity: (&str, &str),
        rejection: &Rejection,
    ) -> Option<Cause> {
        let error = rejection.error.as_ref()?;
        let by_tag = error.rule.and_then(|rule| self.tag(rule));
        match by_tag {
            Some(place) => Some(Cause {
                label: "required by this tag".to_owned(),
                place,
            }),
            None => self.in_crd(definitions, identity, &rejection.path, Some(error)),
        }
    }

    /// The tag or keyword behind a default.
    pub(crate) fn behind_default(
        &self,
        definitions: &Definitions<'_>,
        identity: (&str, &str),
        (path, step): (&FieldPath, Option<&TraceStep>),
    ) -> Option<Cause> {
        match step.and_then(|step| step.source).and_then(|rule| self.tag(rule)) {
            Some(place) => Some(Cause {
                label: "set by this tag".to_owned(),
                place,
            }),
            None => self.default_in_crd(definitions, identity, path),
        }
    }

    fn default_in_crd(
        &self,
        definitions: &Definitions<'_>,
        identity: (&str, &str),
        path: &FieldPath,
    ) -> Option<Cause> {
        let (api_version, kind) = identity;
        let key = format!("{api_version} {kind} {path}");
        if let Some(known) = self.defaults.borrow().get(&key) {
            return known.clone();
        }
        let cause = self.in_crd(definitions, identity, path, None);
        let mut known = self.defaults.borrow_mut();
        if known.len() < MOST_DEFAULTS {
            known.insert(key, cause.clone());
        }
        cause
    }

    fn tag(&self, rule: SchemaPlace) -> Option<Place> {
        let read = self.read()?;
        finding::place(&read.sources, read.origins.span(&rule)?)
    }

    /// The keyword or rule of a CRD as typed, or the marker of one that Go types become.
    fn in_crd(
        &self,
        definitions: &Definitions<'_>,
        (api_version, kind): (&str, &str),
        path: &FieldPath,
        error: Option<&FieldError>,
    ) -> Option<Cause> {
        let cause = error.map_or(cause::Cause::Default, cause::Cause::Error);
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let is_it = |value: Value<'_>| {
            value.text(&["spec", "group"]) == group && value.text(&["spec", "names", "kind"]) == kind
        };
        let label = |blamed: Blamed| {
            let text = match (cause, blamed) {
                (cause::Cause::Default, _) => "set by this default",
                (_, Blamed::Rule) => "required by this rule",
                (_, Blamed::BrokenRule) => "this rule cannot be evaluated",
                (_, Blamed::Schema) => "required by this schema",
            };
            text.to_owned()
        };
        if let Some(document) = definitions.typed().iter().find(|document| is_it(document.value)) {
            let (place, blamed) = cause::behind(document.value, version, path, cause)?;
            return Some(Cause {
                label: label(blamed),
                place: document.key_place(&place),
            });
        }
        let (span, blamed) = definitions.made.behind((api_version, kind), path, cause)?;
        Some(Cause {
            label: label(blamed),
            place: finding::place(&self.read()?.sources, span)?,
        })
    }
}

/// The CRDs of an API.
pub(crate) struct Definitions<'a> {
    arena: &'a Arena,
    crds: &'a str,
    typed: OnceCell<Vec<Document<'a>>>,
    /// Those that Go types become.
    made: MarkerCauses<'a>,
}

impl<'a> Definitions<'a> {
    /// As typed, read when they are needed first.
    pub(crate) fn typed(&self) -> &[Document<'a>] {
        self.typed.get_or_init(|| {
            let (mut typed, _) = Document::all(self.arena, Pane::Crds, self.crds);
            typed.retain(|document| is_definition(document.value));
            typed
        })
    }
}

/// Reads the Go file; `None` if nothing is typed.
pub(crate) fn read_go(texts: &Texts) -> Option<Read> {
    if texts.go.trim().is_empty() {
        return None;
    }
    let mut files = MemoryFiles::default();
    for (name, text) in finding::go_files(&texts.go) {
        files.add(name, text);
    }
    let mut loader = Loader::new(&files, Options::default());
    let packages = loader.load("api");
    Some(kindsmith_go::read(loader, packages, texts.profile.into()))
}

/// All lint findings of the Go file.
fn lint(read: &mut Read, texts: &Texts) -> Vec<Finding> {
    let diagnostics = std::mem::take(&mut read.diagnostics);
    let read_only = kindsmith_lint::READ_ONLY.map(str::to_owned);
    let input = kindsmith_lint::Input {
        read_only: &read_only,
        profile: texts.profile.into(),
        ..kindsmith_lint::Input::new(&read.schema, &read.origins)
    };
    let found: Vec<Diagnostic> =
        kindsmith_lint::lint(input.with_source(&read.sources, &read.declarations), diagnostics);
    let shown = found
        .iter()
        .filter_map(|found| finding::of_source(&read.sources, found));
    shown.collect()
}

/// What the server says about CRDs that Go types become, at the marker to blame.
fn of_generated(go_types: &GoTypes, release: Release) -> Vec<Finding> {
    let (read, generated) = (go_types.read(), go_types.crds());
    let at = |span: Option<Span>| finding::place(&read.sources, span?);
    let mut found = Vec::new();
    for problem in &generated.problems {
        let place = at(Some(marker_place::span(read, problem.place)));
        found.extend(place.map(|place| error(place, problem.message.clone())));
    }
    for definition in &generated.definitions {
        let arena = Arena::new();
        let kinds = Kinds::default().with_release(release);
        let Ok(value) = yaml::parse(&arena, definition.text.as_bytes()) else {
            continue;
        };
        let Ok(review) = kinds.review(&arena, &Write::create(value)) else {
            continue;
        };
        for rejection in review.errors.iter().chain(&review.later) {
            let place = at(marker_cause::of(read, definition, &rejection.path));
            let place = place.or_else(|| at(kind_name(read, definition)));
            let message = format!("the API server will reject the CRD: {rejection}");
            found.extend(place.map(|place| error(place, message)));
        }
    }
    found
}

/// What the server says about CRDs as typed.
fn of_crds(texts: &Texts) -> Vec<Finding> {
    let arena = Arena::new();
    let (documents, unreadable) = Document::all(&arena, Pane::Crds, &texts.crds);
    let mut found: Vec<Finding> = unreadable.into_iter().map(Finding::from).collect();
    let kinds = Kinds::default().with_release(texts.release());
    for document in &documents {
        if !is_definition(document.value) {
            let place = document.place(&FieldPath::default());
            let message = "not a CustomResourceDefinition; ignored".to_owned();
            found.push(Finding {
                severity: Severity::Warning.as_str(),
                ..error(place, message)
            });
            continue;
        }
        let Ok(review) = kinds.review(&arena, &Write::create(document.value)) else {
            continue;
        };
        let errors = review.errors.iter().chain(&review.later);
        found.extend(errors.map(|rejection| error(document.place(&rejection.path), rejection.to_string())));
        found.extend(review.warnings.iter().map(|warning| Finding {
            severity: Severity::Warning.as_str(),
            ..error(document.key_place(&warning.path), warning.message.clone())
        }));
    }
    found
}

/// An error in the server's own words.
pub(crate) fn error(place: Place, message: String) -> Finding {
    Finding {
        severity: Severity::Error.as_str(),
        code: "",
        message,
        place,
        cause: None,
        help: Vec::new(),
        fix: None,
    }
}

impl From<Unreadable> for Finding {
    fn from(unreadable: Unreadable) -> Self {
        error(unreadable.place, unreadable.message)
    }
}

fn kind_name(read: &Read, definition: &Definition) -> Option<Span> {
    let kind = *marker_cause::versions(read, definition).first()?;
    let name = kindsmith_schema::Owner::Type(kind.ty).part(kindsmith_schema::Part::Name);
    read.origins.span(&name)
}
