//! How long a search may run.

use super::interrupt::{Interrupt, Interrupted};

/// Nodes that a search may still visit, unless it is interrupted before.
///
/// Whoever is given a copy may spend all of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget<'a> {
    interrupt: &'a Interrupt,
    left: u64,
}

/// Why a search stopped before its end. Says nothing about the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The caller asked for it.
    Interrupted,
    /// The nodes of its budget were used up.
    OutOfBudget,
}

impl<'a> Budget<'a> {
    /// A budget of so many nodes.
    pub(super) const fn new(interrupt: &'a Interrupt, nodes: u64) -> Self {
        Self { interrupt, left: nodes }
    }

    /// The interrupt, for nodes that cost nothing.
    pub(super) const fn interrupt(&self) -> &'a Interrupt {
        self.interrupt
    }

    /// Takes one node.
    pub(super) fn visit(&mut self) -> Result<(), Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::OutOfBudget)?;
        Ok(self.interrupt.visit()?)
    }
}

impl From<Interrupted> for Stop {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}
