//! DER: values that follow each other and contain others. Knows no meaning of them.

/// Tags that are read here.
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const NULL: u8 = 0x05;
pub(crate) const OID: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;

/// The length of the header of a DER value, and that of the value.
pub(crate) fn header(bytes: &[u8]) -> Option<(usize, usize)> {
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
pub(crate) fn content(value: &[u8]) -> Option<&[u8]> {
    let (header, length) = header(value)?;
    value.get(header..header.checked_add(length)?)
}

/// DER values that follow each other; ends where one is broken.
pub(crate) fn values(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut reader = Reader(bytes);
    std::iter::from_fn(move || reader.next())
}

/// Reads values one after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Reads the content of a value that has a tag and fills all bytes.
    pub(crate) fn whole(bytes: &'b [u8], tag: u8) -> Option<Self> {
        let mut reader = Reader(bytes);
        let content = reader.content(tag)?;
        reader.0.is_empty().then_some(Reader(content))
    }

    /// The next value, with its header, if it has the tag.
    pub(crate) fn value(&mut self, tag: u8) -> Option<&'b [u8]> {
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
    pub(crate) fn content(&mut self, tag: u8) -> Option<&'b [u8]> {
        self.value(tag).and_then(content)
    }

    /// The values inside the next one, if it is a sequence.
    pub(crate) fn sequence(&mut self) -> Option<Self> {
        self.content(SEQUENCE).map(Reader)
    }

    /// The bytes of the next value, if it is a string of whole bytes.
    pub(crate) fn bits(&mut self) -> Option<&'b [u8]> {
        self.content(BIT_STRING)?.strip_prefix(&[0])
    }

    /// Whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
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
}
