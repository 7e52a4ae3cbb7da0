//! Tags that are valid one by one but do not mean together what their author wants: the rules of KEP-5073 and KEP-1929
//! that no generator checks.

pub(super) mod default_pattern;
mod facts;
pub(super) mod gated_rule;
pub(super) mod impossible_bounds;
pub(super) mod kept_default;
pub(super) mod nested_default;
pub(super) mod optional_list_key;
pub(super) mod ordered_rule;
pub(super) mod required_and_optional;
pub(super) mod status_immutable;
pub(super) mod struct_omitempty;
pub(super) mod typedef_chain;
pub(super) mod union_shape;
pub(super) mod version_drift;
pub(super) mod zero_default;
pub(super) mod zero_never_set;
