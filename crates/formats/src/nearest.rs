//! The known name that a misspelt one was meant to be. Knows nothing of what the names stand for.

/// The one of several names nearest to a misspelt one, if any is near.
pub fn nearest_of<N: AsRef<str> + Ord>(name: &str, known: impl IntoIterator<Item = N>) -> Option<N> {
    let limit = match name.len() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut rows = Rows::default();
    let candidates = known.into_iter().filter_map(|known| {
        let distance = rows.distance(name, known.as_ref(), limit)?;
        Some((distance, known))
    });
    // Equally near names are decided by the alphabet, so that output does not vary.
    candidates.min().map(|(_, known)| known)
}

/// How many letters one name has more than another, wherever they are: no distance is less. Letters that share the last five
/// bits of their code count as one, as capitals do with small letters. It takes a tenth of the time of comparing the names.
fn letters_apart(left: &str, right: &str) -> usize {
    let mut counts = [0_i32; 32];
    for letter in left.chars() {
        counts[letter as usize % 32] += 1;
    }
    for letter in right.chars() {
        counts[letter as usize % 32] -= 1;
    }
    let more: i32 = counts.iter().map(|count| (*count).max(0)).sum();
    let fewer: i32 = counts.iter().map(|count| (-*count).max(0)).sum();
    more.max(fewer).unsigned_abs() as usize
}

/// Room for the comparison of one name with many.
#[derive(Default)]
struct Rows {
    left: Vec<char>,
    right: Vec<char>,
    /// Distances of the first characters of `left` to all beginnings of `right`: of one, two and three characters less.
    rows: [Vec<usize>; 3],
}

impl Rows {
    /// The number of characters to insert, delete, replace or swap with their neighbor, if it is at most `limit`. Case
    /// counts half-heartedly: a difference in case alone is a distance of one for the whole name.
    fn distance(&mut self, left: &str, right: &str, limit: usize) -> Option<usize> {
        if left.len().abs_diff(right.len()) > 3 {
            return None;
        }
        if left.eq_ignore_ascii_case(right) {
            return Some(usize::from(left != right));
        }
        if letters_apart(left, right) > limit {
            return None;
        }
        self.left.clear();
        self.left.extend(left.chars());
        self.right.clear();
        self.right.extend(right.chars());
        let (a, b) = (&self.left, &self.right);
        let [current, last, before] = &mut self.rows;
        current.clear();
        current.extend(0..=b.len());
        for i in 0..a.len() {
            std::mem::swap(last, before);
            std::mem::swap(current, last);
            current.clear();
            current.push(i + 1);
            for j in 0..b.len() {
                let mut best = (last[j] + usize::from(a[i] != b[j]))
                    .min(last[j + 1] + 1)
                    .min(current[j] + 1);
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                    best = best.min(before[j - 1] + 1);
                }
                current.push(best);
            }
            // Distances never fall from one row to the next, but a swap reaches back over one.
            let least = |row: &[usize]| row.iter().copied().min();
            if least(current) > Some(limit) && least(last) > Some(limit) {
                return None;
            }
        }
        current.last().copied().filter(|distance| *distance <= limit)
    }
}
