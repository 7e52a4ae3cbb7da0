//! Changes as one HTML file.

use kindsmith_compat::Change;
use kindsmith_source::render::html::{escaped, page};

use super::places::Places;
use super::render::{chunks, heading, notes, summary};

/// A table for each kind, the worst changes first.
pub(super) fn render(shown: &[&Change], all: &[Change], places: &Places<'_>) -> String {
    let mut body = format!(
        "<p class=\"summary\">{}</p>\n",
        escaped(&summary(all, all.len() - shown.len()))
    );
    for subject in chunks(shown, heading) {
        body.push_str(&format!(
            "<h2>{}</h2>\n<table>\n<tr><th>Effect</th><th>Field</th><th>Change</th></tr>\n",
            escaped(&heading(subject[0]))
        ));
        for change in subject {
            body.push_str(&row(change, places));
        }
        body.push_str("</table>\n");
    }
    page("API changes", &body)
}

fn row(change: &Change, places: &Places<'_>) -> String {
    let place = places
        .of(change)
        .map_or_else(String::new, |place| format!("{}:{}", place.file, place.line));
    let notes: String = notes(change)
        .iter()
        .map(|note| format!("<p class=\"help\">{}</p>", escaped(note)))
        .collect();
    format!(
        "<tr><td>{}</td><td><code>{}</code><p class=\"help\">{}</p></td><td>{} <a href=\"{}\"><code>{}</code></a>{notes}</td></tr>\n",
        escaped(change.class.words()),
        escaped(&change.path),
        escaped(&place),
        escaped(&change.message),
        escaped(&change.finding.uri()),
        change.finding.code()
    )
}
