//! The three things that can become of a grid.

use super::solution::Solution;

/// What became of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The grid has a solution.
    Solved {
        /// The smallest: of all solutions the one that reads as the smallest number, row by row.
        solution: Solution,
        /// Whether it is the only one.
        unique: bool,
    },
    /// The grid has no solution.
    Unsolvable,
    /// The search was stopped before all of this was known. Says nothing about the grid.
    Interrupted,
}
