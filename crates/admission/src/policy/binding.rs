//! Bindings: where a policy applies, with which parameters and actions.

use kindsmith_json::Value;
use kindsmith_object::LabelSelector;

use crate::constraints::Constraints;
use crate::setting::text;

/// A binding.
#[derive(Debug)]
pub struct Binding {
    pub(crate) name: String,
    pub(crate) policy: String,
    pub(crate) param_ref: Option<ParamRef>,
    pub(crate) resources: Option<Constraints>,
    pub(crate) actions: Vec<String>,
}

/// The parameters that a binding selects.
#[derive(Debug)]
pub(crate) struct ParamRef {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) selector: Option<LabelSelector>,
    /// Whether requests are rejected if no parameters are found.
    pub(crate) denies_missing: bool,
}

impl Binding {
    /// Reads a binding.
    #[must_use]
    pub fn read(binding: Value<'_>) -> Self {
        let spec = binding.get("spec").unwrap_or_default();
        let part = |key: &str| spec.get(key).filter(|part| !part.is_null());
        let actions = spec.get("validationActions").and_then(Value::as_array);
        Binding {
            name: text(binding.get("metadata").unwrap_or_default(), "name"),
            policy: text(spec, "policyName"),
            param_ref: part("paramRef").map(|param| ParamRef {
                name: text(param, "name"),
                namespace: text(param, "namespace"),
                selector: param
                    .get("selector")
                    .filter(|selector| !selector.is_null())
                    .map(LabelSelector::read),
                denies_missing: text(param, "parameterNotFoundAction") == "Deny",
            }),
            resources: part("matchResources").map(Constraints::of_policy),
            actions: actions
                .unwrap_or_default()
                .iter()
                .filter_map(|action| action.as_str().map(str::to_owned))
                .collect(),
        }
    }

    pub(crate) fn has(&self, action: &str) -> bool {
        self.actions.iter().any(|known| known == action)
    }
}
