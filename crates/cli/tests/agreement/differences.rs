//! Answers that are known to differ, by rule.

use kindsmith_checks::Profile;
use kindsmith_testkit::random_types::RandomType;

/// The back end and profile, a text in the declaration and one in the objects, and why.
const DIFFERENCES: &str = include_str!("differences.txt");

/// The first parts of lines of data, before the reason.
pub(crate) fn entries(text: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split(" # ").next().filter(|part| !part.is_empty()))
}

/// Whether a back end is known to answer a write differently.
pub(crate) fn differs(whose: &str, profile: Profile, ty: &RandomType, objects: [&str; 2]) -> bool {
    let profile = match profile {
        Profile::Upstream => "upstream",
        Profile::Kep => "kep",
    };
    entries(DIFFERENCES).any(|entry| {
        let (of, texts) = entry.split_once(": ").expect("a back end and a text");
        let (declared, written) = texts.split_once(" & ").unwrap_or((texts, ""));
        of == format!("{whose} {profile}")
            && ty.declaration.contains(declared)
            && objects.iter().any(|object| object.contains(written))
    })
}
