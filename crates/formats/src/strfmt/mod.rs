//! The formats kube-apiserver enforces in OpenAPI schemas (`format:`), by kube-openapi's `strfmt`: one file per
//! family, one line in [`FORMATS`]. A check returns yes or no; it knows no schema and no error message.

mod bson_object_id;
mod byte;
mod cidr;
mod color;
mod credit_card;
mod date;
mod date_time;
mod duration;
mod email;
mod hostname;
mod ip;
mod isbn;
mod k8s_name;
mod mac;
mod number;
mod password;
mod ssn;
mod uri;
mod uuid;

/// The type of value a format applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// `type: string`, or no type.
    String,
    /// `type: integer`; the check gets the decimal text.
    Integer,
    /// `type: number`; the check gets the decimal text.
    Number,
}

/// A format of OpenAPI schemas.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The usual spelling of the name.
    pub name: &'static str,
    /// One sentence on what is valid.
    pub doc: &'static str,
    /// A valid value.
    pub example: &'static str,
    /// The type of value it applies to.
    pub applies: Applies,
    /// Reports whether a value is valid.
    pub check: fn(&str) -> bool,
}

/// Every format, ordered by name.
pub const FORMATS: &[Format] = &[
    bson_object_id::FORMAT,
    byte::FORMAT,
    cidr::FORMAT,
    credit_card::FORMAT,
    date::FORMAT,
    date_time::FORMAT,
    number::DOUBLE,
    duration::FORMAT,
    email::FORMAT,
    number::FLOAT,
    color::HEX,
    hostname::FORMAT,
    number::INT32,
    number::INT64,
    ip::V4,
    ip::V6,
    isbn::ANY,
    isbn::TEN,
    isbn::THIRTEEN,
    k8s_name::LONG,
    k8s_name::SHORT,
    mac::FORMAT,
    password::FORMAT,
    color::RGB,
    ssn::FORMAT,
    uri::FORMAT,
    uuid::ANY,
    uuid::VERSION_3,
    uuid::VERSION_4,
    uuid::VERSION_5,
];

/// Finds a format by name; for strings, dashes in the name are ignored.
pub fn find(applies: Applies, name: &str) -> Option<&'static Format> {
    let same = |format: &&Format| {
        format.applies == applies
            && match applies {
                Applies::String => letters(format.name).eq(letters(name)),
                Applies::Integer | Applies::Number => format.name == name,
            }
    };
    FORMATS.iter().find(same)
}

fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(|&byte| byte != b'-')
}

/// A format for strings, as most are.
const fn string(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
    check: fn(&str) -> bool,
) -> Format {
    Format {
        name,
        doc,
        example,
        applies: Applies::String,
        check,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_examples_pass() {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        for format in FORMATS {
            assert!((format.check)(format.example), "{}", format.name);
            assert!(format.doc.ends_with('.'), "{}", format.name);
        }
    }

    #[test]
    fn dashes_in_names_do_not_count() {
        for (applies, name, found) in [
            (Applies::String, "date-time", Some("date-time")),
            (Applies::String, "datetime", Some("date-time")),
            (Applies::String, "d-a-t-e", Some("date")),
            (Applies::String, "k8sshortname", Some("k8s-short-name")),
            (Applies::String, "DateTime", None),
            (Applies::String, "int32", None),
            (Applies::String, "", None),
            (Applies::Integer, "int32", Some("int32")),
            (Applies::Integer, "int-32", None),
            (Applies::Integer, "double", None),
            (Applies::Number, "double", Some("double")),
            (Applies::Number, "int64", None),
        ] {
            assert_eq!(find(applies, name).map(|format| format.name), found, "{name}");
        }
    }
}
