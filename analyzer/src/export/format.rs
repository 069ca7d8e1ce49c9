//! What a format of another program is to those who offer it.

use std::io::{self, Write};

use crate::error::Error;
use crate::measurement::Measurement;

/// A format that a profile can be written in.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The word that chooses it.
    pub name: &'static str,
    /// What is written, and for which programs: a phrase.
    pub help: &'static str,
    /// What a measurement must have.
    pub needs: &'static [Need],
    /// Writes a measurement that has it.
    pub write: fn(&Measurement, &mut dyn Write) -> io::Result<()>,
}

/// Something that a format cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Executions of basic blocks whose lines are known.
    BlockCounts,
}

impl Format {
    /// The first thing that the format needs and a measurement does not have.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn missing(&self, measurement: &Measurement) -> Result<Option<Need>, Error> {
        for &need in self.needs {
            if !need.is_met_by(measurement)? {
                return Ok(Some(need));
            }
        }
        Ok(None)
    }
}

impl Need {
    fn is_met_by(self, measurement: &Measurement) -> Result<bool, Error> {
        match self {
            Self::BlockCounts => Ok(measurement.source_costs()?.knows_executions()),
        }
    }
}
