//! The query of a URL, parsed as in Go. Knows no parameter by name.

use kindsmith_gostd::strconv::parse_int;

/// The parameters of a URL in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Parses parameters as `url.URL.Query` does: those with a semicolon or a broken escape are dropped.
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.contains(';'));
        let pairs = pairs.filter_map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((unescape(name)?, unescape(value)?))
        });
        Query {
            pairs: pairs.collect(),
        }
    }

    /// The first value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The first value of a parameter; empty if it is absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All values of a parameter.
    pub(crate) fn all<'q>(&'q self, name: &str) -> impl Iterator<Item = &'q str> {
        let pairs = self.pairs.iter().filter(move |(key, _)| key == name);
        pairs.map(|(_, value)| value.as_str())
    }

    /// A parameter that is false only if it is absent, `0` or `false` (`Convert_Slice_string_To_bool` in apimachinery's
    /// pkg/runtime/conversion.go).
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.optional_flag(name).unwrap_or_default()
    }

    /// Same as [`Self::flag`], but `None` if the parameter is absent.
    pub(crate) fn optional_flag(&self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        Some(!(value == "0" || value.eq_ignore_ascii_case("false")))
    }

    /// A parameter that is an integer; the error is that of `strconv.ParseInt`.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, String> {
        let number = self.get(name).map(|text| parse_int(text, 10, 64));
        number.transpose().map_err(|error| error.to_string())
    }
}

/// Decodes escapes and `+`, as `url.QueryUnescape`. Invalid UTF-8 becomes replacement characters.
fn unescape(text: &str) -> Option<String> {
    if !text.contains(['%', '+']) {
        return Some(text.to_owned());
    }
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = char::from(bytes.next()?).to_digit(16)?;
                let low = char::from(bytes.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    Some(match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let expected = expected
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(Query::parse(text).pairs, expected.collect::<Vec<_>>(), "{text}");
    }

    #[test]
    fn parameters_are_read_as_go_reads_them() {
        check("a=1&b=x%20y&c=x+y", &[("a", "1"), ("b", "x y"), ("c", "x y")]);
        check("a&&b=", &[("a", ""), ("b", "")]);
        check("a=%zz&b=1;c=2&d=%4", &[]);
        check("a=b=c&%61=2", &[("a", "b=c"), ("a", "2")]);
    }

    #[test]
    fn integers_have_gos_errors() {
        let query = Query::parse("a=-12&b=abc&c=");
        let check = |name, expected: Result<Option<i64>, &str>| {
            assert_eq!(query.integer(name), expected.map_err(str::to_owned));
        };
        check("a", Ok(Some(-12)));
        check("b", Err(r#"strconv.ParseInt: parsing "abc": invalid syntax"#));
        check("c", Err(r#"strconv.ParseInt: parsing "": invalid syntax"#));
        check("d", Ok(None));
    }

    #[test]
    fn a_flag_is_true_unless_0_or_false() {
        let query = Query::parse("a=0&b=FALSE&c=&d=2");
        let flags = ["a", "b", "c", "d", "e"].map(|name| query.flag(name));
        assert_eq!(flags, [false, false, true, true, false]);
    }
}
