use kindsmith_gostd::time::{Layout, Time, parse_date_time};

const LAYOUTS: [Layout; 6] = [
    Layout::Rfc3339,
    Layout::Rfc3339Nano,
    Layout::Rfc3339Micro,
    Layout::Rfc3339Milli,
    Layout::LocalDateTime,
    Layout::Date,
];

#[test]
fn reads_and_prints_times_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/time.tsv")) {
        let layout = row[0].parse::<usize>().ok().map(|index| LAYOUTS[index]);
        let parsed = match layout {
            Some(layout) => Time::parse(layout, &row[1]),
            None => parse_date_time(&row[1]),
        };
        let got = match parsed {
            Ok(time) => {
                let mut got = vec![
                    "ok".to_owned(),
                    time.unix_seconds().to_string(),
                    time.nanos().to_string(),
                ];
                if layout.is_some() {
                    got.extend(LAYOUTS.map(|layout| time.format(layout)));
                }
                got
            }
            Err(error) => vec!["error".to_owned(), error.to_string()],
        };
        report.compare(&format!("{layout:?} {:?}", row[1]), &got[..], &row[2..]);
    }
    report.finish(1500);
}
