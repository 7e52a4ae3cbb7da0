//! Columns of tables: what `kubectl get` shows.

use kindsmith_json::{Arena, Value};
use kindsmith_scalar::time::{Layout, Time};

/// A column of a table (`metav1.TableColumnDefinition`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// The type of cells: `string`, `integer`, `date`, `boolean`, `number`.
    pub ty: &'static str,
    /// The format: `name` for the first column.
    pub format: &'static str,
    /// What it shows.
    pub description: &'static str,
    /// Above zero if only wide tables show it.
    pub priority: i32,
}

const NAME_DESCRIPTION: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const CREATED_DESCRIPTION: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

impl Column {
    /// The name of the object, always first.
    pub const NAME: Column = Column {
        format: "name",
        ..Column::of("Name", "string", NAME_DESCRIPTION)
    };
    /// How old the object is.
    pub const AGE: Column = Column::of("Age", "string", CREATED_DESCRIPTION);
    /// When the object was created.
    pub const CREATED_AT: Column = Column {
        format: "date",
        ..Column::of("Created At", "date", CREATED_DESCRIPTION)
    };

    /// A column of every table.
    #[must_use]
    pub const fn of(name: &'static str, ty: &'static str, description: &'static str) -> Self {
        Column {
            name,
            ty,
            format: "",
            description,
            priority: 0,
        }
    }

    /// The same column, of wide tables only.
    #[must_use]
    pub const fn wide(self) -> Self {
        Column { priority: 1, ..self }
    }
}

/// What a kind without columns of its own shows (`defaultTableConvertor` in apiserver's pkg/registry/rest/table.go).
pub const DEFAULT: &[Column] = &[Column::NAME, Column::CREATED_AT];

/// The cells of [`DEFAULT`].
#[must_use]
pub fn default_cells<'a>(_: &'a Arena, object: Value<'a>, _: i64) -> Vec<Value<'a>> {
    vec![
        name(object),
        object
            .lookup(&["metadata", "creationTimestamp"])
            .unwrap_or_default(),
    ]
}

/// The name of an object.
#[must_use]
pub fn name(object: Value<'_>) -> Value<'_> {
    object.lookup(&["metadata", "name"]).unwrap_or(Value::Str(""))
}

/// How old an object is.
#[must_use]
pub fn age<'a>(arena: &'a Arena, object: Value<'a>, now: i64) -> Value<'a> {
    let created = object.lookup(&["metadata", "creationTimestamp"]);
    since(arena, created, now)
}

/// How long ago a time is, in words (`translateTimestampSince` in pkg/printers/internalversion/printers.go).
#[must_use]
pub fn since<'a>(arena: &'a Arena, time: Option<Value<'a>>, now: i64) -> Value<'a> {
    let parsed = time
        .and_then(Value::as_str)
        .and_then(|text| Time::parse(Layout::Rfc3339, text).ok());
    match parsed {
        None => Value::Str("<unknown>"),
        Some(time) => Value::Str(arena.alloc_str(&human(now.saturating_sub(time.unix_seconds())))),
    }
}

/// A span of time in at most two units (`HumanDuration` in apimachinery's pkg/util/duration/duration.go).
pub(crate) fn human(seconds: i64) -> String {
    let both = |large: i64, unit: char, small: i64, sub: char| match small {
        0 => format!("{large}{unit}"),
        small => format!("{large}{unit}{small}{sub}"),
    };
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        ..-1 => "<invalid>".into(),
        -1..0 => "0s".into(),
        0..120 => format!("{seconds}s"),
        _ if minutes < 10 => both(minutes, 'm', seconds % 60, 's'),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => both(hours, 'h', minutes % 60, 'm'),
        _ if hours < 48 => format!("{hours}h"),
        _ if hours < 24 * 8 => both(hours / 24, 'd', hours % 24, 'h'),
        _ if hours < 24 * 365 * 2 => format!("{}d", hours / 24),
        _ if hours < 24 * 365 * 8 => both(hours / 24 / 365, 'y', hours / 24 % 365, 'd'),
        _ => format!("{}y", hours / 24 / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::human;

    #[test]
    fn ages_are_short() {
        for (seconds, text) in [
            (-2, "<invalid>"),
            (-1, "0s"),
            (119, "119s"),
            (120, "2m"),
            (125, "2m5s"),
            (600, "10m"),
            (3 * 3600, "3h"),
            (3 * 3600 + 60, "3h1m"),
            (47 * 3600, "47h"),
            (49 * 3600, "2d1h"),
            (8 * 86400, "8d"),
            (730 * 86400, "2y"),
            (740 * 86400, "2y10d"),
            (9 * 365 * 86400, "9y"),
        ] {
            assert_eq!(human(seconds), text, "{seconds}");
        }
    }
}
