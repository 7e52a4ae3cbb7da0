//! What the router of built-in kinds rejects: it compares media types by their full names only
//! (`Route.matchesAccept` in go-restful).

use kindsmith_request::{Details, Status};

/// The router's response to an unknown `Accept`; `None` if it accepts the request. `streams` says whether the path can
/// also be watched.
pub(crate) fn refused_by_router(accept: Option<&str>, streams: bool) -> Option<Status> {
    refused_unless(accept, produced(streams))
}

/// The router's response to an `Accept` that names none of the produced media types.
pub(crate) fn refused_unless(accept: Option<&str>, produced: &[&str]) -> Option<Status> {
    let accept = accept.filter(|accept| !accept.is_empty())?;
    let is_known = accept.split(',').any(|clause| {
        let media = clause.split(';').next().unwrap_or_default().trim();
        media == "*/*" || produced.contains(&media)
    });
    if is_known {
        return None;
    }
    let message = format!(
        "406: Not Acceptable\n\nAvailable representations: {}",
        produced.join(", ")
    );
    Some(Status {
        code: 406,
        reason: "NotAcceptable".into(),
        message,
        details: Some(Box::new(Details::default())),
    })
}

fn produced(streams: bool) -> &'static [&'static str] {
    const ALL: [&str; 5] = [
        "application/json",
        "application/yaml",
        "application/vnd.kubernetes.protobuf",
        "application/json;stream=watch",
        "application/vnd.kubernetes.protobuf;stream=watch",
    ];
    &ALL[..if streams { 5 } else { 3 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_and_the_full_wildcard_are_known() {
        let check = |accept: &str, is_refused: bool| {
            assert_eq!(
                refused_by_router(Some(accept), false).is_some(),
                is_refused,
                "{accept}"
            );
        };
        check("", false);
        check("*/*", false);
        check("application/json;as=Table", false);
        check("text/plain, application/yaml", false);
        check("application/*", true);
        check("text/plain", true);
    }
}
