//! Conditions as the controllers of one server set them.

use kindsmith_crd::definition::{Deletion, conditions, terminate};
use kindsmith_openapi::List;
use kindsmith_openapi::crd::{Definition, Names, Status};

use super::sample::{definition, established, with_schema};

const THEN: &str = "2026-01-01T00:00:00Z";
const NOW: &str = "2026-02-02T00:00:00Z";

/// `type=status reason: message`, one line each.
fn lines(status: &Status) -> Vec<String> {
    let line = |condition: &kindsmith_openapi::crd::Condition| {
        format!(
            "{}={} {}: {}",
            condition.ty, condition.status, condition.reason, condition.message
        )
    };
    status.conditions.iter().map(line).collect()
}

#[track_caller]
fn check(definition: &Definition, others: &[Names], expected: &[&str]) -> Status {
    let status = conditions(definition, others, NOW);
    assert_eq!(lines(&status), expected);
    status
}

fn taken(plural: &str, kind: &str, short: &[&str]) -> Names {
    Names {
        plural: plural.into(),
        singular: plural.trim_end_matches('s').into(),
        kind: kind.into(),
        list_kind: format!("{kind}List").into(),
        short_names: short.iter().map(|name| (*name).into()).collect(),
        categories: List::ABSENT,
    }
}

const ACCEPTED: &str = "NamesAccepted=True NoConflicts: no conflicts found";
const ESTABLISHED: &str = "Established=True InitialNamesAccepted: the initial names have been accepted";
const NOT_ACCEPTED: &str = "Established=False NotAccepted: not all names are accepted";

#[test]
fn free_names_are_accepted_and_served() {
    let status = check(
        &definition("{}"),
        &[taken("others", "Other", &[])],
        &[ACCEPTED, ESTABLISHED],
    );
    assert_eq!(&*status.accepted_names.kind, "Thing");
}

#[test]
fn the_last_conflict_is_reported_and_the_rest_accepted() {
    let status = check(
        &definition("{}"),
        &[taken("things", "Other", &[]), taken("xs", "Thing", &[])],
        &[
            r#"NamesAccepted=False ListKindConflict: "ThingList" is already in use"#,
            NOT_ACCEPTED,
        ],
    );
    assert_eq!(
        (&*status.accepted_names.plural, &*status.accepted_names.kind),
        ("", "")
    );
}

#[test]
fn short_names_are_accepted_together() {
    let wanted = definition("spec: {names: {shortNames: [a, b, c]}}");
    let status = check(
        &wanted,
        &[taken("others", "Other", &["a", "c"])],
        &[
            r#"NamesAccepted=False ShortNamesConflict: ["a" is already in use, "c" is already in use]"#,
            NOT_ACCEPTED,
        ],
    );
    assert!(status.accepted_names.short_names.is_empty());
    assert_eq!(&*status.accepted_names.kind, "Thing");
}

#[test]
fn a_served_crd_stays_served() {
    let mut old = established(&definition("{}"));
    old.spec.names.short_names = vec!["a".into()].into();
    let status = check(
        &old,
        &[taken("others", "Other", &["a"])],
        &[
            r#"NamesAccepted=False ShortNamesConflict: "a" is already in use"#,
            ESTABLISHED,
        ],
    );
    let times: Vec<_> = status
        .conditions
        .iter()
        .map(|condition| condition.last_transition_time.as_deref())
        .collect();
    assert_eq!(times, [Some(NOW), Some(THEN)], "the time changes with the status");
}

#[test]
fn a_bad_ca_bundle_prevents_serving() {
    let change = "spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://h', caBundle: Cg==}}}}";
    check(
        &definition(change),
        &[],
        &[
            ACCEPTED,
            "Established=False InvalidCABundle: The conversion webhook CABundle is invalid",
        ],
    );
}

#[test]
fn violations_of_structure_come_and_go() {
    let mut broken = with_schema("type: object\nproperties: {a: {}}");
    broken.spec.preserve_unknown_fields = true;
    let violation = "NonStructuralSchema=True Violations: [spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]";
    broken.status = check(&broken, &[], &[ACCEPTED, ESTABLISHED, violation]);
    let mut mended = definition("{}");
    mended.status = broken.status;
    check(&mended, &[], &[ACCEPTED, ESTABLISHED]);
    check(
        &with_schema("type: object\n$schema: x"),
        &[],
        &[
            ACCEPTED,
            ESTABLISHED,
            "NonStructuralSchema=Unknown StructuralError: failed to check validation schema for version v1: OpenAPIV3Schema 'schema' is not supported",
        ],
    );
}

#[test]
fn approvals_are_reported_for_protected_groups() {
    let change = "{metadata: {annotations: {api-approved.kubernetes.io: 'unapproved, test'}}, spec: {group: x.k8s.io}}";
    check(
        &definition(change),
        &[],
        &[
            ACCEPTED,
            ESTABLISHED,
            r#"KubernetesAPIApprovalPolicyConformant=False UnapprovedAnnotation: not approved: "unapproved, test""#,
        ],
    );
}

#[test]
fn crds_are_deleted_in_steps() {
    let check = |definition: &Definition, deletion: &Deletion, expected: &str| {
        let status = terminate(definition, deletion, NOW);
        assert_eq!(lines(&status).last().map(String::as_str), Some(expected));
    };
    let served = established(&definition("{}"));
    check(
        &served,
        &Deletion::Pending,
        "Terminating=True InstanceDeletionPending: CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    );
    check(
        &served,
        &Deletion::NotListed("no".into()),
        "Terminating=True InstanceDeletionFailed: could not list instances: no",
    );
    check(
        &served,
        &Deletion::Completed,
        "Terminating=False InstanceDeletionCompleted: removed all instances",
    );
    check(
        &definition("{}"),
        &Deletion::Completed,
        "Terminating=False NeverEstablished: resource was never established",
    );
}
