//! Leases (`ValidateLeaseSpec` in pkg/apis/coordination/validation/validation.go). Fields of coordinated leader
//! election are dropped, since its feature gate is off.

use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, FieldError};

use crate::field_check::invalid;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct Lease;

impl Strategy for Lease {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn checks_finalizers(&self) -> bool {
        false
    }

    fn allows_unconditional_update(&self) -> bool {
        false
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        for path in [&["spec", "strategy"], &["spec", "preferredHolder"]] {
            if preparation.old.is_none_or(|old| old.get(path).is_none()) {
                decoded.unset(preparation.arena, path);
            }
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        let spec = Path::root("spec");
        for (field, least, detail) in [
            ("leaseDurationSeconds", 1, "must be greater than 0"),
            ("leaseTransitions", 0, "must be greater than or equal to 0"),
        ] {
            let number = change.get(&["spec", field]).and_then(Value::as_i64);
            if let Some(number) = number.filter(|&number| number < least) {
                errors.push(invalid(
                    &spec.child(field),
                    BadValue::Integer(number.into()),
                    detail,
                ));
            }
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Holder", "coordination/v1.LeaseSpec.holderIdentity"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("spec.holderIdentity")), row.age()]
}
