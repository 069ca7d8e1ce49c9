//! `--no-stacks` and `--rate`: how the programs of a run are sampled.

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use gmon_format::options::Key;
use serde::{Deserialize, Serialize};

use super::settings::OptionList;

/// How programs are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// With the call stacks of samples.
    pub(crate) stacks: bool,
    /// Samples per second of CPU time, if the user says.
    pub(crate) rate: Option<u32>,
}

/// Samples per second with call stacks. Where the system cannot do it, they come as often as they can.
const RATE_OF_STACKS: u32 = 1000;

impl Sampling {
    /// The options.
    pub(crate) fn arguments() -> [Arg; 2] {
        [
            Arg::new("no-stacks")
                .long("no-stacks")
                .action(ArgAction::SetTrue)
                .help("Record no call stacks: only programs compiled with -pg have a profile"),
            Arg::new("rate")
                .long("rate")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=10_000))
                .help(
                    "Take N samples in each second of CPU time [default: 1000, or 100 without stacks]",
                ),
        ]
    }

    /// What they ask for.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        Self { stacks: !arguments.get_flag("no-stacks"), rate: arguments.get_one("rate").copied() }
    }

    /// Passes it on to the runtime. What the user says in `GMON_OPTIONS` stays, except that `--rate` prevails.
    pub(super) fn add_to(self, options: &mut OptionList) {
        if self.stacks && !options.has(Key::Stacks) {
            options.push("stacks");
        }
        // The rate of an event is none of time.
        let is_chosen = options.has(Key::Hz) || options.has(Key::Event);
        let usual = (self.stacks && !is_chosen).then_some(RATE_OF_STACKS);
        if let Some(rate) = self.rate.or(usual) {
            options.push(format!("hz={rate}"));
        }
    }
}
