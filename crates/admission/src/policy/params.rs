//! The parameter objects of a binding (`CollectParams` in apiserver's
//! pkg/admission/plugin/policy/generic/policy_dispatcher.go).

use super::{Binding, Cluster, Param, ParamKind, ParamScope};

/// All parameter objects; one `None` if the policy or the binding has no parameters.
///
/// # Errors
///
/// If the binding cannot be used.
pub(super) fn collect<'a>(
    cluster: &dyn Cluster<'a>,
    kind: Option<&ParamKind>,
    scope: Option<ParamScope>,
    binding: &Binding,
    namespace: &str,
) -> Result<Vec<Option<Param<'a>>>, String> {
    let (Some(kind), Some(wanted)) = (kind, &binding.param_ref) else {
        return Ok(vec![None]);
    };
    let place = match scope {
        Some(ParamScope::Namespaced) if !wanted.namespace.is_empty() => &*wanted.namespace,
        Some(ParamScope::Namespaced) if namespace.is_empty() => {
            return Err(
                "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
                    .to_owned(),
            );
        }
        Some(ParamScope::Namespaced) => namespace,
        _ if !wanted.namespace.is_empty() => {
            return Err(
                "paramRef.namespace must not be provided for a cluster-scoped `paramKind`".to_owned(),
            );
        }
        _ => "",
    };
    let told = |status: kindsmith_request::Status| status.message;
    let found: Vec<Option<Param<'a>>> = match &wanted.selector {
        None => {
            let found = cluster.param(kind, place, &wanted.name).map_err(told)?;
            found.into_iter().map(Some).collect()
        }
        Some(selector) => {
            let found = cluster.params(kind, place, selector).map_err(told)?;
            found.into_iter().map(Some).collect()
        }
    };
    if found.is_empty() && wanted.denies_missing {
        Err("no params found for policy binding with `Deny` parameterNotFoundAction".to_owned())
    } else {
        Ok(found)
    }
}
