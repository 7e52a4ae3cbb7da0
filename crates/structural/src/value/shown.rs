//! What messages show, written without the machinery of formatting: a third of the time of an error. Knows texts, not places.

use std::fmt::Write as _;

use kindsmith_gostd::quote::quote;

use super::number::GoNumber;
use super::text::Pattern;

/// Something that a message shows between its words.
pub(crate) trait Shown {
    fn write(&self, out: &mut String);
}

/// What has another type or format than the one that is wanted.
pub(super) struct Other<'t> {
    pub(super) want: &'t str,
    pub(super) actual: &'t str,
}

/// So many of them: `3 items`.
pub(super) struct Counted<'t> {
    pub(super) count: i64,
    pub(super) what: &'t str,
}

impl Shown for str {
    fn write(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Shown for i64 {
    fn write(&self, out: &mut String) {
        out.push_str(itoa::Buffer::new().format(*self));
    }
}

impl Shown for GoNumber {
    fn write(&self, out: &mut String) {
        match self {
            Self::Int(number) => number.write(out),
            Self::Float(_) => write!(out, "{self}").expect("strings take any text"),
        }
    }
}

impl Shown for Pattern {
    fn write(&self, out: &mut String) {
        match self.error() {
            None => out.push_str(self.text()),
            Some(_) => write!(out, "{self}").expect("strings take any text"),
        }
    }
}

impl Shown for Other<'_> {
    fn write(&self, out: &mut String) {
        out.push_str(self.want);
        out.push_str(": ");
        out.push_str(&quote(self.actual));
    }
}

impl Shown for Counted<'_> {
    fn write(&self, out: &mut String) {
        self.count.write(out);
        out.push(' ');
        out.push_str(self.what);
    }
}
