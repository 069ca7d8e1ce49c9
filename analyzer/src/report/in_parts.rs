//! Texts that are made in parts, on all processors as far as the system has threads, and written in
//! order.

use std::io::{self, Write};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use crate::processors::processors;

/// Lines, or something else of about that length, that make a part.
pub(super) const PART_OF_LINES: usize = 1024;
/// Parts that may wait to be written, for each processor.
const WAITING: usize = 2;

/// Writes the text that `render` makes of each of so many items, by their numbers from 0, in order;
/// `in_part` of them make a part.
///
/// What is written does not depend on the number of processors, and memory not on that of items.
pub(super) fn write_in_parts(
    out: &mut impl Write,
    items: usize,
    in_part: usize,
    render: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    let parts = items.div_ceil(in_part);
    let render_part = |part: usize, text: &mut Vec<u8>| {
        text.clear();
        (part * in_part..items.min((part + 1) * in_part)).for_each(|item| render(item, text));
    };
    let threads = if parts > 1 { processors().min(parts) } else { 1 };
    let mut own_text = Vec::new();
    if threads < 2 {
        return (0..parts).try_for_each(|part| {
            render_part(part, &mut own_text);
            out.write_all(&own_text)
        });
    }
    thread::scope(|scope| {
        let render_part = &render_part;
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let (sender, texts) = sync_channel(WAITING);
                // What is written comes back, to be filled again.
                let (giver, spares) = channel::<Vec<u8>>();
                let work = move || {
                    for part in (first..parts).step_by(threads) {
                        let mut text = spares.try_recv().unwrap_or_default();
                        render_part(part, &mut text);
                        // Once writing failed, nobody receives any more.
                        if sender.send(text).is_err() {
                            return;
                        }
                    }
                };
                let thread = thread::Builder::new().spawn_scoped(scope, work);
                thread.is_ok().then_some((texts, giver))
            })
            .collect();
        for part in 0..parts {
            let Some((texts, giver)) = &workers[part % threads] else {
                render_part(part, &mut own_text);
                out.write_all(&own_text)?;
                continue;
            };
            // A thread that panicked sends nothing, and its panic goes on at the end of the scope.
            let Ok(text) = texts.recv() else { break };
            out.write_all(&text)?;
            // A thread that is done needs no more.
            let _ = giver.send(text);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: usize = 64;

    #[test]
    fn parts_are_written_in_the_order_of_the_items() {
        for count in [0, 1, PART, PART + 1, 20 * PART + 7] {
            let mut out = Vec::new();
            let render = |item: usize, text: &mut Vec<u8>| text.extend(item.to_string().bytes());
            write_in_parts(&mut out, count, PART, render).unwrap();
            let expected: String = (0..count).map(|item| item.to_string()).collect();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn an_output_that_takes_no_more_ends_the_writing() {
        let mut out = [0; 100];
        let render = |_, text: &mut Vec<u8>| text.push(b'x');
        assert!(write_in_parts(&mut out.as_mut_slice(), 100 * PART, PART, render).is_err());
    }
}
