//! The parts of timestamps and durations: `getFullYear`, `getHours` and the like, in UTC or a zone.

use kindsmith_gostd::strconv;

use crate::eval::context::{Context, Eval};
use crate::eval::time::{self, Civil};
use crate::eval::value::{Time, Value};

use super::{Definition, Op, function, method};

/// A getter with and without zone.
macro_rules! getter {
    ($name:literal, $id:literal, $tz:literal, $part:expr) => {
        function(
            $name,
            &[
                method(
                    $id,
                    "(timestamp) -> int",
                    Op::Eager(|cx, args| part(cx, args, $part)),
                ),
                method(
                    $tz,
                    "(timestamp, string) -> int",
                    Op::Eager(|cx, args| part(cx, args, $part)),
                ),
            ],
        )
    };
    ($name:literal, $id:literal, $tz:literal, $part:expr, $duration:literal, $unit:expr) => {
        function(
            $name,
            &[
                method(
                    $id,
                    "(timestamp) -> int",
                    Op::Eager(|cx, args| part(cx, args, $part)),
                ),
                method(
                    $tz,
                    "(timestamp, string) -> int",
                    Op::Eager(|cx, args| part(cx, args, $part)),
                ),
                method(
                    $duration,
                    "(duration) -> int",
                    Op::Eager(|cx, args| unit(cx, args, $unit)),
                ),
            ],
        )
    };
}

pub(super) const FUNCTIONS: &[Definition] = &[
    getter!(
        "getFullYear",
        "timestamp_to_year",
        "timestamp_to_year_with_tz",
        |at, _| at.year
    ),
    getter!(
        "getMonth",
        "timestamp_to_month",
        "timestamp_to_month_with_tz",
        |at, _| i64::from(at.month) - 1
    ),
    getter!(
        "getDayOfYear",
        "timestamp_to_day_of_year",
        "timestamp_to_day_of_year_with_tz",
        |at, _| at.day_of_year
    ),
    getter!(
        "getDayOfMonth",
        "timestamp_to_day_of_month",
        "timestamp_to_day_of_month_with_tz",
        |at, _| { i64::from(at.day) - 1 }
    ),
    getter!(
        "getDate",
        "timestamp_to_day_of_month_1_based",
        "timestamp_to_day_of_month_1_based_with_tz",
        |at, _| { i64::from(at.day) }
    ),
    getter!(
        "getDayOfWeek",
        "timestamp_to_day_of_week",
        "timestamp_to_day_of_week_with_tz",
        |at, _| at.weekday
    ),
    getter!(
        "getHours",
        "timestamp_to_hours",
        "timestamp_to_hours_with_tz",
        |at, _| at.hour,
        "duration_to_hours",
        3_600_000_000_000
    ),
    getter!(
        "getMinutes",
        "timestamp_to_minutes",
        "timestamp_to_minutes_with_tz",
        |at, _| at.minute,
        "duration_to_minutes",
        60_000_000_000
    ),
    getter!(
        "getSeconds",
        "timestamp_to_seconds",
        "timestamp_to_seconds_tz",
        |at, _| at.second,
        "duration_to_seconds",
        1_000_000_000
    ),
    getter!(
        "getMilliseconds",
        "timestamp_to_milliseconds",
        "timestamp_to_milliseconds_with_tz",
        |_, time| i64::from(time.nanos / 1_000_000),
        "duration_to_milliseconds",
        1_000_000
    ),
];

fn part<'a>(cx: &mut Context<'a>, args: &[Value<'a>], part: fn(Civil, Time) -> i64) -> Eval<'a> {
    let Value::Timestamp(at) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let offset = match args.get(1) {
        None => Ok(0),
        Some(Value::String(zone)) => zone_offset(zone, at),
        Some(_) => return Ok(cx.no_overload()),
    };
    Ok(match offset {
        Ok(offset) => Value::Int(part(time::civil(at, offset), at)),
        Err(error) => cx.error(&error),
    })
}

fn unit<'a>(cx: &mut Context<'a>, args: &[Value<'a>], nanos: i64) -> Eval<'a> {
    let Value::Duration(duration) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Int(duration / nanos))
}

/// Seconds east of UTC in a zone: a name, or hours and minutes with a colon.
fn zone_offset(zone: &str, at: Time) -> Result<i32, String> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        return super::zone::offset(zone, at);
    };
    let hours = strconv::atoi(hours).map_err(|error| error.to_string())?;
    let minutes = strconv::atoi(minutes).map_err(|error| error.to_string())?;
    let offset = if zone.starts_with('-') {
        hours.wrapping_mul(60).wrapping_sub(minutes)
    } else {
        hours.wrapping_mul(60).wrapping_add(minutes)
    };
    Ok((offset.wrapping_mul(60)).clamp(-1 << 30, 1 << 30) as i32)
}
