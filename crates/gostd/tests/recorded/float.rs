use kindsmith_gostd::float;

#[test]
fn prints_floats_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/float.tsv")) {
        let wide = f64::from_bits(u64::from_str_radix(&row[0], 16).expect("bits"));
        let narrow = f32::from_bits(u32::from_str_radix(&row[1], 16).expect("bits"));
        let none = || "none".to_owned();
        let got = [
            float::format_f64(wide),
            float::format_f32(narrow),
            float::format_f64_plain(wide),
            float::format_f64_exponent(wide),
            float::format_f64_json(wide).unwrap_or_else(none),
            float::format_f32_json(narrow).unwrap_or_else(none),
        ];
        report.compare(&row[0], &got[..], &row[2..]);
    }
    report.finish(700);
}
