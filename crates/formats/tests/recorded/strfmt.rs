use kindsmith_formats::strfmt::{self, Applies};

#[test]
fn accepts_what_kube_openapi_accepts() {
    let mut report = super::Report::default();
    for row in super::rows(include_str!("../data/strfmt.tsv")) {
        let format = strfmt::find(Applies::String, &row[0]).expect("every recorded format exists");
        let case = format!("{} {:?}", row[0], row[1]);
        report.compare(&case, &(format.check)(&row[1]).to_string(), &row[2]);
    }
    report.finish(3000);
}

#[test]
fn numbers_must_fit_their_format() {
    for (applies, name, text, fits) in [
        (Applies::Integer, "int32", "2147483647", true),
        (Applies::Integer, "int32", "2147483648", false),
        (Applies::Integer, "int32", "-2147483648", true),
        (Applies::Integer, "int64", "9223372036854775807", true),
        (Applies::Integer, "int64", "9223372036854775808", false),
        (Applies::Integer, "int64", "1.5", false),
        (Applies::Number, "float", "3.4028235e38", true),
        (Applies::Number, "float", "1e39", false),
        (Applies::Number, "double", "1e39", true),
    ] {
        let format = strfmt::find(applies, name).expect("the format exists");
        assert_eq!((format.check)(text), fits, "{name} {text}");
    }
}
