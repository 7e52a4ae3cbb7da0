//! Certificates, as far as validation needs them (`ParseCertificate` in crypto/x509).

use super::public_key::{self, PublicKey};
use super::subject::Subject;
use crate::der::{INTEGER, OCTET_STRING, OID, Reader, SEQUENCE, content, header, structure_error, values};
use crate::time::{Layout, Time};

/// Tags of a certificate.
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;
const BOOLEAN: u8 = 0x01;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const EMAIL: u8 = 0x81;
const DNS: u8 = 0x82;

/// `2.5.29.17`: other names of the subject.
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];

/// What a certificate says.
#[derive(Debug)]
pub struct Certificate<'b> {
    /// Its owner.
    pub subject: Subject<'b>,
    /// When it begins to be valid, in seconds since 1970.
    pub not_before: i64,
    /// When it stops being valid.
    pub not_after: i64,
    /// The key of its subject.
    pub key: PublicKey<'b>,
    /// The domains of its subject.
    pub domains: Vec<&'b str>,
    /// The mail addresses of its subject.
    pub addresses: Vec<&'b str>,
}

/// Reads a certificate; `None` if Go cannot.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Certificate<'_>> {
    let mut outer = Reader::whole(bytes, SEQUENCE)?;
    let mut info = outer.sequence()?;
    outer.sequence()?;
    outer.bits()?;
    info.value(VERSION);
    info.content(INTEGER)?;
    info.sequence()?;
    info.sequence()?;
    let mut validity = info.sequence()?;
    let (not_before, not_after) = (time(&mut validity)?, time(&mut validity)?);
    let subject = Subject(info.value(SEQUENCE)?);
    let key = public_key::read(info.value(SEQUENCE)?)?;
    let names = info.content(EXTENSIONS).and_then(other_names).unwrap_or_default();
    let of_kind = |tag: u8| {
        let names = values(names).filter(move |name| name.first() == Some(&tag));
        let texts = names.map(|name| std::str::from_utf8(content(name).unwrap_or_default()));
        texts.collect::<Result<Vec<&str>, _>>().ok()
    };
    Some(Certificate {
        subject,
        not_before,
        not_after,
        key,
        domains: of_kind(DNS)?,
        addresses: of_kind(EMAIL)?,
    })
}

/// Whether a certificate is that of an authority; `None` if the bytes are no certificate.
#[must_use]
pub fn is_authority(bytes: &[u8]) -> Option<bool> {
    // The basic constraints (2.5.29.19), and a sequence that begins with true.
    const CONSTRAINTS: [u8; 5] = [6, 3, 0x55, 0x1d, 0x13];
    const TRUE: [u8; 3] = [1, 1, 0xff];
    if structure_error(bytes, "certificate").is_some() {
        return None;
    }
    let (outer, length) = header(bytes)?;
    let (inner, _) = header(&bytes[outer..])?;
    if bytes[outer] != 0x30 || bytes.len() != outer + length || inner == 0 {
        return None;
    }
    let found = bytes
        .windows(CONSTRAINTS.len())
        .position(|part| part == CONSTRAINTS);
    let Some(found) = found else { return Some(false) };
    let rest = &bytes[found + CONSTRAINTS.len()..];
    let rest = rest.strip_prefix(&TRUE).unwrap_or(rest);
    // An octet string with a sequence in it.
    Some(rest.len() > 4 && rest[0] == 4 && rest[2] == 0x30 && rest[4..].starts_with(&TRUE))
}

/// The other names of the subject among the extensions.
fn other_names(extensions: &[u8]) -> Option<&[u8]> {
    let list = Reader::whole(extensions, SEQUENCE).and(content(extensions))?;
    values(list).find_map(|extension| {
        let mut parts = Reader::whole(extension, SEQUENCE)?;
        let kind = parts.content(OID)?;
        parts.value(BOOLEAN);
        let names = parts.content(OCTET_STRING)?;
        (kind == OTHER_NAMES).then(|| content(names)).flatten()
    })
}

/// A time in seconds since 1970. Years of two digits are from 1950 to 2049.
fn time(validity: &mut Reader<'_>) -> Option<i64> {
    let text = match validity.content(UTC_TIME) {
        Some(short) => {
            let short = std::str::from_utf8(short).ok()?;
            let century = if short.get(..2)? < "50" { "20" } else { "19" };
            format!("{century}{short}")
        }
        None => std::str::from_utf8(validity.content(GENERALIZED_TIME)?)
            .ok()?
            .to_owned(),
    };
    let digits = text.strip_suffix('Z').filter(|digits| digits.len() == 14)?;
    let part = |from: usize, to: usize| digits.get(from..to);
    let written = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?,
        part(12, 14)?
    );
    seconds(&written)
}

/// Seconds since 1970.
fn seconds(text: &str) -> Option<i64> {
    Time::parse(Layout::Rfc3339, text)
        .ok()
        .map(|time| time.unix_seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_names_are_found() {
        let text = "MIHxMIGkoAMCAQICAQUwBQYDK2VwMA8xDTALBgNVBAMMBGxlYWYwHhcNMjYwMTAxMDAwMDAwWhcNMjYwMTAxMDEwMDAwWjAPMQ0wCwYDVQQDDARsZWFmMCowBQYDK2VwAyEAQDrrTpobzogME3yqOocY6Vt402v0ETLKlx+GtA+vormjJTAjMCEGA1UdEQQaMBiCCWEuZXhhbXBsZYELYUBiLmV4YW1wbGUwBQYDK2VwA0EAj3HY1EaRbSVmFjCHsR5fQ00nTYAc4D7fZ7Z87EuJp/6IMDDXYQuONq1S54lh2UM586lue/6TfcV2Ofrs+CbVCQ==";
        let bytes = crate::base64::decode(text.as_bytes()).expect("it is base64");
        let certificate = read(&bytes).expect("it is a certificate");
        assert_eq!(certificate.not_before, 1767225600);
        assert_eq!(certificate.not_after, certificate.not_before + 3600);
        assert_eq!(certificate.domains, ["a.example"]);
        assert_eq!(certificate.addresses, ["a@b.example"]);
        assert_eq!(certificate.subject.common_name().as_deref(), Some("leaf"));
        assert!(matches!(certificate.key, PublicKey::Usable(..)));
        assert!(read(&bytes[1..]).is_none());
    }
}
