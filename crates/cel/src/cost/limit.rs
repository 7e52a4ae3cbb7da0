//! The limits on estimated and actual cost, and the texts that say by how much one is exceeded.

use crate::types::decl::MAX_REQUEST_BYTES;

/// The most one rule or message expression may cost by estimate.
pub const STATIC_PER_EXPRESSION: u64 = 10_000_000;
/// The most all rules of a schema may cost by estimate.
pub const STATIC_PER_SCHEMA: u64 = 100_000_000;
/// The most one evaluation may cost.
pub const PER_CALL: u64 = 1_000_000;
/// The most all evaluations for one object may cost.
pub const PER_OBJECT: i64 = 10_000_000;

/// How often data of at least `min_size` bytes can occur in a request.
pub fn max_cardinality(min_size: i64) -> u64 {
    (MAX_REQUEST_BYTES / (min_size + 1)) as u64
}

/// The factor by which a cost exceeds a limit, as messages show it: `1.500000x`, `2.3x`, `more than 100x`.
pub fn exceeding_factor(cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    if factor > 100.0 {
        return "more than 100x".to_owned();
    }
    if factor < 1.5 {
        // One decimal would print a factor of 1.0 for what is over the limit.
        return format!("{factor:.6}x");
    }
    format!("{factor:.1}x")
}

/// The message for something whose estimated cost is over a limit; `what` names it: `estimated rule cost`.
pub fn over_budget(what: &str, cost: u64, limit: u64) -> String {
    let factor = exceeding_factor(cost, limit);
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}
