//! Names and amounts of resources such as `cpu` (pkg/apis/core/helper/helpers.go, and `validateResourceName` and
//! similar functions in pkg/apis/core/validation/validation.go).

use kindsmith_formats::format;
use kindsmith_object::BadValue;

use crate::field::{Errors, Field};
use crate::field_check;

const CONTAINER: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const QUOTA: [&str; 19] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "persistentvolumeclaims",
    "configmaps",
    "services.nodeports",
    "services.loadbalancers",
];
const WHOLE: [&str; 9] = [
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

pub(crate) fn is_huge_page(name: &str) -> bool {
    name.starts_with("hugepages-")
}

/// Whether it has no domain, or one of Kubernetes.
pub(crate) fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// Whether it is an extended resource.
#[must_use]
pub fn is_extended(name: &str) -> bool {
    let is_key = |name: &str| {
        let format = format::find("k8s-label-key");
        format.is_some_and(|format| format::is_valid(format, name))
    };
    !is_native(name) && !name.starts_with("requests.") && is_key(&format!("requests.{name}"))
}

/// Whether limits may exceed requests.
pub(crate) fn allows_overcommit(name: &str) -> bool {
    is_native(name) && !is_huge_page(name)
}

pub(crate) fn is_quota(name: &str) -> bool {
    let page = name.strip_prefix("requests.").unwrap_or(name);
    QUOTA.contains(&name) || is_huge_page(page)
}

fn is_standard(name: &str) -> bool {
    is_quota(name) || name == "storage"
}

/// Whether it has only whole amounts.
pub(crate) fn is_whole(name: &str) -> bool {
    WHOLE.contains(&name) || is_extended(name)
}

/// Checks the name of any resource. The name is the key of the field.
pub(crate) fn check_name(name: &str, field: &Field<'_, '_>, errors: &mut Errors) -> bool {
    let named = Field {
        value: Some(kindsmith_json::Value::Str(name)),
        ..*field
    };
    let before = errors.len();
    named.label_key(errors);
    if errors.len() == before && !name.contains('/') && !is_standard(name) {
        named.invalid("must be a standard resource type or fully qualified", errors);
    }
    errors.len() == before
}

/// Checks the name of a container resource.
pub(crate) fn check_container_name(name: &str, field: &Field<'_, '_>, errors: &mut Errors) {
    let named = Field {
        value: Some(kindsmith_json::Value::Str(name)),
        ..*field
    };
    check_name(name, field, errors);
    if !name.contains('/') {
        if !CONTAINER.contains(&name) && !is_huge_page(name) {
            named.invalid("must be a standard resource for containers", errors);
        }
    } else if !is_native(name) && !is_extended(name) {
        named.invalid("doesn't follow extended resource name standard", errors);
    }
}

/// Checks the name of a quota resource.
pub(crate) fn check_quota_name(name: &str, field: &Field<'_, '_>, errors: &mut Errors) {
    check_name(name, field, errors);
    if !name.contains('/') && !is_quota(name) {
        let named = Field {
            value: Some(kindsmith_json::Value::Str(name)),
            ..*field
        };
        named.invalid("must be a standard resource for quota", errors);
    }
}

/// Checks an amount: not negative, and whole if the resource requires it.
pub(crate) fn check_amount(name: &str, field: &Field<'_, '_>, errors: &mut Errors) {
    check_not_negative(field, errors);
    if is_whole(name) && is_fraction(field) {
        field.invalid("must be an integer", errors);
    }
}

/// Rejects negative amounts.
pub(crate) fn check_not_negative(field: &Field<'_, '_>, errors: &mut Errors) {
    if field.quantity().is_some_and(|amount| amount.sign() < 0) {
        field.invalid("must be greater than or equal to 0", errors);
    }
}

/// Checks an amount that must not be negative, in the words of storage (`validateBasicResource`).
pub(crate) fn check_basic(field: &Field<'_, '_>, errors: &mut Errors) -> bool {
    let amount = field.quantity().filter(|amount| amount.value() < 0);
    if let Some(amount) = &amount {
        let bad = BadValue::Integer(amount.value().into());
        errors.push(field_check::invalid(
            &field.path,
            bad,
            "must be a valid resource quantity",
        ));
    }
    amount.is_none()
}

/// Only amounts with a fraction are written with these suffixes.
pub(crate) fn is_fraction(field: &Field<'_, '_>) -> bool {
    let text = field.quantity().map(|amount| amount.to_string());
    text.is_some_and(|text| text.ends_with(['m', 'u', 'n']))
}
