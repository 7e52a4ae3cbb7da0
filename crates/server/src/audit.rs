//! The audit log: one line of JSON for each write, with its user and result.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use kindsmith_api::{RequestInfo, Response, Time, User};
use kindsmith_json::{Arena, Object, Value};

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
    pub(crate) fn record(
        &self,
        id: &str,
        time: Time,
        user: &User,
        info: &RequestInfo,
        uri: &str,
        response: &Response,
    ) {
        let line = line(
            id,
            time,
            user,
            info,
            uri,
            (response.status, &response.annotations),
        );
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that cannot be written must not fail requests.
        let _ = to.write_all(line.as_bytes()).and_then(|()| to.flush());
    }
}

fn line(
    id: &str,
    time: Time,
    user: &User,
    info: &RequestInfo,
    uri: &str,
    (code, annotations): (u16, &[(String, String)]),
) -> String {
    let arena = Arena::new();
    let stamp = stamp(time);
    let groups: Vec<Value<'_>> = user.groups.iter().map(|group| Value::Str(group)).collect();
    let who = [
        ("username", Value::Str(&user.name)),
        ("uid", Value::Str(&user.uid)),
        ("groups", Value::Array(&groups)),
    ];
    let what = [
        ("resource", Value::Str(&info.resource)),
        ("namespace", Value::Str(&info.namespace)),
        ("name", Value::Str(&info.name)),
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
        ("user", object(&arena, &who)),
        ("objectRef", object(&arena, &what)),
        (
            "responseStatus",
            object(&arena, &[("code", Value::Int(code.into()))]),
        ),
        ("stageTimestamp", Value::Str(&stamp)),
    ];
    let mut event = object(&arena, &event);
    if !annotations.is_empty() {
        let mut notes = Object::EMPTY;
        for (key, value) in annotations {
            notes.insert(&arena, key, Value::Str(value));
        }
        event.set(&arena, &["annotations"], Value::Object(notes));
    }
    kindsmith_json::to_string(event) + "\n"
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
        assert_eq!(
            line(
                "1-2",
                time,
                &user,
                &info,
                "/api/v1/namespaces/default/configmaps",
                (201, &[])
            ),
            "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\",\"auditID\":\"1-2\",\
             \"stage\":\"ResponseComplete\",\"requestURI\":\"/api/v1/namespaces/default/configmaps\",\"verb\":\"create\",\
             \"user\":{\"username\":\"ann\",\"groups\":[\"dev\"]},\"objectRef\":{\"resource\":\"configmaps\",\
             \"namespace\":\"default\",\"apiVersion\":\"v1\"},\"responseStatus\":{\"code\":201},\
             \"stageTimestamp\":\"1970-01-01T00:00:00.000005Z\"}\n"
        );
    }
}
