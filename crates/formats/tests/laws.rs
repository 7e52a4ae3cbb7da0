//! Laws that hold for every text or value, tried on random ones.

use kindsmith_formats::format::FORMATS;
use kindsmith_formats::named::NAMED;
use kindsmith_formats::quantity::Quantity;
use kindsmith_formats::semver::Version;
use kindsmith_formats::strfmt;
use kindsmith_gostd::cidr::{self, Prefix};
use kindsmith_gostd::duration::{self, Duration};
use kindsmith_gostd::ip::{self, Addr};
use kindsmith_gostd::regexp::Regexp;
use kindsmith_gostd::time::{self, Layout, Time};
use kindsmith_gostd::url::Url;
use kindsmith_gostd::{base64, float, quote, strconv, utf8};
use proptest::prelude::*;

/// Texts that look like something, and texts that do not.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-+0-9.eEinumkKMGTPxX_a-f:/%\\[\\]@#?&=TZ ]{0,40}",
        "[-a-zA-Z0-9._/é\u{212a}]{0,80}",
        "[()<>@\",:;\\\\a-z=?. é]{0,40}",
    ]
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in texts()) {
        let _ = Quantity::parse(&text).map(|quantity| (quantity.to_string(), quantity.as_approximate_f64()));
        let _ = Duration::parse(&text).map(|duration| duration.to_string());
        let _ = duration::parse_extended(&text);
        let _ = time::parse_date_time(&text).map(|time| time.format(Layout::Rfc3339Nano));
        let _ = Addr::parse(&text).map(|addr| addr.to_string());
        let _ = (ip::parse_sloppy(&text), cidr::parse_sloppy(&text));
        let _ = Prefix::parse(&text).map(|prefix| prefix.masked());
        let _ = Url::parse(&text).map(|url| (url.to_string(), url.query(), url.port().len()));
        let _ = Url::parse_request_uri(&text).map(|url| url.escaped_path());
        let _ = (Version::parse(&text), Version::parse_tolerant(&text));
        let _ = (strconv::parse_int(&text, 0, 64), strconv::parse_uint(&text, 10, 32));
        let _ = (strconv::parse_f64(&text), strconv::parse_f32(&text));
        let _ = (quote::unquote(&text), base64::decode(text.as_bytes()));
        for format in FORMATS {
            (format.check)(&text, &mut |violation| assert!(!violation.detail.is_empty()));
        }
        for format in strfmt::FORMATS {
            let _ = (format.check)(&text);
        }
        for format in NAMED {
            (format.check)(&text, &mut |_| ());
        }
    }

    #[test]
    fn no_expression_makes_a_search_panic(
        expression in prop_oneof![any::<String>(), "[a-c0-9()|*+?{},\\[\\]^$.\\\\dDwWsSbBpPL:ims-]{0,30}"],
        text in any::<String>(),
    ) {
        if let Ok(regexp) = Regexp::new(&expression) {
            let all = regexp.find_all(&text, None);
            prop_assert_eq!(regexp.is_match(&text), !all.is_empty());
            prop_assert_eq!(regexp.find(&text), all.first().cloned());
            prop_assert!(all.iter().all(|range| text.get(range.clone()).is_some()));
            // Many texts are matched by another engine than few.
            regexp.is_match(&"-".repeat(5000));
            prop_assert_eq!(regexp.find_all(&text, None), all);
        }
    }

    #[test]
    fn quoting_can_be_undone(bytes in any::<Vec<u8>>(), text in any::<String>()) {
        prop_assert_eq!(quote::unquote(&quote::quote_bytes(&bytes)), Ok(bytes));
        prop_assert_eq!(quote::unquote(&quote::quote(&text)), Ok(text.clone().into_bytes()));
        prop_assert_eq!(quote::unquote(&quote::quote_ascii(&text)), Ok(text.clone().into_bytes()));
        if quote::can_backquote(&text) {
            let raw = format!("`{text}`");
            prop_assert_eq!(quote::unquote(&raw), Ok(text.into_bytes()));
        }
    }

    #[test]
    fn base64_can_be_undone(bytes in any::<Vec<u8>>()) {
        let text = base64::encode(&bytes);
        prop_assert_eq!(base64::check(text.as_bytes()), Ok(()));
        prop_assert_eq!(base64::decode(text.as_bytes()), Ok(bytes));
    }

    #[test]
    fn runes_are_counted_alike(bytes in any::<Vec<u8>>(), text in any::<String>(), limit in 0_usize..50) {
        prop_assert_eq!(utf8::rune_count_bytes(&bytes), utf8::lossy(&bytes).chars().count());
        prop_assert_eq!(utf8::is_longer_than(&text, limit), utf8::rune_count(&text) > limit);
    }

    #[test]
    fn floats_read_back(value in any::<f64>(), narrow in any::<f32>()) {
        prop_assume!(!value.is_nan() && !narrow.is_nan());
        for text in [float::format_f64(value), float::format_f64_plain(value), float::format_f64_exponent(value)] {
            prop_assert_eq!(strconv::parse_f64(&text), Ok(value), "{}", text);
        }
        prop_assert_eq!(strconv::parse_f32(&float::format_f32(narrow)), Ok(narrow));
    }

    #[test]
    fn durations_read_back(nanos in any::<i64>()) {
        prop_assert_eq!(Duration::parse(&Duration(nanos).to_string()), Ok(Duration(nanos)));
    }

    #[test]
    fn times_read_back(seconds in -62_000_000_000_i64..250_000_000_000, nanos in 0_u32..1_000_000_000) {
        let time = Time::from_unix(seconds, nanos).expect("less than a second");
        prop_assert_eq!(Time::parse(Layout::Rfc3339Nano, &time.format(Layout::Rfc3339Nano)), Ok(time));
        let cut = Time::parse(Layout::Rfc3339, &time.format(Layout::Rfc3339));
        prop_assert_eq!(cut, Ok(time.truncated_to_seconds()));
    }

    #[test]
    fn addresses_read_back(ip in any::<std::net::IpAddr>(), other in any::<std::net::IpAddr>(), bits in 0_u8..=32) {
        let text = ip.to_string();
        let addr = Addr::parse(&text).expect("Rust and Go write addresses alike");
        prop_assert!(addr.ip() == ip && addr.is_written_as(&text));
        let prefix = Prefix::parse(&format!("{text}/{bits}")).expect("every family has 32 bits");
        prop_assert_eq!(Prefix::parse(&prefix.to_string()), Ok(prefix));
        prop_assert!(prefix.contains_ip(ip) && prefix.contains(&prefix) && prefix.masked().contains(&prefix));
        prop_assert!(!prefix.contains_ip(other) || other.is_ipv4() == ip.is_ipv4());
    }

    #[test]
    fn canonical_quantities_keep_their_value(
        left in "-?[0-9]{1,14}(\\.[0-9]{0,12})?(n|u|m||k|M|Ki|Mi|Gi|e3|e-2)",
        right in "-?[0-9]{1,14}(\\.[0-9]{0,12})?(n|u|m||k|M|Ki|Mi|Gi|e3|e-2)",
    ) {
        let (left, right) = (Quantity::parse(&left).expect("a quantity"), Quantity::parse(&right).expect("a quantity"));
        let canonical = left.add(&Quantity::parse("0").expect("zero")).to_string();
        let again = Quantity::parse(&canonical).expect("canonical texts are quantities");
        prop_assert_eq!(&again, &left, "{}", canonical);
        prop_assert_eq!(again.to_string(), canonical);
        prop_assert_eq!(&left.add(&right).sub(&right), &left);
        prop_assert_eq!(left.add(&right), right.add(&left));
        prop_assert_eq!(left.cmp(&right) as i32, left.sub(&right).sign());
    }
}
