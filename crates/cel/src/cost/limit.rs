//! The limits on estimated and actual cost, and the messages for costs above them.

use crate::types::decl::MAX_REQUEST_BYTES;

/// The limit for the estimated cost of one rule or message expression.
pub const STATIC_PER_EXPRESSION: u64 = 10_000_000;
/// The limit for the estimated cost of all rules of a schema.
pub const STATIC_PER_SCHEMA: u64 = 100_000_000;
/// The limit for the actual cost of one evaluation.
pub const PER_CALL: u64 = 1_000_000;
/// The limit for the actual cost of all evaluations for one object.
pub const PER_OBJECT: i64 = 10_000_000;
/// The limit for the estimated cost of a device selector (`CELSelectorExpressionMaxCost`).
pub(crate) const SELECTOR: u64 = 1_000_000;

/// How often data of at least `min_size` bytes can occur in a request.
pub fn max_cardinality(min_size: i64) -> u64 {
    (MAX_REQUEST_BYTES / (min_size + 1)) as u64
}

/// The factor by which a cost exceeds a limit, as messages show it: `1.500000x`, `2.3x`, `more than 100x`.
pub(crate) fn exceeding_factor(cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    if factor > 100.0 {
        return "more than 100x".to_owned();
    }
    if factor < 1.5 {
        // With one decimal, a cost slightly above the limit would show as 1.0x.
        return format!("{factor:.6}x");
    }
    format!("{factor:.1}x")
}

/// The message for an estimated cost above a limit; `what` is, for example, `estimated rule cost`.
pub fn over_budget(what: &str, cost: u64, limit: u64) -> String {
    let factor = exceeding_factor(cost, limit);
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}
