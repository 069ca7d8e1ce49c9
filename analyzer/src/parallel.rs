//! Work for all processors, as far as the system has threads. What comes out does not depend on their number.

use std::io::{self, Write};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// Interval at which [`map`] calls its caller.
const INTERVAL: Duration = Duration::from_millis(100);

/// The number of processors that this process may use.
///
/// The answer takes about a tenth of the time of a small report, so it is only for those with much work.
pub(crate) fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Results of `work` for each item, in order. Each item gets a thread. The caller waits, calls `meanwhile`
/// now and then, and does the work for which the system had no thread.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut meanwhile: impl FnMut(),
) -> Vec<R> {
    thread::scope(|scope| {
        let work = &work;
        // Disconnects when the last thread ends.
        let (ended, end) = channel::<()>();
        let start = |item| {
            let ended = ended.clone();
            let work = move || {
                let _ended = ended;
                work(item)
            };
            (item, thread::Builder::new().spawn_scoped(scope, work))
        };
        let threads: Vec<_> = items.iter().map(start).collect();
        drop(ended);
        while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            meanwhile();
        }
        let result = |(item, thread): (_, io::Result<thread::ScopedJoinHandle<'_, R>>)| match thread
        {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => work(item),
        };
        threads.into_iter().map(result).collect()
    })
}

/// Results of `work` for each item, in order. Each processor takes the next item when it is done with
/// one.
pub(crate) fn shared<T: Sync, R: Send + Sync>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some((item, result)) = {
            let index = next.fetch_add(1, Relaxed);
            items.get(index).zip(results.get(index))
        } {
            result.get_or_init(|| work(item));
        }
    };
    let others = if items.len() > 1 { processors().min(items.len()) - 1 } else { 0 };
    thread::scope(|scope| {
        for _ in 0..others {
            // Without a thread the others take its items.
            let _ = thread::Builder::new().spawn_scoped(scope, take);
        }
        take();
    });
    results.into_iter().map(|result| result.into_inner().expect("somebody took it")).collect()
}

/// Lines, or something else of about that length, that make a part.
pub(crate) const PART_OF_LINES: usize = 1024;
/// Parts that may wait to be written, for each processor.
const WAITING: usize = 2;

/// Writes the text that `render` makes of each of so many items, by their numbers from 0, in order;
/// `in_part` of them make a part. The memory that it takes does not depend on the number of items.
pub(crate) fn write_in_parts(
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

    #[test]
    fn results_have_the_order_of_the_items() {
        for count in [0, 1, 2, 50] {
            let items: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(map(&items, |item| item * 2, || ()), expected);
            assert_eq!(shared(&items, |item| item * 2), expected);
        }
    }

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
