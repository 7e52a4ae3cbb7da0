use kindsmith_gostd::regexp::Regexp;

#[test]
fn compiles_and_finds_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/regexp.tsv")) {
        let case: String = row[0].chars().take(80).collect();
        let regexp = match Regexp::new(&row[0]) {
            Ok(regexp) => regexp,
            Err(error) => {
                report.compare(&case, &["error".to_owned(), error.to_string()][..], &row[1..3]);
                continue;
            }
        };
        report.compare(&case, "ok", &row[1]);
        // The plain machine matches short texts and has a test of its own; this switches to the fast engine.
        regexp.is_match(&"-".repeat(5000));
        for pair in row[2..].chunks_exact(2) {
            let text = &pair[0];
            let found = regexp.find_all(text, None);
            let shown: Vec<_> = found
                .iter()
                .map(|range| format!("{}-{}", range.start, range.end))
                .collect();
            report.compare(&format!("{case} on {text:?}"), &shown.join(" "), &pair[1]);
            report.compare(&case, &regexp.is_match(text), &!found.is_empty());
            report.compare(&case, &regexp.find(text), &found.first().cloned());
            report.compare(
                &case,
                &regexp.find_all(text, Some(1))[..],
                &found[..found.len().min(1)],
            );
        }
    }
    report.finish(5000);
}
