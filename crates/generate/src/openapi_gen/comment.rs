//! Comments as openapi-gen reads them: marker lines by the old grammar, and the published description.

use kindsmith_schema::Docs;

/// The values of a marker (gengo `ExtractCommentTags`): everything up to the first `=` is its name.
pub(super) fn tags<'d>(docs: &'d Docs, name: &str) -> impl Iterator<Item = &'d str> {
    lines(docs).filter_map(move |line| {
        let marker = line.trim_matches(' ').strip_prefix('+')?;
        let (key, value) = marker.split_once('=').unwrap_or((marker, ""));
        (key == name).then_some(value)
    })
}

/// Whether there is such a marker.
pub(super) fn has(docs: &Docs, name: &str) -> bool {
    tags(docs, name).next().is_some()
}

pub(super) fn lines(docs: &Docs) -> impl Iterator<Item = &str> {
    docs.text.as_deref().into_iter().flat_map(|text| text.split('\n'))
}

/// The published text of lines (kube-openapi `pkg/generators/openapi.go`, `generateDescription`).
pub(super) fn description<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut text = String::new();
    for line in lines {
        if line == "---" {
            break;
        }
        let line = line.trim_end_matches(' ');
        let start = line.trim_start_matches(' ');
        if line.is_empty() {
            text.pop();
            text.push_str("\n\n");
        } else if start.starts_with("TODO") || start.starts_with('+') {
            // Authors' notes and markers are not published.
        } else if line.starts_with([' ', '\t']) {
            text.pop();
            text.push('\n');
            text.push_str(line);
            text.push('\n');
        } else {
            text.push_str(line);
            text.push(' ');
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, published: &str) {
        assert_eq!(description(text.split('\n')), published, "{text:?}");
    }

    #[test]
    fn lines_are_joined_and_paragraphs_kept() {
        check("One\ntwo.", "One two.");
        check("One.\n\nTwo.", "One.\n\nTwo.");
        check("List:\n - a\n - b\nEnd.", "List:\n - a\n - b\nEnd.");
        check("One.\n+optional\nTODO: more\nTwo.", "One. Two.");
        check("One.\n---\nTwo.", "One.");
        check("Code:\n\ta\n\tb", "Code:\n\ta\n\tb");
        check("+optional", "");
    }

    #[test]
    fn markers_have_names_up_to_the_equals_sign() {
        let docs = Docs {
            text: Some("+a=1\n  +a=2=3\n+a b=4\n+a\nx +a=5".into()),
            godoc: None,
        };
        assert_eq!(tags(&docs, "a").collect::<Vec<_>>(), ["1", "2=3", ""]);
        assert!(has(&docs, "a b") && !has(&docs, "b"));
    }
}
