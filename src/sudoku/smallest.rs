//! The smallest solution of any grid, and whether it is the only one.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::givens::Givens;
use super::interrupt::{Interrupt, Interrupted};
use super::oracle::Oracle;
use super::row_major::row_major;
use super::solution::Solution;
use super::witness_walk::WitnessWalk;

/// The smallest solution of a grid that has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Smallest {
    pub(super) solution: Solution,
    pub(super) unique: bool,
}

/// The smallest solution, or `None` if there is no solution.
pub(super) fn smallest(
    givens: &Givens,
    interrupt: &Interrupt,
) -> Result<Option<Smallest>, Interrupted> {
    interrupt.visit()?;
    let mut candidates = Candidates::from(givens);
    match candidates.propagate() {
        Ok(()) => Pursuit::new(givens, candidates, interrupt).run(),
        Err(_) => Ok(None),
    }
}

/// The fewest clues of a puzzle with one solution ("There is no 16-Clue Sudoku", 2012, by exhaustive search:
/// <https://arxiv.org/abs/1201.0749>).
const FEWEST_CLUES: usize = 17;

/// Nodes of a row-major search in the first turn. Where it is not over by then it seldom is soon.
const ROW_MAJOR_NODES: u64 = 16;

/// The same for grids with several solutions, where it seldom has far to go.
const ROW_MAJOR_NODES_IF_AMBIGUOUS: u64 = 64;

/// Nodes of each search for a witness in the first turn. The hardest of all known puzzles take some 300, and a
/// grid that takes more may take millions.
const WITNESS_NODES: u64 = 384;

/// Two engines in pursuit of the smallest solution.
///
/// Row-major search meets the smallest solution first, and often at once; on some grids it would take
/// days. The witness walk asks many questions, but each is answered by a search that branches wherever it
/// likes. Each has grids on which the other is far better, and nothing tells them beforehand: so they take
/// turns, with twice the nodes each time, until one of them ends. What a turn found out is kept.
#[derive(Debug)]
struct Pursuit<'a> {
    interrupt: &'a Interrupt,
    oracle: Oracle,
    candidates: Candidates,
    /// Whether the grid is known to have no solution or several.
    ambiguous: bool,
    /// The smallest solution, known before it is known whether there are others.
    smallest: Option<Solution>,
    /// Under way once there is a witness.
    walk: Option<WitnessWalk>,
    /// Doubled after each turn.
    effort: u64,
}

impl<'a> Pursuit<'a> {
    /// A pursuit before its first turn. The candidates are those of the givens, propagated.
    ///
    /// With too few clues there are several solutions or none. So there are if two digits are in no clue
    /// and can be exchanged. Then no second solution is ever looked for.
    fn new(givens: &Givens, candidates: Candidates, interrupt: &'a Interrupt) -> Self {
        Self {
            interrupt,
            oracle: Oracle::new(),
            candidates,
            ambiguous: givens.clue_count() < FEWEST_CLUES || candidates.mentioned().len() < 8,
            smallest: None,
            walk: None,
            effort: 1,
        }
    }

    fn run(mut self) -> Result<Option<Smallest>, Interrupted> {
        loop {
            for engine in [Self::search_row_major, Self::walk_from_a_witness] {
                match engine(&mut self) {
                    Ok(answer) => return Ok(answer),
                    Err(Stop::OutOfBudget) => {}
                    Err(Stop::Interrupted) => return Err(Interrupted),
                }
            }
            self.effort = self.effort.saturating_mul(2);
        }
    }

    /// Searches row by row from where the walk stands, for a second solution too if that is open.
    fn search_row_major(&mut self) -> Result<Option<Smallest>, Stop> {
        let budget = self.budget(if self.ambiguous {
            ROW_MAJOR_NODES_IF_AMBIGUOUS
        } else {
            ROW_MAJOR_NODES
        });
        let wanted = self.wanted();
        let candidates = self.walk.as_ref().map_or(&self.candidates, WitnessWalk::candidates);
        let mut search = self.oracle.search(row_major, wanted, budget);
        let ended = search.run(candidates);
        let found = search.found;
        self.smallest = self.smallest.or(found.first);
        ended?;
        Ok(found.first.map(|solution| Smallest { solution, unique: found.count < wanted }))
    }

    /// Finds a witness, and a second solution too if that is open, and walks to the smallest.
    fn walk_from_a_witness(&mut self) -> Result<Option<Smallest>, Stop> {
        let unique = |solution| Smallest { solution, unique: true };
        let one_of_several = |solution| Smallest { solution, unique: false };

        let budget = self.budget(WITNESS_NODES);
        let walk = if let Some(walk) = &mut self.walk {
            walk
        } else {
            let wanted = self.wanted();
            let found = self.oracle.ask(&mut self.candidates, wanted, budget)?;
            let Some(witness) = found.first else {
                return Ok(None);
            };
            if found.count < wanted {
                return Ok(Some(unique(witness)));
            }
            self.ambiguous = true;
            if self.smallest.is_some() {
                return Ok(self.smallest.map(one_of_several));
            }
            self.walk.insert(WitnessWalk::new(self.candidates, witness))
        };
        let solution = walk.advance(&mut self.oracle, budget)?;
        Ok(Some(one_of_several(solution)))
    }

    /// So many nodes in the first turn, more in later ones.
    fn budget(&self, nodes: u64) -> Budget<'a> {
        Budget::new(self.interrupt, self.effort.saturating_mul(nodes))
    }

    /// How many solutions tell whether the smallest is the only one.
    const fn wanted(&self) -> u32 {
        if self.ambiguous { 1 } else { 2 }
    }
}
