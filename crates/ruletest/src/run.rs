//! Runs a case: the writes it describes, and how the answers compare with those expected.
//!
//! A case of openshift/api's format is run as its own runner runs it, without the server: create, write the status,
//! update, write the status, compare.

use kindsmith::{ArenaReview, Profile, Write};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_object::{FieldError, GroupVersion};
use kindsmith_request::{Status, aggregate};

use crate::compare;
pub use crate::compare::Failure;
use crate::subject::{Subject, identity};
use crate::suite::{Case, Dialect, Suite, Table};

/// The prefix of names that the server makes up for objects without one.
const GENERATE_NAME: &str = "test-";

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Why it failed; `None` if it passed.
    pub failure: Option<Failure>,
    /// What happened, for `--update`.
    pub actual: Actual,
}

/// The answer that a case got.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Actual {
    /// The stored object, as JSON, without what only the server sets.
    pub object: Option<String>,
    /// The errors of the write.
    pub errors: Vec<String>,
    /// The errors of the status update after it.
    pub status_errors: Vec<String>,
    /// The warnings of the write.
    pub warnings: Vec<String>,
    /// Whether the case could not get as far as the write under test.
    pub is_unprepared: bool,
}

/// One write and its review.
#[derive(Debug)]
pub struct Seen<'s, 'a> {
    /// The write.
    pub write: &'s Write<'a>,
    /// The answer.
    pub review: &'s ArenaReview<'a>,
    /// What answered.
    pub subject: &'s Subject,
}

/// Gets all writes, for coverage.
pub type Observer<'o> = dyn FnMut(&Seen<'_, '_>) + 'o;

/// Runs a case against a subject, once for each of its versions.
pub fn run(
    suite: &Suite,
    case: &Case,
    subject: &Subject,
    profile: Profile,
    observe: &mut Observer<'_>,
) -> Verdict {
    let mut versions: Vec<Option<&str>> = case.versions.iter().map(|version| Some(&**version)).collect();
    if versions.is_empty() {
        versions.push(None);
    }
    let mut last = None;
    for version in versions {
        let mut run = Run {
            suite,
            case,
            subject,
            version,
            profile: case.settings.profile.unwrap_or(profile),
            actual: Actual::default(),
            observe,
        };
        let failure = run.run().err().map(|mut failure| {
            if let Some(version) = version {
                failure.message = format!("version {version}: {}", failure.message);
            }
            failure
        });
        let failed = failure.is_some();
        last = Some(Verdict {
            failure,
            actual: run.actual,
        });
        if failed {
            break;
        }
    }
    last.unwrap_or(Verdict {
        failure: None,
        actual: Actual::default(),
    })
}

struct Run<'r, 'o, 'f> {
    suite: &'r Suite,
    case: &'r Case,
    subject: &'r Subject,
    version: Option<&'r str>,
    profile: Profile,
    actual: Actual,
    observe: &'o mut Observer<'f>,
}

/// An answer to a write: the stored object or the errors, with the message that a client gets.
struct Answer<'a> {
    object: Value<'a>,
    errors: Vec<FieldError>,
    texts: Vec<String>,
    message: Option<String>,
    warnings: Vec<String>,
}

impl<'r> Run<'r, '_, '_> {
    fn run(&mut self) -> Result<(), Failure> {
        let arena = Arena::new();
        match self.case.table {
            Table::OnCreate => self.on_create(&arena),
            Table::OnUpdate => self.on_update(&arena),
        }
    }

    fn on_create(&mut self, arena: &Arena) -> Result<(), Failure> {
        let initial = self.object(arena, &self.case.initial)?;
        let subject = self.subject;
        let answer = self.write(arena, subject, Write::create(initial))?;
        self.note(&answer);
        self.expect(&answer)?;
        if self.case.expected.is_refusal() {
            return Ok(());
        }
        self.compare(arena, answer.object, initial)
    }

    fn on_update(&mut self, arena: &Arena) -> Result<(), Failure> {
        self.actual.is_unprepared = true;
        let initial = self.object(arena, &self.case.initial)?;
        let updated = self.case.updated.as_deref().unwrap_or_default();
        let mut updated = self.object(arena, updated)?;
        let subject = self.subject;
        let patched;
        let first = match &self.case.crd_patches {
            None => subject,
            Some(patches) => {
                patched = subject
                    .patched(patches)
                    .map_err(|error| failed(error.to_string()))?;
                &patched
            }
        };
        let mut stored = self.prepare(arena, first, initial)?;
        if self.case.crd_patches.is_some() {
            let again = self.write(arena, subject, Write::update(stored, stored))?;
            stored = again
                .accepted("the initial object is refused once the CRD is restored")?
                .object;
        }
        self.actual.is_unprepared = false;
        for member in ["name", "namespace"] {
            let path = ["metadata", member];
            match stored.lookup(&path) {
                Some(kept) => updated.set(arena, &path, kept),
                None => drop(updated.unset(arena, &path)),
            }
        }
        let write = Write {
            subresource: arena.alloc_str(&self.case.subresource),
            ..Write::update(stored, updated)
        };
        let answer = self.write(arena, subject, write)?;
        self.note(&answer);
        self.expect(&answer)?;
        if self.case.expected.is_refusal() {
            return Ok(());
        }
        let mut result = answer.object;
        if self.writes_status(updated) {
            let mut with_status = result;
            if let Some(status) = updated.get("status") {
                with_status.set(arena, &["status"], status);
            }
            let answer = self.write(arena, subject, status_update(result, with_status))?;
            self.actual.status_errors.clone_from(&answer.texts);
            if let Some(expected) = &self.case.expected.status_error {
                return compare::message(
                    "expectedStatusError",
                    expected,
                    answer.message.as_deref(),
                    self.suite.dialect,
                );
            }
            result = answer.accepted("the status is refused")?.object;
        } else if let Some(expected) = &self.case.expected.status_error {
            return Err(failed(format!(
                "no status was written, so there is no error {expected:?}"
            )));
        }
        self.actual.object = Some(to_string(compare::comparable(arena, result)));
        self.compare(arena, result, updated)
    }

    /// Creates the first object of an update, and writes its status.
    fn prepare<'a>(
        &mut self,
        arena: &'a Arena,
        subject: &'a Subject,
        initial: Value<'a>,
    ) -> Result<Value<'a>, Failure>
    where
        'r: 'a,
    {
        let answer = self.write(arena, subject, Write::create(initial))?;
        let stored = answer.accepted("the initial object is refused")?.object;
        if !self.writes_status_of(initial, subject) {
            return Ok(stored);
        }
        let mut with_status = stored;
        if let Some(status) = initial.get("status") {
            with_status.set(arena, &["status"], status);
        }
        let answer = self.write(arena, subject, status_update(stored, with_status))?;
        Ok(answer
            .accepted("the status of the initial object is refused")?
            .object)
    }

    /// Objects of CRDs get their status through the subresource, as clients write it.
    fn writes_status(&self, object: Value<'_>) -> bool {
        self.case.subresource.is_empty() && self.writes_status_of(object, self.subject)
    }

    fn writes_status_of(&self, object: Value<'_>, subject: &Subject) -> bool {
        let (api_version, kind) = identity(object);
        let has_status = object.get("status").is_some_and(|status| !status.is_null());
        let Some(found) = subject.kinds().crds().of_object(api_version, kind) else {
            return false;
        };
        // Their runner always writes it; ours only where there is a subresource.
        has_status && (self.suite.dialect == Dialect::OpenShift || found.has_status())
    }

    fn write<'a>(
        &mut self,
        arena: &'a Arena,
        subject: &'a Subject,
        write: Write<'a>,
    ) -> Result<Answer<'a>, Failure>
    where
        'r: 'a,
    {
        let case: &'r Case = self.case;
        let settings = &case.settings;
        let options = &settings.options;
        let write = Write {
            options: Some(options),
            profile: self.profile,
            is_traced: true,
            ..write
        };
        let mut review = subject
            .review(arena, &write)
            .map_err(|error| failed(error.to_string()))?;
        if !settings.enforces_all {
            let beta = settings.beta.unwrap_or(true);
            review
                .errors
                .retain(|error| error.error.as_ref().is_none_or(|error| error.is_enforced(beta)));
        }
        // A patched CRD is not what is tested.
        if std::ptr::eq(subject, self.subject) {
            (self.observe)(&Seen {
                write: &write,
                review: &review,
                subject,
            });
        }
        Ok(answer(&write, review))
    }

    fn object<'a>(&self, arena: &'a Arena, text: &str) -> Result<Value<'a>, Failure> {
        let text = arena.alloc_str(text);
        let mut object = parse_str(arena, text).map_err(|error| failed(error.to_string()))?;
        if let Some(version) = self.version {
            let (api_version, _) = identity(object);
            let GroupVersion { group, .. } = GroupVersion::parse(api_version).unwrap_or_default();
            let changed = GroupVersion { group, version }.to_string();
            object.set(arena, &["apiVersion"], Value::Str(arena.alloc_str(&changed)));
        }
        let (api_version, kind) = identity(object);
        if !self.subject.is_go(api_version, kind) && object.lookup(&["metadata", "name"]).is_none() {
            object.set(arena, &["metadata", "generateName"], GENERATE_NAME.into());
        }
        Ok(object)
    }

    fn note(&mut self, answer: &Answer<'_>) {
        self.actual.errors.clone_from(&answer.texts);
        self.actual.warnings.clone_from(&answer.warnings);
        if answer.texts.is_empty() {
            let arena = Arena::new();
            let object = answer.object.copy_in(&arena);
            self.actual.object = Some(to_string(compare::comparable(&arena, object)));
        }
    }

    /// Compares errors and warnings.
    fn expect(&self, answer: &Answer<'_>) -> Result<(), Failure> {
        let expected = &self.case.expected;
        if let Some(warnings) = &expected.warnings
            && *warnings != answer.warnings
        {
            return Err(compare::lists("the warnings differ", warnings, &answer.warnings));
        }
        if let Some(part) = &expected.error {
            compare::message(
                "expectedError",
                part,
                answer.message.as_deref(),
                self.suite.dialect,
            )?;
        }
        if let Some(errors) = &expected.errors {
            return compare::errors(errors, &answer.errors, &answer.texts);
        }
        match (&answer.message, expected.error.is_some()) {
            (Some(message), false) => Err(failed(format!("the object is refused: {message}"))),
            _ => Ok(()),
        }
    }

    fn compare(&self, arena: &Arena, got: Value<'_>, written: Value<'_>) -> Result<(), Failure> {
        let expected = &self.case.expected.object;
        // Ours compares objects only if asked to; theirs expects what was written if nothing else is said.
        let expected = match (expected, self.suite.dialect) {
            (Some(expected), _) => self.object(arena, expected)?,
            (None, Dialect::OpenShift) => written.copy_in(arena),
            (None, Dialect::RuleTests) => return Ok(()),
        };
        compare::objects(expected.copy_in(arena), got.copy_in(arena), arena)
    }
}

impl Answer<'_> {
    fn accepted(self, otherwise: &str) -> Result<Self, Failure> {
        match self.message {
            None => Ok(self),
            Some(message) => Err(failed(format!("{otherwise}: {message}"))),
        }
    }
}

fn answer<'a>(write: &Write<'a>, review: ArenaReview<'a>) -> Answer<'a> {
    let texts: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
    let errors: Vec<FieldError> = review.errors.into_iter().filter_map(|one| one.error).collect();
    Answer {
        object: review.object.unwrap_or(write.object),
        message: (!texts.is_empty()).then(|| message(write.object, &errors, &texts)),
        errors,
        texts,
        warnings: review.warnings.iter().map(ToString::to_string).collect(),
    }
}

/// The message of the `Status` that a client gets.
fn message(object: Value<'_>, errors: &[FieldError], texts: &[String]) -> String {
    if errors.len() != texts.len() {
        return aggregate(texts.iter().cloned());
    }
    let (api_version, kind) = identity(object);
    let GroupVersion { group, .. } = GroupVersion::parse(api_version).unwrap_or_default();
    let metadata = |member| object.lookup(&["metadata", member]).and_then(Value::as_str);
    let generated = || metadata("generateName").map(|prefix| format!("{prefix}xxxxx"));
    let name = metadata("name").map(str::to_owned).or_else(generated);
    Status::invalid(group, kind, &name.unwrap_or_default(), errors).message
}

fn status_update<'a>(old: Value<'a>, new: Value<'a>) -> Write<'a> {
    Write {
        subresource: "status",
        ..Write::update(old, new)
    }
}

fn failed(message: String) -> Failure {
    Failure { message, diff: None }
}
