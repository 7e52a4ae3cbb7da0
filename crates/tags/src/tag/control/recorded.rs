//! Tags without a meaning in the schema: name and value are stored as written.

use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, field_of, nothing};

/// Stores the tag among the markers of its declaration.
pub(super) fn record<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let marker: (Str, Str) = (link.name.as_str().into(), link.text().into());
    let owner = at.owner;
    cx.edit(move |builder| match owner {
        Owner::Package(index) => builder.package_mut(index).options.markers.push(marker),
        Owner::Type(id) => builder.ty_mut(id).options.markers.push(marker),
        Owner::Field(_) => {
            if let Some(field) = field_of(builder, owner) {
                field.markers.push(marker);
            }
        }
        Owner::Constant(..) => {}
    });
    nothing()
}
