//! Amounts of resources by name (`ResourceList`), and those of a whole pod.

use std::collections::BTreeMap;

use kindsmith_formats::quantity::{Format, Quantity};
use kindsmith_json::{Arena, Object, Value};

use crate::field_check::{items, text};

/// Amounts by the name of the resource.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Amounts(pub BTreeMap<String, Quantity>);

impl Amounts {
    /// Reads a map of quantities; values that are not quantities are left out.
    #[must_use]
    pub fn of(value: Option<Value<'_>>) -> Self {
        let entries = value.and_then(Value::as_object).unwrap_or_default();
        let parsed = entries.iter().filter_map(|(name, amount)| {
            let text = match amount {
                Value::Str(text) => text.to_owned(),
                other => kindsmith_json::to_string(other),
            };
            Some((name.to_owned(), Quantity::parse(&text).ok()?))
        });
        Amounts(parsed.collect())
    }

    /// The map of quantities.
    #[must_use]
    pub fn to_value<'a>(&self, arena: &'a Arena) -> Value<'a> {
        let mut object = Object::EMPTY;
        for (name, amount) in &self.0 {
            let amount = Value::Str(arena.alloc_str(&amount.to_string()));
            object.insert(arena, arena.alloc_str(name), amount);
        }
        Value::Object(object)
    }

    /// One amount.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Quantity> {
        self.0.get(name)
    }

    /// Sets an amount to a number of objects.
    pub fn count(&mut self, name: impl Into<String>, number: usize) {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.0
            .insert(name.into(), Quantity::from_int(number, Format::DecimalSi));
    }

    /// Adds amounts, name by name.
    pub fn add(&mut self, other: &Amounts) {
        for (name, amount) in &other.0 {
            let sum = self.get(name).map(|own| own.add(amount));
            self.0.insert(name.clone(), sum.unwrap_or_else(|| amount.clone()));
        }
    }

    /// Subtracts amounts, name by name; nothing gets negative.
    pub fn subtract(&mut self, other: &Amounts) {
        for (name, amount) in &mut self.0 {
            if let Some(other) = other.get(name) {
                let rest = amount.sub(other);
                *amount = match rest.sign() {
                    -1 => Quantity::from_int(0, amount.format()),
                    _ => rest,
                };
            }
        }
    }

    /// Takes the greater amount of each name.
    pub fn raise(&mut self, other: &Amounts) {
        for (name, amount) in &other.0 {
            if self.get(name).is_none_or(|own| amount > own) {
                self.0.insert(name.clone(), amount.clone());
            }
        }
    }

    /// Those with one of these names.
    #[must_use]
    pub fn only(&self, mut is_wanted: impl FnMut(&str) -> bool) -> Amounts {
        let kept = self.0.iter().filter(|(name, _)| is_wanted(name));
        Amounts(
            kept.map(|(name, amount)| (name.clone(), amount.clone()))
                .collect(),
        )
    }

    /// `cpu=1,memory=2Gi`
    #[must_use]
    pub fn shown(&self) -> String {
        let parts = self.0.iter().map(|(name, amount)| format!("{name}={amount}"));
        parts.collect::<Vec<_>>().join(",")
    }
}

/// All containers of a pod that are there from its start.
pub fn containers(pod: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let list = |key: &str| items(pod.lookup(&["spec", key])).iter().copied();
    list("containers").chain(list("initContainers"))
}

/// What a pod requests or is limited to as a whole: `part` is `requests` or `limits`.
///
/// Containers run together. Init containers run one after the other before them; those that restart go on beside all that
/// follow. What is set for the whole pod counts in place of the sum, if it can be.
#[must_use]
pub fn of_pod(pod: Value<'_>, part: &str, is_of_pods: fn(&str) -> bool) -> Amounts {
    let amounts = |holder: Value<'_>| Amounts::of(holder.lookup(&["resources", part]));
    let mut together = Amounts::default();
    for container in items(pod.lookup(&["spec", "containers"])) {
        together.add(&amounts(*container));
    }
    let (mut sidecars, mut highest) = (Amounts::default(), Amounts::default());
    for container in items(pod.lookup(&["spec", "initContainers"])) {
        let own = amounts(*container);
        let mut meanwhile = own.clone();
        meanwhile.add(&sidecars);
        if text(container.get("restartPolicy")) == "Always" {
            together.add(&own);
            sidecars = meanwhile.clone();
        }
        highest.raise(&meanwhile);
    }
    together.raise(&highest);
    let whole = Amounts::of(pod.lookup(&["spec", "resources", part]));
    together.0.extend(whole.only(is_of_pods).0);
    together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spec: &str, expected: &str) {
        let arena = Arena::new();
        let text = format!(r#"{{"spec":{spec}}}"#);
        let pod = kindsmith_json::parse_str(&arena, &text).expect("JSON");
        assert_eq!(of_pod(pod, "requests", |name| name == "cpu").shown(), expected);
    }

    #[test]
    fn containers_run_together_and_init_containers_before() {
        let holder =
            |cpu: &str, more: &str| format!(r#"{{{more}"resources":{{"requests":{{"cpu":"{cpu}"}}}}}}"#);
        let restarts = r#""restartPolicy":"Always","#;
        let spec = |containers: &[String], init: &[String], more: &str| {
            let (containers, init) = (containers.join(","), init.join(","));
            format!(r#"{{{more}"containers":[{containers}],"initContainers":[{init}]}}"#)
        };
        let two = [holder("1", ""), holder("500m", "")];
        check(&spec(&two, &[], ""), "cpu=1500m");
        check(&spec(&two, &[holder("4", ""), holder("3", "")], ""), "cpu=4");
        check(
            &spec(&two, &[holder("1", restarts), holder("2", "")], ""),
            "cpu=3",
        );
        check(&spec(&two, &[holder("1", restarts)], ""), "cpu=2500m");
        let whole = r#""resources":{"requests":{"cpu":"9","x":"1"}},"#;
        check(&spec(&two, &[], whole), "cpu=9");
    }
}
