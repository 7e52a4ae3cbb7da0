//! Documents that are not in the recordings: decode errors, reports, both forms, Go's printing.

use kindsmith_json::read::{self, Options};
use kindsmith_json::{Arena, to_string, yaml};
use kindsmith_openapi::crd::{self, ApiVersion, Source};
use kindsmith_openapi::schema;

/// Go's message about a schema: its error, or what strict decoding rejects.
fn minds(text: &str) -> String {
    let arena = Arena::new();
    let value = kindsmith_json::parse_str(&arena, text).expect("it is JSON");
    match schema::read(value) {
        Err(error) => error.to_string(),
        Ok((_, reports)) => joined(reports),
    }
}

fn joined(reports: impl IntoIterator<Item = impl ToString>) -> String {
    let texts: Vec<_> = reports.into_iter().map(|report| report.to_string()).collect();
    texts.join(", ")
}

fn rewrite(text: &str) -> String {
    let arena = Arena::new();
    let value = kindsmith_json::parse_str(&arena, text).expect("it is JSON");
    let (schema, _) = schema::read(value).expect("it fits");
    to_string(schema::write(&schema, &arena))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn values_of_the_wrong_kind_have_gos_names() {
    let into = "json: cannot unmarshal";
    let field = "into Go struct field JSONSchemaProps";
    let cases = [
        (
            "[]",
            format!("{into} array into Go value of type v1.JSONSchemaProps"),
        ),
        (
            r#"{"type":1}"#,
            format!("{into} number {field}.type of type string"),
        ),
        (
            r#"{"$schema":1}"#,
            format!("{into} number {field}.$schema of type v1.JSONSchemaURL"),
        ),
        (
            r#"{"maxLength":1.5}"#,
            format!("{into} number 1.5 {field}.maxLength of type int64"),
        ),
        (
            r#"{"maxLength":1.0}"#,
            format!("{into} number 1.0 {field}.maxLength of type int64"),
        ),
        (
            r#"{"maximum":"1"}"#,
            format!("{into} string {field}.maximum of type float64"),
        ),
        (
            r#"{"nullable":"yes"}"#,
            format!("{into} string {field}.nullable of type bool"),
        ),
        (
            r#"{"required":"a"}"#,
            format!("{into} string {field}.required of type []string"),
        ),
        (
            r#"{"required":["a",{}]}"#,
            format!("{into} object {field}.required of type string"),
        ),
        (
            r#"{"enum":{}}"#,
            format!("{into} object {field}.enum of type []v1.JSON"),
        ),
        (
            r#"{"properties":[]}"#,
            format!("{into} array {field}.properties of type map[string]v1.JSONSchemaProps"),
        ),
        (
            r#"{"properties":{"a":1}}"#,
            format!("{into} number {field}.properties of type v1.JSONSchemaProps"),
        ),
        (
            r#"{"definitions":1}"#,
            format!("{into} number {field}.definitions of type v1.JSONSchemaDefinitions"),
        ),
        (
            r#"{"dependencies":1}"#,
            format!("{into} number {field}.dependencies of type v1.JSONSchemaDependencies"),
        ),
        (
            r#"{"allOf":[{"not":{"type":{}}}]}"#,
            format!("{into} object {field}.allOf.not.type of type string"),
        ),
        (
            r#"{"x-kubernetes-validations":{}}"#,
            format!("{into} object {field}.x-kubernetes-validations of type v1.ValidationRules"),
        ),
        (
            r#"{"x-kubernetes-validations":[{"reason":1}]}"#,
            format!(
                "{into} number into Go struct field ValidationRule.x-kubernetes-validations.reason of type v1.FieldValueErrorReason"
            ),
        ),
        (
            r#"{"externalDocs":{"url":1}}"#,
            format!(
                "{into} number into Go struct field ExternalDocumentation.externalDocs.url of type string"
            ),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(minds(text), expected, "{text}");
    }
}

#[test]
fn types_with_their_own_decoder_stop_the_decoding() {
    let cases = [
        (
            r#"{"additionalProperties":"a"}"#,
            "boolean or JSON schema expected",
        ),
        (r#"{"additionalItems":1}"#, "boolean or JSON schema expected"),
        // Earlier saved errors are lost.
        (
            r#"{"type":1,"additionalProperties":[]}"#,
            "boolean or JSON schema expected",
        ),
        // The inner decoder names its own fields; the outer one puts its own in front.
        (
            r#"{"properties":{"a":{"items":{"properties":{"b":{"type":1}}}}}}"#,
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.properties.items.properties.type of type string",
        ),
        (
            r#"{"items":[{"items":{"maxItems":"a"}}]}"#,
            "json: cannot unmarshal string into Go struct field JSONSchemaProps.items.items.maxItems of type int64",
        ),
        (
            r#"{"items":[1]}"#,
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.items of type v1.JSONSchemaProps",
        ),
        (
            r#"{"dependencies":{"a":[1]}}"#,
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.dependencies of type string",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(minds(text), expected, "{text}");
    }
}

#[test]
fn unknown_fields_are_reported_where_go_looks() {
    let cases = [
        (r#"{"const":1}"#, r#"unknown field "const""#),
        // Keys are case-sensitive.
        (r#"{"Type":"object"}"#, r#"unknown field "Type""#),
        (
            r#"{"properties":{"a":{"x-foo":1}}}"#,
            r#"unknown field "properties.a.x-foo""#,
        ),
        (
            r#"{"allOf":[{"a":1}],"not":{"b":1}}"#,
            r#"unknown field "allOf[0].a", unknown field "not.b""#,
        ),
        (
            r#"{"definitions":{"d":{"a":1}}}"#,
            r#"unknown field "definitions.d.a""#,
        ),
        (
            r#"{"x-kubernetes-validations":[{"a":1}]}"#,
            r#"unknown field "x-kubernetes-validations[0].a""#,
        ),
        (
            r#"{"items":{"a":1},"additionalProperties":{"a":1},"additionalItems":{"a":1}}"#,
            "",
        ),
        (
            r#"{"dependencies":{"d":{"a":1}},"default":{"a":1},"enum":[{"a":1}]}"#,
            "",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(minds(text), expected, "{text}");
    }
}

#[test]
fn no_more_than_a_hundred_reports() {
    let fields: Vec<_> = (0..200).map(|number| format!("\"a{number}\":1")).collect();
    assert_eq!(
        minds(&format!("{{{}}}", fields.join(",")))
            .matches("unknown field")
            .count(),
        100
    );
}

#[test]
fn schemas_are_written_in_the_order_of_the_go_type_without_empty_values() {
    let cases = [
        (r#"{"type":"object","description":""}"#, r#"{"type":"object"}"#),
        (
            r#"{"nullable":true,"type":"string","maxLength":0}"#,
            r#"{"type":"string","maxLength":0,"nullable":true}"#,
        ),
        (
            r#"{"properties":{"b":{},"a":null}}"#,
            r#"{"properties":{"a":{},"b":{}}}"#,
        ),
        (r#"{"properties":{},"required":[],"allOf":[],"enum":[]}"#, "{}"),
        (
            r#"{"default":{"b":1,"a":{"d":1.0,"c":null}}}"#,
            r#"{"default":{"a":{"c":null,"d":1},"b":1}}"#,
        ),
        (r#"{"default":null,"example":null,"items":null,"not":null}"#, "{}"),
        (r#"{"enum":[null,"a",1.5]}"#, r#"{"enum":[null,"a",1.5]}"#),
        (
            r#"{"maximum":1.0,"minimum":1e21}"#,
            r#"{"maximum":1,"minimum":1e+21}"#,
        ),
        (r#"{"items":5}"#, r#"{"items":null}"#),
        (r#"{"items":[]}"#, r#"{"items":null}"#),
        (
            r#"{"items":[{"type":"string"}]}"#,
            r#"{"items":[{"type":"string"}]}"#,
        ),
        (
            r#"{"additionalProperties":false}"#,
            r#"{"additionalProperties":false}"#,
        ),
        (
            r#"{"dependencies":{"b":["c"],"a":{},"d":3}}"#,
            r#"{"dependencies":{"a":{},"b":["c"],"d":null}}"#,
        ),
        (
            r#"{"$ref":"","x-kubernetes-list-type":""}"#,
            r#"{"$ref":"","x-kubernetes-list-type":""}"#,
        ),
        (
            r#"{"x-kubernetes-preserve-unknown-fields":false}"#,
            r#"{"x-kubernetes-preserve-unknown-fields":false}"#,
        ),
        (
            r#"{"externalDocs":{"url":"u","description":""}}"#,
            r#"{"externalDocs":{"url":"u"}}"#,
        ),
        (
            r#"{"x-kubernetes-validations":[{"message":"m"}]}"#,
            r#"{"x-kubernetes-validations":[{"rule":"","message":"m"}]}"#,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(rewrite(text), expected, "{text}");
    }
}

/// `{"key":{"key":…}}`, nested `depth` times.
fn nested(key: &str, depth: usize) -> String {
    format!(
        "{}{{}}{}",
        format!("{{\"{key}\":").repeat(depth),
        "}".repeat(depth)
    )
}

#[test]
fn deep_documents_are_rejected_without_a_crash() {
    for key in ["not", "items", "additionalProperties"] {
        assert_eq!(minds(&nested(key, 5000)), "exceeded max depth", "{key}");
        // At the maximum depth everything still works.
        let text = nested(key, 250);
        assert_eq!(rewrite(&text), text);
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, &text).expect("it is JSON");
        let (schema, _) = schema::read(value).expect("it fits");
        assert_eq!(schema.clone(), schema);
        assert!(crd::print_schema(&schema).len() > 250 * 500);
    }
    // Values that are not decoded may be as deep as JSON allows.
    let text = format!(r#"{{"default":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    assert_eq!(rewrite(&text), text);
}

/// Go's message about a CRD in JSON or YAML.
fn minds_definition(text: &str) -> String {
    let arena = Arena::new();
    let read = if text.starts_with('{') {
        let read = read::read(&arena, text.as_bytes(), Options::default()).expect("it is JSON");
        let duplicates = arena.alloc(read.duplicates);
        crd::read(read.value, Source::Json { text, duplicates })
    } else {
        crd::read(
            yaml::parse(&arena, text.as_bytes()).expect("it is YAML"),
            Source::Yaml,
        )
    };
    read.map_or_else(|error| error.to_string(), |read| joined(read.reports))
}

#[test]
fn definitions_are_read_as_go_reads_them() {
    let into = "json: cannot unmarshal";
    let cases = [
        (
            "spec: 1",
            format!(
                "{into} number into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec"
            ),
        ),
        (
            "metadata: a",
            format!(
                "{into} string into Go struct field CustomResourceDefinition.metadata of type v1.ObjectMeta"
            ),
        ),
        (
            "spec: {scope: [], group: 1}",
            format!(
                "{into} number into Go struct field CustomResourceDefinitionSpec.spec.group of type string"
            ),
        ),
        (
            r#"{"spec":{"scope":[],"group":1}}"#,
            format!(
                "{into} array into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope"
            ),
        ),
        (
            "spec: {names: {shortNames: a}}",
            format!(
                "{into} string into Go struct field CustomResourceDefinitionNames.spec.names.shortNames of type []string"
            ),
        ),
        (
            "spec: {versions: {}}",
            format!(
                "{into} object into Go struct field CustomResourceDefinitionSpec.spec.versions of type []v1.CustomResourceDefinitionVersion"
            ),
        ),
        (
            "spec: {preserveUnknownFields: 1}",
            format!(
                "{into} number into Go struct field CustomResourceDefinitionSpec.spec.preserveUnknownFields of type bool"
            ),
        ),
        (
            "spec: {conversion: {webhook: {clientConfig: {caBundle: '*'}}}}",
            "illegal base64 data at input byte 0".to_owned(),
        ),
        (
            "spec: {conversion: {webhook: {clientConfig: {service: {port: 3000000000}}}}}",
            format!(
                "{into} number 3000000000 into Go struct field ServiceReference.spec.conversion.webhook.clientConfig.service.port of type int32"
            ),
        ),
        (
            "status: {conditions: [{lastTransitionTime: 1}]}",
            format!(
                "{into} number into Go struct field CustomResourceDefinitionCondition.status.conditions.lastTransitionTime of type string"
            ),
        ),
        (
            "status: {conditions: [{lastTransitionTime: a}]}",
            r#"parsing time "a" as "2006-01-02T15:04:05Z07:00": cannot parse "a" as "2006""#.to_owned(),
        ),
        // YAML drops empty fractions.
        (
            "spec: {versions: [{schema: {openAPIV3Schema: {maxLength: 1.0}}}]}",
            String::new(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(minds_definition(text), expected, "{text}");
    }
}

#[test]
fn reports_come_in_the_order_in_which_go_reads_the_fields() {
    let cases = [
        (
            "zeta: 1\nspec: {b: 1, a: 1}\nalpha: 1",
            r#"unknown field "alpha", unknown field "spec.a", unknown field "spec.b", unknown field "zeta""#,
        ),
        (
            r#"{"zeta":1,"spec":{"b":1,"a":1},"alpha":1}"#,
            r#"unknown field "zeta", unknown field "spec.b", unknown field "spec.a", unknown field "alpha""#,
        ),
        (
            r#"{"spec":{"group":"a","x":1,"group":"b","y":1}}"#,
            r#"unknown field "spec.x", duplicate field "spec.group", unknown field "spec.y""#,
        ),
        // An unknown field is reported as unknown only, however often it occurs; parts decoded elsewhere are
        // skipped.
        (r#"{"x":1,"x":2}"#, r#"unknown field "x""#),
        (
            r#"{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"default":{"a":1,"a":2},"items":{"type":"a","type":"b"}}}}]}}"#,
            "",
        ),
        (
            r#"{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{},"a":{"type":"a","type":"b"}}}}}]}}"#,
            r#"duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.a", duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.a.type""#,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(minds_definition(text), expected, "{text}");
    }
}

fn definition(text: &str) -> crd::Definition {
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).expect("it is YAML");
    crd::read(value, Source::Yaml).expect("it fits").definition
}

/// Where the parts of versions are in the internal form: s(chema), u (subresources), c(olumns), f(ields).
fn hoisted(versions: &str) -> String {
    let spec = definition(&format!("spec: {{versions: [{versions}]}}"))
        .to_internal()
        .spec;
    let mark = |present: bool, mark: char| if present { mark } else { '-' };
    let mut marks = vec![[
        mark(spec.validation.is_some(), 's'),
        mark(spec.subresources.is_some(), 'u'),
        mark(!spec.additional_printer_columns.is_absent(), 'c'),
        mark(!spec.selectable_fields.is_absent(), 'f'),
    ]];
    marks.extend(spec.versions.iter().map(|version| {
        [
            mark(version.schema.is_some(), 's'),
            mark(version.subresources.is_some(), 'u'),
            mark(!version.additional_printer_columns.is_absent(), 'c'),
            mark(!version.selectable_fields.is_absent(), 'f'),
        ]
    }));
    let texts: Vec<String> = marks.iter().map(|marks| marks.iter().collect()).collect();
    texts.join(" ")
}

#[test]
fn parts_shared_by_all_versions_move_to_the_top() {
    let schema = "schema: {openAPIV3Schema: {type: object}}";
    let cases = [
        (format!("{{name: v1, {schema}}}"), "s--- ----"),
        (format!("{{{schema}}}, {{{schema}}}"), "s--- ---- ----"),
        (format!("{{{schema}}}, {{}}"), "---- s--- ----"),
        (format!("{{{schema}, subresources: {{status: {{}}}}}}, {{{schema}}}"), "s--- -u-- ----"),
        ("{subresources: {}}, {subresources: {}}".to_owned(), "-u-- ---- ----"),
        ("{subresources: {}}, {subresources: {status: {}}}".to_owned(), "---- -u-- -u--"),
        // Absent and empty are equal to the API.
        ("{additionalPrinterColumns: []}, {}".to_owned(), "--c- ---- ----"),
        ("{}, {additionalPrinterColumns: []}".to_owned(), "---- ---- ----"),
        ("{selectableFields: [{jsonPath: .a}]}, {selectableFields: [{jsonPath: .b}]}".to_owned(), "---- ---f ---f"),
        // The order of keys does not matter, and empty lists are absent.
        (
            "{schema: {openAPIV3Schema: {default: {a: 1, b: 2}, required: []}}}, {schema: {openAPIV3Schema: {default: {b: 2, a: 1}}}}".to_owned(),
            "s--- ---- ----",
        ),
        ("{schema: {}}, {schema: {openAPIV3Schema: {}}}".to_owned(), "---- s--- s---"),
    ];
    for (versions, expected) in cases {
        assert_eq!(hoisted(&versions), expected, "{versions}");
    }
}

#[test]
fn integers_and_floats_are_different_defaults() {
    let arena = Arena::new();
    let with = |default: &str| format!(r#"{{"schema":{{"openAPIV3Schema":{{"default":{default}}}}}}}"#);
    let text = format!(r#"{{"spec":{{"versions":[{},{}]}}}}"#, with("1"), with("1.0"));
    let value = kindsmith_json::parse_str(&arena, &text).expect("it is JSON");
    let definition = crd::read(value, Source::Unknown).expect("it fits").definition;
    assert!(definition.to_internal().spec.validation.is_none());
}

#[test]
fn webhooks_are_flat_in_the_internal_form_and_empty_ones_are_dropped() {
    let conversion = |text: &str| {
        let mut definition = definition(&format!("spec: {{conversion: {text}}}"));
        definition.default_fields();
        let back = definition.to_internal().to_v1();
        let arena = Arena::new();
        let value = back.to_value(&arena);
        to_string(value.lookup(&["spec", "conversion"]).expect("it is there"))
    };
    let cases = [
        ("null", r#"{"strategy":"None"}"#),
        ("{strategy: Webhook, webhook: {}}", r#"{"strategy":"Webhook"}"#),
        (
            "{strategy: Webhook, webhook: {conversionReviewVersions: []}}",
            r#"{"strategy":"Webhook","webhook":{"conversionReviewVersions":[]}}"#,
        ),
        (
            "{strategy: Webhook, webhook: {clientConfig: {service: {name: a}, caBundle: YQ==}}}",
            r#"{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"","name":"a","port":443},"caBundle":"YQ=="},"conversionReviewVersions":null}}"#,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(conversion(text), expected, "{text}");
    }
}

#[test]
fn names_are_completed_from_the_kind() {
    let mut definition =
        definition("spec: {names: {kind: MyThing}, versions: [{name: v1}, {name: v2, storage: true}]}");
    definition.default_fields();
    assert_eq!(&*definition.spec.names.singular, "mything");
    assert_eq!(&*definition.spec.names.list_kind, "MyThingList");
    assert_eq!(*definition.status.stored_versions, ["v2".into()]);
}

#[test]
fn go_prints_internal_types_in_full() {
    let arena = Arena::new();
    let text = r#"{"items":{"type":"string"},"additionalProperties":true,"dependencies":{"a":["b"]},
        "enum":[null,{"b":1,"a":2}],"default":{"d":"<","c":1.0},"externalDocs":{"url":"u"},"maximum":1e7}"#;
    let value = kindsmith_json::parse_str(&arena, text).expect("it is JSON");
    let (schema, _) = schema::read(value).expect("it fits");
    let printed = crd::print_schema(&schema);
    for part in [
        r#""Items":{"Schema":{"ID":"#,
        r#""JSONSchemas":null}"#,
        r#""AdditionalProperties":{"Allows":true,"Schema":null}"#,
        r#""Dependencies":{"a":{"Schema":null,"Property":["b"]}}"#,
        r#""Enum":[null,{"a":2,"b":1}]"#,
        r#""Default":{"c":1,"d":"\u003c"}"#,
        r#""ExternalDocs":{"Description":"","URL":"u"}"#,
        r#""Maximum":10000000"#,
        r#""Type":"","Nullable":false,"Format":"""#,
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
}

#[test]
fn v1beta1_has_the_shape_of_the_internal_form() {
    let arena = Arena::new();
    let text = "
spec:
  group: example.org
  version: v1
  names: {plural: things, kind: Thing}
  validation: {openAPIV3Schema: {type: object, properties: {a: {default: 1}}}}
  additionalPrinterColumns: [{name: A, type: string, JSONPath: .spec.a, jsonPath: .spec.b}]
  conversion: {strategy: Webhook, webhookClientConfig: {service: {name: a, namespace: b}}}
";
    let value = yaml::parse(&arena, text.as_bytes()).expect("it is YAML");
    let read = crd::read_v1beta1(value, Source::Yaml).expect("it fits");
    assert_eq!(
        joined(&read.reports),
        r#"unknown field "spec.additionalPrinterColumns[0].jsonPath""#
    );
    let mut definition = read.definition;
    definition.default_v1beta1_fields();
    assert_eq!(definition.origin, ApiVersion::V1beta1);
    assert_eq!(definition.spec.preserve_unknown_fields, Some(true));
    let v1 = definition.to_v1();
    let value = v1.to_value(&arena);
    assert_eq!(
        to_string(value.get("spec").expect("it is there")),
        r#"{"group":"example.org","names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"default":1}}}},"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".spec.a"}]}],"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"b","name":"a","port":443}},"conversionReviewVersions":["v1beta1"]}},"preserveUnknownFields":true}"#
    );
    let error =
        yaml::parse(&arena, b"spec: {validation: 1}").map(|value| crd::read_v1beta1(value, Source::Yaml));
    assert_eq!(
        error.expect("it is YAML").expect_err("not a number").to_string(),
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.validation of type v1beta1.CustomResourceValidation"
    );
}
