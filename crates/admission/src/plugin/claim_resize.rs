//! `PersistentVolumeClaimResize`: claims grow only if they are bound and their class allows it
//! (plugin/pkg/admission/storage/persistentvolume/resize/admission.go).

use kindsmith_formats::quantity::{Format, Quantity};
use kindsmith_json::Value;

use super::{Refusal, Review};

const CLASS: &str = "volume.beta.kubernetes.io/storage-class";

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, claim: Value<'a>) -> Result<(), Refusal> {
    let Some(old) = review
        .request
        .old
        .filter(|_| review.is_of("", "persistentvolumeclaims", ""))
    else {
        return Ok(());
    };
    if storage(claim) <= storage(old) {
        return Ok(());
    }
    let refuse = |why: &str| Err(Refusal::Forbidden(why.to_owned()));
    if old.text(&["status", "phase"]) != "Bound" {
        return refuse("Only bound persistent volume claims can be expanded");
    }
    let class = class(claim);
    let is_growing = !class.is_empty()
        && class == self::class(old)
        && review
            .find("storage.k8s.io", "storageclasses", "", class)
            .and_then(|class| class.get("allowVolumeExpansion")?.as_bool())
            == Some(true);
    if is_growing {
        Ok(())
    } else {
        refuse(
            "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        )
    }
}

fn storage(claim: Value<'_>) -> Quantity {
    let given = claim.text(&["spec", "resources", "requests", "storage"]);
    Quantity::parse(given).unwrap_or_else(|_| Quantity::from_int(0, Format::DecimalSi))
}

fn class(claim: Value<'_>) -> &str {
    match claim.text(&["metadata", "annotations", CLASS]) {
        "" => claim.text(&["spec", "storageClassName"]),
        class => class,
    }
}
