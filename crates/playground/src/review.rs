//! What the server does with the object: errors and warnings at their places, the stored object, what was changed and why.

use std::collections::HashMap;

use kindsmith::{
    About, Action, ArenaReview, FieldPath, Kinds, Rejection, Steps, TraceStep, Warning, WarningReason, Write,
    go_types, is_definition,
};
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::Level;
use kindsmith_source::Severity;

use crate::api::{Api, Definitions, error};
use crate::comparison::compare;
use crate::document::Document;
use crate::request::Request;
use crate::response::{Change, ChangeKind, Finding, Mark, Pane, Ratcheted, Response, Stored, Verdict};

/// What is reviewed.
pub(crate) struct Subject<'a> {
    pub(crate) object: Document<'a>,
    pub(crate) old: Option<Document<'a>>,
}

impl<'a> Subject<'a> {
    /// The first object of each pane. What cannot be read is reported.
    pub(crate) fn read(arena: &'a Arena, request: &'a Request, response: &mut Response) -> Option<Self> {
        let (objects, unreadable) = Document::all(arena, Pane::Object, &request.object);
        response
            .findings
            .extend(unreadable.into_iter().map(Finding::from));
        let (olds, unreadable) = Document::all(arena, Pane::Old, &request.old);
        response
            .findings
            .extend(unreadable.into_iter().map(Finding::from));
        let mut objects = objects.into_iter();
        let object = objects.next();
        for further in objects {
            response.findings.push(Finding {
                severity: Severity::Note.as_str(),
                ..error(
                    further.place(&FieldPath::default()),
                    "only the first object is reviewed".to_owned(),
                )
            });
        }
        if object.is_none() && !request.object.trim().is_empty() {
            response.verdict = Verdict::Unknown;
            response.summary = "the object cannot be read".to_owned();
        }
        Some(Self {
            object: object?,
            old: olds.into_iter().next(),
        })
    }
}

/// Reviews the object and writes everything about it into the response.
pub(crate) fn review(api: &Api, request: &Request, subject: &Subject<'_>, response: &mut Response) {
    let arena = Arena::new();
    let identity = subject.object.identity();
    let write = Write {
        subresource: request.subresource.trim_matches('/'),
        profile: request.api.profile.into(),
        is_traced: true,
        ..match &subject.old {
            Some(old) => Write::update(old.value, subject.object.value),
            None => Write::create(subject.object.value),
        }
    };
    let Some(review) = answer(&api.kinds, identity, &arena, &write) else {
        return unknown(api, subject, response);
    };
    let definitions = api.definitions(&arena);
    let reviewed = Reviewed {
        api,
        subject,
        definitions: &definitions,
    };
    response.findings.extend(reviewed.warnings(&review));
    let rejections = review.errors.iter().chain(&review.later);
    let errors: Vec<Finding> = rejections
        .filter_map(|rejection| reviewed.rejection(rejection))
        .collect();
    let is_rejected = errors
        .iter()
        .any(|found| found.severity == Severity::Error.as_str());
    response.findings.extend(errors);
    if subject.old.is_some() {
        response.ratcheted = reviewed.ratcheted(&arena, &write, &review);
    }
    reviewed.changes(&arena, &write, &review, response);
    response.verdict = if is_rejected {
        Verdict::Rejected
    } else {
        Verdict::Allowed
    };
    response.summary = summary(subject.old.is_some(), response);
    if let Some(object) = review.object.filter(|_| !is_rejected) {
        response.stored = Some(stored(&arena, object, &response.changes, &review, subject));
    }
}

/// The server's answer; `None` if there is no schema for the object.
fn answer<'a>(
    kinds: &'a Kinds,
    (api_version, kind): (&str, &str),
    arena: &'a Arena,
    write: &Write<'a>,
) -> Option<ArenaReview<'a>> {
    let is_custom = is_definition(write.object) || kinds.crds().of_object(api_version, kind).is_some();
    let Some(go_types) = kinds.go_types().filter(|_| !is_custom) else {
        return kinds.review(arena, write).ok();
    };
    let schema = &go_types.read().schema;
    let Some(known) = go_types::kind_of(schema, api_version, kind) else {
        // A Go type of that name in another version is another kind.
        let is_go_type = go_types.find(None, kind).is_ok() && !kinds.is_builtin(api_version, kind);
        return (!is_go_type).then(|| kinds.review(arena, write).ok()).flatten();
    };
    let plan = go_types.plan(known.ty, write.profile);
    let mut review = go_types::review(plan, arena, write);
    if write.steps == Steps::ALL {
        go_types::review_metadata(known, arena, write.object, &mut review);
    }
    Some(review.map(|object| plan.encoded(arena, object)))
}

fn unknown(api: &Api, subject: &Subject<'_>, response: &mut Response) {
    let (api_version, kind) = subject.object.identity();
    response.verdict = Verdict::Unknown;
    response.summary = match (api_version, kind) {
        ("", _) => "the object has no apiVersion".to_owned(),
        (_, "") => "the object has no kind".to_owned(),
        _ => format!("no schema for {api_version} {kind}"),
    };
    let path = FieldPath::from_iter([kindsmith_json::path::Step::Field("apiVersion".into())]);
    let mut finding = error(subject.object.place(&path), response.summary.clone());
    let near = api.kinds.suggestion(api_version, kind);
    finding
        .help
        .extend(near.map(|near| format!("did you mean {near}?")));
    response.findings.push(finding);
}

struct Reviewed<'r> {
    api: &'r Api,
    subject: &'r Subject<'r>,
    definitions: &'r Definitions<'r>,
}

impl Reviewed<'_> {
    fn warnings(&self, review: &ArenaReview<'_>) -> Vec<Finding> {
        let object = &self.subject.object;
        let finding = |warning: &Warning| {
            let mut finding = Finding {
                severity: Severity::Warning.as_str(),
                ..error(object.key_place(&warning.path), warning.message.clone())
            };
            if warning.reason == WarningReason::UnknownField {
                let near = self.api.kinds.field_suggestion(object.value, &warning.path);
                finding
                    .help
                    .extend(near.map(|near| format!("did you mean `{near}`?")));
                finding
                    .help
                    .push("kubectl rejects it; other clients get a warning, and it is dropped".to_owned());
            }
            finding
        };
        review.warnings.iter().map(finding).collect()
    }

    fn rejection(&self, rejection: &Rejection) -> Option<Finding> {
        let mut finding = error(
            self.subject.object.place(&rejection.path),
            rejection.message.clone(),
        );
        match rejection.about() {
            // The server stopped here; that is not another mistake.
            Some(About::RulesNotChecked) => finding.severity = Severity::Note.as_str(),
            _ if rejection.error.as_ref().and_then(|error| error.level) == Some(Level::Alpha) => {
                finding.severity = Severity::Warning.as_str();
                finding
                    .help
                    .push("the rule is marked alpha: the API server does not enforce it".to_owned());
            }
            _ => {}
        }
        finding.cause = self
            .api
            .behind_error(self.definitions, self.subject.object.identity(), rejection);
        Some(finding)
    }

    /// What a create of the same object would be rejected for, and this update is not.
    fn ratcheted<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        review: &ArenaReview<'_>,
    ) -> Vec<Ratcheted> {
        let create = Write {
            is_traced: false,
            subresource: "",
            ..Write::create(write.object)
        };
        let identity = self.subject.object.identity();
        let Some(created) = answer(&self.api.kinds, identity, arena, &create) else {
            return Vec::new();
        };
        let is_new = |rejection: &&Rejection| {
            rejection.about() != Some(About::RulesNotChecked)
                && review
                    .errors
                    .iter()
                    .all(|known| known.message != rejection.message)
        };
        let spared = created.errors.iter().filter(is_new);
        spared
            .map(|rejection| Ratcheted {
                message: rejection.message.clone(),
                place: Some(self.subject.object.place(&rejection.path)),
                cause: self.api.behind_error(self.definitions, identity, rejection),
            })
            .collect()
    }

    /// What the server changes, whether it then stores the object or not.
    fn changes<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        review: &ArenaReview<'a>,
        response: &mut Response,
    ) {
        let identity = self.subject.object.identity();
        let settled = review.object.or_else(|| {
            let write = Write {
                steps: Steps::PRUNE.with(Steps::DEFAULT),
                is_traced: false,
                ..*write
            };
            answer(&self.api.kinds, identity, arena, &write)?.object
        });
        let Some(settled) = settled else {
            return;
        };
        let defaulted = review
            .trace
            .iter()
            .filter(|step| matches!(step.action, Action::Defaulted(_)));
        // The first step at a path is the one that set it.
        let steps: HashMap<String, &TraceStep> = defaulted
            .rev()
            .map(|step| (step.path.to_string(), step))
            .collect();
        for difference in compare(write.object, settled, &review.pruned) {
            let path = difference.path.to_string();
            let step = steps.get(&path).copied();
            let is_default = difference.kind == ChangeKind::Defaulted;
            response.changes.push(Change {
                kind: difference.kind,
                path,
                place: (!is_default).then(|| self.subject.object.key_place(&difference.path)),
                cause: is_default
                    .then(|| {
                        self.api
                            .behind_default(self.definitions, identity, (&difference.path, step))
                    })
                    .flatten(),
                value: difference.value,
            });
        }
    }
}

fn summary(is_update: bool, response: &Response) -> String {
    let count = |severity: Severity| {
        let of_object = response
            .findings
            .iter()
            .filter(|found| found.place.pane == Pane::Object);
        of_object
            .filter(|found| found.severity == severity.as_str())
            .count()
    };
    let verb = if is_update { "update" } else { "create" };
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    let mut text = match response.verdict {
        Verdict::Rejected => format!("{verb} rejected: {}", plural(count(Severity::Error), "error")),
        _ => format!("{verb} allowed"),
    };
    let warnings = count(Severity::Warning);
    if warnings > 0 {
        text.push_str(&format!(", {}", plural(warnings, "warning")));
    }
    if !response.ratcheted.is_empty() {
        text.push_str(&format!(", {} ratcheted", response.ratcheted.len()));
    }
    text
}

/// The stored object with marks on what the server filled in or rewrote.
fn stored(
    arena: &Arena,
    object: Value<'_>,
    changes: &[Change],
    review: &ArenaReview<'_>,
    subject: &Subject<'_>,
) -> Stored {
    let text = to_yaml(object, Order::Kept);
    let (documents, _) = Document::all(arena, Pane::Object, arena.alloc_str(&text));
    let mut marks = Vec::new();
    if let Some(document) = documents.first() {
        for difference in compare(subject.object.value, object, &review.pruned) {
            let is_there = matches!(difference.kind, ChangeKind::Defaulted | ChangeKind::Coerced);
            if let Some(place) = document.whole_place(&difference.path).filter(|_| is_there) {
                marks.push(Mark {
                    from: place.from,
                    to: place.to,
                    kind: difference.kind,
                });
            }
        }
    }
    debug_assert!(marks.len() <= changes.len(), "only changes are marked");
    marks.sort_by_key(|mark| mark.from);
    Stored { text, marks }
}
