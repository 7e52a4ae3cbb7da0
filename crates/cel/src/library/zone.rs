//! Time zones by name. The database is compiled in: evaluation reads no files.

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;

use crate::eval::value::Time;

/// Seconds east of UTC in a named zone at a moment.
pub(super) fn offset(name: &str, at: Time) -> Result<i32, String> {
    if matches!(name, "" | "UTC" | "Local") {
        return Ok(0);
    }
    if name.contains("..") || name.starts_with(['/', '\\']) {
        return Err("time: invalid location name".to_owned());
    }
    let unknown = || format!("unknown time zone {name}");
    let zone = TimeZoneDatabase::bundled().get(name).map_err(|_| unknown())?;
    // Go finds zones as files, so names are case-sensitive.
    if zone.iana_name() != Some(name) {
        return Err(unknown());
    }
    let moment = Timestamp::from_second(at.seconds).map_err(|_| unknown())?;
    Ok(zone.to_offset(moment).seconds())
}
