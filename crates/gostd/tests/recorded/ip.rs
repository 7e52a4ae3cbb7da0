use kindsmith_gostd::ip::{Addr, parse_sloppy};

#[test]
fn reads_addresses_like_netip() {
    let mut report = crate::Report::default();
    for row in crate::rows(include_str!("../data/ip.tsv")) {
        let sloppy = parse_sloppy(&row[0]).map_or("none".to_owned(), |ip| ip.to_string());
        report.compare(&row[0], &sloppy, &row[1]);
        let parsed = Addr::parse(&row[0]);
        if let Ok(addr) = &parsed {
            let facts = [
                addr.is_v4_in_v6(),
                addr.is_unspecified(),
                addr.is_loopback(),
                addr.is_link_local_multicast(),
                addr.is_link_local_unicast(),
                addr.is_global_unicast(),
                addr.family() == 4,
            ];
            report.compare(&row[0], &facts.map(|fact| fact.to_string()).join(" "), &row[4]);
            report.compare(&row[0], &addr.is_written_as(&row[0]), &(row[0] == row[3]));
        }
        report.compare(&row[0], &crate::outcome(parsed)[..], &row[2..4]);
    }
    report.finish(900);
}
