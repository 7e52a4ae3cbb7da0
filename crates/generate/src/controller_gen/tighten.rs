//! Bounds that apply together: the narrower wins.

use kindsmith_schema::JsonSchema;

/// Moves the bounds that both schemas have into one.
pub(super) fn tighten(into: &mut JsonSchema, from: &mut JsonSchema) {
    fn narrower<T: PartialOrd + Copy>(
        into: &mut Option<T>,
        from: &mut Option<T>,
        is_narrower: fn(&T, &T) -> bool,
    ) {
        if let (Some(known), Some(other)) = (*into, *from) {
            *into = Some(if is_narrower(&other, &known) { other } else { known });
            *from = None;
        }
    }
    narrower(&mut into.max_length, &mut from.max_length, i64::lt);
    narrower(&mut into.min_length, &mut from.min_length, i64::gt);
    narrower(&mut into.max_items, &mut from.max_items, i64::lt);
    narrower(&mut into.min_items, &mut from.min_items, i64::gt);
    narrower(&mut into.max_properties, &mut from.max_properties, i64::lt);
    narrower(&mut into.min_properties, &mut from.min_properties, i64::gt);
    bound(
        (&mut into.maximum, &mut into.exclusive_maximum),
        (&mut from.maximum, &mut from.exclusive_maximum),
        f64::lt,
    );
    bound(
        (&mut into.minimum, &mut into.exclusive_minimum),
        (&mut from.minimum, &mut from.exclusive_minimum),
        f64::gt,
    );
}

/// A bound and whether it is exclusive.
type BoundMut<'b> = (&'b mut Option<f64>, &'b mut bool);

/// Of two equal bounds the exclusive one is narrower.
fn bound(
    (into, is_exclusive): BoundMut<'_>,
    (from, from_exclusive): BoundMut<'_>,
    is_narrower: fn(&f64, &f64) -> bool,
) {
    let (Some(known), Some(other)) = (*into, *from) else {
        return;
    };
    let is_equal = !is_narrower(&known, &other) && !is_narrower(&other, &known);
    if is_narrower(&other, &known) || is_equal && *from_exclusive {
        (*into, *is_exclusive) = (Some(other), *from_exclusive);
    }
    (*from, *from_exclusive) = (None, false);
}
