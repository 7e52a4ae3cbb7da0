//! Tables of the subresource `scale`.

use kindsmith_json::Value;

use super::{Row, Table, column};

const DESIRED: super::Heading = column::count("Desired", "autoscaling/v1.ScaleSpec.replicas");
const AVAILABLE: super::Heading = column::count("Available", "autoscaling/v1.ScaleStatus.replicas");

impl Table {
    /// The table of the `Scale` of a built-in object (`printScale`).
    pub const SCALE: Table = Table {
        headings: &[
            column::text("Name", "meta/v1.ObjectMeta.name"),
            DESIRED,
            AVAILABLE,
            column::AGE,
        ],
        cells: |row| {
            let [desired, available] = numbers(row).map(|number| number.unwrap_or(Value::Int(0)));
            vec![row.name(), desired, available, row.age()]
        },
    };

    /// The table of the `Scale` of a custom resource (`getScaleColumnsForVersion` in apiextensions-apiserver's
    /// pkg/apiserver/helpers.go): JSON paths find no number that is left out because it is zero.
    pub const CUSTOM_SCALE: Table = Table {
        headings: &[column::NAME, DESIRED, AVAILABLE, column::AGE_AS_DATE],
        cells: |row| {
            let [desired, available] = numbers(row).map(Option::unwrap_or_default);
            vec![row.name(), desired, available, row.age()]
        },
    };
}

fn numbers<'a>(row: &Row<'a>) -> [Option<Value<'a>>; 2] {
    ["spec", "status"].map(|part| row.object.lookup(&[part, "replicas"]))
}
