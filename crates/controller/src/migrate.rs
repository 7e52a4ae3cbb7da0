//! What controllers would do to the objects of a cluster that another controller, such as Config Connector's, looks after.
//! Nothing is changed anywhere.

mod inventory;

pub use inventory::Inventory;

use std::sync::Arc;

use crate::Json;
use crate::adapter::{Adapter as _, RestAdapter};
use crate::cluster::{ObjectRef, PROJECT};
use crate::description::Described;
use crate::fake::Fake;
use crate::kind::{Ids, Kind};
use crate::memory::Memory;
use crate::moved::{given_name, is_identity};
use crate::plan::{Plan, plan};
use crate::resolve::resolve_offline;

/// What is known of live resources.
#[derive(Debug, Clone)]
pub enum Live {
    /// The resource.
    Is(Json),
    /// The service says that there is none.
    Absent,
    /// Nobody asked: it is assumed to be as the object says, since its controller has made it so.
    Unknown,
}

/// What would be done to an object.
#[derive(Debug, Clone)]
pub struct Migration {
    /// The object.
    pub object: ObjectRef,
    /// The name of its resource in the service, if the kind has a controller.
    pub identity: Option<String>,
    /// The outcome.
    pub verdict: Verdict,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// The first request: method, path, body.
    pub request: Option<(String, String, Json)>,
    /// The plan.
    pub plan: Option<Plan>,
}

/// The outcome for an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing would be sent.
    UpToDate,
    /// The resource would be changed.
    Changes,
    /// The resource would be created.
    Creates,
    /// The live resource is not known; if it is as the object says, only declared values could be sent.
    NotRead,
    /// The object changes what cannot be changed.
    Refused,
    /// The controller would wait for something that the object refers to.
    Waits,
    /// No controller for the kind.
    NoController,
}

impl Verdict {
    /// For people and scripts.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::UpToDate => "up to date",
            Self::Changes => "changes",
            Self::Creates => "creates",
            Self::NotRead => "not read",
            Self::Refused => "refused",
            Self::Waits => "waits",
            Self::NoController => "no controller",
        }
    }
}

/// Annotations of Config Connector that mean something else here, or nothing.
const ANNOTATIONS: &[(&str, &str, &str)] = &[
    (
        "cnrm.cloud.google.com/state-into-spec",
        "merge",
        "the spec contains live values that Config Connector wrote into it; they would be held from now on",
    ),
    (
        "cnrm.cloud.google.com/management-conflict-prevention-policy",
        "resource",
        "there is no lease on the resource: stop the other controller before this one starts",
    ),
];

/// Plans for one object. `live` finds its resource by its path below the service, such as `/v1/projects/p/topics/t`.
pub fn migrate(
    inventory: &Inventory,
    kinds: &[Arc<Described>],
    object: &Json,
    live: impl FnOnce(&Described, &str) -> Live,
) -> Migration {
    let what = inventory::reference(object);
    let found = kinds.iter().find(|described| {
        described.kind.kind == what.kind
            && described.kind.group == what.api_version.split('/').next().unwrap_or_default()
    });
    let Some(described) = found else {
        return Migration {
            object: what,
            identity: None,
            verdict: Verdict::NoController,
            notes: Vec::new(),
            request: None,
            plan: None,
        };
    };
    let kind = &described.kind;
    let mut notes = notes(object);
    let project = inventory.project(object);
    let (resolved, waits) = match inventory.resolve(kind, object, &project) {
        Ok(resolved) => (resolved, None),
        Err(reason) => (resolve_offline(kind, object, &project).0, Some(reason)),
    };
    let adapter = RestAdapter {
        http: Fake::default(),
        prefix: described.prefix.clone(),
        rest: kind.rest,
    };
    let identity = identity(kind, &adapter, &resolved, &project);
    let found = if identity.ends_with('/') {
        Live::Absent
    } else {
        live(described, &identity)
    };
    let raw = match &found {
        Live::Is(live) => Some(live.clone()),
        Live::Absent => None,
        Live::Unknown => Some(assumed(kind, &resolved)),
    };
    let memory = Memory {
        identity: Some(identity.clone()),
        ..Memory::of_annotation(object)
    };
    let plan = plan(kind, &resolved, raw.as_ref(), &memory, &[]);
    let verdict = match (&found, &waits) {
        (_, Some(reason)) => {
            notes.push(reason.clone());
            Verdict::Waits
        }
        _ if !plan.refused.is_empty() => Verdict::Refused,
        (Live::Unknown, None) => Verdict::NotRead,
        (Live::Absent, None) => Verdict::Creates,
        (Live::Is(_), None) if plan.requests.is_empty() => Verdict::UpToDate,
        (Live::Is(_), None) => Verdict::Changes,
    };
    let first = plan.requests.first().filter(|_| plan.refused.is_empty());
    let request = first.map(|payload| {
        let (method, path) = if raw.is_some() {
            (
                adapter.update_method(payload),
                adapter.update_path(&identity, payload),
            )
        } else {
            adapter.create_call(&identity, payload)
        };
        (method.to_owned(), adapter.path(&path), payload.body.clone())
    });
    Migration {
        object: what,
        identity: Some(identity),
        verdict,
        notes,
        request,
        plan: Some(plan),
    }
}

/// The resource as the object says it is, with its labels.
fn assumed(kind: &Kind, resolved: &Json) -> Json {
    let mut live = kind.to_api(&resolved["spec"]);
    let new = plan(kind, resolved, None, &Memory::default(), &[]);
    if let (Some(path), Some(request)) = (kind.rest.labels, new.requests.first()) {
        let labels = path.iter().fold(&request.body, |value, key| &value[*key]);
        if !labels.is_null() {
            *path.iter().fold(&mut live, |value, key| &mut value[*key]) = labels.clone();
        }
    }
    live
}

/// The name of an object's resource: as its status shows it, or as its spec says.
fn identity(kind: &Kind, adapter: &RestAdapter<Fake>, resolved: &Json, project: &str) -> String {
    let shown = resolved["status"]["externalRef"].as_str();
    if let Some(shown) = shown.filter(|shown| is_identity(kind, shown)) {
        return shown.to_owned();
    }
    let own = match kind.rest.ids {
        Ids::Given | Ids::Query(_) => resolved["metadata"]["name"].as_str().unwrap_or_default(),
        Ids::Generated { .. } => "",
    };
    let name = given_name(resolved).unwrap_or(own);
    adapter.identity_at(&kind.parameters(resolved, project), name)
}

fn notes(object: &Json) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, value, text) in ANNOTATIONS {
        if object["metadata"]["annotations"][*name] == *value {
            notes.push(format!("{name}: {text}"));
        }
    }
    let project = object["spec"]["projectRef"]
        .get("external")
        .or(object["spec"]["projectRef"].get("name"));
    let annotated = &object["metadata"]["annotations"][PROJECT];
    if let Some(project) = project.filter(|project| *project != annotated) {
        notes.push(format!(
            "spec.projectRef: not used; annotate the object with {PROJECT}: {project}"
        ));
    }
    notes
}
