//! `diff-conversion`: objects are converted between versions in another way.

use kindsmith_openapi::crd::{Definition, Webhook};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-conversion", Tool::Kindsmith, include_str!("conversion.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    let (before, after) = (strategy(old), strategy(new));
    if before != after {
        let change = report.add(
            Class::Meaning,
            "",
            format!("the conversion strategy changes from {before} to {after}"),
        );
        if after == "None" && new.spec.versions.len() > 1 {
            change.stored("only apiVersion is changed between versions: fields that the other version does not have are lost");
        }
        return;
    }
    let reviews = |definition: &Definition| {
        let webhook: Option<&Webhook> = definition.spec.conversion.as_ref()?.webhook.as_ref();
        webhook.map(|webhook| webhook.conversion_review_versions.to_vec())
    };
    if reviews(old) != reviews(new) {
        report.add(Class::Meaning, "", "conversionReviewVersions change");
    }
}

fn strategy(definition: &Definition) -> &str {
    let conversion = definition.spec.conversion.as_ref();
    conversion.map_or("None", |conversion| &conversion.strategy)
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn another_strategy_or_other_reviews() {
        let webhook = |version: &str| {
            format!("conversion: {{strategy: Webhook, webhook: {{conversionReviewVersions: [{version}], clientConfig: {{url: https://a}}}}}}")
        };
        let expected = "meaning : the conversion strategy changes from None to Webhook";
        check(&FINDING, "scope: Cluster", &webhook("v1"), &[expected]);
        check(
            &FINDING,
            &webhook("v1beta1"),
            &webhook("v1"),
            &["meaning : conversionReviewVersions change"],
        );
        check(&FINDING, &webhook("v1"), &webhook("v1"), &[]);
        check(&FINDING, "scope: Cluster", "conversion: {strategy: None}", &[]);
    }
}
