//! `string.format`: values as each clause prints them (cel-go `ext/formatting.go`, en_US numbers).

use kindsmith_gostd::quote::{quote, quote_bytes};

use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;
use crate::eval::{convert, list};

use super::format_string::{Clause, FormatError, interpolate};

pub(super) fn format<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(template) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let values = list::elements(cx, args[1]);
    let result = interpolate(
        template,
        values.len(),
        |index| {
            values
                .get(index)
                .copied()
                .ok_or_else(|| FormatError::new(format!("index {index} out of range")))
        },
        |clause, value| print(cx, clause, value).map_err(FormatError::new),
    );
    Ok(match result {
        Ok(text) => cx.string(&text),
        Err(error) => cx.error(&error.message),
    })
}

/// Stops printing if there is no room for a text of this length. The evaluation ends at its next charge.
fn room_for(cx: &Context<'_>, length: usize) -> Result<(), String> {
    if cx.spend(length) {
        Ok(())
    } else {
        Err(String::new())
    }
}

fn print<'a>(cx: &mut Context<'a>, clause: Clause, value: Value<'a>) -> Result<String, String> {
    let refused = || clause.refuses(value.type_name());
    match clause {
        Clause::String => string(cx, value),
        Clause::Decimal => match value {
            Value::Int(i) => Ok(i.to_string()),
            Value::Uint(u) => Ok(u.to_string()),
            _ => Err(refused()),
        },
        Clause::Fixed(precision) => number(value)
            .map(|d| fixed(d, precision.unwrap_or(6)))
            .ok_or_else(refused),
        Clause::Scientific(width) => number(value)
            .map(|d| scientific(d, width.unwrap_or(6)))
            .ok_or_else(refused),
        Clause::Binary => match value {
            Value::Int(i) => Ok(signed(i, format!("{:b}", i.unsigned_abs()))),
            Value::Uint(u) => Ok(format!("{u:b}")),
            Value::Bool(b) => Ok(u8::from(b).to_string()),
            _ => Err(refused()),
        },
        Clause::Hex { upper } => {
            let text = match value {
                Value::Int(i) => signed(i, format!("{:x}", i.unsigned_abs())),
                Value::Uint(u) => format!("{u:x}"),
                Value::String(s) => hex(cx, s.as_bytes())?,
                Value::Bytes(b) => hex(cx, b)?,
                _ => return Err(refused()),
            };
            Ok(if upper { text.to_uppercase() } else { text })
        }
        Clause::Octal => match value {
            Value::Int(i) => Ok(signed(i, format!("{:o}", i.unsigned_abs()))),
            Value::Uint(u) => Ok(format!("{u:o}")),
            _ => Err(refused()),
        },
    }
}

fn signed(value: i64, digits: String) -> String {
    if value < 0 { format!("-{digits}") } else { digits }
}

fn hex(cx: &Context<'_>, bytes: &[u8]) -> Result<String, String> {
    room_for(cx, 2 * bytes.len())?;
    Ok(kindsmith_gostd::hex::encode(bytes))
}

/// A double, also from the texts `NaN`, `Infinity` and `-Infinity`, which have no literal.
fn number(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Double(d) => Some(d),
        Value::String("NaN") => Some(f64::NAN),
        Value::String("Infinity") => Some(f64::INFINITY),
        Value::String("-Infinity") => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn non_finite(d: f64) -> Option<&'static str> {
    match d {
        _ if d.is_nan() => Some("NaN"),
        f64::INFINITY => Some("∞"),
        f64::NEG_INFINITY => Some("-∞"),
        _ => None,
    }
}

/// Fixed-point with grouped thousands.
fn fixed(d: f64, precision: i64) -> String {
    if let Some(text) = non_finite(d) {
        return text.to_owned();
    }
    let digits = format!("{:.*}", precision.clamp(0, 32_767) as usize, d.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    // Go keeps the minimum number of digits in a byte, so a large precision wraps and zeros are cut.
    let wanted = (precision % 256) as usize;
    let mut fraction = fraction.trim_end_matches('0').to_owned();
    while fraction.len() < wanted {
        fraction.push('0');
    }
    let mut out = String::new();
    if d.is_sign_negative() {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(&fraction);
    }
    out
}

/// Scientific with six digits; cel-go takes the precision for the width.
fn scientific(d: f64, width: i64) -> String {
    let text = match non_finite(d) {
        Some(text) => text.to_owned(),
        None => {
            let plain = format!("{d:.6e}");
            let (mantissa, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { "⁻" } else { "" };
            let digits: String = format!("{:02}", exponent.abs())
                .chars()
                .map(superscript)
                .collect();
            format!("{mantissa}×10{sign}{digits}")
        }
    };
    let missing = usize::try_from(width)
        .unwrap_or(0)
        .saturating_sub(text.chars().count());
    format!("{}{text}", " ".repeat(missing.min(1 << 16)))
}

/// How much memory a text of a few characters takes while it is a piece of another.
const PIECE: usize = 48;

fn superscript(digit: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    DIGITS[digit.to_digit(10).unwrap_or(0) as usize]
}

/// `%s`: scalars as `string()` writes them, containers with their elements.
fn string<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<String, String> {
    if value.is_list() {
        return list_text(cx, value);
    }
    if value.is_map() {
        return map_text(cx, value);
    }
    if let Value::Bytes(bytes) = value {
        room_for(cx, bytes.len())?;
        return String::from_utf8(bytes.to_vec()).map_err(|_| {
            "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" to string"
                .to_owned()
        });
    }
    if let Value::String(text) = value {
        room_for(cx, text.len())?;
    }
    convert::text(value).ok_or_else(|| Clause::String.refuses(value.type_name()))
}

/// An element of a list or a value of a map.
fn member<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<String, String> {
    cx.within(|cx| member_text(cx, value))
        .unwrap_or_else(|| Err(String::new()))
}

fn member_text<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<String, String> {
    room_for(cx, PIECE + value.size().unwrap_or_default() as usize)?;
    Ok(match value {
        Value::String(text) => quote(text),
        Value::Bytes(bytes) => {
            let text = string(cx, value)?;
            let _ = bytes;
            format!("b{}", quote_bytes(text.as_bytes()))
        }
        Value::Timestamp(_) => format!("timestamp({})", quote(&convert::text(value).unwrap_or_default())),
        Value::Duration(_) => format!("duration({})", quote(&convert::text(value).unwrap_or_default())),
        Value::Double(d) if d.is_finite() => format!("{d:.6}"),
        Value::Double(d) => quote(&kindsmith_gostd::float::format_f64(d)),
        Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::Null | Value::Type(_) => {
            convert::text(value).unwrap_or_default()
        }
        _ if value.is_list() => list_text(cx, value)?,
        _ if value.is_map() => map_text(cx, value)?,
        _ => return Err(format!("no formatting function for {}", value.type_name())),
    })
}

fn list_text<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<String, String> {
    let mut parts = Vec::new();
    for element in list::elements(cx, value) {
        parts.push(member(cx, element)?);
    }
    Ok(format!("[{}]", parts.join(", ")))
}

fn map_text<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<String, String> {
    let mut pairs = Vec::new();
    for key in list::keys(cx, value) {
        let key_text = match key {
            Value::String(text) => quote(text),
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) => convert::text(key).unwrap_or_default(),
            _ => {
                return Err(format!(
                    "no formatting function for map key of type {}",
                    key.type_name()
                ));
            }
        };
        let Ok(Some(entry)) = list::find(cx, value, key) else {
            return Err(format!("could not find key: {key_text}"));
        };
        pairs.push((key_text, member(cx, entry)?));
    }
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let shown: Vec<String> = pairs
        .into_iter()
        .map(|(key, value)| format!("{key}:{value}"))
        .collect();
    Ok(format!("{{{}}}", shown.join(", ")))
}
