//! Claims that get access to devices in use need a label of their namespace (`AuthorizedForAdmin` and
//! `AuthorizedForAdminStatus` in pkg/registry/resource/utils.go).

use kindsmith_json::{Path, Value};
use kindsmith_object::FieldError;

use crate::field::Errors;
use crate::field_check::{forbidden, items, truth};

/// The origin of the error: only the caller knows the labels of a namespace.
pub(crate) const ADMIN_ACCESS: &str = "admin-access";

/// The label, which must be `true`.
pub(crate) const LABEL: &str = "resource.kubernetes.io/admin-access";

/// Reports the first request of a claim for such access. The path is that of a claim in templates too.
pub(super) fn check_requests(requests: Option<Value<'_>>, errors: &mut Errors) {
    let asks = |request: &Value<'_>| truth(request.lookup(&["exactly", "adminAccess"]));
    let spec = Path::root("spec");
    let devices = spec.child("devices");
    report(requests, asks, &devices.child("requests"), errors);
}

/// Reports the first result of an allocation with such access, unless the stored allocation has one.
pub(super) fn check_results(results: Option<Value<'_>>, old: Option<Value<'_>>, errors: &mut Errors) {
    let has = |result: &Value<'_>| truth(result.get("adminAccess"));
    if items(old).iter().any(has) {
        return;
    }
    let status = Path::root("status");
    let allocation = status.child("allocation");
    let devices = allocation.child("devices");
    report(results, has, &devices.child("results"), errors);
}

fn report(
    list: Option<Value<'_>>,
    has_access: impl Fn(&Value<'_>) -> bool,
    path: &Path<'_>,
    errors: &mut Errors,
) {
    if let Some(index) = items(list).iter().position(has_access) {
        let detail =
            format!("admin access to devices requires the `{LABEL}: true` label on the containing namespace");
        errors.push(FieldError {
            origin: ADMIN_ACCESS.into(),
            ..forbidden(&path.index(index).child("adminAccess"), detail)
        });
    }
}
