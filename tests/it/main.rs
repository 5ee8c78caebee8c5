//! The integration tests: one binary, so that everything is built and linked once.

#![expect(clippy::panic, reason = "a test fails by a panic")]

mod batch;
mod cases;
mod connections;
mod contract;
mod grids;
mod limits;
mod oracle;
mod problems;
mod process;
mod properties;
mod readme;
mod settings;
mod solve;
mod support;
mod text;
