//! Fills `status.typeChecking` of validating policies, as the controller of kube-controller-manager does
//! (pkg/controller/validatingadmissionpolicystatus).

use kindsmith_admission::policy::{ExpressionWarning, Kinds, Schema, expression_warnings, read_schema};
use kindsmith_admission::{Gvk, Gvr};
use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;

use super::Follower;
use crate::context::{Authorized, Notes};
use crate::request::query::Query;
use crate::webhook::gvk;
use crate::{Catalog, Request, RequestInfo, User, openapi, route, stored};
use kindsmith_json::object_of;

/// The field manager of the status.
const MANAGER: &str = "validatingadmissionpolicy-status";

impl Follower<'_> {
    /// Checks the expressions of a policy that was written, unless this generation was checked before. The write has been
    /// answered by then, so no error can be reported.
    pub(super) fn check_types(&self, name: &str) {
        let arena = Arena::new();
        let Ok(Some(entry)) = self
            .core
            .store
            .get(store_key::VALIDATING_POLICIES.key("", name).as_bytes(), None)
        else {
            return;
        };
        let Ok(policy) = stored::copy(&arena, &entry) else {
            return;
        };
        let number = |path: &[&str]| policy.lookup(path).and_then(Value::as_i64).unwrap_or_default();
        let generation = number(&["metadata", "generation"]);
        if generation <= number(&["status", "observedGeneration"]) {
            return;
        }
        let warnings = expression_warnings(policy, &Published(&self.core.catalog()));
        let status = status(&arena, generation, &warnings);
        let body = object_of(
            &arena,
            &[
                ("apiVersion", "admissionregistration.k8s.io/v1".into()),
                ("kind", "ValidatingAdmissionPolicy".into()),
                (
                    "metadata",
                    object_of(&arena, &[("name", Value::Str(arena.alloc_str(name)))]),
                ),
                ("status", status),
            ],
        );
        self.apply_status(name, &kindsmith_json::to_string(body));
    }

    fn apply_status(&self, name: &str, body: &str) {
        let path = format!("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}/status");
        let query = format!("fieldManager={MANAGER}&force=true");
        let request = Request {
            method: "PATCH",
            path: &path,
            query: &query,
            headers: &[("content-type", "application/apply-patch+yaml")],
            body: body.as_bytes(),
            user: &User::default(),
        };
        let info = RequestInfo::new(request.method, request.path, request.query);
        let server = (self.core, self.above);
        let authorized = Authorized::of(Query::parse(&query));
        let _ = route::answer(server, &request, &info, &authorized, &Notes::default());
    }
}

fn status<'a>(arena: &'a Arena, generation: i64, warnings: &[ExpressionWarning]) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let warnings: Vec<Value<'a>> = warnings
        .iter()
        .map(|found| {
            let members = [
                ("fieldRef", text(&found.field)),
                ("warning", text(&found.warning)),
            ];
            object_of(arena, &members)
        })
        .collect();
    let checking = if warnings.is_empty() {
        object_of(arena, &[])
    } else {
        let warnings = Value::Array(arena.alloc_slice_copy(&warnings));
        object_of(arena, &[("expressionWarnings", warnings)])
    };
    object_of(
        arena,
        &[
            ("observedGeneration", Value::Int(generation)),
            ("typeChecking", checking),
        ],
    )
}

/// The kinds of a catalog with their published schemas.
struct Published<'c>(&'c Catalog);

impl Kinds for Published<'_> {
    fn of(&self, resource: &Gvr) -> Vec<Gvk> {
        let wanted = resource.resource.to_lowercase();
        let served = self.0.served.iter().filter(|served| {
            (resource.group.is_empty() || *served.group == *resource.group)
                && *served.version == *resource.version
                && (*served.plural == *wanted || *served.singular == *wanted)
        });
        served
            .map(|served| gvk(&served.group, &served.version, &served.kind))
            .collect()
    }

    fn schema(&self, kind: &Gvk) -> Option<Schema> {
        let served = self.0.of_kind(&kind.group, &kind.version, &kind.kind)?;
        openapi::with_schema(served, |schema, find| read_schema(schema, find))
    }
}
