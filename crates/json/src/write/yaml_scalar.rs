//! How a string is written in YAML, by the rules of go.yaml.in/yaml/v2 (`stringv` in encode.go and
//! `yaml_emitter_select_scalar_style` in emitterc.go).

/// The ways to write a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// Where a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Value,
    /// A key on the line of its value.
    SimpleKey,
}

/// Chooses the style for a string.
pub(super) fn style(text: &str, place: Place) -> Style {
    let traits = Traits::of(text);
    let wanted = if text.contains('\n') {
        Style::Literal
    } else if crate::yaml::is_special(text) || is_base_60(text) {
        Style::DoubleQuoted
    } else {
        Style::Plain
    };
    match wanted {
        _ if place == Place::SimpleKey && traits.breaks => Style::DoubleQuoted,
        Style::Literal if !traits.block_allowed() || place == Place::SimpleKey => Style::DoubleQuoted,
        Style::Plain if traits.plain_allowed() => Style::Plain,
        Style::Plain if traits.single_quoted_allowed() => Style::SingleQuoted,
        Style::Plain => Style::DoubleQuoted,
        style => style,
    }
}

/// Does the text hold a line break of any kind?
pub(super) fn has_breaks(text: &str) -> bool {
    text.contains(is_break)
}

pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What go-yaml takes for printable: no tab, and nothing beyond the basic plane.
pub(super) fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// What stands in the way of a style.
#[derive(Default)]
struct Traits {
    indicators: bool,
    breaks: bool,
    unprintable: bool,
    space_at_start: bool,
    space_at_end: bool,
    break_at_edge: bool,
    space_after_break: bool,
    break_after_space: bool,
}

impl Traits {
    fn of(text: &str) -> Traits {
        let mut traits = Traits {
            indicators: text.starts_with("---") || text.starts_with("..."),
            space_at_start: text.starts_with(' '),
            space_at_end: text.ends_with(' '),
            break_at_edge: text.starts_with(is_break) || text.ends_with(is_break),
            ..Traits::default()
        };
        let mut previous = None;
        let mut rest = text.chars();
        while let Some(character) = rest.next() {
            let before_blank = matches!(rest.clone().next(), None | Some(' ' | '\t'));
            traits.indicators |= is_indicator(character, previous, before_blank);
            traits.unprintable |= !is_printable(character);
            traits.breaks |= is_break(character);
            traits.space_after_break |= character == ' ' && previous.is_some_and(is_break);
            traits.break_after_space |= is_break(character) && previous == Some(' ');
            previous = Some(character);
        }
        traits
    }

    fn plain_allowed(&self) -> bool {
        let edges = self.space_at_start || self.space_at_end || self.break_at_edge;
        !(edges || self.breaks || self.indicators || self.unprintable)
    }

    fn single_quoted_allowed(&self) -> bool {
        !(self.space_after_break || self.break_after_space || self.unprintable)
    }

    fn block_allowed(&self) -> bool {
        !(self.space_at_end || self.break_after_space || self.unprintable)
    }
}

/// Would this character end a plain scalar in block context, or start something else?
fn is_indicator(character: char, previous: Option<char>, before_blank: bool) -> bool {
    match (character, previous) {
        (
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`',
            None,
        ) => true,
        ('?' | '-', None) => before_blank,
        (':', _) => before_blank,
        ('#', Some(previous)) => previous == ' ' || previous == '\t' || is_break(previous),
        _ => false,
    }
}

/// `190:20:30`: a number in base 60 in YAML 1.1, which go-yaml does not read but quotes for others.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or_default();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let minutes = |text: &str| match text.as_bytes() {
        [low] => low.is_ascii_digit(),
        [high, low] => (b'0'..=b'5').contains(high) && low.is_ascii_digit(),
        _ => false,
    };
    first.starts_with(|first: char| first.is_ascii_digit())
        && digits(first)
        && whole.contains(':')
        && parts.all(minutes)
        && digits(fraction)
}
