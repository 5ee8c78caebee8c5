//! The smallest solution of any grid, and whether it is the only one.

use super::budget::{Budget, Stop};
use super::candidates::Candidates;
use super::givens::Givens;
use super::interrupt::Interrupt;
use super::oracle::Oracle;
use super::outcome::Outcome;
use super::propagation::Progress;
use super::search::Branching;
use super::vector::Vector;
use super::witness_walk::WitnessWalk;

/// Finds the smallest solution with the instruction set of these vectors.
pub(super) fn solve<V: Vector>(givens: &Givens, interrupt: &Interrupt) -> Outcome {
    if interrupt.visit().is_err() {
        return Outcome::Interrupted;
    }
    match Candidates::<V>::of(givens) {
        (_, Progress::Contradiction) => Outcome::Unsolvable,
        (solved, Progress::Solved) => Outcome::Solved { solution: solved.solution(), unique: true },
        (open, Progress::Open) => Pursuit::new(givens, open, interrupt).run(),
    }
}

/// The fewest clues of a puzzle with one solution ("There is no 16-Clue Sudoku", 2012, by exhaustive search:
/// <https://arxiv.org/abs/1201.0749>).
const FEWEST_CLUES: usize = 17;

/// Nodes of a row-major search in the first turn. Where it is not over by then it seldom is soon.
const ROW_MAJOR_NODES: u64 = 64;

/// With so many clues a grid that does not follow from them at once mostly has a few solutions, which row-major
/// search tells and orders in one go. (Half the time on grids of 34 and 35 clues with several solutions.)
const MANY_CLUES: usize = 30;

/// Nodes of each search for solutions, whichever they are, in the first turn. The hardest of all known puzzles
/// take 270 on average and seldom a thousand; a grid that takes more may take millions.
const ORACLE_NODES: u64 = 1024;

/// Three engines in pursuit of the smallest solution.
///
/// The *oracle* tells whether there is a second solution, and mostly that is the end of it: puzzles made for
/// people have just one. Otherwise *row-major search* meets the smallest solution first, and often at once;
/// on some grids it would take days. The *witness walk* asks many questions, but each is answered by a search that branches
/// wherever it likes. The last two both have grids on which the other is far better, and nothing tells them
/// beforehand: so they take turns, with twice the nodes each time, until one of them ends. What a turn
/// found out is kept.
#[derive(Debug)]
struct Pursuit<'a, V> {
    interrupt: &'a Interrupt,
    oracle: Oracle,
    candidates: Candidates<V>,
    /// Whether the grid is known to have no solution or several.
    ambiguous: bool,
    /// The smallest solution, known before it is known whether there are others.
    smallest: Option<Candidates<V>>,
    /// Under way once there is a witness.
    walk: Option<WitnessWalk<V>>,
    /// Doubled after each turn.
    effort: u64,
    /// Whether the grid has so many clues that row-major search is tried first.
    many_clues: bool,
}

/// Finds the outcome, or nothing, with the effort of this turn.
type Engine<'a, V> = fn(&mut Pursuit<'a, V>) -> Result<Option<Outcome>, Stop>;

impl<'a, V: Vector> Pursuit<'a, V> {
    /// A pursuit before its first turn. The candidates are those of the givens, propagated.
    ///
    /// With too few clues there are several solutions or none. So there are if two digits are in no clue
    /// and can be exchanged. Then no second solution is ever looked for.
    fn new(givens: &Givens, candidates: Candidates<V>, interrupt: &'a Interrupt) -> Self {
        Self {
            interrupt,
            oracle: Oracle::new(),
            candidates,
            ambiguous: givens.clue_count() < FEWEST_CLUES || candidates.mentioned().len() < 8,
            smallest: None,
            walk: None,
            effort: 1,
            many_clues: givens.clue_count() >= MANY_CLUES,
        }
    }

    fn run(mut self) -> Outcome {
        let mut engines: [Engine<'a, V>; 3] =
            [Self::count_solutions, Self::search_row_major, Self::walk_from_a_witness];
        if self.many_clues {
            engines.swap(0, 1);
        }
        loop {
            for engine in engines {
                match engine(&mut self) {
                    Ok(Some(outcome)) => return outcome,
                    Ok(None) | Err(Stop::OutOfBudget) => {}
                    Err(Stop::Interrupted) => return Outcome::Interrupted,
                }
            }
            self.effort = self.effort.saturating_mul(2);
        }
    }

    /// Looks for two solutions, whichever they are, if it is open whether there are two.
    fn count_solutions(&mut self) -> Result<Option<Outcome>, Stop> {
        if self.ambiguous {
            return Ok(None);
        }
        let budget = self.budget(ORACLE_NODES);
        let found = self.oracle.ask(&mut self.candidates, 2, budget)?;
        let Some(solved) = found.first else {
            return Ok(Some(Outcome::Unsolvable));
        };
        if found.count == 1 {
            return Ok(Some(Outcome::Solved { solution: solved.solution(), unique: true }));
        }
        self.ambiguous = true;
        self.walk = Some(WitnessWalk::new(self.candidates, solved));
        Ok(self.smallest.map(one_of_several))
    }

    /// Searches row by row from where the walk stands, for a second solution too if that is open.
    fn search_row_major(&mut self) -> Result<Option<Outcome>, Stop> {
        let budget = self.budget(ROW_MAJOR_NODES);
        let wanted = if self.ambiguous { 1 } else { 2 };
        let candidates = self.walk.as_ref().map_or(&self.candidates, WitnessWalk::candidates);
        let mut search = self.oracle.search(Branching::RowMajor, wanted, budget);
        let ended = search.run(candidates);
        let found = search.found;
        self.smallest = self.smallest.or(found.first);
        ended?;
        Ok(Some(match found.first {
            None => Outcome::Unsolvable,
            Some(solved) => {
                Outcome::Solved { solution: solved.solution(), unique: found.count < wanted }
            }
        }))
    }

    /// Walks to the smallest solution of several, from any.
    fn walk_from_a_witness(&mut self) -> Result<Option<Outcome>, Stop> {
        if !self.ambiguous {
            return Ok(None);
        }
        let budget = self.budget(ORACLE_NODES);
        let walk = match &mut self.walk {
            Some(walk) => walk,
            none => match self.oracle.ask(&mut self.candidates, 1, budget)?.first {
                Some(witness) => none.insert(WitnessWalk::new(self.candidates, witness)),
                None => return Ok(Some(Outcome::Unsolvable)),
            },
        };
        let solved = walk.advance(&mut self.oracle, budget)?;
        Ok(Some(one_of_several(solved)))
    }

    /// So many nodes in the first turn, more in later ones.
    fn budget(&self, nodes: u64) -> Budget<'a> {
        Budget::new(self.interrupt, self.effort.saturating_mul(nodes))
    }
}

fn one_of_several<V: Vector>(solved: Candidates<V>) -> Outcome {
    Outcome::Solved { solution: solved.solution(), unique: false }
}
