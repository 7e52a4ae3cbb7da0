//! Definitions out of JSON values, decoded as the API server's typed decoder does.

use kindsmith_json::read::Duplicate;
use kindsmith_json::{Value, locate};

use super::{ApiVersion, Definition, InternalDefinition};
use crate::record::{self, DecodeError, Options, Record, Report, ReportKind};

/// What reading a definition gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    /// The definition as written; nothing is defaulted.
    pub definition: T,
    /// Fields a strict decoder minds, in the order in which it meets them. Nothing is said about what is below
    /// metadata.
    pub reports: Vec<Report>,
}

/// The text a value came from, which decides in which order Go meets the fields.
#[derive(Debug, Clone, Copy, Default)]
pub enum Source<'t> {
    /// No text, or one whose errors need not be Go's.
    #[default]
    Unknown,
    /// JSON, with the keys its reader found repeated.
    Json {
        /// The text.
        text: &'t str,
        /// Repeated keys.
        duplicates: &'t [Duplicate],
    },
    /// YAML, which reaches Go's decoder by way of a map: with its keys sorted, and with repeated keys reported already.
    Yaml,
}

/// Reads a `v1` definition. `apiVersion` and `kind` are the caller's business, as is all below `metadata`.
///
/// # Errors
/// Where a value does not fit its Go type, in Go's words.
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

/// Reads a `v1beta1` definition, which has the shape of the internal form.
///
/// # Errors
/// Where a value does not fit its Go type, in Go's words.
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
    // The definition keeps the order of the document; only what is said about it depends on Go's order.
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

/// Sorts reports into the order in which Go meets their fields, as when those about metadata join the others.
pub fn sort_reports(reports: &mut [Report], source: Source<'_>) {
    match source {
        Source::Unknown => {}
        Source::Yaml => reports.sort_by(Report::cmp_sorted),
        Source::Json { text, duplicates } => {
            reports.sort_by_cached_key(|report| offset(text, duplicates, report));
        }
    }
}

/// Where Go meets the field that a report is about.
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
