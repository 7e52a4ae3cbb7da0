//! The parts of several values that one part of a schema is about. Linear in the values, however many members a schema knows.

use std::collections::HashMap;

use kindsmith_json::Value;

/// The items of those that are lists.
#[must_use]
pub fn items<'v>(values: &[Value<'v>]) -> Vec<Value<'v>> {
    let lists = values.iter().filter_map(|value| value.as_array());
    lists.flatten().copied().collect()
}

/// The members of those that are objects.
#[must_use]
pub fn members<'v>(values: &[Value<'v>]) -> Vec<Value<'v>> {
    let objects = values.iter().filter_map(|value| value.as_object());
    objects
        .flat_map(|object| object.iter().map(|(_, member)| member))
        .collect()
}

/// The members of those that are objects, by name.
#[must_use]
pub fn named<'v>(values: &[Value<'v>]) -> HashMap<&'v str, Vec<Value<'v>>> {
    let mut named: HashMap<&'v str, Vec<Value<'v>>> = HashMap::default();
    for object in values.iter().filter_map(|value| value.as_object()) {
        for (name, member) in object {
            named.entry(name).or_default().push(member);
        }
    }
    named
}
