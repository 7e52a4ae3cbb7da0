//! IP addresses: `ip`, `isIP` and methods of addresses.

use kindsmith_gostd::ip::Addr;
use kindsmith_gostd::quote::quote;

use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "ip",
        &[
            global("string_to_ip", "(string) -> net.IP", Op::Eager(ip)),
            method("cidr_ip", "(net.CIDR) -> net.IP", Op::Eager(of_cidr)),
        ],
    ),
    function("isIP", &[global("is_ip", "(string) -> bool", Op::Eager(is_ip))]),
    function(
        "ip.isCanonical",
        &[global(
            "ip_is_canonical",
            "(string) -> bool",
            Op::Eager(is_canonical),
        )],
    ),
    function(
        "family",
        &[method("ip_family", "(net.IP) -> int", Op::Eager(family))],
    ),
    function(
        "isUnspecified",
        &[method(
            "ip_is_unspecified",
            "(net.IP) -> bool",
            Op::Eager(is_unspecified),
        )],
    ),
    function(
        "isLoopback",
        &[method(
            "ip_is_loopback",
            "(net.IP) -> bool",
            Op::Eager(is_loopback),
        )],
    ),
    function(
        "isLinkLocalMulticast",
        &[method(
            "ip_is_link_local_multicast",
            "(net.IP) -> bool",
            Op::Eager(is_link_local_multicast),
        )],
    ),
    function(
        "isLinkLocalUnicast",
        &[method(
            "ip_is_link_local_unicast",
            "(net.IP) -> bool",
            Op::Eager(is_link_local_unicast),
        )],
    ),
    function(
        "isGlobalUnicast",
        &[method(
            "ip_is_global_unicast",
            "(net.IP) -> bool",
            Op::Eager(is_global_unicast),
        )],
    ),
];

/// Parses an address without zone; IPv4-mapped IPv6 addresses are rejected.
pub(super) fn parse(text: &str) -> Result<Addr, String> {
    let quoted = || quote(text);
    let addr = Addr::parse(text).map_err(|error| {
        format!(
            "IP Address {} parse error during conversion from string: {error}",
            quoted()
        )
    })?;
    if !addr.zone().is_empty() {
        return Err(format!("IP address {} with zone value is not allowed", quoted()));
    }
    if addr.is_v4_in_v6() {
        return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quoted()));
    }
    Ok(addr)
}

fn of_cidr<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::Ext(Ext::Cidr(prefix)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(cx.ext(Ext::Ip(prefix.ip())))
}

fn ip<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match parse(text) {
        Ok(addr) => cx.ext(Ext::Ip(addr.ip())),
        Err(error) => cx.error(&error),
    })
}

fn is_ip<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Bool(parse(text).is_ok()))
}

fn is_canonical<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match parse(text) {
        Ok(addr) => Value::Bool(addr.is_written_as(text)),
        Err(error) => cx.error(&error),
    })
}

/// Applies a predicate to an address.
fn ask<'a>(cx: &mut Context<'a>, args: &[Value<'a>], question: fn(&Addr) -> Value<'a>) -> Eval<'a> {
    let Value::Ext(Ext::Ip(ip)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(question(&Addr::from(*ip)))
}

fn family<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Int(i64::from(addr.family())))
}

fn is_unspecified<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Bool(addr.is_unspecified()))
}

fn is_loopback<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Bool(addr.is_loopback()))
}

fn is_link_local_multicast<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Bool(addr.is_link_local_multicast()))
}

fn is_link_local_unicast<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Bool(addr.is_link_local_unicast()))
}

fn is_global_unicast<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |addr| Value::Bool(addr.is_global_unicast()))
}
