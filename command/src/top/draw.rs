//! Draws the screen. It decides nothing.

use gmon_analyzer::follow::Timed;
use gmon_analyzer::numbers;
use gmon_analyzer::records::Figure;
use gmon_analyzer::symbols::shorten;
use gmon_analyzer::table::fitted_name;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Text};
use ratatui::widgets::Paragraph;

use super::picture::Process;
use super::rows::{TopRow, View};
use super::screen::{Screen, Typing};
use super::strip::strip;
use super::sums::Relation;
use crate::text::{fitted, grouped, harmless, left};

/// Lines above and below the rows.
const AROUND: u16 = 5;

/// The columns below which names have the room of totals and calls of the whole run.
const NARROW: usize = 76;

/// Columns of a process that stands beside others.
const SIDE: usize = 9;

/// Number of rows that fit a screen.
pub(super) fn rows_of(height: u16) -> usize {
    height.saturating_sub(AROUND).into()
}

/// Keys that the last line names, as many as there is room for.
const KEYS: &[&str] = &[
    "q quit",
    "? help",
    "f functions",
    "t threads",
    "m modules",
    "p processes",
    "s sort",
    "/ search",
];

/// Effects of the keys.
const HELP: &[&str] = &[
    "f  functions            Enter  callers and callees of the marked function",
    "t  threads              o      its source, line by line",
    "m  modules              Esc    back to all functions",
    "p  processes            Tab    the next process alone, then all together",
    "l  times of calls       x      processes side by side",
    "",
    "s  sort by another column     /  show only names that contain a text",
    "c  wake the hook of the marked function, or put it to sleep (gmon cc --dormant)",
    "+  wake the hooks of functions that fit patterns (parse_*,lex)   -  let them sleep",
    "d  time each call of the marked function (l shows the times)   D  no longer",
    "",
    "z  count from here            Z  count from the start again",
    "Space  hold the picture       w  write a profile: gmon.out.PID",
    "q  quit                       arrows, PgUp, PgDn, Home, End  move",
    "",
    "%self, %total   share of one processor since the last look; 200 is two processors",
    "calls/s         calls in a second, since the last look",
    "self s, total s seconds in all: in the function, and with all that it called",
    "calls           calls in all; exact; - if none were counted",
    "p50, p99, max   half of all calls, 99 of 100, and all took no longer; now: of late",
    "+ before a name its hook is awake: its calls are counted from then on",
];

/// Draws everything.
pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>, has_color: bool) {
    let parts = [Constraint::Length(2), Constraint::Min(0), Constraint::Length(1)];
    let [head, body, foot] = Layout::vertical(parts).areas(frame.area());
    frame.render_widget(Paragraph::new(heading(screen, head.width.into())), head);
    frame.render_widget(Paragraph::new(footing(screen, foot.width.into())), foot);
    if screen.shows_help {
        let lines: Vec<Line<'_>> = HELP.iter().map(|line| Line::raw(*line)).collect();
        return frame.render_widget(Paragraph::new(lines), body);
    }
    if let Some(source) = &screen.source {
        let shown = source.lines.iter().skip(source.first).take(body.height.into());
        let text: Text<'_> = shown.map(|line| Line::raw(line.as_str())).collect();
        return frame.render_widget(Paragraph::new(text), body);
    }
    table(screen, frame, body, has_color);
}

/// The processes that the user wants to see.
fn looked_at(screen: &Screen) -> impl Iterator<Item = &Process> {
    let processes = screen.picture.processes.iter().enumerate();
    let is_wanted = |at: &usize| screen.process.is_none_or(|process| process == *at);
    processes.filter(move |(at, _)| is_wanted(at)).map(|(_, process)| process)
}

/// The processes, and what is shown of them.
fn heading(screen: &Screen, width: usize) -> Vec<Line<'static>> {
    let looked_at: Vec<&Process> = looked_at(screen).collect();
    let title = match looked_at.as_slice() {
        [one] => format!("{}: {}", one.title(), one.state.word()),
        all => format!("{} processes", all.len()),
    };
    let rate = |process: &Process, amount: u64| {
        let seconds = process.elapsed.as_secs_f64();
        if seconds > 0.0 { amount as f64 / seconds } else { 0.0 }
    };
    let calls: f64 = looked_at.iter().map(|it| rate(it, it.all.now.calls)).sum();
    // Of processes that are sampled from outside, none are counted.
    let is_counted = looked_at.iter().any(|it| it.all.all.calls > 0);
    let calls = is_counted.then(|| format!("   {} calls/s", grouped(calls as u64)));
    let busy: f64 = looked_at
        .iter()
        .map(|it| rate(it, it.all.now.own) / f64::from(it.rate.max(1)) * 100.0)
        .sum();
    let hz = looked_at.first().map_or(0, |process| process.rate);
    let first = format!(
        "{title}   {busy:.0} % of a processor{}   at {} Hz",
        calls.unwrap_or_default(),
        grouped(hz.into())
    );
    let second = match &screen.source {
        Some(source) => format!("source of {}", harmless(&source.function)),
        None => rows_shown(screen, &looked_at),
    };
    [first, second].map(|line| Line::from(fitted(&line, "", Some(width))).bold()).to_vec()
}

/// Subject and order of the rows.
fn rows_shown(screen: &Screen, looked_at: &[&Process]) -> String {
    let mut shown = match &screen.view {
        View::Functions => format!("{} functions", screen.count()),
        View::Times => format!("times of calls of {} functions", screen.count()),
        View::Calls(subject) => format!("callers and callees of {}", harmless(&subject.name)),
        View::Threads => format!("{} threads", screen.count()),
        View::Modules => format!("{} modules", screen.count()),
        View::Processes => format!("{} processes", screen.count()),
    };
    shown += &format!(", sorted by {}", screen.sort.word());
    let hooks = || looked_at.iter().filter_map(|process| process.hooks.as_ref());
    if hooks().next().is_some() {
        let awake = hooks().map(|it| it.count).sum();
        let all = hooks().map(|it| it.all.len() as u64).sum();
        shown += &format!(", {} of {} hooks awake", grouped(awake), grouped(all));
    }
    for (is_so, word) in [
        (screen.is_paused, ", held"),
        (screen.has_baseline(), ", counted from here"),
        (!looked_at.iter().all(|it| it.has_stacks), ", without stacks: no totals"),
    ] {
        shown += if is_so { word } else { "" };
    }
    if !screen.search.is_empty() {
        shown += &format!(", with {:?}", screen.search);
    }
    shown
}

/// Text being typed, a message, or the keys.
fn footing(screen: &Screen, width: usize) -> Line<'static> {
    match &screen.typing {
        Some(Typing { purpose, text }) => Line::from(format!("{}{text}_", purpose.key())),
        None if !screen.message.is_empty() => Line::from(harmless(&screen.message).into_owned()),
        None => Line::from(keys(width)).dim(),
    }
}

/// The keys that fit so many columns.
fn keys(width: usize) -> String {
    KEYS.iter().fold(String::new(), |line, key| {
        let gap = if line.is_empty() { "" } else { "  " };
        if line.len() + gap.len() + key.len() <= width { line + gap + key } else { line }
    })
}

/// The rows, below the last minutes and their heading.
fn table(screen: &mut Screen, frame: &mut Frame<'_>, area: Rect, has_color: bool) {
    let [past, area] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let bars = strip(looked_at(screen).map(|process| &process.past), past.width.into());
    frame.render_widget(Paragraph::new(bars), past);
    let height = usize::from(area.height.saturating_sub(1));
    screen.scroll(height);
    let width = usize::from(area.width);
    let sides = sides(screen);
    let is_narrow = width < NARROW;
    let mut write = |line: u16, text: &str, style: Style| {
        frame.buffer_mut().set_stringn(area.x, area.y + line, text, width, style);
    };
    if area.height > 0 {
        write(0, &titles(screen, sides, is_narrow), Style::new().underlined());
    }
    for (line, (at, row)) in (1..area.height).zip(screen.rows()) {
        let cells = match screen.view {
            View::Times => times(row),
            _ if sides > 0 => each(row, sides),
            _ => cells(row, is_narrow),
        };
        let name = name(row, screen, left(Some(width), &cells).unwrap_or_default());
        /// The share of a processor, in percent, above which a row stands out.
        const HOT: f64 = 20.0;
        let is_hot = has_color && row.now.own * 100.0 > HOT;
        let style = if is_hot { Style::new().fg(Color::Yellow) } else { Style::new() };
        let style = if at == screen.selected { style.reversed() } else { style };
        write(line, &format!("{cells}{name}"), style);
    }
}

/// Number of processes that stand side by side; 0 if they are summed.
fn sides(screen: &Screen) -> usize {
    let count = screen.picture.processes.len();
    if screen.is_side_by_side && count > 1 { count.min(6) } else { 0 }
}

fn titles(screen: &Screen, sides: usize, is_narrow: bool) -> String {
    let what = match screen.view {
        View::Functions | View::Times | View::Calls(_) => "function",
        View::Threads => "thread",
        View::Modules => "module",
        View::Processes => "process",
    };
    if screen.view == View::Times {
        let titles = ["p50 now", "p99 now", "p50", "p99", "max"].map(|it| format!("{it:>8}"));
        return format!("{:>10}{}  {what}", "calls/s", titles.concat());
    }
    if sides == 0 {
        let (now, all) = (format!("{:>6}{:>7}{:>10}", "%self", "%total", "calls/s"), "self s");
        return match is_narrow {
            true => format!("{now}{all:>9}  {what}"),
            false => format!("{now}{all:>9}{:>9}{:>15}  {what}", "total s", "calls"),
        };
    }
    let processes = screen.picture.processes.iter().take(sides);
    let numbers = processes.map(|it| it.id.map_or("ended".to_owned(), |id| id.to_string()));
    let columns: String = numbers.map(|number| format!("{number:>SIDE$}")).collect();
    format!("{columns}  {what} (%self in each process)")
}

fn cells(row: &TopRow, is_narrow: bool) -> String {
    let TopRow { now, all, .. } = row;
    let (own, total) = (now.own * 100.0, now.total * 100.0);
    let now = format!("{own:>6.1}{total:>7.1}{}{:>9.2}", calls_now(row), all.own);
    match is_narrow {
        true => format!("{now}  "),
        false => format!("{now}{:>9.2}{:>15}  ", all.total, all.counted_calls()),
    }
}

/// The times of calls since the last look, and in all.
fn times(row: &TopRow) -> String {
    let none = Timed::default();
    let Timed { now, all } = row.times.as_ref().unwrap_or(&none);
    let figures = [
        (Figure::P50, now),
        (Figure::P99, now),
        (Figure::P50, all),
        (Figure::P99, all),
        (Figure::Longest, all),
    ];
    let figures = figures.map(|(figure, times)| {
        let time = figure.of(times).map(|ns| numbers::duration(ns as f64 / 1e9));
        format!("{:>8}", time.as_deref().unwrap_or("-"))
    });
    format!("{}{}  ", calls_now(row), figures.concat())
}

fn calls_now(row: &TopRow) -> String {
    format!("{:>10}", row.calls_now().map_or_else(|| "-".to_owned(), short))
}

fn each(row: &TopRow, sides: usize) -> String {
    let cells = row.each.iter().take(sides).map(|own| format!("{:>SIDE$.1}", own * 100.0));
    cells.chain(["  ".to_owned()]).collect()
}

/// A number in few columns.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} G", n / 1e9),
        n if n >= 1e7 => format!("{:.1} M", n / 1e6),
        n => grouped(n as u64),
    }
}

/// The name of a row, with its module behind it.
fn name(row: &TopRow, screen: &Screen, columns: usize) -> String {
    let before = match row.relation {
        Relation::Caller => "< ",
        Relation::Callee => "> ",
        Relation::Itself if matches!(screen.view, View::Calls(_)) => "= ",
        Relation::Itself => "",
    };
    let hook = if row.is_awake { "+ " } else { "" };
    let module = match &*row.subject.module {
        "" => String::new(),
        module => format!(" [{}]", harmless(module)),
    };
    let name = row.subject.name.as_bytes();
    let names = [name.to_vec(), shorten(name)].map(|name| {
        let name = String::from_utf8_lossy(&name);
        harmless(&name).into_owned()
    });
    let before = format!("{before}{hook}");
    let columns = left(Some(columns), &before);
    format!("{before}{}", fitted_name(&names, &module, columns))
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent};

    use super::super::picture::Picture;
    use super::super::rows::tests::{picture, timed};
    use super::*;

    /// The lines of a terminal of this size after some keys.
    fn drawn(keys: &str, size: (u16, u16)) -> Vec<String> {
        drawn_of(picture(), keys, size)
    }

    fn drawn_of(picture: Picture, keys: &str, (width, height): (u16, u16)) -> Vec<String> {
        let mut screen = Screen::new(picture.into());
        for key in keys.chars() {
            let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
            screen.press(KeyEvent::from(code), rows_of(height));
        }
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        terminal.draw(|frame| draw(&mut screen, frame, true)).expect("a drawing");
        let cells = terminal.backend().buffer().content();
        let line = |cells: &[ratatui::buffer::Cell]| {
            let text: String = cells.iter().map(|cell| cell.symbol()).collect();
            text.trim_end().to_owned()
        };
        cells.chunks(width.into()).map(line).collect()
    }

    #[test]
    fn the_heading_has_no_calls_where_none_are_counted() {
        let mut picture = picture();
        for process in &mut picture.processes {
            (process.all.now.calls, process.all.all.calls) = (0, 0);
        }
        let lines = drawn_of(picture, "", (80, 24));
        assert_eq!(lines[0], "2 processes   100 % of a processor   at 100 Hz");
    }

    #[test]
    fn usual_terminal_has_room_for_everything() {
        let lines = drawn("", (80, 24));
        assert_eq!(
            lines[..6],
            [
                "2 processes   100 % of a processor   50 calls/s   at 100 Hz",
                "4 functions, sorted by self now",
                "last 2 s, █ = 100 %        █",
                " %self %total   calls/s   self s  total s          calls  function",
                "  80.0   80.0        10     7.80     7.80            100  solve",
                "  20.0   20.0        40     2.00     2.00          2,000  parse",
            ]
        );
        // Nothing counts calls of a library.
        assert_eq!(
            lines[7],
            "   0.0    0.0         -     0.14     0.14              -  memcpy [libc.so.6]"
        );
        assert!(
            lines[23].starts_with("q quit  ? help") && lines[23].ends_with("  s sort  / search"),
            "{lines:?}"
        );
        // A small one has room for names, too, in place of the sums of the whole run.
        let lines = drawn("", (60, 12));
        assert!(lines[3].ends_with(" self s  function"), "{lines:?}");
        assert!(lines[4].ends_with("7.80  solve"), "{lines:?}");
        assert_eq!(lines[2], "last 2 s, █ = 100 %        █");
        assert!(lines[4].starts_with("  80.0"), "{lines:?}");
        assert_eq!(lines[11], "q quit  ? help  f functions  t threads  m modules  s sort");
    }

    #[test]
    fn views_are_told_apart() {
        for (keys, line, text) in [
            ("\n", 1, "callers and callees of solve, sorted by self now"),
            ("\n", 4, "100  < main"),
            ("\n", 5, "100  = solve"),
            ("x", 3, "        1        2  function (%self in each process)"),
            ("x", 4, "     40.0     40.0  solve"),
            ("m", 4, "2,102  prog"),
            ("/mem", 23, "/mem_"),
            (" z", 1, "4 functions, sorted by self now, held, counted from here"),
            ("?", 2, "f  functions"),
        ] {
            let lines = drawn(keys, (80, 24));
            assert!(lines[line].contains(text), "{keys:?}: {lines:#?}");
        }
    }

    #[test]
    fn times_of_calls_are_a_view() {
        let lines = drawn_of(timed(), "l", (80, 24));
        assert_eq!(
            lines[1..5],
            [
                "times of calls of 1 functions, sorted by self now",
                "last 2 s, █ = 100 %        █",
                "   calls/s p50 now p99 now     p50     p99     max  function",
                "        40 1.02 us 1.02 us 1.02 us 9.15 us 9.00 ms  parse",
            ]
        );
        // None of these calls are counted from here on.
        let lines = drawn_of(timed(), "lz", (80, 24));
        assert_eq!(lines[4], "        40 1.02 us 1.02 us       -       -       -  parse");
        // All of the help fits.
        let lines = drawn("?", (80, 24));
        assert!(lines[22].starts_with("+ before a name"), "{lines:#?}");
    }

    #[test]
    fn any_terminal_is_large_enough_not_to_fail() {
        for size in [(1, 1), (10, 3), (20, 5), (300, 100)] {
            for keys in ["", "\n", "x", "l", "?", "GG"] {
                assert_eq!(drawn(keys, size).len(), usize::from(size.1));
            }
        }
    }
}
