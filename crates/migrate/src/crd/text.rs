//! Comments and values as Go source and markers write them.

use kindsmith_json::Value;

/// A description as comment lines.
pub(super) fn comment(out: &mut String, indent: &str, description: &str) {
    if description.is_empty() {
        return;
    }
    for line in description.split('\n') {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let line = line.trim_end();
        let marker = line.trim_start().starts_with('+');
        // A line that begins so would be read as a marker.
        let quote = if marker { "> " } else { "" };
        out.push_str(indent);
        out.push_str("//");
        if !line.is_empty() {
            out.push(' ');
            out.push_str(quote);
            out.push_str(line);
        }
        out.push('\n');
    }
}

/// Text as a marker's argument.
pub(super) fn quoted(text: &str) -> String {
    let is_raw = text.chars().all(|c| !c.is_control() && c != '`');
    if is_raw && text.contains(['\\', '"']) {
        return format!("`{text}`");
    }
    kindsmith_gostd::quote::quote(text)
}

/// A value as a marker's argument of any type.
pub(super) fn any(value: Value<'_>) -> String {
    if let Some(text) = value.as_str() {
        return quoted(text);
    }
    if let Some(items) = value.as_array() {
        let items: Vec<String> = items.iter().map(|item| any(*item)).collect();
        return format!("{{{}}}", items.join(","));
    }
    if let Some(object) = value.as_object() {
        let members = object.entries().iter();
        let members: Vec<String> = members
            .map(|member| {
                format!(
                    "{}:{}",
                    kindsmith_gostd::quote::quote(member.key),
                    any(member.value)
                )
            })
            .collect();
        return format!("{{{}}}", members.join(","));
    }
    kindsmith_json::to_string(value)
}
