//! Ratcheting: an update may keep errors of the old CRD, but add no others.

use kindsmith_openapi::crd::Definition;

use super::sample::{definition, established, expect, judge_create, judge_update, with_schema};

/// Rejected on create with one error, but accepted on update of a CRD that already has it.
#[track_caller]
fn forgiven(broken: &str) {
    let broken = with_schema(broken);
    assert!(!judge_create(&broken).is_accepted(), "a create is refused");
    let old = kept(&broken);
    expect(&judge_update(&old, &broken), &[], "an update is forgiven");
    let fresh = established(&with_schema("type: object"));
    assert!(
        !judge_update(&fresh, &broken).is_accepted(),
        "a new mistake is not"
    );
}

/// A CRD that an older server has accepted.
fn kept(definition: &Definition) -> Definition {
    let mut kept = definition.clone();
    kept.status = established(&super::sample::definition("{}")).status;
    kept
}

#[test]
fn items_of_sets_and_keys_of_maps() {
    forgiven(
        "type: object\nproperties: {a: {type: array, items: {type: object}, x-kubernetes-list-type: set}}",
    );
    forgiven(
        "type: object\nproperties: {a: {type: array, items: {type: object, properties: {k: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]}}",
    );
}

#[test]
fn unknown_types() {
    forgiven("type: object\nproperties: {a: {type: text}}");
}

#[test]
fn structure_is_forgiven_only_where_nothing_is_pruned() {
    let broken = with_schema("type: object\nproperties: {a: {}}");
    let mut preserving = broken.clone();
    preserving.spec.preserve_unknown_fields = true;
    expect(
        &judge_update(&kept(&preserving), &preserving),
        &[],
        "it preserves unknown fields",
    );
    expect(
        &judge_update(&kept(&broken), &broken),
        &["P.properties[a].type: Required value: must not be empty for specified object fields"],
        "it prunes",
    );
}

#[test]
fn review_versions_and_approvals() {
    let webhook = definition(
        "spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v9], clientConfig: {url: 'https://h'}}}}",
    );
    assert!(!judge_create(&webhook).is_accepted());
    expect(
        &judge_update(&kept(&webhook), &webhook),
        &[],
        "the versions are as before",
    );
    let protected = definition("{metadata: {name: things.x.k8s.io}, spec: {group: x.k8s.io}}");
    assert!(!judge_create(&protected).is_accepted());
    expect(
        &judge_update(&kept(&protected), &protected),
        &[],
        "the approval is missing as before",
    );
}

#[test]
fn missing_schemas() {
    let bare = definition("spec: {versions: [{name: v1, served: true, storage: true}]}");
    expect(
        &judge_create(&bare),
        &["spec.versions[0].schema.openAPIV3Schema: Required value"],
        "create",
    );
    expect(
        &judge_update(&kept(&bare), &bare),
        &["spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned"],
        "update",
    );
}

#[test]
fn ca_bundles_are_checked_once_established() {
    let bundle = |bytes: &str| {
        definition(&format!(
            "spec: {{conversion: {{strategy: Webhook, webhook: {{conversionReviewVersions: [v1], clientConfig: {{url: 'https://h', caBundle: {bytes}}}}}}}}}"
        ))
    };
    let bad = bundle("Cg==");
    expect(&judge_create(&bad), &[], "nothing is established yet");
    expect(
        &judge_update(&established(&definition("{}")), &bad),
        &[
            r#"spec.conversion.webhookClientConfig.caBundle: Invalid value: "Cg==": unable to load root certificates: unable to parse bytes as PEM block"#,
        ],
        "the old one was fine",
    );
    expect(&judge_update(&kept(&bad), &bad), &[], "the old one was bad too");
}

#[test]
fn reordering_keys_is_not_a_change() {
    let old = established(&with_schema(
        "type: object\nproperties: {a: {type: string}, b: {type: string}}",
    ));
    let new = with_schema("properties: {b: {type: string}, a: {type: string}}\ntype: object");
    let mut stored = new.to_internal();
    let verdict = kindsmith_crd::definition::update(&mut stored, &old.to_internal(), Default::default());
    expect(&verdict, &[], "the keys are in another order");
    let arena = kindsmith_json::Arena::new();
    let generation = stored
        .metadata
        .value(&arena)
        .get("generation")
        .and_then(kindsmith_json::Value::as_i64);
    assert_eq!(generation, Some(1));
}

#[test]
fn one_rule_keeps_its_cost_while_the_schema_stays() {
    let expensive = |more: &str| {
        with_schema(&format!(
            "type: object\nproperties: {{l: {{type: array, maxItems: 3000000, items: {{type: integer}}, x-kubernetes-validations: [{{rule: 'self.all(x, x > 0)'}}]}}{more}}}"
        ))
    };
    let old = kept(&expensive(""));
    assert!(!judge_create(&expensive("")).is_accepted());
    expect(&judge_update(&old, &expensive("")), &[], "nothing changed");
    assert!(
        !judge_update(&old, &expensive(", m: {type: string}")).is_accepted(),
        "the schema changed"
    );
}
