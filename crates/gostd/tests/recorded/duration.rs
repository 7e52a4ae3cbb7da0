use kindsmith_gostd::duration::{Duration, parse_extended};

#[test]
fn reads_and_prints_durations_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/duration.tsv")) {
        report.compare(
            &row[0],
            &crate::outcome(Duration::parse(&row[0])).join(": "),
            &row[1],
        );
        report.compare(
            &row[0],
            &crate::outcome(parse_extended(&row[0])).join(": "),
            &row[2],
        );
    }
    report.finish(1500);
}
