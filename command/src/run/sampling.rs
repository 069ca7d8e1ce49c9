//! `--no-stacks`, `--wall`, `--rate`, `--libcalls`, `--times`: how the programs of a run are sampled, and what of their
//! calls is counted and timed.

use clap::{Arg, ArgMatches, value_parser};
use gmon_format::options::Key;
use serde::{Deserialize, Serialize};

use super::settings::OptionList;
use crate::command_line::{flag, option};

/// Sampling of programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// With the call stacks of samples.
    pub(crate) stacks: bool,
    /// By the clock on the wall, whether threads run or wait.
    pub(crate) wall: bool,
    /// Samples per second of CPU time, or of that on the wall, if the user says.
    pub(crate) rate: Option<u32>,
    /// Patterns of the functions of shared libraries whose calls are counted; one that fits all is empty.
    pub(crate) library_calls: Vec<String>,
    /// With the order in which functions are first called.
    pub(crate) order: bool,
    /// Patterns of functions whose calls are timed, as a list.
    pub(crate) times: Option<String>,
    /// Tells times of calls apart by caller.
    pub(crate) by_caller: bool,
    /// With threads followed instruction by instruction, now and then.
    pub(crate) steps: bool,
    /// Functions of Python in the place of their interpreter's, if the user says.
    pub(crate) python: Option<bool>,
}

/// Samples per second of each thread by the clock on the wall: they are signals to many threads.
const RATE_OF_WALL: u32 = 100;

/// Samples per second beside steps: a signal ends the way of a thread that is followed, and all of that counts as its CPU time.
const RATE_BESIDE_STEPS: u32 = 10;

/// Samples per second of profiles for compilers, without steps.
const RATE_FOR_COMPILERS: u32 = 4000;

impl Sampling {
    /// Samples per second with call stacks. Where the system cannot do it, they come as often as they can.
    pub(super) const RATE: u32 = 1000;

    /// The options.
    pub(crate) fn arguments() -> [Arg; 10] {
        [
            flag(
                "no-stacks",
                "Record no call stacks: only programs compiled with -pg have a profile",
            ),
            flag("wall", "Sample all threads by the clock on the wall, waiting ones too")
                .conflicts_with("no-stacks"),
            option(
                "rate",
                "N",
                "Take N samples in each second of CPU time [default: 1000, or 100 without stacks or with --wall]",
            )
            .value_parser(value_parser!(u32).range(1..=10_000)),
            option(
                "libcalls",
                "PATTERN,...",
                "Count calls of functions of shared libraries: of all, or of those that fit a PATTERN as \
                 `malloc` or `libssl*:SSL_*`",
            )
            .num_args(0..=1)
            .require_equals(true)
            .value_delimiter(',')
            .default_missing_value("")
            .conflicts_with("no-stacks"),
            flag(
                "order",
                "Keep the order in which functions are first called, for gmon export --format symbol-order",
            )
            .conflicts_with("no-stacks"),
            flag(
                "steps",
                "Follow threads instruction by instruction, now and then, for gmon cc --use-profile: up to ten times slower",
            )
            .conflicts_with("no-stacks"),
            option(
                "times",
                "PATTERN,...",
                "Time each call of functions that fit a PATTERN, in a program built by gmon cc --dormant or --times",
            )
            .allow_hyphen_values(true)
            .conflicts_with("no-stacks"),
            option(
                "by",
                "WHAT",
                "With --times: tell the calls of a function apart by caller, for gmon report --times --by caller",
            )
            .requires("times")
            .value_parser(["caller"]),
            flag(
                "python",
                "Show functions of Python in place of their interpreter's; so it is unless GMON_OPTIONS says no",
            )
            .conflicts_with("no-stacks"),
            flag(
                "no-python",
                "Show the functions of Python's interpreter instead of those of Python",
            )
            .conflicts_with("python"),
        ]
    }

    /// What they ask for.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let patterns = arguments.get_many("libcalls").into_iter().flatten();
        Self {
            stacks: !arguments.get_flag("no-stacks"),
            wall: arguments.get_flag("wall"),
            rate: arguments.get_one("rate").copied(),
            library_calls: patterns.cloned().collect(),
            order: arguments.get_flag("order"),
            steps: arguments.get_flag("steps"),
            times: arguments.get_one("times").cloned(),
            by_caller: arguments.contains_id("by"),
            python: match (arguments.get_flag("python"), arguments.get_flag("no-python")) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
        }
    }

    /// For those who build the program next: the order of its functions and how often its code runs, by steps, or else by more
    /// samples than a summary needs: so many in a second, if the user says.
    pub(crate) fn for_compilers(rate: Option<u32>, may_step: bool) -> Self {
        let steps = may_step && rate.is_none();
        let rate = rate.or((!steps).then_some(RATE_FOR_COMPILERS));
        Self { stacks: true, rate, order: true, steps, ..Self::default() }
    }

    /// Passes it on to the runtime. What the user says in `GMON_OPTIONS` stays, except that `--rate` prevails.
    pub(super) fn add_to(&self, options: &mut OptionList) {
        if self.stacks && !options.has(Key::Stacks) {
            options.push("stacks");
        }
        if self.stacks && !options.has(Key::Record) {
            options.push("record");
        }
        if self.wall {
            options.push("sampler=wall");
        }
        for pattern in &self.library_calls {
            let value = if pattern.is_empty() { "1" } else { pattern };
            options.push(format!("libcalls={value}"));
        }
        if self.order {
            options.push("order");
        }
        if let Some(patterns) = &self.times {
            options.push(format!("times={patterns}"));
        }
        if self.by_caller {
            options.push("times_by=caller");
        }
        if let Some(wants_python) = self.python {
            options.push(if wants_python { "python=yes" } else { "python=no" });
        }
        // The rate of an event is none of time.
        let is_chosen = options.has(Key::Hz) || options.has(Key::Event);
        let usual = match (self.steps, self.wall) {
            (true, _) => RATE_BESIDE_STEPS,
            (_, true) => RATE_OF_WALL,
            _ => Self::RATE,
        };
        let usual = (self.stacks && !is_chosen).then_some(usual);
        if let Some(rate) = self.rate.or(usual) {
            options.push(format!("hz={rate}"));
        }
    }
}
