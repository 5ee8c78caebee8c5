//! A solver that is obviously right, for the clever one to be compared with.

use sudoku_api::sudoku::{Cell, Digit, Givens, Outcome, Solution};

/// Tries the digits in ascending order in the first empty cell; `None` if that takes too many calls.
pub(crate) fn solve_naively(givens: &Givens, mut calls: u32) -> Option<Outcome> {
    let mut found = Vec::new();
    if givens.conflicts().is_empty() {
        fill(&mut givens.clone(), &mut found, &mut calls)?;
    }
    Some(match found[..] {
        [] => Outcome::Unsolvable,
        [solution] => Outcome::Solved { solution, unique: true },
        [solution, ..] => Outcome::Solved { solution, unique: false },
    })
}

fn fill(grid: &mut Givens, found: &mut Vec<Solution>, calls: &mut u32) -> Option<()> {
    *calls = calls.checked_sub(1)?;
    let Some(cell) = Cell::all().find(|&cell| grid.get(cell).is_none()) else {
        found.push(complete(grid));
        return Some(());
    };
    let seen = seen_from(grid, cell);
    for digit in Digit::all().filter(|digit| !seen.contains(digit)) {
        if found.len() < 2 {
            grid.set(cell, Some(digit));
            fill(grid, found, calls)?;
            grid.set(cell, None);
        }
    }
    Some(())
}

/// The digits in the cells that share a house with this one.
pub(crate) fn seen_from(grid: &Givens, cell: Cell) -> Vec<Digit> {
    let shares_a_house = |other: Cell| {
        other.row() == cell.row()
            || other.column() == cell.column()
            || other.box_index() == cell.box_index()
    };
    grid.iter().filter(|&(other, _)| shares_a_house(other)).map(|(_, digit)| digit).collect()
}

fn complete(grid: &Givens) -> Solution {
    let digits: Vec<Digit> = grid.iter().map(|(_, digit)| digit).collect();
    let digits = <[Digit; 81]>::try_from(digits).expect("every cell is filled");
    Solution::try_from(digits).expect("every digit fitted")
}
