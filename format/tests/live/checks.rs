//! What holds of any bytes that the reader accepts.

use gmon_format::live::{Count, Live};

/// Reads everything that a file holds; whether it is accepted.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    let Ok(live) = Live::new(bytes) else { return false };
    // Nothing claims more entries than there are bytes.
    let in_file = live.histogram().map(|it| (it.header.bins, it.counts().count()));
    assert!(in_file.is_none_or(|(bins, _)| bins as usize <= bytes.len()));
    let loaded = live.process_histograms().map(|it| (it.header.bins, it.counts().count()));
    assert!(loaded.chain(in_file).all(|(bins, counts)| counts <= bins as usize));
    assert!(live.arcs().count() <= live.process_arcs().count());
    assert!(live.process_arcs().count() + live.process_blocks().count() <= bytes.len() / 16);
    assert!(live.basic_blocks().count() <= live.process_blocks().count());
    let gaps: Vec<_> = live.gaps().collect();
    assert!(gaps.iter().all(|gap| gap.start <= gap.end && bytes.get(gap.clone()).is_some()));
    assert!(gaps.is_sorted_by(|one, next| one.end <= next.start));
    let mut in_tables = 0;
    for table in live.tables() {
        assert!(bytes.get(table.entries().place()).is_some());
        let filled: Vec<(usize, Count)> = table.filled().collect();
        assert_eq!(filled.len(), table.filled_count());
        let mut known = vec![0; filled.len()];
        let mut update = |visit: &mut dyn FnMut(Count, u64)| {
            let known = filled.iter().zip(&mut known).map(|((at, it), known)| (*at, known, *it));
            table.update(known, |it, _, count| visit(it, count));
        };
        update(&mut |it, count| match it {
            Count::Calls(arc) => {
                assert_eq!(arc.count, count);
                in_tables += 1;
            }
            Count::Executions(block) => assert_eq!(block.count, count),
        });
        update(&mut |it, _| panic!("{it:?} is no news"));
    }
    assert_eq!(live.process_arcs().count(), in_tables);
    assert!(live.bins().is_none_or(|bins| bytes.get(bins).is_some()));
    assert!(live.process_histograms().all(|it| it.marks().count() <= bytes.len() / 4));
    for stacks in live.stacks() {
        assert!(stacks.entries().positions() <= bytes.len() / 24);
        for (position, node) in stacks.iter().take(100) {
            assert_eq!(stacks.get(position), Some(node));
            assert!(stacks.path(position).take(1000).count() <= stacks.entries().positions());
        }
    }
    for module in live.modules() {
        assert!(module.path.len() <= bytes.len() && module.build_id.len() <= 20);
    }
    assert!(live.threads().all(|(position, _)| position < bytes.len() as u64));
    for facts in live.facts() {
        let len: usize = facts.iter().map(|(key, value)| key.len() + value.bytes().count()).sum();
        assert!(len <= bytes.len());
        assert!(facts.iter().filter_map(|(_, value)| value.number()).count() <= bytes.len());
    }
    true
}
