//! `ip` and `k8s-ip`: an IP address in canonical form, by Kubernetes' rules for new fields.

use super::{Format, Report, Support, Violation};
use kindsmith_gostd::{ip, quote};

pub(super) const FORMAT: Format = Format {
    name: "k8s-ip",
    doc: "An IPv4 or IPv6 address in canonical form.",
    example: "2001:db8::ffff",
    support: Support::Proposed,
    check,
};

pub(super) const IP: Format = Format { name: "ip", ..FORMAT };

/// Matches `validation.IsValidIP` of `k8s.io/apimachinery/pkg/util/validation/ip.go`.
fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    let Some(sloppy) = ip::parse_sloppy(value) else {
        report(Violation::invalid(
            value,
            "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        ));
        return;
    };
    match ip::Addr::parse(value) {
        Err(_) => report(Violation::invalid(value, "must not have leading 0s")),
        Ok(addr) if addr.is_v4_in_v6() => {
            report(Violation::invalid(
                value,
                "must not be an IPv4-mapped IPv6 address",
            ));
        }
        Ok(_) if !sloppy.is_written_as(value) => {
            let canonical = quote::quote(&sloppy.to_string());
            report(Violation::invalid(
                value,
                format!("must be in canonical form ({canonical})"),
            ));
        }
        Ok(_) => {}
    }
}
