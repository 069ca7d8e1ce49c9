//! Why a format cannot be written, and how to get what is missing.

use gmon_analyzer::export::{FORMATS, Need};

/// Message about what is missing, and how to get it.
pub(super) fn refusal(need: Need) -> String {
    match need {
        Need::BlockCounts => {
            "no basic blocks were counted; build the program with gmon cc --blocks".to_owned()
        }
        Need::Stacks => {
            let others = FORMATS.iter().filter(|it| !it.needs.contains(&Need::Stacks));
            let others = others.filter(|it| {
                !it.needs.contains(&Need::BlockCounts) && !it.needs.contains(&Need::Calls)
            });
            let others: Vec<_> = others.map(|format| format.name).collect();
            let others = match others.as_slice() {
                [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
                all => all.join(""),
            };
            format!(
                "no stacks were recorded; record them by gmon run or with GMON_OPTIONS=stacks, or choose {others}"
            )
        }
        Need::Times => "the times of samples were not kept; record them by gmon run or with GMON_OPTIONS=record"
            .to_owned(),
        Need::Calls => "no calls were counted; build the program with gmon cc or cargo gmon, \
                        and keep the order of first calls by gmon run --order"
            .to_owned(),
        Need::Anything => {
            "nothing was recorded: no sample, since the program ran too briefly, and no call, \
             since it was not built with -pg; build it with gmon cc, and let it run longer"
                .to_owned()
        }
    }
}
