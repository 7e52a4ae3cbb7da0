//! Any text as any scalar, chosen by the first byte: nothing panics or hangs, printed values parse to the same value,
//! and both regular expression engines agree.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::fmt::Display;

use kindsmith_formats::quantity::Quantity;
use kindsmith_formats::semver::Version;
use kindsmith_formats::{format, named, strfmt};
use kindsmith_gostd::cidr::{self, Prefix};
use kindsmith_gostd::duration::{Duration, parse_extended};
use kindsmith_gostd::ip::{self, Addr};
use kindsmith_gostd::regexp::Regexp;
use kindsmith_gostd::time::{Layout, Time, parse_date_time};
use kindsmith_gostd::url::Url;
use kindsmith_gostd::{base64, float, quote, strconv};

const FORMS: [fn(&str); 9] = [
    regexp, quantity, durations, times, addresses, url, version, formats, literals,
];

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else {
        return;
    };
    let bytes = base64::encode(text);
    assert_eq!(base64::decode(bytes.as_bytes()).as_deref(), Ok(text));
    assert_eq!(base64::decode(text).is_ok(), base64::check(text).is_ok());
    assert_eq!(quote::unquote(&quote::quote_bytes(text)).as_deref(), Ok(text));
    if let Ok(text) = std::str::from_utf8(text) {
        FORMS[usize::from(*choice) % FORMS.len()](text);
    }
});

/// Printing a parsed value, parsing that and printing again gives the same text.
fn canonical<T: Display, E: Display>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Option<T> {
    match read(text) {
        Ok(value) => {
            let written = value.to_string();
            let again = read(&written).map(|again| again.to_string());
            assert_eq!(again.ok().as_deref(), Some(&*written), "of {text:?}");
            Some(value)
        }
        Err(error) => {
            drop(error.to_string());
            None
        }
    }
}

/// An expression, and after a NUL the text to match.
fn regexp(text: &str) {
    let (expression, text) = text.split_once('\0').unwrap_or((text, "aA0 é\n"));
    let compiled = match Regexp::new(expression) {
        Ok(compiled) => compiled,
        Err(error) => return drop(error.to_string()),
    };
    let few = (compiled.find(text), compiled.find_all(text, Some(9)));
    // Long text uses the fast engine.
    compiled.is_match(&"a".repeat(1024));
    let many = (compiled.find(text), compiled.find_all(text, Some(9)));
    assert_eq!(few, many, "both engines find the same");
    assert_eq!(many.0, many.1.first().cloned());
}

fn quantity(text: &str) {
    let (text, other) = text.split_once('\0').unwrap_or((text, "1"));
    let (Some(left), Some(right)) = (
        canonical(text, Quantity::parse),
        canonical(other, Quantity::parse),
    ) else {
        return;
    };
    assert_eq!(
        left.partial_cmp(&right),
        right.partial_cmp(&left).map(|order| order.reverse())
    );
    drop(left.add(&right).to_string());
    drop(left.sub(&right).to_string());
    left.as_approximate_f64();
    left.as_i64();
}

fn durations(text: &str) {
    canonical(text, Duration::parse);
    drop(parse_extended(text).map_err(|error| error.to_string()));
}

fn times(text: &str) {
    use Layout::{Date, LocalDateTime, Rfc3339, Rfc3339Micro, Rfc3339Milli, Rfc3339Nano};
    for layout in [
        Rfc3339,
        Rfc3339Nano,
        Rfc3339Micro,
        Rfc3339Milli,
        LocalDateTime,
        Date,
    ] {
        match Time::parse(layout, text) {
            Ok(time) => {
                let written = time.format(layout);
                let again = Time::parse(layout, &written).expect("what is written can be read");
                assert_eq!(again.format(layout), written, "of {text:?}");
                drop(time.utc().truncated_to_seconds().format(layout));
            }
            Err(error) => drop(error.to_string()),
        }
    }
    drop(parse_date_time(text).map_err(|error| error.to_string()));
}

fn addresses(text: &str) {
    if let Some(address) = canonical(text, Addr::parse) {
        address.is_written_as(text);
        address.is_global_unicast();
    }
    if let Some(prefix) = canonical(text, Prefix::parse) {
        assert!(prefix.contains_ip(prefix.ip()) && prefix.contains(&prefix.masked()));
    }
    ip::parse_sloppy(text).map(|address| address.is_written_as(text));
    cidr::parse_sloppy(text);
}

fn url(text: &str) {
    drop(Url::parse_request_uri(text).map_err(|error| error.to_string()));
    if let Some(url) = canonical(text, Url::parse) {
        url.query();
        url.user();
        url.escaped_path();
    }
}

fn version(text: &str) {
    canonical(text, Version::parse);
    canonical(text, Version::parse_tolerant);
    canonical(text, Version::parse_normalized);
}

fn formats(text: &str) {
    for format in strfmt::FORMATS {
        (format.check)(text);
    }
    for format in format::FORMATS {
        format::is_valid(format, text);
    }
    for named in named::NAMED {
        (named.check)(text, &mut drop);
    }
}

fn literals(text: &str) {
    assert_eq!(
        quote::unquote(&quote::quote(text)).as_deref(),
        Ok(text.as_bytes())
    );
    assert_eq!(
        quote::unquote(&quote::quote_ascii(text)).as_deref(),
        Ok(text.as_bytes())
    );
    drop(quote::unquote(text));
    for base in [0, 2, 8, 10, 16, 36] {
        canonical_int(text, base);
        drop(strconv::parse_uint(text, base, 64).map_err(|error| error.to_string()));
    }
    if let Ok(number) = strconv::parse_f64(text) {
        for written in [float::format_f64(number), float::format_f64_exponent(number)] {
            let again = strconv::parse_f64(&written).expect("what is written can be read");
            assert!(
                again == number || again.is_nan() && number.is_nan(),
                "{text:?}: {written}"
            );
        }
    }
    drop(strconv::parse_f32(text).map(float::format_f32));
}

fn canonical_int(text: &str, base: u32) {
    match strconv::parse_int(text, base, 64) {
        Ok(number) => assert_eq!(strconv::parse_int(&number.to_string(), 10, 64), Ok(number)),
        Err(error) => drop(error.to_string()),
    }
}
