use kindsmith_gostd::cidr::{Prefix, parse_sloppy};

#[test]
fn reads_prefixes_like_netip() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/cidr.tsv")) {
        if row[0] == "pair" {
            let outer = Prefix::parse(&row[1]).expect("only good prefixes are paired");
            let inner = Prefix::parse(&row[2]).expect("only good prefixes are paired");
            let got = [outer.contains_ip(inner.ip()), outer.contains(&inner)].map(|fact| fact.to_string());
            report.compare(&row[1..3].join(" "), &got[..], &row[3..]);
            continue;
        }
        // Go prints the IPv4-mapped address of such a network as IPv4, so only the length is compared.
        let sloppy = parse_sloppy(&row[1]);
        if sloppy.is_none_or(|prefix| !prefix.is_v4_in_v6()) {
            let shown = sloppy.map_or("none".to_owned(), |prefix| prefix.masked().to_string());
            report.compare(&row[1], &shown, &row[2]);
        }
        let got = match Prefix::parse(&row[1]) {
            Ok(prefix) => {
                let masked = prefix.masked().to_string();
                vec![
                    "ok".to_owned(),
                    prefix.to_string(),
                    masked,
                    prefix.bits().to_string(),
                ]
            }
            Err(error) => vec!["error".to_owned(), error.to_string()],
        };
        report.compare(&row[1], &got[..], &row[3..]);
    }
    report.finish(1000);
}
