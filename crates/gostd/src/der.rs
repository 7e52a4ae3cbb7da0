//! DER (encoding/asn1): values that follow each other and contain others. Knows no meaning of them.

/// The tag of a whole number.
pub const INTEGER: u8 = 0x02;
/// The tag of bits.
pub const BIT_STRING: u8 = 0x03;
/// The tag of bytes.
pub const OCTET_STRING: u8 = 0x04;
/// The tag of nothing.
pub const NULL: u8 = 0x05;
/// The tag of an object identifier.
pub const OID: u8 = 0x06;
/// The tag of a sequence.
pub const SEQUENCE: u8 = 0x30;

/// The length of the header of a DER value, and that of the value.
#[must_use]
pub fn header(bytes: &[u8]) -> Option<(usize, usize)> {
    let &first = bytes.get(1)?;
    if first < 0x80 {
        return Some((2, first.into()));
    }
    let count = usize::from(first & 0x7f);
    if count == 0 || count > 4 {
        return None;
    }
    let digits = bytes.get(2..2 + count)?;
    let length = digits
        .iter()
        .fold(0_usize, |length, &digit| length << 8 | usize::from(digit));
    Some((2 + count, length))
}

/// What is inside a DER value.
#[must_use]
pub fn content(value: &[u8]) -> Option<&[u8]> {
    let (header, length) = header(value)?;
    value.get(header..header.checked_add(length)?)
}

/// DER values that follow each other; ends where one is broken.
pub fn values(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut reader = Reader(bytes);
    std::iter::from_fn(move || reader.next())
}

/// Reads values one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Reads the content of a value that has a tag and fills all bytes.
    #[must_use]
    pub fn whole(bytes: &'b [u8], tag: u8) -> Option<Self> {
        let mut reader = Reader(bytes);
        let content = reader.content(tag)?;
        reader.0.is_empty().then_some(Reader(content))
    }

    /// The next value, with its header, if it has the tag.
    pub fn value(&mut self, tag: u8) -> Option<&'b [u8]> {
        match self.0.first() {
            Some(first) if *first == tag => self.next(),
            _ => None,
        }
    }

    /// The next value, with its header.
    fn next(&mut self) -> Option<&'b [u8]> {
        let (header, length) = header(self.0)?;
        let (value, rest) = self.0.split_at_checked(header.checked_add(length)?)?;
        self.0 = rest;
        Some(value)
    }

    /// The content of the next value, if it has the tag.
    pub fn content(&mut self, tag: u8) -> Option<&'b [u8]> {
        self.value(tag).and_then(content)
    }

    /// The values inside the next one, if it is a sequence.
    pub fn sequence(&mut self) -> Option<Self> {
        self.content(SEQUENCE).map(Reader)
    }

    /// The bytes of the next value, if it is a string of whole bytes.
    pub fn bits(&mut self) -> Option<&'b [u8]> {
        self.content(BIT_STRING)?.strip_prefix(&[0])
    }

    /// Whether everything was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The error of Go's asn1 for bytes that are not one structure; `None` if they look like one.
#[must_use]
pub fn structure_error(bytes: &[u8], what: &str) -> Option<String> {
    const PARAMETERS: &str = "{optional:false explicit:false application:false private:false defaultValue:<nil> \
         tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
    let Some((header, length)) = header(bytes) else {
        return Some("asn1: syntax error: truncated tag or length".to_owned());
    };
    let (class, tag, is_compound) = (bytes[0] >> 6, bytes[0] & 0x1f, bytes[0] & 0x20 != 0);
    if class != 0 || tag != 16 || !is_compound {
        return Some(format!(
            "asn1: structure error: tags don't match (16 vs {{class:{class} tag:{tag} length:{length} \
             isCompound:{is_compound}}}) {PARAMETERS} {what} @{header}"
        ));
    }
    (bytes.len() - header < length).then(|| "asn1: syntax error: data truncated".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_order() {
        let bytes = [0x30, 7, 0x02, 1, 5, 0x03, 2, 0, 9];
        let mut reader = Reader::whole(&bytes, SEQUENCE).expect("a sequence");
        assert_eq!(reader.bits(), None);
        assert_eq!(reader.content(INTEGER), Some(&[5][..]));
        assert_eq!(reader.bits(), Some(&[9][..]));
        assert!(reader.is_empty());
        assert!(Reader::whole(&bytes[..8], SEQUENCE).is_none());
        assert!(Reader::whole(&[0x30, 0, 0], SEQUENCE).is_none());
    }

    #[test]
    fn errors_for_other_bytes_are_gos() {
        assert_eq!(
            structure_error(&[0, 0, 0], "certificateRequest").as_deref(),
            Some(
                "asn1: structure error: tags don't match (16 vs {class:0 tag:0 length:0 isCompound:false}) \
                 {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> \
                 stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2"
            )
        );
        assert_eq!(structure_error(&[0x30, 0], "x"), None);
        assert_eq!(
            structure_error(&[0x30, 5, 0], "x").as_deref(),
            Some("asn1: syntax error: data truncated")
        );
        assert!(structure_error(&[], "x").is_some());
    }
}
