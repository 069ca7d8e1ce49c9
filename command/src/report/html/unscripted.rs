//! HTML for a browser that runs no JavaScript: the answer and the first functions. Search engines of an
//! intranet and programs that print pages find it, too.

use std::cmp::Reverse;
use std::fmt::Write;

use gmon_analyzer::Model;
use gmon_analyzer::model::{Inclusive, Kind};

use super::data::name;
use super::facts::in_short;
use crate::text::grouped;
use gmon_analyzer::numbers::places;

/// Number of functions that are listed.
const MOST: usize = 20;

/// The table of the first functions, as HTML.
pub(super) fn table(model: &Model) -> String {
    let program = model.functions.iter().filter(|it| it.kind != Kind::Hooks && it.is_seen());
    let mut functions: Vec<_> = program.collect();
    functions.sort_by_key(|it| Reverse((it.self_ns, it.total_ns, it.calls)));
    let known = match model.sampling.inclusive {
        Inclusive::Apportioned => "apportioned by calls",
        Inclusive::Sampled => "measured",
    };
    let mut page = format!(
        "<div class=\"body\"><p>{}. This page shows more with JavaScript.</p>\n\
         <table><thead><tr><th class=\"number\">self s</th><th class=\"number\">total s, {known}</th>\
         <th class=\"number\">calls</th><th>function</th></tr></thead><tbody>\n",
        escaped(&in_short(model))
    );
    let places = places(model.sampling.rate_hz);
    let seconds = |ns: u64| format!("{:.places$}", ns as f64 / 1e9);
    for function in functions.into_iter().take(MOST) {
        let calls = function.calls.map_or("–".to_owned(), grouped);
        let _ = writeln!(
            page,
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{calls}</td>\
             <td>{}</td></tr>",
            seconds(function.self_ns),
            seconds(function.total_ns),
            escaped(name(function))
        );
    }
    page.push_str("</tbody></table></div>\n");
    page
}

/// Text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
