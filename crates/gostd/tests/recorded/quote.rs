use kindsmith_gostd::quote;

#[test]
fn quotes_like_go() {
    let mut report = crate::Report::default();
    for row in crate::byte_rows(include_str!("../data/quote.tsv")) {
        let case = format!("{:?}", row[0]);
        report.compare(&case, quote::quote_bytes(&row[0]).as_bytes(), &row[1]);
        let Ok(text) = std::str::from_utf8(&row[0]) else {
            continue;
        };
        report.compare(&case, quote::quote(text).as_bytes(), &row[1]);
        report.compare(&case, quote::quote_ascii(text).as_bytes(), &row[2]);
        report.compare(&case, &quote::can_backquote(text), &(row[3] == b"true"));
    }
    report.finish(500);
}

#[test]
fn unquotes_like_go() {
    let mut report = crate::Report::default();
    for row in crate::byte_rows(include_str!("../data/unquote.tsv")) {
        let literal = std::str::from_utf8(&row[0]).expect("literals are texts");
        let got = match quote::unquote(literal) {
            Ok(bytes) => [b"ok".to_vec(), bytes],
            Err(error) => [b"error".to_vec(), error.to_string().into_bytes()],
        };
        report.compare(literal, &got[..], &row[1..]);
    }
    report.finish(300);
}
