use kindsmith_gostd::url::Url;

#[test]
fn reads_and_prints_urls_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/url.tsv")) {
        let request = match Url::parse_request_uri(&row[0]) {
            Ok(_) => "ok".to_owned(),
            Err(error) => format!("error: {error}"),
        };
        report.compare(&row[0], &request, &row[1]);
        let got = match Url::parse(&row[0]) {
            Ok(url) => parts(&url),
            Err(error) => vec![format!("error: {error}")],
        };
        report.compare(&row[0], &got[..], &row[2..]);
    }
    report.finish(2000);
}

fn parts(url: &Url) -> Vec<String> {
    let query = url
        .query()
        .into_iter()
        .map(|(key, values)| format!("{key}={}", values.join(",")));
    let mut query: Vec<_> = query.collect();
    query.sort();
    vec![
        "ok".to_owned(),
        url.scheme().to_owned(),
        url.host().into_owned(),
        url.hostname().into_owned(),
        url.port().into_owned(),
        url.escaped_path(),
        query.join("&"),
        url.to_string(),
    ]
}
