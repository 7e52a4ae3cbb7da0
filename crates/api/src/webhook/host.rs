//! What webhooks need from the server: the cluster's resources and the request.

use std::cell::{OnceCell, RefCell};
use std::time::Duration;

use kindsmith_admission::{Caller, Equivalent, Gvk, Gvr, Observer};
use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::group_version;
use kindsmith_request::{AdmissionRequest, Mutated, Status, Undecoded, WriteSteps};

use super::user_access::{self, UserAccess};
use super::{event, gvk, passed, time_limit};
use crate::context::Call;
use crate::environment::Random;
use crate::{Served, Time};

/// One request, as seen by webhooks.
pub(crate) struct Host<'h, 'a> {
    pub(super) call: &'h Call<'h>,
    pub(super) arena: &'a Arena,
    access: UserAccess<'h>,
    started: Time,
    /// The write of an object; `None` for deletions, and for what is sent but never stored.
    request: Option<&'h AdmissionRequest<'h, 'a>>,
    /// Warnings for the client.
    pub(crate) warnings: Vec<String>,
    /// What every webhook and policy may ask for.
    equivalents: OnceCell<Vec<Equivalent>>,
    labels: RefCell<Option<(String, Object<'a>)>>,
}

impl<'h, 'a> Host<'h, 'a> {
    pub(crate) fn new(
        call: &'h Call<'h>,
        arena: &'a Arena,
        started: Time,
        request: Option<&'h AdmissionRequest<'h, 'a>>,
    ) -> Self {
        Host {
            call,
            arena,
            access: UserAccess(call),
            started,
            request,
            warnings: Vec::new(),
            equivalents: OnceCell::new(),
            labels: RefCell::new(None),
        }
    }

    fn find_equivalents(&self) -> Vec<Equivalent> {
        let own = self.call.served;
        let catalog = self.call.core.catalog();
        let groups: &[&str] = if is_event(own) {
            &EVENT_GROUPS
        } else {
            &[&own.group]
        };
        let others = groups.iter().flat_map(|group| catalog.group(group));
        others
            .filter(|other| other.plural == own.plural)
            .filter(|other| (&own.group, &own.version) != (&other.group, &other.version))
            .filter_map(|served| {
                let kind = match self.call.info.subresource.as_str() {
                    "" => gvk(&served.group, &served.version, &served.kind),
                    part => {
                        let (group, version, kind) = &served.subresource(part)?.kind;
                        gvk(group, version, kind)
                    }
                };
                Some(Equivalent {
                    resource: Gvr {
                        group: served.group.to_string(),
                        version: served.version.to_string(),
                        resource: served.plural.to_string(),
                    },
                    kind,
                })
            })
            .collect()
    }

    fn no_object() -> Undecoded {
        Undecoded::because("the object of this request cannot be changed".to_owned())
    }

    /// Reads an object that a webhook or policy changed.
    pub(super) fn decode_as(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Undecoded> {
        if !self.call.served.resource.is_custom() {
            check_kind(self.call, patched, kind)?;
        }
        let Some(request) = self.request else {
            let known = find_own(self.call.core.release, &kind.group, &kind.version, &kind.kind)
                .ok_or_else(Self::no_object)?;
            return WriteSteps::decode_mutated(&**known, self.arena, patched);
        };
        if kind.group == *self.call.served.group || kind.kind != "Event" {
            return request.decode_mutated(patched);
        }
        // The request's own names are decoded; the webhook sees those of its rule.
        let own = event::shown(self.arena, patched, &self.call.served.group);
        let Mutated { decoded, object } = request.decode_mutated(own)?;
        Ok(Mutated {
            decoded: event::shown(self.arena, decoded, &kind.group),
            object: event::shown(self.arena, object, &kind.group),
        })
    }
}

impl<'a> kindsmith_admission::Host<'a> for Host<'_, 'a> {
    fn arena(&self) -> &'a Arena {
        self.arena
    }

    fn caller(&self) -> &dyn Caller {
        match &self.call.core.webhooks.caller {
            Some(caller) => &**caller,
            None => &crate::conversion_webhook::NoCaller,
        }
    }

    fn new_uid(&self) -> String {
        Random(self.call.environment).uid()
    }

    fn time_left(&self) -> Duration {
        time_limit(self.call).saturating_sub(passed(self.call, self.started))
    }

    fn namespace_labels(&self, namespace: &str) -> Result<Object<'a>, Status> {
        if let Some((known, labels)) = &*self.labels.borrow()
            && known == namespace
        {
            return Ok(*labels);
        }
        let stored = user_access::namespace(self.call, self.arena, namespace)?;
        let labels = stored.lookup(&["metadata", "labels"]);
        let labels = labels.and_then(Value::as_object).unwrap_or_default();
        *self.labels.borrow_mut() = Some((namespace.to_owned(), labels));
        Ok(labels)
    }

    fn equivalents(&self) -> &[Equivalent] {
        self.equivalents.get_or_init(|| self.find_equivalents())
    }

    fn convert(&self, object: Value<'a>, kind: &Gvk) -> Result<Value<'a>, Status> {
        let catalog = self.call.core.catalog();
        let target = catalog.find(&kind.group, &kind.version, &self.call.served.plural);
        let Some(target) = target else {
            return Ok(object);
        };
        if target.resource.is_custom() {
            let converted = target.resource.convert(self.arena, object, &kind.version);
            return converted.map_err(|status| Status::internal(&status.message));
        }
        if *target.kind == *"Event" {
            return Ok(event::shown(self.arena, object, &kind.group));
        }
        let mut object = object;
        let api_version = Value::Str(self.arena.alloc_str(&target.api_version()));
        object.set(self.arena, &["apiVersion"], api_version);
        Ok(object)
    }

    fn decode(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status> {
        self.decode_as(patched, kind).map_err(Undecoded::into_status)
    }

    fn settle(&self, object: Value<'a>) -> Result<Value<'a>, Status> {
        let Some(request) = self.request else {
            return Ok(object);
        };
        let served = self.call.served;
        if !served.resource.is_custom() && *served.kind == *"Event" {
            return Ok(event::shown(self.arena, object, &served.group));
        }
        if !served.resource.is_custom() || !matches!(request.subresource, "" | "status") {
            return Ok(object);
        }
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        let (group, version) = group_version(api_version).unwrap_or_default();
        if (group, kind) != (&*served.group, &*served.kind) {
            return Ok(object);
        }
        let catalog = self.call.core.catalog();
        if catalog.find(group, version, &served.plural).is_none() {
            return Err(Status::unforeseen(format!(
                "request to convert CR from an invalid group/version: {api_version}"
            )));
        }
        if version == &*served.version {
            Ok(object)
        } else {
            served.resource.convert(self.arena, object, &served.version)
        }
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }

    fn authorizer(&self) -> &dyn kindsmith_admission::access::Authorizer {
        &self.access
    }

    fn annotate(&mut self, key: String, value: String) {
        self.call.annotate(key, value);
    }

    fn observer(&self) -> Option<&dyn Observer> {
        self.call.core.webhooks.observer.as_deref()
    }
}

/// The groups that show the same objects; those of other resources are in one group.
const EVENT_GROUPS: [&str; 2] = ["", "events.k8s.io"];

fn is_event(served: &Served) -> bool {
    *served.plural == *"events" && EVENT_GROUPS.contains(&&*served.group)
}

/// A patch may omit the kind of a built-in object, but not change it.
fn check_kind(call: &Call<'_>, patched: Value<'_>, kind: &Gvk) -> Result<(), Undecoded> {
    let text = |key| patched.get(key).and_then(Value::as_str).unwrap_or_default();
    let (api_version, given) = (text("apiVersion"), text("kind"));
    let (group, version) = match api_version {
        "" => (&*kind.group, &*kind.version),
        text => group_version(text).unwrap_or(("", text)),
    };
    let given = if given.is_empty() { &kind.kind } else { given };
    if (group, version, given) == (&kind.group, &kind.version, &kind.kind) {
        return Ok(());
    }
    let catalog = call.core.catalog();
    if catalog.of_kind(group, version, given).is_none() {
        return Err(Undecoded::because(format!(
            "no kind {} is registered for version {} in scheme \"pkg/api/legacyscheme/scheme.go:30\"",
            kindsmith_gostd::quote::quote(given),
            kindsmith_gostd::quote::quote(api_version)
        )));
    }
    let internal = match &*kind.group {
        "" => "core",
        group => group.split('.').next().unwrap_or_default(),
    };
    let why = format!(
        "converting ({version}.{given}) to ({internal}.{}): unknown conversion",
        kind.kind
    );
    Err(Undecoded::Status(Status::unforeseen(why)))
}
