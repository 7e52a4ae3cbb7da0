//! Which marker stands for which tag.

use kindsmith_schema::Json;

use super::To;

/// Markers with one value that both sides write the same way: the end of kubebuilder's name, and the tag.
const SAME: &[(&str, &str)] = &[
    ("MaxLength", "maxLength"),
    ("MinLength", "minLength"),
    ("MaxItems", "maxItems"),
    ("MinItems", "minItems"),
    ("MaxProperties", "maxProperties"),
    ("MinProperties", "minProperties"),
    ("Maximum", "maximum"),
    ("Minimum", "minimum"),
];

/// Whole markers.
const WHOLE: &[(&str, &str)] = &[
    ("+required", "+k8s:required"),
    ("+optional", "+k8s:optional"),
    ("+kubebuilder:validation:Required", "+k8s:required"),
    ("+kubebuilder:validation:Optional", "+k8s:optional"),
    ("+listType=set", "+k8s:listType=set"),
    ("+kubebuilder:validation:UniqueItems=true", "+k8s:listType=set"),
    (
        "+kubebuilder:validation:XValidation:rule=\"self == oldSelf\",message=\"field is immutable\"",
        "+k8s:immutable",
    ),
];

/// Formats of kubebuilder, and patterns that people write for those of Kubernetes.
const FORMATS: &[(&str, &str)] = &[
    ("Format=uuid", "k8s-uuid"),
    ("Pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "k8s-short-name"),
    (
        "Pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        "k8s-long-name",
    ),
];

const VALIDATION: &str = "+kubebuilder:validation:";
const ITEMS: &str = "+kubebuilder:validation:items:";
const EACH: &str = "+k8s:eachVal=";

/// The other form of a marker, if there is one.
pub(super) fn replaced(marker: &str, to: To, on_type: bool) -> Option<String> {
    match to {
        To::K8s => as_tag(marker, on_type),
        To::Kubebuilder => as_marker(marker),
    }
}

fn as_tag(marker: &str, on_type: bool) -> Option<String> {
    if let Some((_, tag)) = WHOLE.iter().find(|(known, _)| *known == marker) {
        return Some((*tag).to_owned());
    }
    if let Some(inner) = marker.strip_prefix(ITEMS) {
        return Some(format!(
            "{EACH}{}",
            as_tag(&format!("{VALIDATION}{inner}"), false)?
        ));
    }
    for list in ["+listType=", "+listMapKey="] {
        if let Some(value) = marker.strip_prefix(list) {
            return Some(format!("+k8s:{}{value}", &list[1..]));
        }
    }
    if let Some(value) = value_of(marker, "+kubebuilder:default") {
        return Some(format!("+default={}", default(value)?));
    }
    let (name, value) = marker.strip_prefix(VALIDATION)?.split_once('=')?;
    let (name, value) = (name.trim_end_matches(':'), value.trim());
    let plain = format!("{name}={}", value.trim_matches(['`', '"']));
    if let Some((_, format)) = FORMATS.iter().find(|(known, _)| *known == plain) {
        return Some(format!("+k8s:format={format}"));
    }
    // The values are the type's constants; whether they are the same is seen in the CRD.
    if name == "Enum" {
        return on_type.then(|| "+k8s:enum".to_owned());
    }
    let (_, tag) = SAME.iter().find(|(known, _)| *known == name)?;
    Some(format!("+k8s:{tag}={value}"))
}

/// What a marker or a rule of a struct says about its members: the tag for each, and their names.
pub(super) fn union(marker: &str) -> Option<(&'static str, Vec<&str>)> {
    const ONE: &str = "+k8s:unionMember";
    const SOME: &str = "+k8s:zeroOrOneOfMember";
    let rest = marker.strip_prefix(VALIDATION)?;
    if let Some(names) = rest.strip_prefix("ExactlyOneOf=") {
        return Some((ONE, names.split(';').collect()));
    }
    if let Some(names) = rest.strip_prefix("AtMostOneOf=") {
        return Some((SOME, names.split(';').collect()));
    }
    let rule = rest.strip_prefix("XValidation:rule=")?;
    let quote = rule.chars().next().filter(|first| matches!(first, '"' | '`'))?;
    let rule = rule[1..].split(quote).next()?;
    let (tag, members) = match rule.split_once(" != ") {
        Some((one, two)) if rule.matches("has(").count() == 2 => (ONE, vec![one, two]),
        _ => {
            let (list, size) = rule.strip_prefix('[')?.split_once(']')?;
            let tag = match size.split_whitespace().collect::<String>().as_str() {
                ".filter(x,x==true).size()==1" | ".filter(x,x).size()==1" => ONE,
                ".filter(x,x==true).size()<=1" | ".filter(x,x).size()<=1" => SOME,
                _ => return None,
            };
            (tag, list.split(',').collect())
        }
    };
    let names = members
        .into_iter()
        .map(|text| text.trim().strip_prefix("has(self.")?.strip_suffix(')'));
    Some((tag, names.collect::<Option<Vec<&str>>>()?))
}

/// The front of the marker on a struct for a tag of its members.
pub(super) fn gathered(tag: &str) -> Option<&'static str> {
    let (name, given) = match tag.split_once('(') {
        Some((name, given)) => (name, given.strip_suffix(')')?),
        None => (tag, ""),
    };
    // A name for the value of a discriminator has no marker.
    if given.contains("memberName") {
        return None;
    }
    match name {
        "+k8s:unionMember" => Some("+kubebuilder:validation:ExactlyOneOf="),
        "+k8s:zeroOrOneOfMember" => Some("+kubebuilder:validation:AtMostOneOf="),
        _ => None,
    }
}

/// A Go text as a value in a list of a marker.
pub(super) fn text(literal: &str) -> Option<String> {
    let quoted = literal.strip_prefix('"')?.strip_suffix('"')?;
    let is_word = !quoted.is_empty() && quoted.chars().all(|c| c.is_ascii_alphanumeric());
    let is_plain = is_word && quoted.starts_with(|c: char| c.is_ascii_alphabetic());
    Some(if is_plain { quoted } else { literal }.to_owned())
}

fn as_marker(tag: &str) -> Option<String> {
    if let Some((marker, _)) = WHOLE.iter().find(|(_, known)| *known == tag) {
        return Some((*marker).to_owned());
    }
    if let Some(inner) = tag.strip_prefix(EACH) {
        let inner = as_marker(inner.trim_matches('"'))?;
        return Some(format!("{ITEMS}{}", inner.strip_prefix(VALIDATION)?));
    }
    for list in ["listType=", "listMapKey="] {
        if let Some(value) = tag.strip_prefix("+k8s:").and_then(|rest| rest.strip_prefix(list)) {
            return Some(format!("+{list}{value}"));
        }
    }
    let (name, value) = tag.strip_prefix("+k8s:")?.split_once('=')?;
    if name == "format" {
        let (marker, _) = FORMATS.iter().find(|(_, format)| *format == value)?;
        let (marker, value) = marker.split_once('=')?;
        let quote = if marker == "Pattern" { "`" } else { "" };
        return Some(format!("{VALIDATION}{marker}={quote}{value}{quote}"));
    }
    let (marker, _) = SAME.iter().find(|(_, known)| *known == name)?;
    Some(format!("{VALIDATION}{marker}={value}"))
}

fn value_of<'a>(marker: &'a str, name: &str) -> Option<&'a str> {
    let rest = marker.strip_prefix(name)?;
    rest.strip_prefix(":=")
        .or_else(|| rest.strip_prefix('='))
        .map(str::trim)
}

/// A value of a kubebuilder marker as JSON. Lists and objects have other brackets there, so they stay.
fn default(value: &str) -> Option<String> {
    if value.starts_with(['{', '[']) {
        return None;
    }
    if let Some(raw) = value.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        return Some(kindsmith_json::to_string(kindsmith_json::Value::Str(raw)));
    }
    match Json::parse(value) {
        Ok(json) => Some(json.as_str().to_owned()),
        Err(_) if value.contains(['"', '`']) => None,
        Err(_) => Some(kindsmith_json::to_string(kindsmith_json::Value::Str(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::To;
    use super::replaced;

    #[test]
    fn markers_and_tags_stand_for_each_other() {
        for (marker, tag, back) in [
            ("+kubebuilder:validation:MaxItems=7", "+k8s:maxItems=7", true),
            ("+kubebuilder:validation:Minimum:=0", "+k8s:minimum=0", false),
            (
                "+kubebuilder:validation:items:MaxLength=63",
                "+k8s:eachVal=+k8s:maxLength=63",
                true,
            ),
            ("+listType=map", "+k8s:listType=map", true),
            ("+listMapKey=day", "+k8s:listMapKey=day", true),
            ("+kubebuilder:default=TCP", "+default=\"TCP\"", false),
            ("+kubebuilder:default:=8", "+default=8", false),
            ("+kubebuilder:default=\"a b\"", "+default=\"a b\"", false),
        ] {
            assert_eq!(replaced(marker, To::K8s, false).as_deref(), Some(tag), "{marker}");
            let returned = replaced(tag, To::Kubebuilder, false);
            assert_eq!(returned.as_deref() == Some(marker), back, "{tag}");
        }
        for marker in [
            "+kubebuilder:default={a,b}",
            "+kubebuilder:validation:Enum=a;b",
            "+genclient",
            "+k8s:enum",
        ] {
            assert_eq!(replaced(marker, To::K8s, false), None, "{marker}");
        }
        assert_eq!(
            replaced("+kubebuilder:validation:Enum=a;b", To::K8s, true).as_deref(),
            Some("+k8s:enum")
        );
    }
}
