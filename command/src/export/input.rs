//! Source of an export: a program with its data files, or a profile that was exported as JSON.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use gmon_analyzer::export::{Format, Need, Writer};
use gmon_analyzer::report::NameStyle;
use gmon_analyzer::{Measurement, Model};

use crate::naming::Naming;
use crate::open::{self, Door, Samples};

/// The input, read as far as it had to be.
pub(super) enum Input {
    /// A program and its data files.
    Measured(Box<Measurement>),
    /// An exported profile, and its file.
    Exported(Box<Model>, PathBuf),
}

impl Input {
    /// Reads what the arguments name.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is not what it should be.
    pub(super) fn new(arguments: &ArgMatches, format: &Format) -> Result<Self> {
        let samples = &Samples::asked_for(arguments);
        if let Some(file) = open::exported(arguments)? {
            return Ok(Self::Exported(samples.read(&file)?.0.into(), file));
        }
        let (program, data) = &open::files(arguments);
        let takes_samples = matches!(format.writer, Writer::OfModel(_));
        if let Some(option) = samples.option().filter(|_| !takes_samples) {
            bail!("{option} chooses call stacks, and {} has none", format.name);
        }
        let naming = Naming::asked_for(arguments);
        let any_build = arguments.get_flag("any-build");
        let door = Door { program, data, naming, any_build, samples };
        let measurement = match format.writer {
            Writer::OfCounts(_) => door.open_counts()?,
            Writer::OfMeasurement(_) | Writer::OfModel(_) => door.open()?.measurement,
        };
        Ok(Self::Measured(measurement.into()))
    }

    /// Name in a message.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Measured(measurement) => {
                measurement.program().image().path().display().to_string()
            }
            Self::Exported(_, path) => path.display().to_string(),
        }
    }

    /// The first thing that it does not have and a format needs.
    ///
    /// # Errors
    ///
    /// The program is damaged.
    pub(super) fn missing(&self, format: &Format) -> Result<Option<Need>> {
        Ok(match self {
            Self::Measured(measurement) => format.missing(measurement)?,
            Self::Exported(model, _) => format.missing_of_model(model),
        })
    }

    /// The measurement.
    ///
    /// # Errors
    ///
    /// There is only an exported profile.
    pub(super) fn measurement(&self) -> Result<&Measurement> {
        match self {
            Self::Measured(measurement) => Ok(measurement),
            Self::Exported(_, path) => {
                let path = path.display();
                bail!(
                    "{path}: an exported profile does not hold all of this format; name the program and its data, and add up \
                     what you export of several with gmon merge"
                )
            }
        }
    }

    /// The model of some samples, with names for people in a style if it is made now.
    ///
    /// # Errors
    ///
    /// The program is damaged, or there are no such samples.
    pub(super) fn into_model(self, style: NameStyle, samples: &Samples) -> Result<Model> {
        match self {
            Self::Measured(measurement) => {
                let model = Model::new(&measurement, style).context("cannot export the profile")?;
                samples.narrow(model, Some(&measurement))
            }
            Self::Exported(model, _) => samples.narrow(*model, None),
        }
    }
}
