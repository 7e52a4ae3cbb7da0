//! Numbers, lengths and fields on the wire. Knows no types.

use kindsmith_schema::Str;

use super::Error;

/// Wire types.
pub(super) const VARINT: u8 = 0;
pub(super) const FIXED64: u8 = 1;
pub(super) const BYTES: u8 = 2;
pub(super) const FIXED32: u8 = 5;

/// The number and wire type of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub(super) number: u32,
    pub(super) wire: u8,
}

/// Reads one message from start to end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn varint(&mut self) -> Result<u64, Error> {
        let mut number = 0;
        let mut shift = 0;
        loop {
            if shift >= 64 {
                return Err(Error::Overflow);
            }
            let (byte, rest) = self.rest.split_first().ok_or(Error::UnexpectedEnd)?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// The next field of the message with this name, checked as in generated code.
    pub(super) fn tag(&mut self, message: &Str) -> Result<Tag, Error> {
        let wire = self.varint()?;
        // Generated code keeps 32 bits of the number.
        let number = (wire >> 3) as i32;
        let kind = (wire & 7) as u8;
        if kind == 4 {
            return Err(Error::NoGroup(message.clone()));
        }
        match u32::try_from(number) {
            Ok(number) if number > 0 => Ok(Tag { number, wire: kind }),
            _ => Err(Error::IllegalTag {
                message: message.clone(),
                number,
                wire,
            }),
        }
    }

    /// Bytes with a length prefix.
    pub(super) fn slice(&mut self) -> Result<&'a [u8], Error> {
        let length = self.varint()? as i64;
        let length = usize::try_from(length).map_err(|_| Error::NegativeLength)?;
        self.take(length)
    }

    pub(super) fn fixed64(&mut self) -> Result<u64, Error> {
        let bytes = self.take(8)?.try_into().map_err(|_| Error::UnexpectedEnd)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub(super) fn fixed32(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?.try_into().map_err(|_| Error::UnexpectedEnd)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Error::UnexpectedEnd)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Skips the value of a field whose tag was just read; groups are skipped as a whole.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<(), Error> {
        let mut depth = 0_usize;
        let mut wire = tag.wire;
        loop {
            match wire {
                VARINT => drop(self.varint()?),
                FIXED64 => drop(self.take(8)?),
                BYTES => drop(self.slice()?),
                3 => depth += 1,
                4 if depth == 0 => return Err(Error::EndOfGroup),
                4 => depth -= 1,
                FIXED32 => drop(self.take(4)?),
                other => return Err(Error::IllegalWire(other)),
            }
            if depth == 0 {
                return Ok(());
            }
            wire = (self.varint()? & 7) as u8;
        }
    }
}

/// Writes messages from start to end.
#[derive(Debug, Default)]
pub(super) struct Writer {
    out: Vec<u8>,
}

/// The most bytes of a length.
const LENGTH: usize = 10;

impl Writer {
    /// Goes on behind some bytes.
    pub(super) fn after(out: Vec<u8>) -> Self {
        Self { out }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out
    }

    pub(super) fn varint(&mut self, number: u64) {
        self.raw(varint(number, &mut [0; LENGTH]));
    }

    pub(super) fn tag(&mut self, number: u32, wire: u8) {
        self.varint(u64::from(number) << 3 | u64::from(wire));
    }

    pub(super) fn number(&mut self, field: u32, number: u64) {
        self.tag(field, VARINT);
        self.varint(number);
    }

    pub(super) fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.length(field, bytes.len());
        self.raw(bytes);
    }

    /// Begins bytes of this length.
    pub(super) fn length(&mut self, field: u32, length: usize) {
        self.tag(field, BYTES);
        self.varint(length as u64);
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Begins a nested message; everything up to [`end`](Self::end) belongs to it.
    pub(super) fn begin(&mut self, field: u32) -> usize {
        self.tag(field, BYTES);
        self.out.push(0);
        self.out.len()
    }

    /// Ends the message that began at `start` and inserts its length.
    pub(super) fn end(&mut self, start: usize) {
        let (end, mut room) = (self.out.len(), [0; LENGTH]);
        let prefix = varint((end - start) as u64, &mut room);
        let [first, rest @ ..] = prefix else { return };
        self.out[start - 1] = *first;
        if !rest.is_empty() {
            self.out.extend_from_slice(rest);
            self.out.copy_within(start..end, start + rest.len());
            self.out[start..start + rest.len()].copy_from_slice(rest);
        }
    }
}

/// A number as it is written.
fn varint(mut number: u64, room: &mut [u8; LENGTH]) -> &[u8] {
    let mut length = 0;
    while number >= 0x80 {
        room[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    room[length] = number as u8;
    &room[..=length]
}
