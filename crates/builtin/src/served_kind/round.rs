//! Amounts of resources are rounded up to whole thousandths wherever a kind of core, apps or batch has a list of them
//! (`SetDefaults_ResourceList` in pkg/apis/core/v1/defaults.go).

use kindsmith_formats::quantity::Quantity;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{TypeName, TypeRef};

use crate::Kind;
use crate::edit::at_path;
use crate::types::{Steps, paths, schema_of};

impl Kind {
    /// The object with rounded amounts.
    pub(crate) fn rounded<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        for path in self.amounts.get_or_init(|| self.amount_lists()) {
            object = at_path(arena, object, path, &|list| rounded_list(arena, list)).unwrap_or(object);
        }
        object
    }

    fn amount_lists(&self) -> Vec<Steps> {
        let list = schema_of(self.release).find(&TypeName::new("k8s.io/api/core/v1", "ResourceList"));
        if !self.is_own() || !matches!(&*self.names.group, "" | "apps" | "batch") {
            return Vec::new();
        }
        let found = paths(schema_of(self.release), self.ty, |field| match &field.ty {
            TypeRef::Named(id) if Some(*id) == list => Some(()),
            _ => None,
        });
        found.into_iter().map(|((), path)| path).collect()
    }
}

fn rounded_list<'a>(arena: &'a Arena, list: Value<'a>) -> Option<Value<'a>> {
    let amounts = list.as_object()?;
    let mut rounded = amounts;
    let mut is_changed = false;
    for (name, amount) in amounts {
        if let Some(amount) = amount.as_str().and_then(rounded_up) {
            rounded.insert(arena, name, Value::Str(arena.alloc_str(&amount)));
            is_changed = true;
        }
    }
    is_changed.then_some(Value::Object(rounded))
}

/// The amount rounded to whole thousandths, away from zero; `None` if it already is.
fn rounded_up(amount: &str) -> Option<String> {
    const SMALL: [(&str, &str, u64); 4] = [
        ("n", "m", 1_000_000),
        ("u", "m", 1_000),
        ("e-9", "e-3", 1_000_000),
        ("e-6", "e-3", 1_000),
    ];
    let amount = Quantity::parse(amount).ok()?.to_string();
    let (digits, suffix, unit) = SMALL
        .iter()
        .find_map(|(small, suffix, unit)| Some((amount.strip_suffix(small)?, suffix, *unit)))?;
    let count: i64 = digits.parse().ok()?;
    let sign = if count < 0 { "-" } else { "" };
    let thousandths = format!("{sign}{}{suffix}", count.unsigned_abs().div_ceil(unit));
    Some(Quantity::parse(&thousandths).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use crate::find_own;

    #[test]
    fn tiny_amounts_are_rounded_up() {
        for (amount, expected) in [
            ("1u", Some("1m")),
            ("1500u", Some("2m")),
            ("1n", Some("1m")),
            ("-1u", Some("-1m")),
            ("1e-6", Some("1e-3")),
            ("1500m", None),
            ("1Gi", None),
        ] {
            assert_eq!(super::rounded_up(amount).as_deref(), expected, "{amount}");
        }
    }

    #[test]
    fn every_list_of_amounts_is_rounded() {
        for (group, kind, object, expected) in [
            (
                "",
                "Node",
                r#"{"status":{"capacity":{"cpu":"1u","memory":"1Gi"}}}"#,
                r#"{"status":{"capacity":{"cpu":"1m","memory":"1Gi"}}}"#,
            ),
            (
                "batch",
                "CronJob",
                r#"{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"overhead":{"cpu":"1n"}}}}}}}"#,
                r#"{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"overhead":{"cpu":"1m"}}}}}}}"#,
            ),
            (
                "apps",
                "DaemonSet",
                r#"{"spec":{"template":{"spec":{"containers":[{},{"resources":{"limits":{"cpu":"1u"}}}]}}}}"#,
                r#"{"spec":{"template":{"spec":{"containers":[{},{"resources":{"limits":{"cpu":"1m"}}}]}}}}"#,
            ),
        ] {
            let arena = Arena::new();
            let kind = find_own(kindsmith_object::Release::NEWEST, group, "v1", kind).expect("it is served");
            let object = parse_str(&arena, object).expect("it is JSON");
            assert_eq!(to_string(kind.rounded(&arena, object)), expected);
        }
    }
}
