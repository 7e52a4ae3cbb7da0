//! Requests for pod certificates.

use kindsmith_json::Value;

use super::described::{Described, StatusPart};
use crate::condition;
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const POD_CERTIFICATE_REQUEST: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: condition::of_status,
    selectable: Some(&[
        "metadata.name",
        "spec.nodeName",
        "spec.podName",
        "spec.signerName",
    ]),
    table: Table {
        headings: POD_CERTIFICATE_REQUEST_COLUMNS,
        cells: pod_certificate_request_cells,
    },
    ..Described::STATUS
};

const POD_CERTIFICATE_REQUEST_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("PodName", "certificates/v1.PodCertificateRequestSpec.podName"),
    column::text(
        "ServiceAccountName",
        "certificates/v1.PodCertificateRequestSpec.serviceAccountName",
    ),
    column::text("NodeName", "certificates/v1.PodCertificateRequestSpec.nodeName"),
    column::text(
        "SignerName",
        "certificates/v1.PodCertificateRequestSpec.signerName",
    ),
    column::in_words("State", "What came of the request."),
    column::text(
        "UnverifiedUserAnnotations",
        "certificates/v1.PodCertificateRequestSpec.unverifiedUserAnnotations",
    ),
];

fn pod_certificate_request_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let conditions = row.items("status.conditions").iter();
    let state = conditions
        .map(|condition| text_of(*condition, "type"))
        .rfind(|state| matches!(*state, "Issued" | "Denied" | "Failed"));
    let part = |key: &str| Value::Str(row.text(&format!("spec.{key}")));
    vec![
        row.name(),
        part("podName"),
        part("serviceAccountName"),
        part("nodeName"),
        part("signerName"),
        Value::Str(state.unwrap_or("Pending")),
        row.labels("spec.unverifiedUserAnnotations"),
    ]
}
