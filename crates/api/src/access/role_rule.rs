//! One rule of a role: what it allows, and which other rules it covers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

use super::Attributes;

/// One rule of a role (`rbacv1.PolicyRule`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) verbs: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) resources: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) paths: Vec<String>,
}

impl Rule {
    /// Reads the rules of a role.
    pub(super) fn all(role: Value<'_>) -> Vec<Rule> {
        let rules = role.get("rules").and_then(Value::as_array).unwrap_or_default();
        rules.iter().map(|&rule| Rule::read(rule)).collect()
    }

    fn read(rule: Value<'_>) -> Rule {
        let texts = |key| -> Vec<String> {
            let list = rule.get(key).and_then(Value::as_array).unwrap_or_default();
            list.iter()
                .filter_map(|text| text.as_str())
                .map(str::to_owned)
                .collect()
        };
        Rule {
            verbs: texts("verbs"),
            groups: texts("apiGroups"),
            resources: texts("resources"),
            names: texts("resourceNames"),
            paths: texts("nonResourceURLs"),
        }
    }

    /// Whether it allows this (`RuleAllows` in plugin/pkg/auth/authorizer/rbac/rbac.go).
    pub(super) fn allows(&self, wanted: &Attributes<'_>) -> bool {
        if !has_or_all(&self.verbs, wanted.verb) {
            return false;
        }
        if !wanted.is_resource {
            return self.paths.iter().any(|path| path_covers(path, wanted.path));
        }
        has_or_all(&self.groups, wanted.group)
            && self.allows_resource(&wanted.combined(), wanted.subresource)
            && (self.names.is_empty() || has(&self.names, wanted.name))
    }

    fn allows_resource(&self, combined: &str, subresource: &str) -> bool {
        self.resources.iter().any(|resource| {
            resource == "*"
                || resource == combined
                || (!subresource.is_empty() && resource.strip_prefix("*/") == Some(subresource))
        })
    }

    /// Splits the rule into rules of one verb, group, resource and name each (`BreakdownRule` in component-helpers'
    /// auth/rbac/validation/policy_comparator.go).
    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let names = match &*self.names {
            [] => &[None][..],
            _ => &[],
        };
        let names = move || {
            names
                .iter()
                .copied()
                .chain(self.names.iter().map(|name| Some(name.as_str())))
        };
        let resources = self.groups.iter().flat_map(move |group| {
            self.resources.iter().flat_map(move |resource| {
                self.verbs.iter().flat_map(move |verb| {
                    names().map(move |name| Part {
                        verb,
                        place: Place::Resource(group, resource, name),
                    })
                })
            })
        });
        let paths = self.paths.iter().flat_map(move |path| {
            self.verbs.iter().map(move |verb| Part {
                verb,
                place: Place::Path(path),
            })
        });
        resources.chain(paths)
    }

    /// The rule as refusals show it (`CompactString` in pkg/apis/rbac/v1).
    fn compact(&self) -> String {
        let mut text = String::from("{");
        for (name, list) in [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.paths),
            ("ResourceNames", &self.names),
            ("Verbs", &self.verbs),
        ] {
            if !list.is_empty() {
                let comma = if text.len() > 1 { ", " } else { "" };
                let _ = write!(text, "{comma}{name}:{}", go_list(list));
            }
        }
        text.push('}');
        text
    }
}

/// Strings as Go prints a list of them with `%q`.
pub(super) fn go_list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    format!("[{}]", quoted.join(" "))
}

/// A right: one verb on one thing.
#[derive(Debug, Clone, Copy)]
struct Part<'r> {
    verb: &'r str,
    place: Place<'r>,
}

/// What a right is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place<'r> {
    /// A resource of a group, or one object of it.
    Resource(&'r str, &'r str, Option<&'r str>),
    /// A path outside all resources, such as `/healthz`.
    Path(&'r str),
}

/// A rule whose texts can be found quickly.
struct Covering<'r> {
    verbs: HashSet<&'r str>,
    groups: HashSet<&'r str>,
    resources: HashSet<&'r str>,
    names: HashSet<&'r str>,
    paths: &'r [String],
}

impl<'r> Covering<'r> {
    fn new(rule: &'r Rule) -> Self {
        let set = |texts: &'r [String]| texts.iter().map(String::as_str).collect();
        Covering {
            verbs: set(&rule.verbs),
            groups: set(&rule.groups),
            resources: set(&rule.resources),
            names: set(&rule.names),
            paths: &rule.paths,
        }
    }

    fn has_verb(&self, verb: &str) -> bool {
        self.verbs.contains("*") || self.verbs.contains(verb)
    }

    fn has_group(&self, group: &str) -> bool {
        self.groups.contains("*") || self.groups.contains(group)
    }

    fn has_resource(&self, resource: &str) -> bool {
        let any = |name: &str| self.resources.contains(format!("*/{name}").as_str());
        self.resources.contains("*")
            || self.resources.contains(resource)
            || resource.split_once('/').is_some_and(|(_, name)| any(name))
    }

    fn has_name(&self, name: Option<&str>) -> bool {
        self.names.is_empty() || name.is_some_and(|name| self.names.contains(name))
    }

    fn has_path(&self, wanted: &str) -> bool {
        self.paths.iter().any(|path| path_covers(path, wanted))
    }

    /// Whether it has a right.
    fn covers(&self, part: Part<'_>) -> bool {
        self.has_verb(part.verb)
            && match part.place {
                Place::Resource(group, resource, name) => {
                    self.has_group(group) && self.has_resource(resource) && self.has_name(name)
                }
                Place::Path(path) => self.has_path(path),
            }
    }

    /// Whether it has all rights of a rule, without looking at each combination.
    fn covers_all(&self, rule: &Rule) -> bool {
        let has_names = match &*rule.names {
            [] => self.has_name(None),
            names => names.iter().all(|name| self.has_name(Some(name))),
        };
        has_names
            && rule.verbs.iter().all(|verb| self.has_verb(verb))
            && rule.groups.iter().all(|group| self.has_group(group))
            && rule.resources.iter().all(|resource| self.has_resource(resource))
            && rule.paths.iter().all(|path| self.has_path(path))
    }
}

/// How many rights are looked at one by one. A small body can name many: they multiply.
const MOST_PARTS: usize = 100_000;

/// The rights in `wanted` that `own` lacks, as refusals list them; sorted.
pub(super) fn missing(own: &[Rule], wanted: &[Rule]) -> Vec<String> {
    let own: Vec<Covering<'_>> = own.iter().map(Covering::new).collect();
    let open = wanted
        .iter()
        .filter(|rule| !own.iter().any(|own| own.covers_all(rule)));
    let mut parts = open.flat_map(Rule::parts);
    let mut joined: Vec<Rule> = Vec::new();
    let mut index: HashMap<Place<'_>, usize> = HashMap::new();
    for part in parts.by_ref().take(MOST_PARTS) {
        if own.iter().any(|rule| rule.covers(part)) {
            continue;
        }
        // Merges rules on the same resource and name.
        let known = match part.place {
            Place::Resource(..) => index.get(&part.place).copied(),
            Place::Path(_) => None,
        };
        match known {
            Some(at) => joined[at].verbs.push(part.verb.to_owned()),
            None => {
                index.insert(part.place, joined.len());
                joined.push(part.rule());
            }
        }
    }
    let mut texts: BTreeSet<String> = joined.iter().map(Rule::compact).collect();
    if parts.next().is_some() {
        texts.insert("too many rights to compare; split the role".to_owned());
    }
    texts.into_iter().collect()
}

impl Part<'_> {
    fn rule(self) -> Rule {
        let one = |text: &str| vec![text.to_owned()];
        let verbs = one(self.verb);
        match self.place {
            Place::Resource(group, resource, name) => Rule {
                verbs,
                groups: one(group),
                resources: one(resource),
                names: name.map(one).unwrap_or_default(),
                paths: Vec::new(),
            },
            Place::Path(path) => Rule {
                verbs,
                paths: one(path),
                ..Rule::default()
            },
        }
    }
}

fn has(list: &[String], text: &str) -> bool {
    list.iter().any(|known| known == text)
}

fn has_or_all(list: &[String], text: &str) -> bool {
    list.iter().any(|known| known == "*" || known == text)
}

/// Whether a rule's path, which may end in `*`, covers a path.
fn path_covers(rule: &str, path: &str) -> bool {
    rule == path || (rule.ends_with('*') && path.starts_with(rule.trim_end_matches('*')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(prefix: &str, count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{prefix}{number}")).collect()
    }

    #[test]
    fn rights_that_multiply_are_not_looked_at_one_by_one() {
        let wanted = Rule {
            verbs: many("v", 5_000),
            groups: many("g", 5_000),
            resources: many("r", 5_000),
            names: many("n", 5_000),
            paths: Vec::new(),
        };
        let own = [wanted.clone()];
        assert_eq!(missing(&own, &own), Vec::<String>::new());
        let lacking = missing(&[], &[wanted]);
        assert!(lacking.iter().any(|text| text.starts_with("too many rights")));
    }
}
