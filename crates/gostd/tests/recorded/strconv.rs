use kindsmith_gostd::strconv;

#[test]
fn reads_numbers_like_go() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/strconv.tsv")) {
        let [function, arguments, text, kind, value] = &row[..] else {
            panic!("a row has five fields");
        };
        let got = match (function.as_str(), arguments.as_str()) {
            ("ParseFloat", "64") => {
                crate::outcome(strconv::parse_f64(text).map(|value| format!("{:016x}", go_bits(value))))
            }
            ("ParseFloat", _) => {
                crate::outcome(strconv::parse_f32(text).map(|value| format!("{:08x}", value.to_bits())))
            }
            ("ParseBool", _) => crate::outcome(strconv::parse_bool(text)),
            ("Atoi", _) => crate::outcome(strconv::atoi(text)),
            (_, arguments) => {
                let (base, bits) = arguments.split_once(',').expect("base and width");
                let (base, bits) = (base.parse().expect("base"), bits.parse().expect("width"));
                if function == "ParseInt" {
                    crate::outcome(strconv::parse_int(text, base, bits))
                } else {
                    crate::outcome(strconv::parse_uint(text, base, bits))
                }
            }
        };
        let case = format!("{function} {arguments} {text:?}");
        report.compare(&case, &got, &[kind.clone(), value.clone()]);
    }
    report.finish(2000);
}

/// Go's NaN has its lowest bit set; the bits of a NaN have no meaning.
fn go_bits(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0001
    } else {
        value.to_bits()
    }
}
