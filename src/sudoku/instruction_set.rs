//! Which instructions the solver uses.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::givens::Givens;
use super::interrupt::Interrupt;
use super::outcome::Outcome;
use super::smallest;
use super::vector::Portable;
#[cfg(target_arch = "x86_64")]
use super::vector::{Avx2, Avx512};

/// Instructions that this machine has, for the solver to use.
///
/// The answers and the nodes are the same with any of them; only the time is not.
///
/// # Examples
///
/// ```
/// use sudoku_api::sudoku::{Givens, InstructionSet, Interrupt, solve};
///
/// let expected = solve(&Givens::default(), &Interrupt::new());
/// for instructions in InstructionSet::supported() {
///     assert_eq!(instructions.solve(&Givens::default(), &Interrupt::new()), expected);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstructionSet(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

/// Fastest first.
const ALL: &[InstructionSet] = &[
    #[cfg(target_arch = "x86_64")]
    InstructionSet(Kind::Avx512),
    #[cfg(target_arch = "x86_64")]
    InstructionSet(Kind::Avx2),
    InstructionSet(Kind::Portable),
];

impl InstructionSet {
    /// Those that this machine has, the fastest first. The last one is always there.
    pub fn supported() -> impl Iterator<Item = Self> {
        ALL.iter().copied().filter(|set| set.is_supported())
    }

    /// The fastest that this machine has.
    ///
    /// # Panics
    ///
    /// Never: plain integers are everywhere.
    #[must_use]
    pub fn fastest() -> Self {
        Self::supported().next().expect("plain integers are everywhere")
    }

    fn is_supported(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Avx512::is_supported(),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Avx2::is_supported(),
            Kind::Portable => true,
        }
    }

    const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            Kind::Portable => "portable",
        }
    }

    /// [`solve`](super::solve) with these instructions.
    #[must_use]
    pub fn solve(self, givens: &Givens, interrupt: &Interrupt) -> Outcome {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => smallest::solve::<Avx512>(givens, interrupt),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => smallest::solve::<Avx2>(givens, interrupt),
            Kind::Portable => smallest::solve::<Portable>(givens, interrupt),
        }
    }
}

/// By name: `avx512`, `avx2` or `portable`.
impl FromStr for InstructionSet {
    type Err = NotSupported;

    fn from_str(name: &str) -> Result<Self, NotSupported> {
        Self::supported().find(|set| set.name() == name).ok_or(NotSupported)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// This machine has no instruction set of that name; shown as what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotSupported;

impl fmt::Display for NotSupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an instruction set of this machine:")?;
        InstructionSet::supported().try_for_each(|set| write!(f, " {set}"))
    }
}

impl Error for NotSupported {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_supported_set_is_found_by_its_name_and_no_other() {
        for set in InstructionSet::supported() {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        assert_eq!("mmx".parse::<InstructionSet>(), Err(NotSupported));
        assert!(NotSupported.to_string().ends_with("portable"));
    }
}
