//! Reads and writes the suffixes of quantities.

use super::Format;
use kindsmith_gostd::strconv;

/// What a suffix multiplies by: `10^exponent`, or `2^exponent` for [`Format::BinarySi`].
pub(super) struct Suffix {
    pub(super) format: Format,
    pub(super) exponent: i32,
}

const DECIMAL: &[(&str, i32)] = &[
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

const BINARY: &[(&str, i32)] = &[
    ("Ki", 10),
    ("Mi", 20),
    ("Gi", 30),
    ("Ti", 40),
    ("Pi", 50),
    ("Ei", 60),
];

/// Reads a suffix.
pub(super) fn interpret(text: &str) -> Option<Suffix> {
    for (table, format) in [(DECIMAL, Format::DecimalSi), (BINARY, Format::BinarySi)] {
        if let Some(&(_, exponent)) = table.iter().find(|(name, _)| *name == text) {
            return Some(Suffix { format, exponent });
        }
    }
    let digits = text.strip_prefix(['e', 'E'])?;
    let exponent = strconv::parse_int(digits, 10, 64).ok()?;
    // Upstream truncates the exponent to 32 bits without a check.
    Some(Suffix {
        format: Format::DecimalExponent,
        exponent: exponent as i32,
    })
}

/// Writes a suffix. An exponent without a suffix is silently dropped, as upstream does.
pub(super) fn construct(format: Format, exponent: i64) -> String {
    let table = match format {
        Format::DecimalExponent if exponent == 0 => return String::new(),
        Format::DecimalExponent => return format!("e{exponent}"),
        Format::DecimalSi => DECIMAL,
        Format::BinarySi => BINARY,
    };
    let found = table.iter().find(|(_, value)| i64::from(*value) == exponent);
    found.map_or(String::new(), |(name, _)| (*name).to_owned())
}
