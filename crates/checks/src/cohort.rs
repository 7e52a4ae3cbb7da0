//! The order in which the calls of one place run.

use kindsmith_schema::Str;

use super::Call;

/// Groups calls into cohorts: the unnamed one first, and short circuits first in each (VG/validation.go,
/// `sortIntoCohorts`). The unnamed cohort exists even if it is empty.
#[must_use]
pub fn cohorts(calls: &[Call]) -> Vec<Vec<&Call>> {
    let mut cohorts: Vec<(Option<&Str>, Vec<&Call>)> = vec![(None, Vec::new())];
    for call in calls {
        let name = call.cohort.as_ref();
        match cohorts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, cohort)) => cohort.push(call),
            None => cohorts.push((name, vec![call])),
        }
    }
    let sorted = cohorts.into_iter().map(|(_, mut cohort)| {
        cohort.sort_by_key(|call| !call.short_circuit);
        cohort
    });
    sorted.collect()
}
