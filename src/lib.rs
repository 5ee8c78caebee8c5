//! An HTTP service that returns the smallest solution of a Sudoku.
//!
//! To read it, begin with [`sudoku`], the solver, which knows nothing of the rest; then [`pool`],
//! which lets it run on a bounded number of threads; then [`http`], which turns requests into
//! puzzles and outcomes into answers. The binary wires these together with [`config`],
//! [`telemetry`], [`metrics`] and [`shutdown`].

pub mod config;
pub mod healthcheck;
pub mod http;
pub mod metrics;
pub mod pool;
pub mod shutdown;
pub mod sudoku;
pub mod telemetry;
