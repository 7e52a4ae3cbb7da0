//! Cluster trust bundles: certificates that workloads trust.

use kindsmith_json::Value;

use super::described::Described;
use crate::table::{Heading, Row, Table, column};

pub(crate) const CLUSTER_TRUST_BUNDLE: Described = Described {
    allows_unconditional_update: false,
    selectable: Some(&["metadata.name", "spec.signerName"]),
    table: Table {
        headings: CLUSTER_TRUST_BUNDLE_COLUMNS,
        cells: cluster_trust_bundle_cells,
    },
    ..Described::PLAIN
};

const CLUSTER_TRUST_BUNDLE_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("SignerName", "certificates/v1.ClusterTrustBundleSpec.signerName"),
];

fn cluster_trust_bundle_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let signer = match row.text("spec.signerName") {
        "" => "<none>",
        signer => signer,
    };
    vec![row.name(), Value::Str(signer)]
}
