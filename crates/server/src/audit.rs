//! The audit log: one line of JSON for each write, with its user and result.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use kindsmith_api::{RequestInfo, Time, User};
use kindsmith_json::{Arena, Entry, Object, Value};

use crate::line::{object, stamp};

/// The audit log.
pub struct Audit(Mutex<Box<dyn Write + Send>>);

impl std::fmt::Debug for Audit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Audit").finish()
    }
}

impl Audit {
    /// Writes the log to `to`.
    #[must_use]
    pub fn new(to: Box<dyn Write + Send>) -> Self {
        Audit(Mutex::new(to))
    }

    /// Writes the line of a request, in the shape of `audit.k8s.io/v1` at its level `Metadata`.
    pub(crate) fn record(&self, audited: &Audited<'_>) {
        let line = line(audited);
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that cannot be written must not fail requests.
        let _ = to.write_all(line.as_bytes()).and_then(|()| to.flush());
    }
}

/// A request that was answered.
pub(crate) struct Audited<'r> {
    pub(crate) id: &'r str,
    pub(crate) time: Time,
    pub(crate) user: &'r User,
    pub(crate) impersonated: Option<&'r User>,
    pub(crate) info: &'r RequestInfo,
    /// The name of the object.
    pub(crate) name: &'r str,
    pub(crate) uri: &'r str,
    pub(crate) code: u16,
    /// What webhooks and policies add.
    pub(crate) annotations: &'r BTreeMap<String, String>,
}

fn line(audited: &Audited<'_>) -> String {
    let Audited {
        id, user, info, uri, ..
    } = audited;
    let arena = Arena::new();
    let stamp = stamp(audited.time);
    let annotations = audited.annotations.iter().map(|(key, value)| Entry {
        key,
        value: Value::Str(value),
    });
    let annotations: Vec<Entry<'_>> = annotations.collect();
    let what = [
        ("resource", Value::Str(&info.resource)),
        ("namespace", Value::Str(&info.namespace)),
        ("name", Value::Str(audited.name)),
        ("apiGroup", Value::Str(&info.group)),
        ("apiVersion", Value::Str(&info.version)),
        ("subresource", Value::Str(&info.subresource)),
    ];
    let event = [
        ("kind", Value::Str("Event")),
        ("apiVersion", Value::Str("audit.k8s.io/v1")),
        ("level", Value::Str("Metadata")),
        ("auditID", Value::Str(id)),
        ("stage", Value::Str("ResponseComplete")),
        ("requestURI", Value::Str(uri)),
        ("verb", Value::Str(&info.verb)),
        ("user", who(&arena, user)),
        (
            "impersonatedUser",
            audited.impersonated.map_or(Value::Null, |user| who(&arena, user)),
        ),
        ("objectRef", object(&arena, &what)),
        (
            "responseStatus",
            object(&arena, &[("code", Value::Int(audited.code.into()))]),
        ),
        ("stageTimestamp", Value::Str(&stamp)),
    ];
    let mut event = event.to_vec();
    if !annotations.is_empty() {
        let annotations = arena.alloc_slice_copy(&annotations);
        event.push(("annotations", Object::from_entries(&arena, annotations).into()));
    }
    kindsmith_json::to_string(object(&arena, &event)) + "\n"
}

fn who<'a>(arena: &'a Arena, user: &'a User) -> Value<'a> {
    let groups: Vec<Value<'_>> = user.groups.iter().map(|group| Value::Str(group)).collect();
    let who = [
        ("username", Value::Str(&user.name)),
        ("uid", Value::Str(&user.uid)),
        ("groups", Value::Array(arena.alloc_slice_copy(&groups))),
    ];
    object(arena, &who)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_one_line() {
        let user = User {
            name: "ann".into(),
            groups: vec!["dev".into()],
            ..User::default()
        };
        let other = User {
            name: "bob".into(),
            ..User::default()
        };
        let info = RequestInfo {
            verb: "create".into(),
            version: "v1".into(),
            resource: "configmaps".into(),
            namespace: "default".into(),
            ..RequestInfo::default()
        };
        let time = Time {
            seconds: 0,
            nanoseconds: 5000,
        };
        let annotations = BTreeMap::from([("w/k".to_owned(), "v".to_owned())]);
        assert_eq!(
            line(&Audited {
                id: "1-2",
                time,
                user: &user,
                impersonated: Some(&other),
                info: &info,
                name: "a",
                uri: "/api/v1/namespaces/default/configmaps",
                code: 201,
                annotations: &annotations,
            }),
            "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\",\"auditID\":\"1-2\",\
             \"stage\":\"ResponseComplete\",\"requestURI\":\"/api/v1/namespaces/default/configmaps\",\"verb\":\"create\",\
             \"user\":{\"username\":\"ann\",\"groups\":[\"dev\"]},\"impersonatedUser\":{\"username\":\"bob\"},\
             \"objectRef\":{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"a\",\"apiVersion\":\"v1\"},\"responseStatus\":{\"code\":201},\
             \"stageTimestamp\":\"1970-01-01T00:00:00.000005Z\",\"annotations\":{\"w/k\":\"v\"}}\n"
        );
    }
}
