//! Compresses long answers for clients that accept gzip.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter answers cost more to compress than to send (apiserver's pkg/endpoints/handlers/responsewriters/writers.go).
const WORTHWHILE: usize = 128 * 1024;

/// The compressed answer, if the client accepts gzip and the body, whose pieces these are, is long enough.
pub(crate) fn gzip(
    accept_encoding: Option<&str>,
    length: usize,
    body: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Option<Vec<u8>> {
    if length <= WORTHWHILE || !accepts_gzip(accept_encoding?) {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(length / 4), Compression::fast());
    for piece in body {
        encoder.write_all(piece.as_ref()).ok()?;
    }
    encoder.finish().ok()
}

fn accepts_gzip(header: &str) -> bool {
    header.split(',').any(|clause| {
        let (coding, parameters) = clause.split_once(';').unwrap_or((clause, ""));
        let refused = parameters
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.trim().parse() == Ok(0.0));
        coding.trim() == "gzip" && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_answers_are_compressed_if_accepted() {
        let long = vec![b'a'; WORTHWHILE + 1];
        for (header, body, expected) in [
            (Some("gzip"), &long[..], true),
            (Some("deflate, gzip;q=0.5"), &long, true),
            (Some("gzip;q=0"), &long, false),
            (Some("br"), &long, false),
            (None, &long, false),
            (Some("gzip"), &long[1..], false),
        ] {
            assert_eq!(
                gzip(header, body.len(), [body]).is_some(),
                expected,
                "{header:?} {}",
                body.len()
            );
        }
    }
}
