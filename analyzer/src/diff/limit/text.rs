//! Limits as users write them.

use std::fmt;
use std::str::FromStr;

use super::{Amount, Direction, Limit, Metric, Which};
use crate::records::Figure;

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, change) = text
            .rsplit_once(':')
            .ok_or("METRIC:CHANGE or METRIC(GLOB):CHANGE is expected, as in calls:+0")?;
        let (metric, glob) = match what.split_once('(') {
            Some((metric, glob)) => {
                let glob = glob.strip_suffix(')').ok_or("a ) is missing before the :")?;
                (metric, Some(glob))
            }
            None => (what, None),
        };
        let metric = match metric {
            "calls" => Metric::Calls,
            "self" => Metric::Own,
            "total" => Metric::Total,
            "samples" => Metric::Samples,
            name => Metric::Call(Figure::named(name).ok_or_else(|| {
                let figures = Figure::ALL.map(Figure::name).join(", ");
                format!("{metric} is none of calls, self, total, samples, {figures}")
            })?),
        };
        let which = match glob {
            None => Which::All,
            Some("") => {
                return Err("the pattern between ( and ) is empty; * stands for all".to_owned());
            }
            Some(glob) => match arc(glob) {
                Some((caller, callee)) if metric == Metric::Calls => {
                    Which::Arcs(caller.to_owned(), callee.to_owned())
                }
                Some(_) => return Err("CALLER>CALLEE is for calls".to_owned()),
                None => Which::Functions(glob.to_owned()),
            },
        };
        let (direction, amount) = change_of(change)?;
        match (metric, amount) {
            (Metric::Calls | Metric::Samples, Amount::Seconds(_)) => {
                return Err("calls and samples have no seconds".to_owned());
            }
            (Metric::Own | Metric::Total | Metric::Call(_), Amount::Number(number))
                if number > 0 =>
            {
                return Err(format!("{number} of what? Say {number}s or {number}%"));
            }
            _ => {}
        }
        Ok(Self { text: text.to_owned(), metric, which, direction, amount })
    }
}

/// Caller and callee, if there is a `>` between two names: outside of `<…>`, and not that of `->`.
fn arc(glob: &str) -> Option<(&str, &str)> {
    let (mut depth, mut before) = (0_u32, ' ');
    for (place, c) in glob.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before == '-' => {}
            '>' if depth == 0 => {
                let (caller, callee) = (glob[..place].trim(), glob[place + 1..].trim());
                return (!caller.is_empty() && !callee.is_empty()).then_some((caller, callee));
            }
            '>' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    None
}

fn change_of(text: &str) -> Result<(Direction, Amount), String> {
    let expected = || format!("{text}: a change like +0, +5%, +0.05s, -1% or ~2% is expected");
    let mut rest = text.chars();
    let direction = match rest.next() {
        Some('+') => Direction::Grows,
        Some('-') => Direction::Shrinks,
        Some('~') => Direction::Either,
        _ => return Err(expected()),
    };
    let rest = rest.as_str();
    let number = |text: &str, factor: f64| -> Result<f64, String> {
        // No sign, no "inf", no "nan".
        let is_plain = text.starts_with(|c: char| c.is_ascii_digit());
        let number = text.parse().ok().filter(|number: &f64| is_plain && number.is_finite());
        number.map(|number| number * factor).ok_or_else(expected)
    };
    let units = [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("s", 1.0)];
    if let Some(percent) = rest.strip_suffix('%') {
        return Ok((direction, Amount::Share(number(percent, 0.01)?)));
    }
    for (unit, factor) in units {
        if let Some(seconds) = rest.strip_suffix(unit) {
            return Ok((direction, Amount::Seconds(number(seconds, factor)?)));
        }
    }
    rest.parse().map(|number| (direction, Amount::Number(number))).map_err(|_| expected())
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        for (text, metric, direction, amount) in [
            ("calls:+0", Metric::Calls, Direction::Grows, Amount::Number(0)),
            ("self:+5%", Metric::Own, Direction::Grows, Amount::Share(0.05)),
            ("total:-0.05s", Metric::Total, Direction::Shrinks, Amount::Seconds(0.05)),
            ("samples:~10", Metric::Samples, Direction::Either, Amount::Number(10)),
            ("self:+0", Metric::Own, Direction::Grows, Amount::Number(0)),
            ("p99:+10%", Metric::Call(Figure::P99), Direction::Grows, Amount::Share(0.1)),
            ("p99.9:~500ns", Metric::Call(Figure::P999), Direction::Either, Amount::Seconds(5e-7)),
            ("max:-2ms", Metric::Call(Figure::Longest), Direction::Shrinks, Amount::Seconds(2e-3)),
        ] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!((limit.metric, limit.direction), (metric, direction), "{text}");
            let close = match (limit.amount, amount) {
                (Amount::Share(a), Amount::Share(b)) | (Amount::Seconds(a), Amount::Seconds(b)) => {
                    (a - b).abs() < 1e-12
                }
                (a, b) => a == b,
            };
            assert!(close && limit.which == Which::All, "{limit:?}");
        }
        for (text, which) in [
            ("calls(parse*):+0", Which::Functions("parse*".into())),
            ("calls(f(int, int)):+0", Which::Functions("f(int, int)".into())),
            ("calls(main>parse*):+0", Which::Arcs("main".into(), "parse*".into())),
            ("calls(std::map<int>::at):+0", Which::Functions("std::map<int>::at".into())),
            ("calls(A::operator->):+0", Which::Functions("A::operator->".into())),
            ("calls(v<int> > w<int>):+0", Which::Arcs("v<int>".into(), "w<int>".into())),
        ] {
            assert_eq!(text.parse::<Limit>().unwrap().which, which, "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "calls",
            "calls:",
            "calls:0",
            "calls:+",
            "calls:+x",
            "calls:+1s",
            "self:+5",
            "mean:+5",
            "p75:+5%",
            "p50(a>b):+5%",
            "time:+0",
            "calls():+0",
            "calls(x:+0",
            "self(a>b):+1%",
            "self:+-1%",
            "self:+inf%",
            "self:+nans",
            "calls:+1.5",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }
}
