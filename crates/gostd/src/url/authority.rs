//! User, host and port.

use std::fmt;

use super::error::Problem;
use super::escape::{self, Mode};
use crate::ip::Addr;

/// User name and password.
#[derive(Clone, Debug)]
pub(super) struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape::escape(&self.name, Mode::User))?;
        match &self.password {
            Some(password) => write!(f, ":{}", escape::escape(password, Mode::User)),
            None => Ok(()),
        }
    }
}

pub(super) fn parse(scheme: &str, authority: &str) -> Result<(Option<User>, Vec<u8>), Problem> {
    match authority.rsplit_once('@') {
        None => Ok((None, parse_host(scheme, authority)?)),
        Some((info, host)) => {
            let host = parse_host(scheme, host)?;
            Ok((Some(parse_user(info)?), host))
        }
    }
}

fn parse_user(info: &str) -> Result<User, Problem> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !info.bytes().all(allowed) {
        return Err(Problem::Text("net/url: invalid userinfo"));
    }
    let (name, password) = info
        .split_once(':')
        .map_or((info, None), |(name, rest)| (name, Some(rest)));
    let name = escape::unescape(name, Mode::User)?;
    let password = password
        .map(|password| escape::unescape(password, Mode::User))
        .transpose()?;
    Ok(User { name, password })
}

fn parse_host(scheme: &str, host: &str) -> Result<Vec<u8>, Problem> {
    match host.rfind('[') {
        Some(0) => return parse_literal(host),
        Some(_) => return Err(Problem::Text("invalid IP-literal")),
        None => {}
    }
    // Hosts of other schemes may contain colons, so only the last colon starts a port.
    let web = matches!(scheme, "http" | "https");
    let colon = if web { host.find(':') } else { host.rfind(':') };
    if let Some(colon) = colon {
        check_port(&host[colon..])?;
    }
    escape::unescape(host, Mode::Host)
}

/// An IPv6 address in brackets.
fn parse_literal(host: &str) -> Result<Vec<u8>, Problem> {
    let close = host.rfind(']').ok_or(Problem::Text("missing ']' in host"))?;
    let (literal, port) = (&host[1..close], &host[close + 1..]);
    check_port(port)?;
    let (address, zone) = literal.split_at(literal.find("%25").unwrap_or(literal.len()));
    let mut name = escape::unescape(address, Mode::Host)?;
    name.extend(escape::unescape(zone, Mode::Zone)?);
    let addr = Addr::parse_bytes(&name).map_err(Problem::Address)?;
    if addr.ip().is_ipv4() {
        return Err(Problem::Text("invalid IP-literal"));
    }
    Ok([b"[", &name[..], b"]", port.as_bytes()].concat())
}

fn check_port(port: &str) -> Result<(), Problem> {
    if is_optional_port(port.as_bytes()) {
        Ok(())
    } else {
        Err(Problem::Port(port.to_owned()))
    }
}

/// Reports whether the text is empty, or a colon with any number of digits.
fn is_optional_port(port: &[u8]) -> bool {
    match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Splits host and port; removes the brackets of an address.
pub(super) fn split_port(host: &[u8]) -> (&[u8], &[u8]) {
    let colon = host.iter().rposition(|&byte| byte == b':');
    let (name, port) = match colon {
        Some(colon) if is_optional_port(&host[colon..]) => (&host[..colon], &host[colon + 1..]),
        _ => (host, &[][..]),
    };
    let bare = name.strip_prefix(b"[").and_then(|name| name.strip_suffix(b"]"));
    (bare.unwrap_or(name), port)
}
