//! Device classes (pkg/registry/resource/deviceclass).

use kindsmith_object::Behavior;
use kindsmith_object::meta::NameRule;

use super::described::Described;
use super::device::{check_configuration, check_selectors, check_size};
use crate::Change;
use crate::field::{Errors, Field};
use crate::go_value::json::is_same;
use crate::table::Table;

pub(crate) const DEVICE_CLASS: Described = Described {
    name_rule: NameRule::Tagged,
    tagged_since: Some(Behavior::NamesByTag),
    rules: validate,
    table: Table::NAME_AND_AGE,
    ..Described::SPEC
};

fn validate(change: &Change<'_>, errors: &mut Errors) {
    const LIMIT: usize = 32;
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    let is_stored = |key: &str| {
        let old = change.get_old(&["spec", key]);
        change.old.is_some() && is_same(spec.child(key).value, old)
    };
    check_selectors(&spec.child("selectors"), is_stored("selectors"), errors);
    let config = spec.child("config");
    if check_size(&config, LIMIT, errors) {
        for config in config.items() {
            check_configuration(&config, is_stored("config"), errors);
        }
    }
}
