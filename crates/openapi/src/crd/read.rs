//! Reads CRDs from JSON values, like the API server's typed decoder.

use kindsmith_json::read::Duplicate;
use kindsmith_json::{Value, locate};

use super::{ApiVersion, Definition, InternalDefinition};
use crate::record::{self, DecodeError, Options, Record, Report, ReportKind};

/// The result of reading a CRD.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    /// The CRD as written; nothing is defaulted.
    pub definition: T,
    /// Fields that strict decoding rejects, in decoding order. Fields below metadata are not included.
    pub reports: Vec<Report>,
}

/// The text that a value came from, which decides the order in which Go reads the fields.
#[derive(Debug, Clone, Copy, Default)]
pub enum Source<'t> {
    /// Unknown, or errors need not match Go's.
    #[default]
    Unknown,
    /// JSON, with the duplicate keys that its reader found.
    Json {
        /// The text.
        text: &'t str,
        /// Duplicate keys.
        duplicates: &'t [Duplicate],
    },
    /// YAML, which reaches Go's decoder as a map: with sorted keys, and with duplicate keys already reported.
    Yaml,
}

/// Reads a `v1` CRD. The caller handles `apiVersion`, `kind` and everything below `metadata`.
///
/// # Errors
/// When a value does not fit its Go type, with Go's message.
///
/// ```
/// use kindsmith_json::{Arena, parse_str};
/// use kindsmith_openapi::crd::{Source, read};
///
/// let arena = Arena::new();
/// let value = parse_str(&arena, r#"{"spec": {"group": "example.org", "extra": 1}}"#)?;
/// let read = read(value, Source::Unknown).expect("it fits");
/// assert_eq!(&*read.definition.spec.group, "example.org");
/// assert_eq!(read.reports[0].to_string(), r#"unknown field "spec.extra""#);
/// # Ok::<(), kindsmith_json::ReadError>(())
/// ```
pub fn read(value: Value<'_>, source: Source<'_>) -> Result<Read<Definition>, DecodeError> {
    read_record(value, ApiVersion::V1, source)
}

/// Reads a `v1beta1` CRD, which has the shape of the internal form.
///
/// # Errors
/// When a value does not fit its Go type, with Go's message.
pub fn read_v1beta1(value: Value<'_>, source: Source<'_>) -> Result<Read<InternalDefinition>, DecodeError> {
    read_record(value, ApiVersion::V1beta1, source)
}

fn read_record<T: Record>(
    value: Value<'_>,
    api: ApiVersion,
    source: Source<'_>,
) -> Result<Read<T>, DecodeError> {
    let duplicates = match source {
        Source::Json { duplicates, .. } => duplicates,
        _ => &[],
    };
    let options = |sorted| Options { sorted, duplicates };
    // The CRD keeps the order of the document; only the reports depend on Go's order.
    let (definition, mut reports) =
        record::read::<T>(value, api, options(false)).or_else(|error| match source {
            Source::Yaml => record::read(value, api, options(true)),
            _ => Err(error),
        })?;
    let in_order = matches!(source, Source::Json { duplicates: [], .. });
    if !in_order {
        sort_reports(&mut reports, source);
    }
    Ok(Read { definition, reports })
}

/// Sorts reports into the order in which Go reads their fields, for adding reports about metadata.
pub fn sort_reports(reports: &mut [Report], source: Source<'_>) {
    match source {
        Source::Unknown => {}
        Source::Yaml => reports.sort_by(Report::cmp_sorted),
        Source::Json { text, duplicates } => {
            reports.sort_by_cached_key(|report| offset(text, duplicates, report));
        }
    }
}

/// The offset at which Go reads the field of a report.
fn offset(text: &str, duplicates: &[Duplicate], report: &Report) -> usize {
    let repeated = duplicates
        .iter()
        .find(|duplicate| report.kind == ReportKind::Duplicate && duplicate.path == report.path);
    if let Some(duplicate) = repeated {
        return duplicate.offset;
    }
    let location = locate::in_json(text, report.path.segments());
    location.key.map_or(location.value.start, |key| key.start)
}
