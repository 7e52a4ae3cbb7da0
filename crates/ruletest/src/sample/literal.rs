//! Constants in CEL rules: values near them often decide.

/// The integers and texts that stand in expressions.
#[derive(Debug, Default, Clone)]
pub(super) struct Literals {
    pub(super) integers: Vec<i64>,
    pub(super) texts: Vec<String>,
}

impl Literals {
    /// Adds the constants of an expression.
    pub(super) fn add(&mut self, expression: &str) {
        let mut rest = expression;
        while let Some(one) = rest.chars().next() {
            let length = match one {
                '\'' | '"' => self.text(rest, one),
                _ if one.is_ascii_digit() => self.integer(rest),
                _ if one.is_alphabetic() || one == '_' => word(rest),
                _ => one.len_utf8(),
            };
            rest = &rest[length.min(rest.len())..];
        }
    }

    fn text(&mut self, rest: &str, quote: char) -> usize {
        let Some(end) = rest[1..].find(quote) else {
            return rest.len();
        };
        let text = &rest[1..=end];
        if !text.contains('\\') && !self.texts.iter().any(|known| known == text) {
            self.texts.push(text.to_owned());
        }
        end + 2
    }

    fn integer(&mut self, rest: &str) -> usize {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if let Ok(number) = rest[..length].parse()
            && !self.integers.contains(&number)
        {
            self.integers.push(number);
        }
        length
    }
}

fn word(rest: &str) -> usize {
    let is_part = |one: &char| one.is_alphanumeric() || *one == '_';
    rest.chars().take_while(is_part).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found() {
        let mut found = Literals::default();
        found.add("self.a1 == 'x' || size(self.b) <= 10 && self.c != \"y\"");
        assert_eq!(found.integers, [10]);
        assert_eq!(found.texts, ["x", "y"]);
    }
}
