//! Addresses and names of endpoints: rules shared by Endpoints and EndpointSlices.

use kindsmith_gostd::ip;

use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, name_problems};
use kindsmith_object::meta::NameRule;

/// Rejects addresses that no pod can have (`ValidateEndpointIP`).
pub(crate) fn check_reachable(address: &Field<'_, '_>, errors: &mut Errors) {
    let text = address.text();
    let Some(parsed) = ip::parse_sloppy(text) else {
        return address.invalid("must be a valid IP address", errors);
    };
    // Formatted and parsed again, since the text may have leading zeros.
    let Ok(parsed) = ip::Addr::parse(&parsed.to_string()) else {
        return;
    };
    if parsed.is_unspecified() {
        address.invalid(format!("may not be unspecified ({text})"), errors);
    }
    for (is_special, range) in [
        (parsed.is_loopback(), "loopback range (127.0.0.0/8, ::1/128)"),
        (
            parsed.is_link_local_unicast(),
            "link-local range (169.254.0.0/16, fe80::/10)",
        ),
        (
            parsed.is_link_local_multicast(),
            "link-local multicast range (224.0.0.0/24, ff02::/10)",
        ),
    ] {
        if is_special {
            address.invalid(format!("may not be in the {range}"), errors);
        }
    }
}

/// Checks a domain name with at least two parts (`IsFullyQualifiedDomainName`).
pub(crate) fn check_domain(name: &Field<'_, '_>, errors: &mut Errors) {
    let text = name.text();
    if text.is_empty() {
        return name.required("", errors);
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut refuse = |text: &str, detail: String| errors.push(invalid_text(&name.path, text, detail));
    let problems = name_problems(NameRule::Subdomain, text);
    if !problems.is_empty() {
        return refuse(text, problems.join(","));
    }
    if !text.contains('.') {
        let detail = "should be a domain with at least two segments separated by dots";
        return refuse(text, detail.to_owned());
    }
    for label in text.split('.') {
        let problems = name_problems(NameRule::Label, label);
        if !problems.is_empty() {
            return refuse(label, problems.join(","));
        }
    }
}
