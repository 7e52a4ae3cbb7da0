//! CRDs of a cluster that do not suit a kind are refused, with the cure.

use kindsmith_controller::{Json, kinds, unsuitable};
use serde_json::json;

/// What is wrong with the CRD of a Redis instance after a change.
fn wrong(change: impl Fn(&mut Json)) -> Vec<(bool, String)> {
    let kind = (kinds::ALL[5].kind)().expect("the description is right");
    let fields = json!({ "type": "object", "properties": { "region": { "type": "string" } } });
    let text = json!({ "type": "string" });
    let condition = json!({ "type": text, "status": text, "reason": text, "message": text });
    let conditions = json!({ "type": "array", "items": { "type": "object", "properties": condition } });
    let status = json!({ "type": "object", "properties": { "conditions": conditions } });
    let mut definition = json!({ "spec": {
        "scope": "Namespaced",
        "versions": [{
            "name": "v1beta1", "served": true, "subresources": { "status": {} },
            "schema": { "openAPIV3Schema": { "properties": { "spec": fields, "status": status } } },
        }],
    }});
    change(&mut definition);
    let found = unsuitable(&kind, Some(&definition));
    assert!(found.iter().all(|found| !found.cure.is_empty()));
    found
        .into_iter()
        .map(|found| (found.is_fatal, found.reason))
        .collect()
}

#[test]
fn a_crd_is_refused_for_what_it_drops() {
    let name = "redisinstances.redis.cnrm.cloud.google.com";
    assert_eq!(wrong(|_| ()), []);
    let check = |change: &dyn Fn(&mut Json), is_fatal, expected: &str| {
        assert_eq!(wrong(change), [(is_fatal, expected.replace("NAME", name))]);
    };
    check(
        &|crd| crd["spec"]["scope"] = "Cluster".into(),
        true,
        "`NAME` is cluster-scoped; resources belong to the project of a namespace",
    );
    check(
        &|crd| crd["spec"]["versions"][0]["name"] = "v1".into(),
        true,
        "`NAME` does not serve v1beta1, only v1",
    );
    check(
        &|crd| crd["spec"]["versions"][0]["subresources"] = json!({}),
        true,
        "v1beta1 of `NAME` has no subresource `status`",
    );
    let schema = |crd: &mut Json, pointer: &str, value: Json| {
        let place = format!("/spec/versions/0/schema/openAPIV3Schema/properties/{pointer}");
        *crd.pointer_mut(&place).expect("it is there") = value;
    };
    check(
        &|crd| schema(crd, "status/properties", json!({})),
        true,
        "`NAME` drops `status.conditions`, so nobody sees whether objects are ready",
    );
    check(
        &|crd| {
            schema(
                crd,
                "status/properties/conditions/items/properties/message",
                Json::Null,
            );
        },
        true,
        "`NAME` drops `status.conditions`, so nobody sees whether objects are ready",
    );
    let anything = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let open = |crd: &mut Json| crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = anything.clone();
    assert_eq!(wrong(open), [], "what a schema does not name is kept");
    check(
        &|crd| schema(crd, "spec/properties", json!({})),
        true,
        "`NAME` has no `spec.region`, which is `{region}` in the path of resources",
    );
    check(
        &|crd| {
            schema(
                crd,
                "spec/properties/region",
                json!({ "type": "string", "default": "here" }),
            );
        },
        false,
        "`spec.region` of `NAME` has a default, so every object sets it and its live value is never kept",
    );
    let kind = (kinds::ALL[5].kind)().expect("the description is right");
    let none = unsuitable(&kind, None);
    assert_eq!(none[0].reason, format!("there is no CRD `{name}`"));
    assert_eq!(
        none[0].cure,
        "install it: `kindsmith controller crds --kinds RedisInstance | kubectl apply -f -`"
    );
}
