use kindsmith_gostd::base64;

#[test]
fn decodes_and_encodes_like_go() {
    let mut report = crate::Report::default();
    for row in crate::byte_rows(include_str!("../data/base64.tsv")) {
        let case = String::from_utf8_lossy(&row[0]).into_owned();
        let got = match base64::decode(&row[0]) {
            Ok(bytes) => {
                let encoded = base64::encode(&bytes).into_bytes();
                vec![b"ok".to_vec(), bytes, encoded]
            }
            Err(error) => vec![b"error".to_vec(), error.to_string().into_bytes()],
        };
        report.compare(&case, &base64::check(&row[0]).is_ok(), &(row[1] == b"ok"));
        report.compare(&case, &got[..], &row[1..]);
    }
    report.finish(500);
}
