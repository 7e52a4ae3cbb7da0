//! Rules for CRDs outside their schemas.

use super::sample::{definition, established, expect, judge_create, judge_update};

#[track_caller]
fn check(change: &str, expected: &[&str]) {
    expect(&judge_create(&definition(change)), expected, change);
}

const LABEL: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

#[test]
fn the_sample_is_valid() {
    check("{}", &[]);
}

#[test]
fn the_name_follows_from_the_spec() {
    check(
        "metadata: {name: other.example.org}",
        &[r#"metadata.name: Invalid value: "other.example.org": must be spec.names.plural+"."+spec.group"#],
    );
    check(
        "metadata: {generateName: x-}",
        &[r#"metadata.generateName: Invalid value: "x-": must be spec.names.plural+"."+spec.group"#],
    );
}

#[test]
fn a_namespace_is_ignored() {
    check("metadata: {namespace: default}", &[]);
    let old = established(&definition("{}"));
    let new = definition("metadata: {namespace: default}");
    expect(&judge_update(&old, &new), &[], "update");
}

#[test]
fn metadata_is_validated_three_times_on_update() {
    let old = established(&definition("{}"));
    let new = definition("metadata: {labels: {'a b': c}}");
    let verdict = judge_update(&old, &new);
    assert_eq!(
        verdict.errors.len(),
        3,
        "as any new object, as any changed one, as a definition"
    );
    let status = verdict.status("things.example.org").expect("it is refused");
    assert_eq!(
        status.message.matches("metadata.labels").count(),
        1,
        "{}",
        status.message
    );
}

#[test]
fn lengths_of_names_are_called_characters() {
    let long = "a".repeat(64);
    check(
        &format!("spec: {{names: {{shortNames: [{long}]}}}}"),
        &[&format!(
            r#"spec.names.shortNames[0]: Invalid value: "{long}": must be no more than 63 characters"#
        )],
    );
}

#[test]
fn a_version_is_stored_once() {
    let version = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}";
    let verdict = judge_create(&definition(&format!(
        "spec: {{versions: [{version}, {version}]}}"
    )));
    let texts: Vec<String> = verdict.errors.iter().map(ToString::to_string).collect();
    let part = r#"status.storedVersions: Invalid value: ["v1"]: must have the storage version v1"#;
    assert!(texts.iter().any(|text| text == part), "{texts:?}");
}

#[test]
fn names_are_labels() {
    check(
        "spec: {names: {shortNames: [B], kind: Thing_, categories: [all]}}",
        &[
            &format!(
                r#"spec.names.kind: Invalid value: "Thing_": may have mixed case, but should otherwise match: {LABEL}"#
            ),
            &format!(r#"spec.names.shortNames[0]: Invalid value: "B": {LABEL}"#),
        ],
    );
    check(
        "spec: {names: {listKind: Thing}}",
        &[r#"spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same"#],
    );
}

#[test]
fn scopes_and_groups() {
    check(
        "spec: {scope: Local}",
        &[r#"spec.scope: Unsupported value: "Local": supported values: "Cluster", "Namespaced""#],
    );
    check("spec: {scope: null}", &["spec.scope: Required value"]);
    check(
        "{metadata: {name: things.org}, spec: {group: org}}",
        &[r#"spec.group: Invalid value: "org": should be a domain with at least one dot"#],
    );
}

#[test]
fn approvals_are_for_protected_groups() {
    let change = |annotations: &str| {
        format!(
            "{{metadata: {{name: things.x.k8s.io, annotations: {annotations}}}, spec: {{group: x.k8s.io}}}}"
        )
    };
    check(
        &change("{}"),
        &[
            r#"metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111"#,
        ],
    );
    check(&change("{api-approved.kubernetes.io: 'unapproved, test'}"), &[]);
    check(
        &change("{api-approved.kubernetes.io: 'https://github.com/x/y/pull/1'}"),
        &[],
    );
}

#[test]
fn conversion_by_webhook() {
    let path = "spec.conversion";
    let change = |webhook: &str| format!("spec: {{conversion: {{strategy: Webhook, webhook: {webhook}}}}}");
    check(
        "spec: {conversion: {strategy: Magic}}",
        &[r#"spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook""#],
    );
    check(
        "spec: {conversion: {strategy: Webhook}}",
        &[
            &format!("{path}.webhookClientConfig: Required value: required when strategy is set to Webhook"),
            &format!("{path}.conversionReviewVersions: Required value"),
        ],
    );
    check(
        &change("{conversionReviewVersions: [v2, v2], clientConfig: {url: 'http://u:p@h/x?q#f'}}"),
        &[
            &format!(
                r#"{path}.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]"#
            ),
            &format!(
                r#"{path}.webhookClientConfig.url: Invalid value: "u:p": user information is not permitted in the URL"#
            ),
            &format!(
                r#"{path}.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL"#
            ),
            &format!(
                r#"{path}.webhookClientConfig.url: Invalid value: "q": query parameters are not permitted in the URL"#
            ),
            &format!(r#"{path}.conversionReviewVersions[1]: Invalid value: "v2": duplicate version"#),
            &format!(
                r#"{path}.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1"#
            ),
        ],
    );
    // Kubernetes swaps name and namespace here.
    check(
        &change(
            "{conversionReviewVersions: [v1], clientConfig: {service: {namespace: ns, path: a//b, port: 0}}}",
        ),
        &[
            &format!("{path}.webhookClientConfig.service.namespace: Required value"),
            &format!(
                "{path}.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive"
            ),
            &format!(
                r#"{path}.webhookClientConfig.service.path: Invalid value: "a//b": must start with a '/'"#
            ),
            &format!(
                r#"{path}.webhookClientConfig.service.path: Invalid value: "a//b": segment[0] may not be empty"#
            ),
            &format!(
                r#"{path}.webhookClientConfig.service.path: Invalid value: "a//b": segment[1] may not be empty"#
            ),
        ],
    );
}

/// The only version of the sample, with more fields.
fn version(more: &str) -> String {
    format!(
        "spec: {{versions: [{{name: v1, served: true, storage: true, {more}, schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{a: {{type: string}}, o: {{type: object}}}}}}}}}}}}}}]}}"
    )
}

#[test]
fn scale_paths() {
    check(
        &version(
            "subresources: {scale: {specReplicasPath: spec.r, statusReplicasPath: .spec.r, labelSelectorPath: .x}}",
        ),
        &[
            r#"spec.subresources.scale.specReplicasPath: Invalid value: "spec.r": must be a simple json path starting with ."#,
            r#"spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.r": should be a json path under .status"#,
            r#"spec.subresources.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status"#,
        ],
    );
}

#[test]
fn columns() {
    check(
        &version("additionalPrinterColumns: [{name: '', type: text, format: big, jsonPath: x}]"),
        &[
            "spec.additionalPrinterColumns[0].name: Required value",
            r#"spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string"#,
            r#"spec.additionalPrinterColumns[0].format: Invalid value: "big": must be one of byte,date,date-time,double,float,int32,int64,password"#,
            r#"spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with ."#,
        ],
    );
}

#[test]
fn selectable_fields() {
    let at = |index: usize| format!("spec.selectableFields[{index}].jsonPath");
    check(
        &version(
            "selectableFields: [{jsonPath: .spec.a}, {jsonPath: .spec.a}, {jsonPath: .spec.o}, {jsonPath: \".spec['a']\"}, {jsonPath: ''}, {jsonPath: .spec.z}]",
        ),
        &[
            &format!(r#"{}: Duplicate value: ".spec.a""#, at(1)),
            &format!(
                r#"{}: Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."#,
                at(2)
            ),
            &format!(
                r#"{}: Invalid value: ".spec['a']": is an invalid path: array notation is not allowed"#,
                at(3)
            ),
            &format!("{}: Required value", at(4)),
            &format!(
                r#"{}: Invalid value: ".spec.z": is an invalid path: does not refer to a valid field"#,
                at(5)
            ),
        ],
    );
}

#[test]
fn deprecation_warnings() {
    let check = |more: &str, expected: &[&str]| {
        let expected: Vec<String> = expected
            .iter()
            .map(|text| format!("spec.versions[0].deprecationWarning: Invalid value: {text}"))
            .collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&version(more), &expected);
    };
    check(
        "deprecationWarning: old",
        &[r#""old": can only be set for deprecated versions"#],
    );
    check(
        "deprecated: true, deprecationWarning: ''",
        &[r#""": must not be an empty string"#],
    );
    check(
        "deprecated: true, deprecationWarning: \"a\\tb\"",
        &[
            r#""a\tb": must only contain printable UTF-8 characters; non-printable character found at index 1"#,
        ],
    );
}

#[test]
fn identity_stays() {
    let old = established(&definition("{}"));
    let check =
        |change: &str, expected: &[&str]| expect(&judge_update(&old, &definition(change)), expected, change);
    check("{}", &[]);
    check(
        "spec: {scope: Cluster, names: {kind: Other}}",
        &[
            r#"spec.scope: Invalid value: "Cluster": field is immutable"#,
            r#"spec.names.kind: Invalid value: "Other": field is immutable"#,
        ],
    );
    check(
        "spec: {preserveUnknownFields: true}",
        &[
            "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        ],
    );
}

#[test]
fn stored_versions_stay() {
    let old = established(&definition("{}"));
    let new = definition(
        "spec: {versions: [{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}",
    );
    expect(
        &judge_update(&old, &new),
        &[
            r#"status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions"#,
        ],
        "v1 is dropped",
    );
}

#[test]
fn warnings_are_for_what_is_new() {
    let with = |schema: &str| {
        definition(&format!(
            "spec: {{versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, properties: {{a: {schema}}}}}}}}}]}}"
        ))
    };
    let odd = with("{type: string, format: odd}");
    let verdict = judge_create(&odd);
    assert_eq!(verdict.warnings, [r#"unrecognized format "odd""#]);
    assert!(judge_update(&established(&odd), &odd).warnings.is_empty());
    let set = with(
        "{type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic}}",
    );
    assert_eq!(
        judge_create(&set).warnings,
        [
            r#"x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules"#
        ]
    );
}
