//! Whether the zero value of a field is a valid one, judging by its markers: decides whether a pointer is needed to tell
//! "unset" from "zero".

use kindsmith_schema::{Shape, TypeRef};

use super::{Declared, Form, Marker, Member, Named};

/// What is known about a field's zero value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zero {
    /// Whether the markers accept it.
    pub(crate) valid: bool,
    /// Whether the markers decide: more of them would not change the answer.
    pub(crate) complete: bool,
}

impl Zero {
    const UNKNOWN: Self = Self {
        valid: false,
        complete: false,
    };

    /// By a lower limit, if there is one.
    fn by_minimum(minimum: Option<f64>) -> Self {
        Self {
            valid: minimum.is_none_or(|minimum| minimum <= 0.0),
            complete: minimum.is_some(),
        }
    }
}

/// The zero value of a field. With `omitzero`, structs that are zero are left out.
pub(crate) fn zero<'a>(declared: &Declared<'a>, member: &Member<'a>, omitzero: bool) -> Zero {
    let markers: Vec<&Marker<'a>> = declared.all_markers(member).collect();
    let form = Form::of(declared.schema, member.package, member.pointee());
    let says_string = type_marker(&markers) == Some("string");
    match form {
        Form::Struct if says_string => text(&markers),
        Form::String | Form::Bytes => text(&markers),
        Form::Bool => Zero {
            valid: true,
            complete: true,
        },
        Form::Number => number(&markers),
        Form::List => Zero::by_minimum(limit(&markers, "kubebuilder:validation:MinItems")),
        Form::Map => Zero::by_minimum(limit(&markers, "kubebuilder:validation:MinProperties")),
        Form::Struct => match declared.local_struct(member.package, member.pointee()) {
            Some(named) => structure(declared, named, &markers, omitzero),
            None => Zero::UNKNOWN,
        },
        Form::Foreign => foreign(declared, member, &markers),
        Form::Other => Zero::UNKNOWN,
    }
}

/// The type that a marker publishes instead of the Go type.
pub(crate) fn type_marker<'a>(markers: &[&Marker<'a>]) -> Option<&'a str> {
    let mut found = markers
        .iter()
        .filter(|marker| marker.name == "kubebuilder:validation:Type");
    found.next().map(|marker| marker.plain_value())
}

fn limit(markers: &[&Marker<'_>], name: &str) -> Option<f64> {
    let mut found = markers.iter().filter(|marker| marker.name == name);
    found.next()?.plain_value().parse().ok()
}

fn text(markers: &[&Marker<'_>]) -> Zero {
    let mut enums = markers
        .iter()
        .filter(|marker| marker.name == "kubebuilder:validation:Enum");
    if let Some(values) = enums.next() {
        return Zero {
            valid: values.value.split(';').any(|value| value == "\"\""),
            complete: true,
        };
    }
    Zero::by_minimum(limit(markers, "kubebuilder:validation:MinLength"))
}

fn number(markers: &[&Marker<'_>]) -> Zero {
    let minimum = limit(markers, "kubebuilder:validation:Minimum");
    let maximum = limit(markers, "kubebuilder:validation:Maximum");
    let is_range = minimum
        .zip(maximum)
        .is_some_and(|(minimum, maximum)| minimum <= maximum);
    Zero {
        valid: minimum.is_none_or(|minimum| minimum <= 0.0) && maximum.is_none_or(|maximum| maximum >= 0.0),
        complete: is_range
            || minimum.is_some_and(|minimum| minimum >= 0.0)
            || maximum.is_some_and(|maximum| maximum <= 0.0),
    }
}

fn structure<'a>(
    declared: &Declared<'a>,
    named: &Named<'a>,
    markers: &[&Marker<'a>],
    omitzero: bool,
) -> Zero {
    let mut valid = true;
    let mut shown = 0;
    for member in &named.fields {
        let left_out = is_left_out(declared, member, omitzero);
        let encoded = member.is_required() || !left_out;
        shown += usize::from(encoded);
        valid &= match () {
            () if left_out || member.is_pointer() => !member.is_required(),
            // A struct contains itself only behind a pointer, list or map, so this ends.
            () => zero(declared, member, omitzero).valid,
        };
    }
    let one_of = ["ExactlyOneOf", "AtLeastOneOf"];
    let needs_one = one_of
        .iter()
        .any(|name| named.has(&format!("kubebuilder:validation:{name}")));
    let minimum = limit(markers, "kubebuilder:validation:MinProperties").or(needs_one.then_some(1.0));
    Zero {
        valid: valid && minimum.is_none_or(|minimum| minimum <= shown as f64),
        complete: minimum.is_some() || shown > 0,
    }
}

/// Whether the encoder leaves the zero value out.
fn is_left_out(declared: &Declared<'_>, member: &Member<'_>, omitzero: bool) -> bool {
    let tag = &member.field.json;
    let form = Form::of(declared.schema, member.package, member.pointee());
    tag.omitempty || (form == Form::Struct && omitzero && tag.omitzero)
}

/// A struct of another package: its fields have no markers that count here.
fn foreign(declared: &Declared<'_>, member: &Member<'_>, markers: &[&Marker<'_>]) -> Zero {
    let TypeRef::Named(id) = declared.schema.view().underlying(member.pointee()) else {
        return Zero::UNKNOWN;
    };
    let Shape::Struct(members) = &declared.schema.ty(*id).shape else {
        return Zero::UNKNOWN;
    };
    let shown = members.fields.iter().filter(|field| {
        let tag = &field.json;
        let is_left_out = tag.skip || tag.omitempty || tag.omitzero || tag.inline;
        field.is_exported() && !field.embedded && !is_left_out
    });
    let shown = shown.count();
    let minimum = limit(markers, "kubebuilder:validation:MinProperties");
    Zero {
        valid: minimum.is_none_or(|minimum| minimum <= shown as f64),
        complete: minimum.is_some() || shown > 0,
    }
}
