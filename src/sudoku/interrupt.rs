//! Stopping a search from outside, and watching how far it came.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A request to stop, shared between a search and those who may end it.
///
/// The search looks at it once for every node: a grid whose consequences it draws. It counts the nodes
/// here too; the count is exact as long as one search at a time uses the interrupt.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::{Givens, Interrupt, Outcome, solve};
///
/// let interrupt = Interrupt::new();
/// interrupt.raise();
/// assert_eq!(solve(&Givens::default(), &interrupt), Outcome::Interrupted);
/// assert_eq!(interrupt.nodes(), 0);
/// ```
#[derive(Debug)]
pub struct Interrupt {
    raised: AtomicBool,
    nodes: AtomicU64,
    limit: u64,
}

impl Interrupt {
    /// An interrupt that is raised only by [`raise`](Self::raise).
    #[must_use]
    pub const fn new() -> Self {
        Self::after(u64::MAX)
    }

    /// An interrupt that raises itself when a search asks for a node after this many.
    #[must_use]
    pub const fn after(nodes: u64) -> Self {
        Self { raised: AtomicBool::new(false), nodes: AtomicU64::new(0), limit: nodes }
    }

    /// Asks the search to stop. It cannot be taken back.
    pub fn raise(&self) {
        self.raised.store(true, Relaxed);
    }

    /// Whether the search was asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Relaxed)
    }

    /// The nodes visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Counts a node, unless it is time to stop.
    pub(super) fn visit(&self) -> Result<(), Interrupted> {
        let nodes = self.nodes();
        if nodes >= self.limit {
            self.raise();
        }
        if self.is_raised() {
            return Err(Interrupted);
        }
        self.nodes.store(nodes + 1, Relaxed);
        Ok(())
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Self::new()
    }
}

/// The search was asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_interrupt_allows_its_nodes_and_then_raises_itself() {
        let interrupt = Interrupt::after(2);
        assert_eq!(interrupt.visit(), Ok(()));
        assert_eq!(interrupt.visit(), Ok(()));
        assert!(!interrupt.is_raised());
        assert_eq!(interrupt.visit(), Err(Interrupted));
        assert!(interrupt.is_raised());
        assert_eq!(interrupt.nodes(), 2);
    }

    #[test]
    fn a_raised_interrupt_stays_raised() {
        let interrupt = Interrupt::new();
        interrupt.raise();
        assert_eq!(interrupt.visit(), Err(Interrupted));
        assert_eq!(interrupt.visit(), Err(Interrupted));
    }
}
