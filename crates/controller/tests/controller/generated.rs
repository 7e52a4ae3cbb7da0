//! The tables of kinds match their CRDs.

use kindsmith_controller::kinds;

#[test]
fn every_field_of_a_table_is_in_the_schema() {
    for known in kinds::ALL {
        let kind = (known.kind)().expect("the tables are right");
        assert_eq!(kind.kind, known.name);
        let spec = kind.schema.property("spec").expect("there is a spec");
        let places = kind.fields.iter().map(|field| field.spec);
        let places = places.chain(kind.rest.references.iter().map(|reference| reference.path));
        for place in places.chain(kind.rest.secrets.iter().copied()) {
            let found = place.iter().try_fold(spec, |schema, name| match *name {
                "[*]" => schema.item(),
                name => schema.property(name),
            });
            assert!(found.is_some(), "{}: {}", known.name, place.join("."));
        }
    }
}
