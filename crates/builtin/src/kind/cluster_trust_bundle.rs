//! Cluster trust bundles: certificates that workloads trust.

use kindsmith_gostd::pem;
use kindsmith_gostd::x509::is_authority;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::NameRule;

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{immutable, invalid_text, name_problems, too_long};
use crate::part::signer::check_signer;
use crate::table::{Heading, Row, Table, column};

pub(crate) const CLUSTER_TRUST_BUNDLE: Described = Described {
    name_rule: NameRule::Tagged,
    allows_unconditional_update: false,
    rules: validate,
    selectable: Some(&["metadata.name", "spec.signerName"]),
    table: Table {
        headings: CLUSTER_TRUST_BUNDLE_COLUMNS,
        cells: cluster_trust_bundle_cells,
    },
    ..Described::PLAIN
};

/// Checks the name, which begins with that of the signer, and the certificates
/// (`ValidateClusterTrustBundle` in pkg/apis/certificates/validation/validation.go).
fn validate(change: &Change<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    let signer = spec.child("signerName");
    check_name(change.new.meta.name, signer.text(), errors);
    if !signer.text().is_empty() {
        check_signer(&signer, errors);
    }
    let bundle = spec.child("trustBundle");
    let old = Field::old_root(change, "spec");
    if change.old.is_none() || bundle.text() != old.child("trustBundle").text() {
        check_bundle(&bundle, errors);
    }
    if change.old.is_some() && signer.text() != old.child("signerName").text() {
        immutable(&signer.path, signer.or_empty().shown(), errors);
    }
}

fn check_name(name: &str, signer: &str, errors: &mut Errors) {
    let metadata = Path::root("metadata");
    let path = metadata.child("name");
    if name.is_empty() {
        return;
    }
    let prefix = match signer {
        "" => String::new(),
        signer => format!("{}:", signer.replace('/', ":")),
    };
    let problems = match name.strip_prefix(&*prefix) {
        Some(name) if signer.is_empty() && name.contains(':') => {
            vec![r#"ClusterTrustBundle without signer name must not have ":" in its name"#.to_owned()]
        }
        Some(rest) => name_problems(NameRule::Subdomain, rest),
        None => vec![format!(
            "ClusterTrustBundle for signerName {signer} must be named with prefix {prefix}"
        )],
    };
    for problem in problems {
        errors.push(invalid_text(&path, name, problem));
    }
}

/// Each block is the certificate of an authority, and is there once.
fn check_bundle(bundle: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 1 << 20;
    if bundle.text().len() > LIMIT {
        return errors.push(too_long(&bundle.path, LIMIT as i64));
    }
    let blocks = pem::blocks(bundle.text().as_bytes());
    let mut problems = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let problem = match block.label.as_str() {
            "CERTIFICATE" if block.has_headers => "has PEM block headers".to_owned(),
            "CERTIFICATE" => match is_authority(&block.bytes) {
                None => "does not parse as X.509".to_owned(),
                Some(false) => "does not have the CA bit set".to_owned(),
                Some(true) => continue,
            },
            other => format!("has bad block type: {other}"),
        };
        problems.push(format!("entry {index} {problem}"));
    }
    if blocks.is_empty() {
        problems.push("at least one trust anchor must be provided".to_owned());
    } else if problems.is_empty() {
        for (index, block) in blocks.iter().enumerate() {
            let same = |other: usize| blocks[other].bytes == block.bytes;
            let again: Vec<String> = (0..blocks.len())
                .filter(|other| same(*other))
                .map(|i| i.to_string())
                .collect();
            if again.len() > 1 && again[0] == index.to_string() {
                problems.push(format!("duplicate trust anchor (indices [{}])", again.join(" ")));
            }
        }
    }
    for problem in problems {
        errors.push(invalid_text(&bundle.path, "<value omitted>", problem));
    }
}

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
