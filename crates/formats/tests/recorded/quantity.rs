use kindsmith_formats::quantity::{Format, Quantity};

#[test]
fn reads_prints_and_adds_like_kubernetes() {
    let mut report = super::Report::default();
    for row in super::rows(include_str!("../data/quantity.tsv")) {
        let case = row[..row.len().min(3)].join(" ");
        let got = match (&row[0][..], Quantity::parse(&row[1])) {
            ("pair", Ok(left)) => {
                let right = Quantity::parse(&row[2]).expect("only good quantities are paired");
                let sum = left.add(&right);
                let order = (left.cmp(&right) as i32).to_string();
                let mut got = vec![order, sum.to_string(), left.sub(&right).to_string()];
                got.extend(facts(&sum));
                report.compare(&case, &got[..], &row[3..]);
                continue;
            }
            (_, Ok(quantity)) => {
                let mut got = vec!["ok".to_owned(), quantity.to_string(), quantity.sign().to_string()];
                got.extend(facts(&quantity));
                if row[5] == "skip" {
                    got[3..5].fill("skip".to_owned());
                }
                got
            }
            (_, Err(error)) => vec!["error".to_owned(), error.to_string()],
        };
        report.compare(&case, &got[..], &row[2..]);
    }
    report.finish(2000);
}

fn facts(quantity: &Quantity) -> [String; 3] {
    let format = match quantity.format() {
        Format::DecimalExponent => "DecimalExponent",
        Format::BinarySi => "BinarySI",
        Format::DecimalSi => "DecimalSI",
    };
    [
        quantity
            .as_i64()
            .map_or("none".to_owned(), |value| value.to_string()),
        format!("{:016x}", quantity.as_approximate_f64().to_bits()),
        format.to_owned(),
    ]
}

#[test]
fn huge_exponents_cost_nothing() {
    let huge = Quantity::parse("1e2147483647").expect("the exponent fits");
    let tiny = Quantity::parse("-1e2147483640").expect("the exponent fits");
    assert!(huge > tiny);
    assert_eq!(huge.to_string(), "10e2147483646");
    assert_eq!(
        huge.add(&Quantity::parse("1").expect("a number")).to_string(),
        "10e2147483646"
    );
    assert_eq!(huge.as_approximate_f64(), f64::INFINITY);
}
