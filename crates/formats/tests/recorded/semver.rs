use kindsmith_formats::semver::Version;

#[test]
fn reads_and_compares_versions_like_blang() {
    let mut report = super::Report::default();
    for row in super::rows(include_str!("../data/semver.tsv")) {
        if row[0] == "pair" {
            let left = Version::parse(&row[1]).expect("only good versions are paired");
            let right = Version::parse(&row[2]).expect("only good versions are paired");
            report.compare(
                &row[1..3].join(" "),
                &(left.cmp(&right) as i32).to_string(),
                &row[3],
            );
            continue;
        }
        let readers = [Version::parse, Version::parse_normalized, Version::parse_tolerant];
        let got = readers.map(|read| super::outcome(read(&row[1])).join(": "));
        report.compare(&row[1], &got[..], &row[2..]);
    }
    report.finish(1000);
}
