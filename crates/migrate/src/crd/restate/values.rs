//! What a schema says about the values of members, as an expression: enums, patterns and formats of texts.

use kindsmith_json::Arena;
use kindsmith_schema::{JsonSchema, Shared};
use serde_json::Value as Json;

use super::{any_of, is_plain};

/// The expression for a schema that only says what members hold that are set.
pub(super) fn expression(object: &JsonSchema, said: &JsonSchema) -> Option<String> {
    let alone = JsonSchema {
        properties: said.properties.clone(),
        ..JsonSchema::default()
    };
    if *said != alone || said.properties.is_empty() {
        return None;
    }
    let parts = said.properties.iter().map(|(name, said)| {
        let mut members = object.properties.iter();
        let (_, member) = members.find(|(own, _)| own == name)?;
        if &*member.ty != "string" || member.nullable || !is_plain(name) {
            return None;
        }
        let value = format!("self.{name}");
        let holds = of_text(&value, member, said)?;
        Some(format!("(!has({value}) || {holds})"))
    });
    Some(parts.collect::<Option<Vec<String>>>()?.join(" && "))
}

/// The expression for a schema of a text.
fn of_text(value: &str, member: &JsonSchema, said: &JsonSchema) -> Option<String> {
    let join = |all: &[JsonSchema], between: &str| {
        let parts = all.iter().map(|one| of_text(value, member, one));
        let parts = parts.collect::<Option<Vec<String>>>()?;
        Some(format!("({})", parts.join(between)))
    };
    let (text, alone) = if let Some(not) = &said.not {
        let alone = JsonSchema {
            not: Some(Shared::new((**not).clone())),
            ..JsonSchema::default()
        };
        (format!("!({})", of_text(value, member, not)?), alone)
    } else if !said.any_of.is_empty() {
        (join(&said.any_of, " || ")?, any_of(said.any_of.to_vec()))
    } else if !said.all_of.is_empty() {
        let alone = JsonSchema {
            all_of: said.all_of.clone(),
            ..JsonSchema::default()
        };
        (join(&said.all_of, " && ")?, alone)
    } else if !said.enum_values.is_empty() {
        let alone = JsonSchema {
            enum_values: said.enum_values.clone(),
            ..JsonSchema::default()
        };
        let arena = Arena::new();
        let values = said.enum_values.iter().map(|one| {
            let text = one.value(&arena).as_str()?;
            Some(Json::from(text).to_string())
        });
        let values = values.collect::<Option<Vec<String>>>()?;
        (format!("{value} in [{}]", values.join(", ")), alone)
    } else {
        // What a regular expression costs depends on the longest text.
        member.max_length?;
        let (pattern, alone) = pattern(said)?;
        (format!("{value}.matches({})", Json::from(pattern)), alone)
    };
    (*said == alone).then_some(text)
}

/// The regular expression that says the same as a pattern or format, and a schema with nothing else.
fn pattern(said: &JsonSchema) -> Option<(String, JsonSchema)> {
    let alone = JsonSchema {
        format: said.format.clone(),
        pattern: said.pattern.clone(),
        ..JsonSchema::default()
    };
    let text = match (&*said.format, &*said.pattern) {
        ("", "") => return None,
        ("", pattern) => pattern.to_owned(),
        ("ipv4", "") => ipv4(),
        ("ipv6", "") => ipv6(),
        _ => return None,
    };
    Some((text, alone))
}

/// A part of an IPv4 address.
const BYTE: &str = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

/// The format `ipv4`: an address with a dot; leading zeros are allowed, and an IPv6 address that ends with one.
fn ipv4() -> String {
    let address = format!("0*{BYTE}(\\.0*{BYTE}){{3}}");
    format!("^({address}|{})$", ending_with("0*[0-9a-fA-F]{1,4}", &address))
}

/// The format `ipv6`: an address with a colon, without zone and leading zeros.
fn ipv6() -> String {
    const GROUP: &str = "[0-9a-fA-F]{1,4}";
    let mut forms = vec![format!("({GROUP}:){{7}}{GROUP}"), format!("({GROUP}:){{1,7}}:")];
    // What is left out is at least one group, so seven are left on both sides of it.
    forms.extend((1..=6).map(|left| {
        let right = 7 - left;
        format!("({GROUP}:){{1,{left}}}(:{GROUP}){{1,{right}}}")
    }));
    forms.push(format!(":((:{GROUP}){{1,7}}|:)"));
    let address = format!("{BYTE}(\\.{BYTE}){{3}}");
    format!("^({}|{})$", forms.join("|"), ending_with(GROUP, &address))
}

/// IPv6 addresses whose last two groups are written as an IPv4 address.
fn ending_with(group: &str, address: &str) -> String {
    let mut heads = vec![format!("({group}:){{6}}"), format!("({group}:){{1,5}}:")];
    heads.extend((1..=4).map(|left| {
        let right = 5 - left;
        format!("({group}:){{1,{left}}}(:{group}){{1,{right}}}:")
    }));
    heads.push(format!(":((:{group}){{1,5}}:|:)"));
    format!("({}){address}", heads.join("|"))
}

#[cfg(test)]
mod tests {
    use kindsmith_gostd::ip::{self, Addr};
    use kindsmith_gostd::regexp::Regexp;

    use super::{ipv4, ipv6};

    /// Addresses of all lengths with and without a gap, and what is nearly one.
    fn addresses() -> Vec<String> {
        let ends = [
            "",
            "1.2.3.4",
            "01.002.0.0255",
            "256.1.1.1",
            "1.2.3",
            "1.2.3.4.5",
            "1.2.3.4%eth0",
        ];
        let mut made: Vec<String> = ends.iter().map(|end| (*end).to_owned()).collect();
        for group in ["0", "ffff", "Ab1", "00000", "12345", "g", ""] {
            for left in 0..9 {
                let start = vec![group; left].join(":");
                for end in ends {
                    made.push([&*start, end].join(":"));
                    for right in 0..9 {
                        let rest = vec!["1"; right].join(":");
                        let between = if right == 0 || end.is_empty() { "" } else { ":" };
                        made.push(format!("{start}::{rest}{between}{end}"));
                    }
                }
                made.push(start);
            }
        }
        made.extend(["1::2::3", ":1", "1:", "::%1", ":::", "1:::2"].map(str::to_owned));
        made
    }

    #[test]
    fn expressions_accept_the_addresses_of_formats() {
        let (v4, v6) = (ipv4(), ipv6());
        let (v4, v6) = (Regexp::new(&v4).expect("one"), Regexp::new(&v6).expect("one"));
        for text in addresses() {
            let is_v4 = text.contains('.') && ip::parse_sloppy(&text).is_some();
            let is_v6 = text.contains(':') && Addr::parse(&text).is_ok_and(|addr| addr.zone().is_empty());
            assert_eq!((v4.is_match(&text), v6.is_match(&text)), (is_v4, is_v6), "{text}");
        }
    }
}
