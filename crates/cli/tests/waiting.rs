//! Waiting for a condition, not for a time: a slow machine only takes longer.

use std::time::{Duration, Instant};

/// Longer than anything takes here, however busy the machine is.
const LONG: Duration = Duration::from_mins(1);

/// Looks until something is so; the text says what.
pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    until_some(what, || is_so().then_some(()));
}

/// Looks until there is a result.
pub(crate) fn until_some<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LONG;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
