//! The core: the smallest solution of a Sudoku, and whether it is the only one.
//!
//! ```text
//!              stack 1   stack 2   stack 3
//!             ┌─────────┬─────────┬─────────┐
//!             │ r1c1  · │ ·  ·  · │ ·  · r1c9
//!      band 1 │ ·  ·  · │ ·  ·  · │ ·  ·  · │    A house is a row, a column or a box. Two cells that
//!             │ ·  ·  · │ ·  ·  · │ ·  ·  · │    share a house are peers. Three cells that share a
//!             ├─────────┼─────────┼─────────┤    row and a box are a mini-row.
//!             │ ·  ·  · │ ·  ·  · │ ·  ·  · │
//!      band 2 │ ·  ·  · │  box 5  │ ·  ·  · │    A given, or clue, is a digit that is asked; a
//!             │ ·  ·  · │ ·  ·  · │ ·  ·  · │    candidate one that a cell may still hold; a single
//!             ├─────────┼─────────┼─────────┤    one that it must.
//!             │ ·  ·  · │ ·  ·  · │ ·  ·  · │
//!      band 3 │ ·  ·  · │ ·  ·  · │ ·  ·  · │
//!             │ r9c1  · │ ·  ·  · │ ·  · r9c9
//!             └─────────┴─────────┴─────────┘
//! ```
//!
//! In reading order:
//!
//! - What is asked and answered: `cell`, `digit`, `house`, `givens`, `solution`, `outcome`, `interrupt`.
//! - How people write it down: [`text`].
//! - What a grid still allows: `digit_set`, `candidates`; in `vector`s, of whichever [`InstructionSet`].
//! - What follows at once: `tally`, `singles`, `locked_candidates`, `triples`, `placement`, and all of
//!   them in `propagation`.
//! - What is found by trying: `constraint`, `budget`, `search`, which branches by `branching` or by
//!   `conflict_weights`; and `probing`.
//! - The smallest: `oracle`, `witness_walk`, and `smallest`, which leads all of it.
//!
//! Imports nothing but `std`, and of that no clock, no environment, no input and no output: how long a
//! search may run is for the caller to say, through an [`Interrupt`].

mod branching;
mod budget;
mod candidates;
mod cell;
mod conflict_weights;
mod constraint;
mod digit;
mod digit_set;
mod givens;
mod house;
mod instruction_set;
mod interrupt;
mod locked_candidates;
mod oracle;
mod outcome;
mod placement;
mod probing;
mod propagation;
mod search;
mod singles;
mod smallest;
mod solution;
mod tally;
pub mod text;
mod triples;
mod vector;
mod witness_walk;

pub use cell::Cell;
pub use digit::Digit;
pub use givens::{Conflict, Givens};
pub use house::{House, Ordinal};
pub use instruction_set::{InstructionSet, NotSupported};
pub use interrupt::Interrupt;
pub use outcome::Outcome;
pub use solution::{RepeatedDigit, Solution};

/// Finds the smallest solution of any grid, and whether it is the only one.
///
/// Clues that clash make a grid without a solution like any other. The same grid always takes the same
/// nodes.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::{Givens, Interrupt, Outcome, solve};
///
/// let Outcome::Solved { solution, unique } = solve(&Givens::default(), &Interrupt::new()) else {
///     unreachable!("the empty grid has solutions, and nobody interrupts");
/// };
/// assert_eq!(
///     solution.to_string(),
///     "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
/// );
/// assert!(!unique);
/// ```
#[must_use]
pub fn solve(givens: &Givens, interrupt: &Interrupt) -> Outcome {
    InstructionSet::fastest().solve(givens, interrupt)
}
