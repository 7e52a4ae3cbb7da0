//! Warnings about expressions of a validating policy that do not fit the kinds it matches: what kube-controller-manager
//! writes into `status.typeChecking` (`TypeChecker` in apiserver's pkg/admission/plugin/policy/validating/typechecking.go).

use std::collections::BTreeSet;

use kindsmith_cel::policy::{Declared, Types, type_check};
use kindsmith_cel::types::decl::{Declarations, Schema};
use kindsmith_json::Value;
use kindsmith_object::GroupVersion;

use super::ParamKind;
use super::definition::{items, param_kind};
use crate::setting::text;
use crate::{Gvk, Gvr};

/// The most kinds that a rule is checked for.
const MOST_KINDS: usize = 10;

/// Knows the kinds of a cluster.
pub trait Kinds {
    /// The kinds of a resource. That of the core group, without a name, stands for any group.
    fn of(&self, resource: &Gvr) -> Vec<Gvk>;

    /// The schema of a kind.
    fn schema(&self, kind: &Gvk) -> Option<Schema>;
}

/// A warning about an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionWarning {
    /// The field: `spec.validations[0].expression`.
    pub field: String,
    /// What is wrong, for each kind.
    pub warning: String,
}

/// Checks all validations of a policy and their messages.
pub fn expression_warnings(policy: Value<'_>, kinds: &dyn Kinds) -> Vec<ExpressionWarning> {
    let spec = policy.get("spec").unwrap_or_default();
    let params = param_kind(spec);
    let params_schema = params.as_ref().and_then(|kind| kinds.schema(&gvk(kind)));
    let typed: Vec<(Gvk, Types)> = kinds_to_check(spec, kinds)
        .into_iter()
        .filter_map(|kind| {
            let object = kinds.schema(&kind)?;
            let types = Types {
                object: Declarations::new(&object, false, "Object"),
                has_params: params.is_some(),
                params: params_schema
                    .as_ref()
                    .and_then(|params| Declarations::new(params, false, "Params")),
                ..Types::default()
            };
            Some((kind, types))
        })
        .collect();
    let variables = items(spec, "variables");
    let mut warnings = Vec::new();
    for (index, &validation) in items(spec, "validations").iter().enumerate() {
        for key in ["expression", "messageExpression"] {
            let expression = text(validation, key);
            if expression.is_empty() && key == "messageExpression" {
                continue;
            }
            let problems: Vec<String> = typed
                .iter()
                .filter_map(|(kind, types)| {
                    let problem = type_check(&expression, types, &declared(variables, types)).err()?;
                    Some(format!(
                        "{}/{}, Kind={}: {problem}\n",
                        kind.group, kind.version, kind.kind
                    ))
                })
                .collect();
            if !problems.is_empty() {
                warnings.push(ExpressionWarning {
                    field: format!("spec.validations[{index}].{key}"),
                    warning: problems.join("\n"),
                });
            }
        }
    }
    warnings
}

/// The variables with the types they have for a kind.
fn declared(variables: &[Value<'_>], types: &Types) -> Declared {
    let mut declared = Declared::default();
    for &variable in variables {
        let ty = type_check(&text(variable, "expression"), types, &declared);
        declared.declare(&text(variable, "name"), ty.ok().as_ref());
    }
    declared
}

fn gvk(ParamKind { api_version, kind }: &ParamKind) -> Gvk {
    let GroupVersion { group, version } = GroupVersion::parse(api_version).unwrap_or_default();
    Gvk {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.clone(),
    }
}

/// The kinds that the rules name, by group, version and kind. Rules with a wildcard in groups or versions, wildcards
/// among resources and subresources name none.
fn kinds_to_check(spec: Value<'_>, kinds: &dyn Kinds) -> Vec<Gvk> {
    let mut found = BTreeSet::new();
    let constraints = spec.get("matchConstraints").unwrap_or_default();
    for &rule in items(constraints, "resourceRules") {
        let list = |key| {
            let mut texts: Vec<&str> = items(rule, key).iter().filter_map(|item| item.as_str()).collect();
            texts.sort_unstable();
            texts
        };
        let (groups, versions) = (list("apiGroups"), list("apiVersions"));
        if groups.iter().chain(&versions).any(|text| text.contains('*')) {
            continue;
        }
        let mut count = 0;
        for resource in every_resource(&groups, &versions, &list("resources")) {
            for kind in kinds.of(&resource) {
                found.insert((kind.group, kind.version, kind.kind));
                count += 1;
                if count == MOST_KINDS {
                    return in_order(found);
                }
            }
        }
    }
    in_order(found)
}

fn every_resource(groups: &[&str], versions: &[&str], resources: &[&str]) -> Vec<Gvr> {
    let mut all = Vec::new();
    for group in groups {
        for version in versions {
            for resource in resources.iter().filter(|resource| !resource.contains(['*', '/'])) {
                all.push(Gvr {
                    group: (*group).to_owned(),
                    version: (*version).to_owned(),
                    resource: (*resource).to_owned(),
                });
            }
        }
    }
    all
}

fn in_order(found: BTreeSet<(String, String, String)>) -> Vec<Gvk> {
    let kinds = found.into_iter();
    kinds
        .map(|(group, version, kind)| Gvk { group, version, kind })
        .collect()
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::super::read_schema;
    use super::*;

    /// Gates and doors, which have a `spec` with one number each.
    struct Park;

    impl Kinds for Park {
        fn of(&self, resource: &Gvr) -> Vec<Gvk> {
            let kind = match &*resource.resource {
                "gates" => "Gate",
                "doors" => "Door",
                _ => return Vec::new(),
            };
            vec![Gvk {
                group: resource.group.clone(),
                version: resource.version.clone(),
                kind: kind.to_owned(),
            }]
        }

        fn schema(&self, kind: &Gvk) -> Option<Schema> {
            let field = match &*kind.kind {
                "Gate" => "width",
                "Door" => "height",
                _ => return None,
            };
            let arena = Arena::new();
            let schema = format!(
                r#"{{"type":"object","properties":{{"spec":{{"type":"object","properties":{{"{field}":{{"type":"integer"}}}}}}}}}}"#
            );
            Some(read_schema(parse_str(&arena, &schema).expect("JSON"), &|_| None))
        }
    }

    fn check(rules: &str, validation: &str, expected: &[(&str, &str)]) {
        let arena = Arena::new();
        let policy = format!(
            r#"{{"spec":{{"matchConstraints":{{"resourceRules":[{rules}]}},"variables":[{{"name":"wide","expression":"object.spec.width"}}],"validations":[{validation}]}}}}"#
        );
        let policy = parse_str(&arena, &policy).expect("JSON");
        let warnings = expression_warnings(policy, &Park);
        let found: Vec<(&str, &str)> = warnings
            .iter()
            .map(|warning| (warning.field.as_str(), warning.warning.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    const GATES: &str = r#"{"apiGroups":["park.example.org"],"apiVersions":["v1"],"resources":["gates"]}"#;

    #[test]
    fn warnings_name_the_kind_and_the_place() {
        check(GATES, r#"{"expression":"object.spec.width > 1"}"#, &[]);
        check(
            GATES,
            r#"{"expression":"object.spec.widht > 1"}"#,
            &[(
                "spec.validations[0].expression",
                "park.example.org/v1, Kind=Gate: ERROR: <input>:1:12: undefined field 'widht'\n | object.spec.widht > 1\n | ...........^\n",
            )],
        );
        check(
            GATES,
            r#"{"expression":"true","messageExpression":"'' + variables.wide"}"#,
            &[(
                "spec.validations[0].messageExpression",
                "park.example.org/v1, Kind=Gate: ERROR: <input>:1:4: found no matching overload for '_+_' applied to '(string, int)'\n | '' + variables.wide\n | ...^\n",
            )],
        );
    }

    #[test]
    fn every_kind_has_its_warning() {
        let both =
            r#"{"apiGroups":["a"],"apiVersions":["v1"],"resources":["gates","doors","gates/status","*/*"]}"#;
        check(
            both,
            r#"{"expression":"object.spec.width + object.spec.height > 1"}"#,
            &[(
                "spec.validations[0].expression",
                "a/v1, Kind=Door: ERROR: <input>:1:12: undefined field 'width'\n | object.spec.width + object.spec.height > 1\n | ...........^\n\na/v1, Kind=Gate: ERROR: <input>:1:32: undefined field 'height'\n | object.spec.width + object.spec.height > 1\n | ...............................^\n",
            )],
        );
    }

    #[test]
    fn rules_with_wildcards_are_not_checked() {
        for rule in [
            r#"{"apiGroups":["*"],"apiVersions":["v1"],"resources":["gates"]}"#,
            r#"{"apiGroups":["a"],"apiVersions":["*"],"resources":["gates"]}"#,
            r#"{"apiGroups":["a"],"apiVersions":["v1"],"resources":["*"]}"#,
            r#"{"apiGroups":["a"],"apiVersions":["v1"],"resources":["windows"]}"#,
        ] {
            check(rule, r#"{"expression":"object.nope"}"#, &[]);
        }
    }
}
