use kindsmith_formats::format::{self, ViolationKind};

#[test]
fn reports_the_violations_kubernetes_reports() {
    let mut report = super::Report::default();
    for row in super::rows(include_str!("../data/format.tsv")) {
        let format = format::find(&row[0]).expect("every recorded format exists");
        let mut got = Vec::new();
        (format.check)(&row[1], &mut |violation| {
            // A too long value is not shown, so the recording has none.
            let (kind, bad) = match violation.kind {
                ViolationKind::Invalid => ("Invalid", violation.bad),
                ViolationKind::TooLong { .. } => ("TooLong", ""),
            };
            got.extend([kind.to_owned(), bad.to_owned(), violation.detail]);
        });
        report.compare(&format!("{} {:?}", row[0], row[1]), &got[..], &row[2..]);
    }
    report.finish(1000);
}

#[test]
fn unknown_names_are_not_found() {
    for name in ["", "k8s-", "K8S-SHORT-NAME", "uuid", "short-name"] {
        assert!(format::find(name).is_none(), "{name}");
    }
}
