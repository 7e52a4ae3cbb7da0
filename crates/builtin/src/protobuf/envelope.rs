//! What Kubernetes puts around messages: a prefix, the kind, lists, and frames for watch events. Knows no types.

use super::Error;
use super::wire::{BYTES, Reader, Writer};

/// The first bytes of every body.
pub const PREFIX: [u8; 4] = *b"k8s\0";

/// A message with its type (`runtime.Unknown`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Envelope<'a> {
    /// Group and version of the kind.
    pub api_version: &'a [u8],
    /// The kind.
    pub kind: &'a [u8],
    /// The message.
    pub message: &'a [u8],
    /// The compression of the message; always empty.
    pub content_encoding: &'a [u8],
    /// The media type of the message, if it is not protobuf.
    pub content_type: &'a [u8],
}

/// Opens a body.
///
/// # Errors
/// If the bytes are not such a body.
pub fn open(body: &[u8]) -> Result<Envelope<'_>, Error> {
    if body.is_empty() {
        return Err(Error::Empty);
    }
    let inside = body.strip_prefix(&PREFIX).ok_or(Error::Prefix)?;
    if inside.is_empty() {
        return Err(Error::EmptyBody);
    }
    let mut envelope = Envelope::default();
    let mut reader = Reader::new(inside);
    while !reader.is_empty() {
        let tag = reader.tag(&"Unknown".into())?;
        let (into, field) = match tag.number {
            1 => (None, "TypeMeta"),
            2 => (Some(&mut envelope.message), "Raw"),
            3 => (Some(&mut envelope.content_encoding), "ContentEncoding"),
            4 => (Some(&mut envelope.content_type), "ContentType"),
            _ => {
                reader.skip(tag)?;
                continue;
            }
        };
        if tag.wire != BYTES {
            return Err(Error::WrongWire {
                wire: tag.wire,
                field: field.into(),
            });
        }
        let bytes = reader.slice()?;
        match into {
            Some(into) => *into = bytes,
            None => type_meta(bytes, &mut envelope)?,
        }
    }
    Ok(envelope)
}

fn type_meta<'a>(bytes: &'a [u8], envelope: &mut Envelope<'a>) -> Result<(), Error> {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let tag = reader.tag(&"TypeMeta".into())?;
        let (into, field) = match tag.number {
            1 => (&mut envelope.api_version, "APIVersion"),
            2 => (&mut envelope.kind, "Kind"),
            _ => {
                reader.skip(tag)?;
                continue;
            }
        };
        if tag.wire != BYTES {
            return Err(Error::WrongWire {
                wire: tag.wire,
                field: field.into(),
            });
        }
        *into = reader.slice()?;
    }
    Ok(())
}

/// Makes a body of a message.
#[must_use]
pub fn seal(api_version: &str, kind: &str, message: &[u8]) -> Vec<u8> {
    let sealed = Sealed::new(api_version, kind, message.len());
    [&sealed.head, message, &sealed.tail].concat()
}

/// What a body has around a message of some length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// What is before the message.
    pub head: Vec<u8>,
    /// What is after it.
    pub tail: Vec<u8>,
}

impl Sealed {
    /// Around a message of this length.
    #[must_use]
    pub fn new(api_version: &str, kind: &str, length: usize) -> Self {
        let (mut head, mut tail) = (Writer::default(), Writer::default());
        head.raw(&PREFIX);
        let start = head.begin(1);
        head.bytes(1, api_version.as_bytes());
        head.bytes(2, kind.as_bytes());
        head.end(start);
        head.length(2, length);
        tail.bytes(3, &[]);
        tail.bytes(4, &[]);
        Sealed {
            head: head.finish(),
            tail: tail.finish(),
        }
    }

    /// Around the items of a list, which are this long with their heads: the metadata is field 1 of its message.
    #[must_use]
    pub fn list(api_version: &str, kind: &str, metadata: &[u8], length: usize) -> Self {
        let mut first = Writer::default();
        first.bytes(1, metadata);
        let first = first.finish();
        let mut sealed = Sealed::new(api_version, kind, first.len() + length);
        sealed.head.extend(first);
        sealed
    }
}

/// What is before the message of an item in a list: the items are field 2.
#[must_use]
pub fn item_head(length: usize) -> Vec<u8> {
    let mut head = Writer::default();
    head.length(2, length);
    head.finish()
}

/// One watch event with its length in front. `object` is a whole body.
#[must_use]
pub fn frame(event: &str, object: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.raw(&[0; 4]);
    writer.bytes(1, event.as_bytes());
    let start = writer.begin(2);
    writer.bytes(1, object);
    writer.end(start);
    let mut frame = writer.finish();
    let length = u32::try_from(frame.len() - 4).expect("no object is larger than four gigabytes");
    frame[..4].copy_from_slice(&length.to_be_bytes());
    frame
}
