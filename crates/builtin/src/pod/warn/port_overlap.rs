//! Warnings for ports that are defined twice, or that overlap.

use std::collections::HashMap;

use kindsmith_gostd::quote::quote;

use super::{Subject, Warnings};
use crate::field::Field;
use crate::pod::spec::each_container;

/// What makes two definitions of one port different.
#[derive(Clone)]
struct Port {
    place: String,
    address: String,
    number: i64,
}

pub(super) fn warn(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let mut all: HashMap<(i64, String), Vec<Port>> = HashMap::new();
    each_container(&subject.spec, |container| {
        for port in container.child("ports").items() {
            warn_port(&port, &mut all, warnings);
        }
    });
    let mut names: HashMap<String, String> = HashMap::new();
    each_container(&subject.spec, |container| {
        for port in container.child("ports").items() {
            let name = port.child("name").text();
            if name.is_empty() {
                continue;
            }
            if let Some(other) = names.get(name) {
                warnings.push(format!(
                    "{}: duplicate port name {} with {other}, services and probes that select ports by name will use \
                     {other}",
                    port.path,
                    quote(name)
                ));
            } else {
                names.insert(name.to_owned(), port.path.to_string());
            }
        }
    });
}

fn warn_port(port: &Field<'_, '_>, all: &mut HashMap<(i64, String), Vec<Port>>, warnings: &mut Warnings) {
    let text = |key: &str| port.child(key).text().to_owned();
    let (inside, number) = (
        port.child("containerPort").number(),
        port.child("hostPort").number(),
    );
    let new = Port {
        place: port.path.to_string(),
        address: text("hostIP"),
        number,
    };
    if !new.address.is_empty() && number == 0 {
        // As Go prints the struct.
        warnings.push(format!(
            "{}: hostIP set without hostPort: {{Name:{} HostPort:{number} ContainerPort:{inside} Protocol:{} HostIP:{}}}",
            new.place,
            text("name"),
            text("protocol"),
            new.address
        ));
    }
    let others = all.entry((inside, text("protocol"))).or_default();
    for other in others.iter() {
        if let Some(word) = relation(&new, other) {
            warnings.push(format!(
                "{}: {word} port definition with {}",
                new.place, other.place
            ));
        }
    }
    others.push(new);
}

fn relation(new: &Port, other: &Port) -> Option<&'static str> {
    if new.address == other.address && new.number == other.number {
        Some("duplicate")
    } else if new.number == 0 || other.number == 0 {
        Some("overlapping")
    } else if new.number == other.number && new.address.is_empty() != other.address.is_empty() {
        Some("dangerously ambiguous")
    } else {
        None
    }
}
