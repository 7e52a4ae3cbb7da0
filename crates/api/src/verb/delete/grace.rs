//! The time that pods on a node get to end (`BeforeDelete` in apiserver's pkg/registry/rest/delete.go).

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::ObjectMeta;

use super::DeleteOptions;
use crate::context::Call;

/// What a deletion does to an object that ends by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Grace {
    /// It is ending already, and no later than requested.
    Pending,
    /// It is to end by a moment.
    Set {
        /// As in objects.
        moment: String,
        /// How long it has from the beginning of its deletion.
        seconds: i64,
    },
}

/// `None` for an object that is deleted at once.
pub(super) fn of(
    call: &Call<'_>,
    object: Value<'_>,
    meta: &ObjectMeta<'_>,
    options: &DeleteOptions,
) -> Option<Grace> {
    let resource = &call.served.resource;
    let at_least_one = |seconds: i64| if seconds < 0 { 1 } else { seconds };
    let requested = options.grace_period_seconds.map(at_least_one);
    let period = resource.grace_period_seconds(object, requested)?;
    let now = call.environment.now().seconds;
    let Some(ends) = meta.deletion_timestamp else {
        return Some(Grace::Set {
            moment: moment(now + period),
            seconds: period,
        });
    };
    let given = meta
        .deletion_grace_period_seconds
        .map(at_least_one)
        .filter(|&given| given != 0)?;
    match requested {
        Some(requested) if requested < given => Some(shortened(ends, given, requested, now)),
        _ => Some(Grace::Pending),
    }
}

/// A shorter time counts from when the deletion began. If that is over, an object that is not to be deleted at once still
/// gets a second.
fn shortened(ends: &str, given: i64, requested: i64, now: i64) -> Grace {
    let ends = Time::parse(Layout::Rfc3339, ends).map_or(now, |time| time.unix_seconds());
    let end = ends - given + requested;
    let is_over = end < now;
    Grace::Set {
        moment: moment(end.max(now)),
        seconds: if is_over && requested != 0 { 1 } else { requested },
    }
}

fn moment(seconds: i64) -> String {
    Time::from_unix(seconds, 0).map_or_else(String::new, |time| time.format(Layout::Rfc3339))
}

/// The object with the time of its end.
pub(super) fn mark<'a>(
    arena: &'a Arena,
    object: Value<'a>,
    meta: ObjectMeta<'a>,
    (moment, seconds): (&str, i64),
    finalizers: Vec<&'a str>,
) -> Value<'a> {
    let (mut object, mut meta) = (object, meta);
    if meta.deletion_timestamp.is_none() && meta.generation > 0 {
        meta.generation += 1;
    }
    meta.deletion_timestamp = Some(arena.alloc_str(moment));
    meta.deletion_grace_period_seconds = Some(seconds);
    let finalizers = finalizers.into_iter().map(Value::Str);
    meta.finalizers = arena.alloc_slice_fill_iter(finalizers.collect::<Vec<_>>());
    object.set(arena, &["metadata"], meta.encode_built_in(arena).into());
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_time_counts_from_the_beginning() {
        let set = |moment: &str, seconds: i64| Grace::Set {
            moment: moment.to_owned(),
            seconds,
        };
        // Begun at 0 with 60 seconds.
        for (requested, now, expected) in [
            (30, 10, set("1970-01-01T00:00:30Z", 30)),
            (30, 40, set("1970-01-01T00:00:40Z", 1)),
            (0, 10, set("1970-01-01T00:00:10Z", 0)),
        ] {
            assert_eq!(shortened("1970-01-01T00:01:00Z", 60, requested, now), expected);
        }
    }
}
