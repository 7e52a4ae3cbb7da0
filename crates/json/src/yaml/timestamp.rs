//! Recognizes dates and timestamps of YAML 1.1. Their value is never needed: they stay text.

/// `2001-1-2`, `2001-1-2 3:4:5.6`, `2001-1-2T3:4:5Z`, `2001-1-2t3:4:5.6+07:00`.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let mut rest = text;
    let Some(is_day) = date(&mut rest) else {
        return false;
    };
    if rest.is_empty() || !is_day {
        return is_day;
    }
    let (separator, clock) = rest.split_at_checked(1).unwrap_or(("", ""));
    rest = clock;
    if !matches!(separator, " " | "T" | "t") || time(&mut rest).is_none() {
        return false;
    }
    match separator {
        " " => rest.is_empty(),
        _ => rest == "Z" || offset(rest).is_some(),
    }
}

/// Takes a number of `min` to `max` digits.
fn take(rest: &mut &str, min: usize, max: usize) -> Option<u32> {
    let digits = rest.bytes().take(max).take_while(u8::is_ascii_digit).count();
    if digits < min {
        return None;
    }
    let (number, tail) = rest.split_at(digits);
    *rest = tail;
    number.parse().ok()
}

fn expect(rest: &mut &str, character: char) -> Option<()> {
    *rest = rest.strip_prefix(character)?;
    Some(())
}

fn date(rest: &mut &str) -> Option<bool> {
    let year = take(rest, 4, 4)?;
    expect(rest, '-')?;
    let month = take(rest, 1, 2)?;
    expect(rest, '-')?;
    let day = take(rest, 1, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    Some((1..=days).contains(&day))
}

fn time(rest: &mut &str) -> Option<()> {
    let hour = take(rest, 1, 2)?;
    expect(rest, ':')?;
    let minute = take(rest, 1, 2)?;
    expect(rest, ':')?;
    let second = take(rest, 1, 2)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Go accepts a fraction after a point or a comma, of any length.
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return None;
        }
        *rest = &fraction[digits..];
    }
    Some(())
}

fn offset(rest: &str) -> Option<()> {
    let mut rest = rest.strip_prefix(['+', '-'])?;
    let hours = take(&mut rest, 2, 2)?;
    expect(&mut rest, ':')?;
    let minutes = take(&mut rest, 2, 2)?;
    (hours <= 24 && minutes <= 60 && rest.is_empty()).then_some(())
}
