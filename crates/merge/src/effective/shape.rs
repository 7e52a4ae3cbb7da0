//! How values of a published schema are split for comparison: member by member, item by item, or not at all. Knows no
//! values.

use kindsmith_schema::{JsonSchema, SchemaOrBool};

/// How the values of a schema node are split.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape<'s> {
    /// Members one by one.
    Object(Members<'s>),
    /// Items identified by their keys.
    ListMap {
        keys: &'s [kindsmith_schema::Str],
        item: Option<&'s JsonSchema>,
    },
    /// Unordered items, kept as a whole.
    Set,
    /// A single value.
    Atomic,
}

/// The members of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Members<'s> {
    schema: Option<&'s JsonSchema>,
    /// Whether the schema says nothing about members without a declaration.
    open: bool,
}

/// The schema of a member.
#[derive(Debug, Clone, Copy)]
pub(super) enum Member<'s> {
    /// Declared, or an entry of a map; `None` if its schema is unknown.
    Known(Option<&'s JsonSchema>),
    /// The schema has no such member.
    Unknown,
}

impl<'s> Shape<'s> {
    /// Without a schema, objects are split and lists are not.
    pub(super) fn of(schema: Option<&'s JsonSchema>) -> Self {
        let Some(node) = schema else {
            return Shape::Object(Members { schema, open: true });
        };
        match &*node.ty {
            "object" => Self::object(node),
            "array" => Self::list(node),
            "" if node.int_or_string => Shape::Atomic,
            "" if node.items.is_some() => Self::list(node),
            "" => Self::object(node),
            _ => Shape::Atomic,
        }
    }

    fn object(node: &'s JsonSchema) -> Self {
        if node.map_type.as_deref() == Some("atomic") {
            return Shape::Atomic;
        }
        let allowed = matches!(
            node.additional_properties.as_deref(),
            Some(SchemaOrBool::Allowed(true))
        );
        Shape::Object(Members {
            schema: Some(node),
            open: allowed || node.preserves_unknown_fields() || node.embedded_resource,
        })
    }

    fn list(node: &'s JsonSchema) -> Self {
        match node.list_type.as_deref() {
            Some("map") if !node.list_map_keys.is_empty() => Shape::ListMap {
                keys: &node.list_map_keys,
                item: node.item(),
            },
            Some("set") => Shape::Set,
            _ => Shape::Atomic,
        }
    }
}

impl<'s> Members<'s> {
    pub(super) fn get(&self, name: &str) -> Member<'s> {
        let Some(schema) = self.schema else {
            return Member::Known(None);
        };
        match (schema.property(name), schema.additional()) {
            (Some(member), _) | (None, Some(member)) => Member::Known(Some(member)),
            (None, None) if self.open => Member::Known(None),
            (None, None) => Member::Unknown,
        }
    }

    pub(super) fn schema(&self) -> Option<&'s JsonSchema> {
        self.schema
    }

    /// The declared members.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        let properties = self
            .schema
            .map(|schema| &schema.properties[..])
            .unwrap_or_default();
        properties.iter().map(|(name, _)| &**name)
    }

    /// Whether members are entries of a map, with arbitrary names. An empty map is then a value.
    pub(super) fn is_map(&self) -> bool {
        self.schema.is_some_and(|schema| {
            schema.properties.is_empty() && (schema.additional().is_some() || self.open)
        })
    }
}

/// The word for a node in messages.
pub(super) fn noun(schema: &JsonSchema) -> &str {
    match &*schema.ty {
        "object" => "an object",
        "array" => "a list",
        "integer" => "an integer",
        "string" => "a string",
        "boolean" => "a boolean",
        "number" => "a number",
        _ => "a scalar",
    }
}
