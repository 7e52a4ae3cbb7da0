//! Numbers from a seed, so that what fails can be made again.

/// Draws numbers; equal seeds draw equal ones.
#[derive(Debug, Clone)]
pub struct Draw(pub u64);

impl Draw {
    /// A number below another.
    pub fn next(&mut self, below: u64) -> u64 {
        // Numerical Recipes' linear congruential generator; the high bits are good enough.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// A place in a list of this length.
    pub fn index(&mut self, length: usize) -> usize {
        self.next(length as u64) as usize
    }

    /// True once in so many draws, on average.
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.next(one_in) == 0
    }

    /// One of several.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())].clone()
    }

    /// One of several, once in so many draws.
    pub fn maybe<T: Clone>(&mut self, one_in: u64, from: &[T]) -> Option<T> {
        self.chance(one_in).then(|| self.pick(from))
    }
}
