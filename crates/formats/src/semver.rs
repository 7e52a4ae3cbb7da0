//! Semantic versions as Kubernetes' CEL library reads them (`github.com/blang/semver/v4`).

use std::cmp::Ordering;
use std::fmt;

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv::{self, NumError};

/// A version. Comparisons ignore build metadata.
#[derive(Clone, Debug)]
pub struct Version {
    /// The major version.
    pub major: u64,
    /// The minor version.
    pub minor: u64,
    /// The patch version.
    pub patch: u64,
    prerelease: Vec<Identifier>,
    build: Vec<String>,
}

/// A part of a prerelease; numbers sort before texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Text(String),
}

/// Why a text is not a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError(String);

impl fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseVersionError {}

impl From<NumError> for ParseVersionError {
    fn from(error: NumError) -> Self {
        ParseVersionError(error.to_string())
    }
}

fn fail<T>(message: &str) -> Result<T, ParseVersionError> {
    Err(ParseVersionError(message.to_owned()))
}

impl Version {
    /// Reads a full version such as `1.2.3-rc.1+build` (`semver.Parse`).
    pub fn parse(text: &str) -> Result<Version, ParseVersionError> {
        if text.is_empty() {
            return fail("Version string empty");
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return fail("No Major.Minor.Patch elements found");
        };
        let (major, minor) = (number(major, "major", "Major")?, number(minor, "minor", "Minor")?);
        let (rest, build) = rest
            .split_once('+')
            .map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, prerelease) = rest
            .split_once('-')
            .map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
        let patch = number(patch, "patch", "Patch")?;
        let prerelease = prerelease
            .into_iter()
            .flat_map(|pre| pre.split('.'))
            .map(identifier);
        let prerelease = prerelease.collect::<Result<_, _>>()?;
        let build = build
            .into_iter()
            .flat_map(|build| build.split('.'))
            .map(build_part);
        Ok(Version {
            major,
            minor,
            patch,
            prerelease,
            build: build.collect::<Result<_, _>>()?,
        })
    }

    /// Reads a version in a looser form: a leading `v`, leading zeros and missing parts are allowed (the `normalize`
    /// argument of Kubernetes' CEL functions).
    pub fn parse_normalized(text: &str) -> Result<Version, ParseVersionError> {
        match normalize(text) {
            Some(text) => Version::parse(&text),
            None => fail("short version cannot contain PreRelease/Build meta data"),
        }
    }

    /// Like [`Version::parse_normalized`], after trimming white space (`semver.ParseTolerant`).
    pub fn parse_tolerant(text: &str) -> Result<Version, ParseVersionError> {
        match normalize(text.trim()) {
            Some(text) => Version::parse(&text),
            None => fail("Short version cannot contain PreRelease/Build meta data"),
        }
    }
}

fn normalize(text: &str) -> Option<String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
    if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
        return None;
    }
    while parts.len() < 3 {
        parts.push("0".to_owned());
    }
    Some(parts.join("."))
}

fn without_leading_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let stripped = part.trim_start_matches('0');
    if stripped.starts_with(|c: char| c.is_ascii_digit()) {
        stripped.to_owned()
    } else {
        format!("0{stripped}")
    }
}

fn number(text: &str, name: &str, title: &str) -> Result<u64, ParseVersionError> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return fail(&format!(
            "Invalid character(s) found in {name} number {}",
            quote(text)
        ));
    }
    if has_leading_zeros(text) {
        return fail(&format!(
            "{title} number must not contain leading zeroes {}",
            quote(text)
        ));
    }
    Ok(strconv::parse_uint(text, 10, 64)?)
}

fn identifier(text: &str) -> Result<Identifier, ParseVersionError> {
    if text.is_empty() {
        return fail("Prerelease is empty");
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        if has_leading_zeros(text) {
            let message = "Numeric PreRelease version must not contain leading zeroes";
            return fail(&format!("{message} {}", quote(text)));
        }
        return Ok(Identifier::Number(strconv::parse_uint(text, 10, 64)?));
    }
    if is_alphanumeric(text) {
        return Ok(Identifier::Text(text.to_owned()));
    }
    fail(&format!(
        "Invalid character(s) found in prerelease {}",
        quote(text)
    ))
}

fn build_part(text: &str) -> Result<String, ParseVersionError> {
    if text.is_empty() {
        return fail("Build meta data is empty");
    }
    if is_alphanumeric(text) {
        return Ok(text.to_owned());
    }
    fail(&format!(
        "Invalid character(s) found in build meta data {}",
        quote(text)
    ))
}

fn is_alphanumeric(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn has_leading_zeros(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Version| (version.major, version.minor, version.patch);
        let release = |version: &Version| version.prerelease.is_empty();
        // A release comes after its prereleases.
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| release(self).cmp(&release(other)))
            .then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, identifier) in self.prerelease.iter().enumerate() {
            f.write_str(if index == 0 { "-" } else { "." })?;
            match identifier {
                Identifier::Number(number) => number.fmt(f)?,
                Identifier::Text(text) => f.write_str(text)?,
            }
        }
        for (index, part) in self.build.iter().enumerate() {
            write!(f, "{}{part}", if index == 0 { '+' } else { '.' })?;
        }
        Ok(())
    }
}
