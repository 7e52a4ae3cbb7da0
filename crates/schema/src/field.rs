//! Fields of structs.

use crate::{Docs, Json, Rule, Str, TypeRef};

/// A field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Go name; for an embedded field the name of its type.
    pub name: Str,
    /// Whether the field is embedded.
    pub embedded: bool,
    /// The `json` struct tag.
    pub json: JsonTag,
    /// The declared type, pointer included.
    pub ty: TypeRef,
    /// Whether the type is a type parameter; Kubernetes' generators do not resolve those.
    pub type_parameter: bool,
    /// The declaration's comment.
    pub docs: Docs,
    /// The default set on the field.
    pub default: Option<Default>,
    /// The default for CRDs only (`+kubebuilder:default`). In CRDs it overrides `default`; elsewhere it has
    /// no effect.
    pub crd_default: Option<Json>,
    /// The field's default as controller-gen reads it. Tools differ in the spellings they accept.
    pub published_default: Option<Json>,
    /// Rules of the field, in the order in which Kubernetes' generators process them: by the name of the
    /// outermost tag, and in source order for equal names.
    pub rules: Vec<Rule>,
    /// Rules that controller-gen reads from other tools' tags. It decides on its own which comments count and
    /// which values are valid, so these may differ from the `rules` of the same families.
    pub published: Vec<Rule>,
    /// The `patchStrategy` and `patchMergeKey` struct tags.
    pub patch: PatchTag,
    /// The `protobuf` struct tag as written.
    pub protobuf: Option<Str>,
    /// Recognized markers without a meaning in the schema: name and value text.
    pub markers: Vec<(Str, Str)>,
}

/// A `json` struct tag as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JsonTag {
    /// Whether the field has such a tag at all.
    pub present: bool,
    /// The text before the first comma.
    pub name: Str,
    /// Whether the tag is exactly `-`: the field is not encoded.
    pub skip: bool,
    /// `omitempty`.
    pub omitempty: bool,
    /// `omitzero`.
    pub omitzero: bool,
    /// `inline`.
    pub inline: bool,
    /// `string`: the value is encoded as a string.
    pub string: bool,
    /// Whether `string` is the first option; some generators check only that one.
    pub string_first: bool,
    /// Whether an option is `omitempty` in other letters, such as `omitEmpty`, which has no effect.
    pub misspelled_omitempty: bool,
}

/// The struct tags of strategic merge patch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatchTag {
    /// `patchStrategy`.
    pub strategy: Option<Str>,
    /// `patchMergeKey`.
    pub merge_key: Option<Str>,
}

/// A default value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Default {
    /// Written out as JSON.
    Value(Json),
    /// A reference to a constant, with its value if the constant was found.
    Ref {
        /// Import path of the constant's package.
        package: Str,
        /// The constant's name.
        name: Str,
        /// The constant's value.
        value: Option<Json>,
    },
}

impl Field {
    /// A field without docs, default or rules.
    pub fn new(name: impl Into<Str>, json: JsonTag, ty: TypeRef) -> Self {
        Self {
            name: name.into(),
            embedded: false,
            json,
            ty,
            type_parameter: false,
            docs: Docs::default(),
            default: None,
            crd_default: None,
            published_default: None,
            rules: Vec::new(),
            published: Vec::new(),
            patch: PatchTag::default(),
            protobuf: None,
            markers: Vec::new(),
        }
    }

    /// Whether openapi-gen publishes the members of the embedded struct instead of the field (kube-openapi
    /// `shouldInlineMembers`).
    #[must_use]
    pub fn is_openapi_inline(&self) -> bool {
        self.embedded && self.json.present && self.json.name.is_empty()
    }

    /// Whether a tag hides the field from openapi-gen.
    #[must_use]
    pub fn is_openapi_hidden(&self) -> bool {
        let mut lines = self.docs.text.as_deref().into_iter().flat_map(str::lines);
        lines.any(|line| line.trim_matches(' ') == "+k8s:openapi-gen=false")
    }

    /// The property that openapi-gen publishes for the field, if any (kube-openapi `getReferableName`).
    #[must_use]
    pub fn openapi_name(&self) -> Option<&str> {
        let tag = &self.json;
        let has_option = tag.omitempty || tag.omitzero || tag.inline || tag.string;
        match &*tag.name {
            "-" => None,
            "" if self.is_openapi_inline() => None,
            // Without any option the tag counts as absent.
            "" if tag.present && has_option => None,
            "" => Some(&self.name),
            name => Some(name),
        }
    }

    /// The member's name in JSON; `None` when it is left out (`-`) or merged into its parent.
    ///
    /// This is the rule of Kubernetes' generators (gengo `parser/tags/json.go`).
    #[must_use]
    pub fn json_name(&self) -> Option<&str> {
        if self.json.skip || self.is_inline() {
            return None;
        }
        if self.json.name.is_empty() {
            Some(&self.name)
        } else {
            Some(&self.json.name)
        }
    }

    /// Whether the members of the field's struct appear among its parent's.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        self.embedded && !self.json.skip && self.json.name.is_empty()
    }

    /// Whether other packages can use the field.
    #[must_use]
    pub fn is_exported(&self) -> bool {
        self.name.chars().next().is_some_and(char::is_uppercase)
    }

    /// The name in upstream's messages: the JSON name, otherwise the Go name.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.json_name().unwrap_or(&self.name)
    }
}

impl JsonTag {
    /// Whether Go's encoder takes the name: not those with quotes, backslashes, commas and the like (encoding/json,
    /// `isValidTag`).
    #[must_use]
    pub fn names_field(&self) -> bool {
        const PUNCTUATION: &str = "!#$%&()*+-./:;<=>?@[]^_{|}~ ";
        let is_allowed = |c: char| c.is_alphanumeric() || PUNCTUATION.contains(c);
        !self.name.is_empty() && self.name.chars().all(is_allowed)
    }

    /// Reads the value of a `json` struct tag.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let mut tag = Self {
            present: true,
            name: name.into(),
            skip: text == "-",
            ..Self::default()
        };
        tag.string_first = parts.clone().next() == Some("string");
        for option in parts {
            match option {
                "omitempty" => tag.omitempty = true,
                "omitzero" => tag.omitzero = true,
                "inline" => tag.inline = true,
                "string" => tag.string = true,
                other => tag.misspelled_omitempty |= other.eq_ignore_ascii_case("omitempty"),
            }
        }
        tag
    }
}

impl Default {
    /// The value, if known.
    #[must_use]
    pub fn value(&self) -> Option<&Json> {
        match self {
            Self::Value(value) => Some(value),
            Self::Ref { value, .. } => value.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tag: &str, embedded: bool, name: Option<&str>, inline: bool) {
        let mut field = Field::new("Field", JsonTag::parse(tag), TypeRef::Interface);
        field.embedded = embedded;
        assert_eq!((field.json_name(), field.is_inline()), (name, inline), "{tag}");
    }

    #[test]
    fn names_follow_the_tag() {
        check("a,omitempty", false, Some("a"), false);
        check("", false, Some("Field"), false);
        check(",inline", false, Some("Field"), false);
        check("-", false, None, false);
        check("-,", false, Some("-"), false);
    }

    #[test]
    fn embedded_fields_are_inline_without_a_name() {
        check("", true, None, true);
        check(",inline", true, None, true);
        check("metadata", true, Some("metadata"), false);
        check("-", true, None, false);
    }

    #[test]
    fn options_are_read() {
        let tag = JsonTag::parse("a,omitempty,omitzero,string");
        assert!(tag.omitempty && tag.omitzero && tag.string && !tag.inline);
    }
}
