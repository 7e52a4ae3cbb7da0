//! Networks in CIDR notation: `cidr`, `isCIDR`, containment, parts.

use kindsmith_gostd::cidr::Prefix;
use kindsmith_gostd::quote::quote;

use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "cidr",
        &[global("string_to_cidr", "(string) -> net.CIDR", Op::Eager(cidr))],
    ),
    function(
        "isCIDR",
        &[global("is_cidr", "(string) -> bool", Op::Eager(is_cidr))],
    ),
    function(
        "containsIP",
        &[
            method(
                "cidr_contains_ip_string",
                "(net.CIDR, string) -> bool",
                Op::Eager(contains_ip_text),
            ),
            method(
                "cidr_contains_ip_ip",
                "(net.CIDR, net.IP) -> bool",
                Op::Eager(contains_ip),
            ),
        ],
    ),
    function(
        "containsCIDR",
        &[
            method(
                "cidr_contains_cidr_string",
                "(net.CIDR, string) -> bool",
                Op::Eager(contains_cidr_text),
            ),
            method(
                "cidr_contains_cidr",
                "(net.CIDR, net.CIDR) -> bool",
                Op::Eager(contains_cidr),
            ),
        ],
    ),
    function(
        "prefixLength",
        &[method(
            "cidr_prefix_length",
            "(net.CIDR) -> int",
            Op::Eager(prefix_length),
        )],
    ),
    function(
        "masked",
        &[method("cidr_masked", "(net.CIDR) -> net.CIDR", Op::Eager(masked))],
    ),
];

const PARSE_ERROR: &str = "network address parse error during conversion from string";

fn parse(text: &str) -> Result<Prefix, String> {
    let prefix = Prefix::parse(text).map_err(|error| format!("{PARSE_ERROR}: {error}"))?;
    if prefix.is_v4_in_v6() {
        return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quote(text)));
    }
    Ok(prefix)
}

/// Parses a network. Kubernetes prefixes its parse errors twice.
fn from_text<'a>(cx: &mut Context<'a>, text: &str) -> Result<Prefix, Value<'a>> {
    parse(text).map_err(|error| cx.error(&format!("{PARSE_ERROR}: {error}")))
}

fn cidr<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match from_text(cx, text) {
        Ok(prefix) => cx.ext(Ext::Cidr(prefix)),
        Err(error) => error,
    })
}

fn is_cidr<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Bool(parse(text).is_ok()))
}

fn contains_ip<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Ext(Ext::Cidr(prefix)), Value::Ext(Ext::Ip(ip))) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    Ok(Value::Bool(prefix.contains_ip(*ip)))
}

fn contains_ip_text<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Ext(Ext::Cidr(prefix)), Value::String(text)) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    // Kubernetes drops the reason why the text is not an address.
    Ok(match super::ip::parse(text) {
        Ok(addr) => Value::Bool(prefix.contains_ip(addr.ip())),
        Err(_) => cx.no_overload(),
    })
}

fn contains_cidr<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Ext(Ext::Cidr(prefix)), Value::Ext(Ext::Cidr(other))) = (args[0], args[1]) else {
        return Ok(cx.no_overload_for(args[1]));
    };
    Ok(Value::Bool(prefix.contains(other)))
}

fn contains_cidr_text<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Ext(Ext::Cidr(prefix)), Value::String(text)) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    Ok(match from_text(cx, text) {
        Ok(other) => Value::Bool(prefix.contains(&other)),
        Err(error) => error,
    })
}

fn prefix_length<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::Ext(Ext::Cidr(prefix)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Int(i64::from(prefix.bits())))
}

fn masked<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::Ext(Ext::Cidr(prefix)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(cx.ext(Ext::Cidr(prefix.masked())))
}
