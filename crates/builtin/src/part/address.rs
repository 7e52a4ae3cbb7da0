//! IP addresses and CIDRs in fields that predate strict validation (apimachinery's pkg/util/validation/ip.go). An
//! update may keep old values.

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::{cidr, ip};
use kindsmith_object::Gate;

use crate::field::{Errors, Field};

const LATER_INVALID: &str = "will be considered invalid in a future Kubernetes release";
const NO_ADDRESS: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NO_CIDR: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/// Checks an address, which need not be in canonical form.
pub(crate) fn check_address(field: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    let text = field.text();
    if known.contains(&text) {
        return;
    }
    if ip::parse_sloppy(text).is_none() {
        return field.invalid(NO_ADDRESS, errors);
    }
    if !field.release.enables(Gate::StrictIPCIDRValidation) {
        return;
    }
    match ip::Addr::parse(text) {
        Err(_) => field.invalid("must not have leading 0s", errors),
        Ok(address) if address.is_v4_in_v6() => {
            field.invalid("must not be an IPv4-mapped IPv6 address", errors);
        }
        Ok(_) => {}
    }
}

/// Checks a CIDR, which need not be in canonical form.
pub(crate) fn check_cidr(field: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    let text = field.text();
    if known.contains(&text) {
        return;
    }
    if cidr::parse_sloppy(text).is_none() {
        return field.invalid(NO_CIDR, errors);
    }
    if !field.release.enables(Gate::StrictIPCIDRValidation) {
        return;
    }
    match cidr::Prefix::parse(text) {
        Err(_) => field.invalid("must not have leading 0s in IP or prefix length", errors),
        Ok(prefix) if prefix.is_v4_in_v6() => {
            field.invalid("must not have an IPv4-mapped IPv6 address", errors);
        }
        Ok(prefix) if prefix.masked().ip() != prefix.ip() => {
            field.invalid("must not have bits set beyond the prefix length", errors);
        }
        Ok(_) => {}
    }
}

/// Checks the address of an interface with the length of its network's prefix (`IsValidInterfaceAddress` in apimachinery's
/// pkg/util/validation/ip.go).
pub(crate) fn check_interface_address(field: &Field<'_, '_>, errors: &mut Errors) {
    let text = field.text();
    let Some(prefix) = cidr::parse_sloppy(text) else {
        let detail = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
        return field.invalid(detail, errors);
    };
    let canonical = prefix.to_string();
    if canonical != text {
        let detail = format!("must be in canonical form ({})", quote(&canonical));
        field.invalid(detail, errors);
    }
}

/// Checks a CIDR of a newer field, which must be in canonical form.
pub(crate) fn check_canonical_cidr(field: &Field<'_, '_>, errors: &mut Errors) {
    let before = errors.len();
    // Newer fields were strict from the start.
    let strict = Field {
        release: kindsmith_object::Release::NEWEST,
        ..*field
    };
    check_cidr(&strict, &[], errors);
    let canonical = cidr::parse_sloppy(field.text()).map(|prefix| prefix.to_string());
    if let Some(canonical) = canonical.filter(|text| errors.len() == before && *text != field.text()) {
        field.invalid(
            format!("must be in canonical form ({})", quote(&canonical)),
            errors,
        );
    }
}

/// The warning about a valid address that is not in canonical form.
pub(crate) fn address_warning(field: &Field<'_, '_>) -> Option<String> {
    let text = field.text();
    let (path, shown) = (field.path, quote(text));
    let sloppy = ip::parse_sloppy(text)?;
    match ip::Addr::parse(text) {
        Ok(address) if !address.is_v4_in_v6() => {
            let canonical = address.ip().to_string();
            let is_odd = address.ip().is_ipv6() && canonical != text;
            is_odd.then(|| {
                format!(
                    "{path}: IPv6 address {shown} should be in RFC 5952 canonical format ({})",
                    quote(&canonical)
                )
            })
        }
        _ => {
            let verdict = if field.release.enables(Gate::StrictIPCIDRValidation) {
                "is invalid"
            } else {
                LATER_INVALID
            };
            Some(format!(
                "{path}: non-standard IP address {shown} {verdict}: use {}",
                quote(&sloppy.to_string())
            ))
        }
    }
}

/// The warnings about a valid CIDR that is not in canonical form.
pub(crate) fn cidr_warnings(field: &Field<'_, '_>) -> Vec<String> {
    let warnings = if field.release.enables(Gate::StrictIPCIDRValidation) {
        Vec::new()
    } else {
        loose_cidr_warnings(field)
    };
    if warnings.is_empty() {
        cidr_warning(field).into_iter().collect()
    } else {
        warnings
    }
}

/// The warnings about a CIDR that later releases reject (`GetWarningsForCIDR`).
fn loose_cidr_warnings(field: &Field<'_, '_>) -> Vec<String> {
    let (text, path) = (field.text(), field.path);
    let mut warnings = Vec::new();
    let Some(sloppy) = cidr::parse_sloppy(text) else {
        return warnings;
    };
    let network = sloppy.masked().to_string();
    if sloppy.masked().ip() != sloppy.ip() {
        let bits = if sloppy.ip().is_ipv6() { 128 } else { 32 };
        warnings.push(format!(
            "{path}: CIDR value {} is ambiguous in this context (should be {} or {}?)",
            quote(text),
            quote(&network),
            quote(&format!("{}/{bits}", sloppy.ip()))
        ));
    }
    let is_standard = cidr::Prefix::parse(text).is_ok_and(|prefix| !prefix.is_v4_in_v6());
    if !is_standard {
        warnings.push(format!(
            "{path}: non-standard CIDR value {} {LATER_INVALID}: use {}",
            quote(text),
            quote(&network)
        ));
    }
    warnings
}

fn cidr_warning(field: &Field<'_, '_>) -> Option<String> {
    let text = field.text();
    let prefix = cidr::Prefix::parse(text).ok()?;
    let canonical = prefix.to_string();
    (prefix.ip().is_ipv6() && canonical != text).then(|| {
        format!(
            "{}: IPv6 CIDR value {} should be in RFC 5952 canonical format ({})",
            field.path,
            quote(text),
            quote(&canonical)
        )
    })
}
