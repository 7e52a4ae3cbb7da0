//! The order in which the tags of one comment are processed: by the name of the outermost tag.
//!
//! Upstream sorts with Go's `slices.SortFunc`, which keeps the order of equal names only up to twelve tags.
//! Beyond that the order is that of its quicksort, so we run the same quicksort.

use kindsmith_schema::{Family, Rule, Wrap};

/// The declarative rules of one declaration with their indices, in the order they are taken.
#[must_use]
pub fn in_order(rules: &[Rule]) -> Vec<(u32, &Rule)> {
    let mut groups: Vec<(&'static str, Vec<(u32, &Rule)>)> = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        if rule.family != Family::Declarative {
            continue;
        }
        let (name, numbered) = (tag_name(rule), (index as u32, rule));
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(numbered),
            None => groups.push((name, vec![numbered])),
        }
    }
    let mut tagged: Vec<_> = groups
        .into_iter()
        .flat_map(|(name, group)| group.into_iter().map(move |(index, rule)| (name, index, rule)))
        .collect();
    go_sort(&mut tagged, &|left, right| left.0 < right.0);
    tagged.into_iter().map(|(_, index, rule)| (index, rule)).collect()
}

/// The name of the outermost tag of a rule, without the `k8s:` that all have.
fn tag_name(rule: &Rule) -> &'static str {
    rule.wraps.first().map_or_else(|| rule.facet.name(), Wrap::name)
}

/// Sorts as Go's `slices.SortFunc` does: insertion sort up to twelve elements, pattern-defeating quicksort beyond.
fn go_sort<T: Copy>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    let len = items.len();
    Quicksort { items, less }.range(0, len, usize::BITS - len.leading_zeros());
}

const INSERTION: usize = 12;

struct Quicksort<'i, T, L> {
    items: &'i mut [T],
    less: &'i L,
}

impl<T: Copy, L: Fn(&T, &T) -> bool> Quicksort<'_, T, L> {
    fn less(&self, left: usize, right: usize) -> bool {
        (self.less)(&self.items[left], &self.items[right])
    }

    /// Sorts a range; `budget` is the number of bad pivots to tolerate.
    fn range(&mut self, mut from: usize, mut to: usize, mut budget: u32) {
        let (mut balanced, mut partitioned) = (true, true);
        loop {
            let len = to - from;
            if len <= INSERTION {
                return self.insertion(from, to);
            }
            if budget == 0 {
                // Upstream falls back to a heap sort; no comment has that many unevenly named tags.
                let less = self.less;
                return self.items[from..to].sort_by(|left, right| less(right, left).cmp(&less(left, right)));
            }
            if !balanced {
                self.shuffle(from, to);
                budget -= 1;
            }
            let (mut pivot, swaps) = self.pivot(from, to);
            let mut ascending = swaps == 0;
            if swaps == 12 {
                self.items[from..to].reverse();
                pivot = (to - 1) - (pivot - from);
                ascending = true;
            }
            if balanced && partitioned && ascending && self.nearly_sorted(from, to) {
                return;
            }
            if from > 0 && !self.less(from - 1, pivot) {
                from = self.split_equal(from, to, pivot);
                continue;
            }
            let (middle, was_partitioned) = self.split(from, to, pivot);
            partitioned = was_partitioned;
            let (left, right) = (middle - from, to - middle);
            balanced = left.min(right) >= len / 8;
            if left < right {
                self.range(from, middle, budget);
                from = middle + 1;
            } else {
                self.range(middle + 1, to, budget);
                to = middle;
            }
        }
    }

    fn insertion(&mut self, from: usize, to: usize) {
        for end in from + 1..to {
            let mut at = end;
            while at > from && self.less(at, at - 1) {
                self.items.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// The pivot's index, and the number of swaps it took to find.
    fn pivot(&self, from: usize, to: usize) -> (usize, usize) {
        let quarter = (to - from) / 4;
        let [mut low, mut middle, mut high] = [1, 2, 3].map(|part| from + quarter * part);
        let mut swaps = 0;
        if to - from >= 50 {
            low = self.median([low - 1, low, low + 1], &mut swaps);
            middle = self.median([middle - 1, middle, middle + 1], &mut swaps);
            high = self.median([high - 1, high, high + 1], &mut swaps);
        }
        (self.median([low, middle, high], &mut swaps), swaps)
    }

    fn median(&self, mut at: [usize; 3], swaps: &mut usize) -> usize {
        for (left, right) in [(0, 1), (1, 2), (0, 1)] {
            if self.less(at[right], at[left]) {
                at.swap(left, right);
                *swaps += 1;
            }
        }
        at[1]
    }

    /// Fixes a few neighbors; true when that sorted everything.
    fn nearly_sorted(&mut self, from: usize, to: usize) -> bool {
        let mut at = from + 1;
        for _ in 0..5 {
            while at < to && !self.less(at, at - 1) {
                at += 1;
            }
            if at == to {
                return true;
            }
            if to - from < 50 {
                return false;
            }
            self.items.swap(at, at - 1);
            let mut back = at - 1;
            while at - from >= 2 && back > 0 && self.less(back, back - 1) {
                self.items.swap(back, back - 1);
                back -= 1;
            }
            let mut ahead = at + 1;
            while to - at >= 2 && ahead < to && self.less(ahead, ahead - 1) {
                self.items.swap(ahead, ahead - 1);
                ahead += 1;
            }
        }
        false
    }

    /// Moves smaller elements before the pivot and the others after it; also returns whether they already
    /// were.
    fn split(&mut self, from: usize, to: usize, pivot: usize) -> (usize, bool) {
        self.items.swap(from, pivot);
        let (mut low, mut high) = (from + 1, to - 1);
        let mut untouched = true;
        loop {
            while low <= high && self.less(low, from) {
                low += 1;
            }
            while low <= high && !self.less(high, from) {
                high -= 1;
            }
            if low > high {
                break;
            }
            self.items.swap(low, high);
            untouched = false;
            low += 1;
            high -= 1;
        }
        self.items.swap(high, from);
        (high, untouched)
    }

    /// Moves elements equal to the pivot to the front; returns where the others start.
    fn split_equal(&mut self, from: usize, to: usize, pivot: usize) -> usize {
        self.items.swap(from, pivot);
        let (mut low, mut high) = (from + 1, to - 1);
        loop {
            while low <= high && !self.less(from, low) {
                low += 1;
            }
            while low <= high && self.less(from, high) {
                high -= 1;
            }
            if low > high {
                return low;
            }
            self.items.swap(low, high);
            low += 1;
            high -= 1;
        }
    }

    /// Scatters a few elements by a fixed pseudo-random sequence.
    fn shuffle(&mut self, from: usize, to: usize) {
        let len = to - from;
        let mask = (1_u64 << (usize::BITS - len.leading_zeros())) - 1;
        let middle = from + len / 4 * 2 - 1;
        let mut random = len as u64;
        for step in 0..3 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = (random & mask) as usize;
            if other >= len {
                other -= len;
            }
            self.items.swap(middle - 1 + step, from + other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[(char, u8)], expected: &str) {
        let mut items = input.to_vec();
        go_sort(&mut items, &|left, right| left.0 < right.0);
        let text: Vec<String> = items.iter().map(|(key, order)| format!("{key}{order}")).collect();
        assert_eq!(text.join(" "), expected);
    }

    #[test]
    fn twelve_rules_keep_their_order() {
        let input: Vec<_> = (1..=11).map(|order| ('v', order)).chain([('n', 1)]).collect();
        check(&input, "n1 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11");
    }

    #[test]
    fn sixteen_rules_are_ordered_as_go_sorts_them() {
        let input: Vec<_> = (1..=14)
            .map(|order| ('v', order))
            .chain([('n', 1), ('n', 2)])
            .collect();
        check(&input, "n1 n2 v9 v10 v5 v6 v7 v8 v1 v4 v11 v12 v13 v14 v3 v2");
    }

    #[test]
    fn any_order_is_sorted() {
        for len in 0..120_u32 {
            for seed in 1..6_u32 {
                let mut items: Vec<u32> = (0..len).map(|at| (at * 7919 * seed) % 17).collect();
                go_sort(&mut items, &|left, right| left < right);
                assert!(items.is_sorted(), "{len} {seed}");
            }
        }
    }
}
