//! Default classes, for the plugins `DefaultStorageClass` and `DefaultIngressClass`.

use super::Review;
use kindsmith_json::Value;

/// Which objects get a class, and which class is the default.
pub(super) struct Rule {
    pub(super) group: &'static str,
    pub(super) resource: &'static str,
    /// The field that names the class, and the older annotation in its place.
    pub(super) field: [&'static str; 2],
    pub(super) annotation: &'static str,
    pub(super) class_group: &'static str,
    pub(super) classes: &'static str,
    /// Annotations that make a class the default.
    pub(super) marks: &'static [&'static str],
}

/// The object with the default class, if it is of the kind that has one and names none.
pub(super) fn set<'a>(review: &Review<'_, 'a>, rule: &Rule, object: Value<'a>) -> Value<'a> {
    if !review.is_of(rule.group, rule.resource, "") {
        return object;
    }
    let annotation = object.lookup(&["metadata", "annotations", rule.annotation]);
    let given = object.lookup(&rule.field).filter(|class| !class.is_null());
    if given.or(annotation).is_some() {
        return object;
    }
    let mut object = object;
    let classes = review.all_of_cluster(rule.class_group, rule.classes);
    if let Some(class) = default_class(classes, rule) {
        object.set(review.arena, &rule.field, class);
    }
    object
}

/// The name of the default class; of several, the newest one, then the first by name.
fn default_class<'a>(classes: Vec<Value<'a>>, rule: &Rule) -> Option<Value<'a>> {
    let text = |class: &Value<'a>, key: &str| class.text(&["metadata", key]);
    let is_default = |class: &Value<'a>| {
        let mark = |mark: &&str| class.lookup(&["metadata", "annotations", mark]);
        let mut marks = rule.marks.iter().filter_map(mark);
        marks.any(|mark| mark == Value::Str("true"))
    };
    let default = classes.into_iter().filter(is_default).min_by(|left, right| {
        let newer = text(right, "creationTimestamp").cmp(text(left, "creationTimestamp"));
        newer.then_with(|| text(left, "name").cmp(text(right, "name")))
    })?;
    default.lookup(&["metadata", "name"])
}

#[cfg(test)]
mod tests {
    use kindsmith_json::Arena;

    use super::super::default_storage_class::RULE;
    use super::*;

    #[test]
    fn the_newest_default_class_wins_then_the_first_by_name() {
        let class = |name: &str, created: &str, mark: &str| {
            format!(
                r#"{{"metadata":{{"name":"{name}","creationTimestamp":"{created}","annotations":{{"storageclass.kubernetes.io/is-default-class":"{mark}"}}}}}}"#
            )
        };
        let arena = Arena::new();
        let parse = |text: String| kindsmith_json::parse_str(&arena, arena.alloc_str(&text)).expect("JSON");
        let classes = vec![
            parse(class("old", "2020-01-01T00:00:00Z", "true")),
            parse(class("b", "2021-01-01T00:00:00Z", "true")),
            parse(class("a", "2021-01-01T00:00:00Z", "true")),
            parse(class("newest", "2022-01-01T00:00:00Z", "false")),
        ];
        assert_eq!(default_class(classes, &RULE), Some(Value::Str("a")));
        assert_eq!(default_class(Vec::new(), &RULE), None);
    }
}
