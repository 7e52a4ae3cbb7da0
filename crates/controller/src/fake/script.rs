//! Scripted faults.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The service responds with this status and does nothing.
    Status(u16),
    /// The connection breaks before the request is handled.
    Lost,
    /// The request is handled, then the connection breaks.
    Unheard,
    /// The operation that the request starts fails later.
    Operation,
    /// Somebody else changes the resource right after the request.
    OutsideEdit,
    /// The request is handled, and the response comes late; without a connection, never.
    Slow(Duration),
}

/// Faults in the order of requests; `None` for a request without fault.
///
/// As text, one line each: the method of the request or `*` for any, the fault, and how often:
///
/// ```text
/// # The first creation is refused twice, then its response is lost.
/// POST 503 x2
/// POST unheard
/// GET slow=250ms
/// * ok
/// PATCH outside-edit
/// PATCH operation-fails
/// DELETE lost
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    steps: VecDeque<Step>,
}

/// The method of a request.
type Method = &'static str;

/// A fault, and the method of the request that gets it; `None` for any method.
type Step = (Option<Method>, Option<Fault>);

const METHODS: [Method; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

impl Script {
    /// Adds a fault for the next request.
    pub fn push(&mut self, fault: Option<Fault>) {
        self.steps.push_back((None, fault));
    }

    /// Adds a fault for the next request with this method; requests before it succeed.
    pub fn push_for(&mut self, method: &'static str, fault: Fault) {
        self.steps.push_back((Some(method), Some(fault)));
    }

    /// How many faults are left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn next(&mut self, method: &str) -> Option<Fault> {
        match self.steps.front() {
            Some((Some(wanted), _)) if *wanted != method => None,
            _ => self.steps.pop_front().and_then(|(_, fault)| fault),
        }
    }
}

/// Why a script cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError(String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScriptError {}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        let mut script = Script::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |text: String| ScriptError(format!("line {}: {text}", index + 1));
            let (step, times) = step(line).map_err(wrong)?;
            script.steps.extend(std::iter::repeat_n(step, times));
        }
        Ok(script)
    }
}

/// A line of a script, and how often it applies.
fn step(line: &str) -> Result<(Step, usize), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (method, fault, times) = match words[..] {
        [method, fault] => (method, fault, "x1"),
        [method, fault, times] => (method, fault, times),
        _ => return Err("write METHOD FAULT, perhaps with xTIMES".to_owned()),
    };
    let times = times.strip_prefix('x').and_then(|times| times.parse().ok());
    let times = times
        .filter(|times| (1..=1000).contains(times))
        .ok_or("the number of times is x1 to x1000")?;
    let method = match METHODS.iter().find(|known| **known == method) {
        Some(known) => Some(*known),
        None if method == "*" => None,
        None => {
            return Err(format!(
                "no method `{method}`; available: *, {}",
                METHODS.join(", ")
            ));
        }
    };
    Ok(((method, self::fault(fault)?), times))
}

fn fault(text: &str) -> Result<Option<Fault>, String> {
    let late = text
        .strip_prefix("slow=")
        .and_then(|text| text.strip_suffix("ms"))
        .and_then(|text| text.parse().ok());
    let status = text.parse().ok().filter(|status| (400..600).contains(status));
    Ok(Some(match text {
        "ok" => return Ok(None),
        "lost" => Fault::Lost,
        "unheard" => Fault::Unheard,
        "operation-fails" => Fault::Operation,
        "outside-edit" => Fault::OutsideEdit,
        _ => match (late, status) {
            (Some(late), _) => Fault::Slow(Duration::from_millis(late)),
            (_, Some(status)) => Fault::Status(status),
            _ => {
                return Err(format!(
                    "no fault `{text}`; available: ok, 400 to 599, lost, unheard, operation-fails, outside-edit, slow=Nms"
                ));
            }
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_line_by_line() {
        let mut script: Script = "# comment\nPOST 503 x2\n\n* ok\nGET slow=25ms # late\n* lost\n"
            .parse()
            .expect("it is right");
        assert_eq!(script.next("GET"), None, "waits for a POST");
        assert_eq!(script.next("POST"), Some(Fault::Status(503)));
        assert_eq!(script.next("POST"), Some(Fault::Status(503)));
        assert_eq!(script.next("POST"), None);
        assert_eq!(script.next("GET"), Some(Fault::Slow(Duration::from_millis(25))));
        assert_eq!(script.next("PATCH"), Some(Fault::Lost));
        assert!(script.is_empty());
    }

    #[test]
    fn a_wrong_line_is_named() {
        let check = |text: &str, expected: &str| {
            let error = text.parse::<Script>().expect_err("it is wrong").to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check("GET ok\nPOST", "line 2: write METHOD FAULT");
        check("FETCH 500", "line 1: no method `FETCH`; available: *, GET");
        check("GET 200", "line 1: no fault `200`; available: ok, 400 to 599");
        check("GET 500 x0", "line 1: the number of times");
    }
}
